// Makes the engine's columns from feature records.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "columns/column.h"
#include "jforests/options.h"
#include "jforests/record.h"

namespace heron::inline v0::jforests {

// Makes a column after checking the record and its dictionary. Damage and undefined types make an
// UnreadableColumn. Throws Error: Io, Changed, Limit.
ColumnPtr open_feature(const Claim& claim, CodedValues view, const std::string& name);

// Describes how a feature's values were scaled, their number, and the loss. Empty for a damaged
// record.
std::vector<Metadata> describe_feature(const Claim& claim);

}  // namespace heron::inline v0::jforests
