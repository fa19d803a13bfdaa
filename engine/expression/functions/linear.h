// Expressions that are factor * x + offset of one integer column: sums of them follow from the sum
// and the count of x.
#pragma once

#include <cstdint>
#include <optional>

#include "base/int128.h"

namespace heron::inline v0 {

struct Expression;

struct LinearForm {
  uint64_t column;
  Int128 factor, offset;  // at most 2^63 away from 0
  // Whether no value of the column's type has a result beyond int64, which is an error of its row.
  bool always_fits;
};

// Returns the form of a result of type int64 that is made of an integer column, integers and + - *
// alone, or is the column; else nullopt. The result is null where the column is.
std::optional<LinearForm> linear_form(const Expression& result);

}  // namespace heron::inline v0
