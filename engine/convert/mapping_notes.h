// Notes on what a schema mapping changes.
#pragma once

#include <string>

#include "convert/schema_mapping.h"

namespace heron::inline v0 {

// Reports to Context::note what of a source with that schema is left out, cast, not stored, or will
// be rounded.
void note_mapping(const SchemaMapping& mapping, const Schema& source, const Context& context);

// Formats a difference with three digits.
std::string in_short(double difference);

}  // namespace heron::inline v0
