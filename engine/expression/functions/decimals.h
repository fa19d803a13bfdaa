// Decimals in expressions: vectors of Int128 that count units of their type's scale.
#pragma once

#include "expression/functions/function.h"

namespace heron::inline v0 {

// Returns the decimal type with the least digits that holds a decimal, or all integers of a range.
Type decimal_type_of(const Expression& number);

// Converts a decimal or integer to a decimal type, halves away from 0. A value with more digits
// than the type is an error of its row.
Expression as_decimal(Expression number, const Type& type);

// Returns a op b for decimals and integers, or -a: exact, with as many digits behind the point as
// that takes. nullopt for a product of more than 38 of them, and for / and %.
std::optional<Expression> decimal_arithmetic(Arithmetic op, std::vector<Expression> parts);

// Returns whether one is a decimal and the other no decimal of as many digits behind the point.
bool differ_in_scale(const Expression& a, const Expression& b);
// Returns a op b for such numbers.
Expression compare_decimals(CompareOperator op, Expression a, Expression b);

}  // namespace heron::inline v0
