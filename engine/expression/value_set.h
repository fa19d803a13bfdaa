// Which values of a column a comparison with a literal is true for: exact, whatever the column's
// type can hold and the literal is.
#pragma once

#include <span>

#include "expression/condition.h"

namespace heron::inline v0 {

// A literal as the values of a type are compared with it: numbers with any number but NaN, bools
// with 0 and 1, times with what they count, row ids with 128 bits, texts with bytes.
using Literal = std::variant<Int128, double, UInt128, std::string>;

// a < b is b > a.
Compares::Operator mirrored(Compares::Operator op);

// `type` is that of scalars here and below: none of lists, vectors, nulls; keys are those that
// stand for nothing. A value that is NaN is never in the set.
ValueSet compared(const Type& type, Compares::Operator op, const Literal& literal);
// Texts that start with it.
ValueSet starting_with(std::string_view start);

bool is_empty(const ValueSet& set);
ValueSet empty_set(const Type& type);
// All values that are not in it, NaN included.
ValueSet complement(const Type& type, const ValueSet& set);
// What is in one of them, and in each of them; at least one.
ValueSet united(const Type& type, std::span<const ValueSet> sets);
ValueSet intersected(const Type& type, std::span<const ValueSet> sets);

// The value of a float type that is nearest to the number.
double nearest(const Type& type, double number);

// The least and the greatest value of an integer type, of bools, times or keys.
Interval<Int128> integer_range(const Type& type);

}  // namespace heron::inline v0
