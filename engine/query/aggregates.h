// Which aggregates apply to values of a type.
#pragma once

#include <string>

#include "heron/aggregate.h"

namespace heron::inline v0 {

// Why the function does not apply to values of that type, for error texts; empty if it does.
std::string why_not(Aggregate::Function function, const Type& type);

// The kind of quantile for values of that type.
Type quantile_type(const Type& type);

// Throws Error(Argument) for a function that does not apply to its column's type and for an invalid
// quantile, and the column's own error if it cannot be read.
void check_functions(const Table& table, std::span<const Aggregate> wanted);

}  // namespace heron::inline v0
