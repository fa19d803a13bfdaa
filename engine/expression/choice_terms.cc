// Choices between values, which become values of one type.
#include <algorithm>
#include <utility>

#include "base/fail.h"
#include "expression/functions/decimals.h"
#include "expression/term.h"
#include "values/times.h"

namespace heron::inline v0 {
namespace {

// Returns the type that holds the times of `type` and all values that have a common type with it.
Type time_type_of(std::span<const Expression> values, Type type) {
  for (const Expression& value : values) {
    if (auto common = common_time_type(type, value.type)) type = *std::move(common);
  }
  return type;
}

}  // namespace

// Makes nullif(a, b) a "case when a = b then null else a end".
Term Terms::nullif(const Syntax& syntax, std::span<const Term> parts) const {
  Expression choice;
  choice.kind = Expression::Kind::Case;
  Expression first = typed(parts[0]);
  if (first.type.is(Type::Null)) return parts[0];
  choice.type = first.type;
  choice.value = first.value;
  choice.range = first.range;
  choice.parts.push_back(compared(CompareOperator::Equal, parts[0], parts[1]));
  choice.parts.push_back(null_of(first.type));
  choice.parts[1].value = first.value;
  choice.parts.push_back(std::move(first));
  return computed(syntax, std::move(choice));
}

Term Terms::case_of(const Syntax& syntax) const {
  const size_t operands = syntax.flag ? 1 : 0;
  const size_t choices = (syntax.parts.size() - operands) / 2;
  Expression choice;
  choice.kind = Expression::Kind::Case;
  std::vector<Term> terms;
  std::vector<Expression> values;
  const auto add_value = [&](const Syntax& value) {
    terms.push_back(term(value));
    values.push_back(typed(terms.back()));
  };
  std::vector<Expression> tests;
  for (size_t i = 0; i < choices; ++i) {
    const Syntax& test = syntax.parts[operands + 2 * i];
    tests.push_back(syntax.flag
                        ? compared(CompareOperator::Equal, term(syntax.parts[0]), term(test))
                        : boolean(test));
    add_value(syntax.parts[operands + 2 * i + 1]);
  }
  const bool has_else = syntax.parts.size() > operands + 2 * choices;
  if (has_else) add_value(syntax.parts.back());
  choice.type = unify(terms, values);
  if (choice.type.is(Type::Null)) {
    Term null;
    null.syntax = &syntax;
    return null;
  }
  choice.value = values[0].value;
  choice.range = values[0].range;
  for (const Expression& value : values) {
    choice.range = {std::min(choice.range.low, value.range.low),
                    std::max(choice.range.high, value.range.high)};
  }
  for (size_t i = 0; i < choices; ++i) {
    choice.parts.push_back(std::move(tests[i]));
    choice.parts.push_back(std::move(values[i]));
  }
  choice.parts.push_back(has_else ? std::move(values.back()) : null_of(choice.type));
  choice.parts.back().value = choice.value;
  return computed(syntax, std::move(choice));
}

// Returns float64 for floats (float32 for a single float32); for decimals one that holds all of
// them and of the integers, as far as decimals do; for integers the common type of the
// terms that are not literals if it holds the literals, too, else int64 or, if int64 does not hold
// all values, 128 bits.
Type Terms::number_type_of(std::span<const Expression> values) const {
  const Expression* typed_one = nullptr;
  bool all_alike = true, any_float = false, any_decimal = false;
  Interval<Int128> range{0, 0};
  for (const Expression& value : values) {
    if (value.type.is(Type::Null)) continue;
    any_float = any_float || value.value == ValueKind::Float;
    any_decimal = any_decimal || value.type.is(Type::Decimal);
    if (value.value != ValueKind::Float) {
      range = {std::min(range.low, value.range.low), std::max(range.high, value.range.high)};
    }
    if (value.is_constant()) continue;
    all_alike = all_alike && (typed_one == nullptr || typed_one->type == value.type);
    typed_one = &value;
  }
  const bool has_one = typed_one != nullptr && all_alike;
  if (any_decimal && !any_float) {
    uint32_t whole = 0, scale = 0;
    for (const Expression& value : values) {
      if (value.type.is(Type::Null)) continue;
      const Type type = decimal_type_of(value);
      whole = std::max(whole, static_cast<uint32_t>(type.size()) - type.scale());
      scale = std::max(scale, type.scale());
    }
    return Type::decimal(std::clamp<uint32_t>(whole + scale, 1, Type::kMaxPrecision), scale);
  }
  if (any_float)
    return has_one && typed_one->type.is(Type::Float32) && values.size() == 1 ? Type::Float32
                                                                              : Type::Float64;
  if (has_one) {
    const Interval<Int128> held =
        typed_one->type.is(Type::Int128) ? range : integer_range(typed_one->type);
    if (range.low >= held.low && range.high <= held.high) return typed_one->type;
  }
  return range.low < INT64_MIN || range.high > INT64_MAX ? Type::Int128 : Type::Int64;
}

Type Terms::unify(std::span<const Term> terms, std::span<Expression> values) const {
  const auto has_value = [](const Expression& value) { return !value.type.is(Type::Null); };
  const auto first = std::find_if(values.begin(), values.end(), has_value);
  if (first == values.end()) return Type::Null;
  size_t model = static_cast<size_t>(first - values.begin());
  // Text literals beside a time are converted to its type.
  for (size_t i = 0; i < values.size(); ++i) {
    if (is_time(values[i].type) && !is_time(values[model].type)) model = i;
    if (values[i].type.is_binary() && terms[model].kind == Term::Kind::Text) model = i;
  }
  if (std::any_of(values.begin(), values.end(),
                  [](const Expression& value) { return value.type.is(Type::Decimal); })) {
    for (size_t i = 0; i < values.size(); ++i) {
      if (auto decimal = as_decimal_literal(terms[i])) values[i] = *std::move(decimal);
    }
  }
  const bool numbers = is_number_type(values[model].type);
  const Type type = numbers                          ? number_type_of(values)
                    : values[model].type.is_text()   ? Type(Type::Text)
                    : values[model].type.is_binary() ? Type(Type::Binary)
                    : is_time(values[model].type)    ? time_type_of(values, values[model].type)
                                                     : values[model].type;
  for (size_t i = 0; i < values.size(); ++i) {
    Expression& value = values[i];
    if (!has_value(value)) {
      value = null_of(type);
    } else if (type.is(Type::Decimal) && is_number_type(value.type)) {
      value = as_decimal(std::move(value), type);
    } else if (numbers && is_number_type(value.type)) {
      value = converted(std::move(value), kind_of(type));
    } else if (is_time(type) && terms[i].kind == Term::Kind::Text) {
      Term of_type = terms[model];
      of_type.value.type = type;
      const Literal time = literal_for(of_type, terms[i]);
      value = null_of(type);
      value.constant = std::get<Int128>(time);
    } else if (common_time_type(value.type, type)) {
      value = cast(std::move(value), type, false);
    } else if (value.type != type && !(type.is_text() && value.type.is_text()) &&
               !(type.is_binary() && value.type.has_bytes() &&
                 (value.type.is_binary() || terms[i].kind == Term::Kind::Text))) {
      fail_expected(concat(numbers ? "a number" : type.name(), " beside ", described(terms[model])),
                    terms[i]);
    }
    value.type = type;
  }
  return type;
}

}  // namespace heron::inline v0
