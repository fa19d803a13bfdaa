// The set of column values for which a comparison with a literal is true: exact for every column
// type and literal.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/copyable_variant.h"
#include "base/int128.h"
#include "heron/schema.h"
#include "values/decimals.h"

namespace heron::inline v0 {

enum class CompareOperator : uint8_t { Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual };

// All values from low to high, both inclusive.
template <class T>
struct Interval {
  T low, high;
};
// All texts from low on, by bytes, and below `below`, if present.
struct TextInterval {
  std::string low;
  std::optional<std::string> below;
};

// Values of a column for which a test is true: intervals, ascending and disjoint, in the column's
// own values:
//   int64_t      signed integers, dates, times, durations; the instant in UTC of datetimeoffsets
//   uint64_t     unsigned integers, bools (0 and 1), keys without values
//   double       floats; of float32 columns every end is a float32. -0.0 is 0.0
//   UInt128      row ids
//   TextInterval texts and binary, by bytes
//   Int128       the units of decimals
// Keys with values are tested by those values. Nulls are never in the set.
struct ValueSet {
  CopyableVariant<std::vector<Interval<int64_t>>, std::vector<Interval<uint64_t>>,
                  std::vector<Interval<double>>, std::vector<Interval<UInt128>>,
                  std::vector<TextInterval>, std::vector<Interval<Int128>>>
      intervals;
  bool nan = false;  // whether NaNs that are not null are in the set
};

// A literal in the form that values of a type are compared with: for numbers any number but NaN,
// for bools 0 and 1, for times the integer they store, for row ids 128 bits, for texts and binary
// bytes, for decimals a number in their units.
using Literal = CopyableVariant<Int128, double, UInt128, std::string, ScaledNumber>;

// Returns the operator with its sides exchanged: a < b is b > a.
CompareOperator mirrored(CompareOperator op);
// Returns whether `a op b` is true of two values in that order.
bool holds(CompareOperator op, std::partial_ordering order) noexcept;

// Returns the values for which `value op literal` is true, never NaN. `type`, here and below, has
// scalar values: no lists, vectors or nulls, and only keys without values.
ValueSet compared(const Type& type, CompareOperator op, const Literal& literal);
// Returns the texts with that prefix.
ValueSet starting_with(std::string_view start);

bool is_empty(const ValueSet& set);
ValueSet empty_set(const Type& type);
// Returns all values that are not in the set, including NaN.
ValueSet complement(const Type& type, const ValueSet& set);
// Return the union and the intersection of at least one set.
ValueSet united(const Type& type, std::span<const ValueSet> sets);
ValueSet intersected(const Type& type, std::span<const ValueSet> sets);

// The value of a float type nearest to the number.
double nearest(const Type& type, double number);

// The minimum and the maximum of an integer type, of bools, times or keys.
Interval<Int128> integer_range(const Type& type);

}  // namespace heron::inline v0
