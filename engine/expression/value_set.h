// The set of column values for which a comparison with a literal is true: exact for every column
// type and literal.
#pragma once

#include <span>

#include "expression/condition.h"

namespace heron::inline v0 {

// A literal in the form that values of a type are compared with: for numbers any number but NaN,
// for bools 0 and 1, for times the integer they store, for row ids 128 bits, for texts bytes.
using Literal = std::variant<Int128, double, UInt128, std::string>;

// a < b is b > a.
Compares::Operator mirrored(Compares::Operator op);

// `type`, here and below, has scalar values: no lists, vectors or nulls, and only keys without
// values. A NaN is never in the set.
ValueSet compared(const Type& type, Compares::Operator op, const Literal& literal);
// Texts with that prefix.
ValueSet starting_with(std::string_view start);

bool is_empty(const ValueSet& set);
ValueSet empty_set(const Type& type);
// All values that are not in the set, including NaN.
ValueSet complement(const Type& type, const ValueSet& set);
// Union and intersection of at least one set.
ValueSet united(const Type& type, std::span<const ValueSet> sets);
ValueSet intersected(const Type& type, std::span<const ValueSet> sets);

// The value of a float type nearest to the number.
double nearest(const Type& type, double number);

// The minimum and the maximum of an integer type, of bools, times or keys.
Interval<Int128> integer_range(const Type& type);

}  // namespace heron::inline v0
