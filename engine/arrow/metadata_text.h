// A column's metadata as text, the only kind that Arrow has.
#pragma once

#include <string>

#include "heron/schema.h"

namespace heron::inline v0::arrow {

// A text unchanged; any other value as JSON, with times and row ids as strings.
std::string metadata_text(const Metadata& metadata);

}  // namespace heron::inline v0::arrow
