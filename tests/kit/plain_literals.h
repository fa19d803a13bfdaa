// Literals of the predicate language, in the forms that users may write.
#pragma once

#include <optional>
#include <string>

#include "kit/plain_predicate.h"

namespace heron::inline v0 {

// Makes a literal: an integer without a point or an exponent, else the float64 nearest to it.
PlainOperand number_literal(const std::string& spelling);
PlainOperand number_literal(Int128 value);
// Makes the shortest literal of this value, which must be finite. Always a float.
PlainOperand number_literal(double value);
PlainOperand decimal_literal(const PlainDecimal& value);
PlainOperand text_literal(const std::string& value);
PlainOperand bool_literal(bool value);
PlainOperand null_literal();

// Makes a literal of a date, time, duration or instant of a column of this type, in ISO form, or a
// row id, in quotes. An instant is spelled on the clock that is `minutes` ahead of UTC. Returns
// nullopt if the year does not have four digits.
std::optional<PlainOperand> quoted_literal(const Type& type, const PlainValue& value,
                                           int minutes = 0);

std::string decimal(Int128 value);

}  // namespace heron::inline v0
