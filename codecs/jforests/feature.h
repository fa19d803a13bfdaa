// Makes the engine's columns from feature records.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "columns/column.h"
#include "heron/jforests.h"
#include "jforests/record.h"

namespace heron::inline v0::jforests {

// Checks the record and its dictionary. Damage and undefined types make an UnreadableColumn. Throws
// Error: Io, Changed, Limit.
ColumnPtr open_feature(const Claim& claim, CodedValues view, const std::string& name);

// How its values were scaled, how many there are, and what was lost. Empty for a damaged record.
std::vector<Metadata> describe_feature(const Claim& claim);

}  // namespace heron::inline v0::jforests
