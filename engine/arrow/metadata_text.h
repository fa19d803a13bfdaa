// A column's metadata as text, for Arrow has no other.
#pragma once

#include <string>

#include "heron/schema.h"

namespace heron::inline v0::arrow {

// A text as it is; any other value as JSON has it, times and row ids as strings.
std::string metadata_text(const Metadata& metadata);

}  // namespace heron::inline v0::arrow
