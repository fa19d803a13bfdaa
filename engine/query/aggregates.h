// Which functions the values of a column have.
#pragma once

#include <string>

#include "heron/aggregate.h"

namespace heron::inline v0 {

// Why values of that type do not have the function, for error texts; empty: they have it.
std::string why_not(Aggregate::Function function, const Type& type);

// Of a quantile of values of that type.
Type quantile_type(const Type& type);

// Throws Error(Argument) for a function that its column's type does not have, for a quantile that
// is not one, and what a column
// that cannot be read throws.
void check_functions(const Table& table, std::span<const Aggregate> wanted);

}  // namespace heron::inline v0
