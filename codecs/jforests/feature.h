// From a feature's record to one of the engine's columns.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "columns/column.h"
#include "jforests/record.h"

namespace heron::inline v0::jforests {

// Checks the record and its dictionary. Damage, and types that nobody has defined, give an
// UnreadableColumn. Throws Error: Io, Changed, Limit.
ColumnPtr open_feature(const Claim& claim, CodedValues view, const std::string& name);

// How its values were scaled, how many there are, and what has happened to them. Nothing of a
// damaged record.
std::vector<Metadata> describe_feature(const Claim& claim);

}  // namespace heron::inline v0::jforests
