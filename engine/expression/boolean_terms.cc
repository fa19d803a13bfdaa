// Predicates as bools with nulls, for results, and for predicates that no set of a column's values
// decides.
#include <utility>

#include "expression/like.h"
#include "expression/term.h"
#include "values/times.h"

namespace heron::inline v0 {
namespace {

using Kind = Syntax::Kind;

Expression joined(Expression::Kind kind, std::vector<Expression> parts) {
  if (parts.size() == 1) return std::move(parts.front());
  Expression all;
  all.kind = kind;
  all.value = ValueKind::Bool;
  all.type = Type::Bool;
  all.offset = parts.front().offset;
  all.parts = std::move(parts);
  return all;
}

Expression negated_if(bool negated, Expression truth) {
  return negated ? negation(std::move(truth)) : std::move(truth);
}

// Returns a timestamp or duration in nanoseconds, in 128 bits if its unit is another.
Expression in_nanoseconds(Expression time) {
  const Int128 factor = nanoseconds_of(time.type.unit());
  if (factor == 1) return time;
  if (const auto* whole = std::get_if<Int128>(&time.constant); whole && time.is_constant()) {
    time.constant = *whole * factor;
    time.range = {*whole * factor, *whole * factor};
    time.value = ValueKind::Wide;
    time.type = Type::Int128;
    return time;
  }
  const Interval<Int128> range{time.range.low * factor, time.range.high * factor};
  Expression unit = null_of(Type::Int64);
  unit.constant = factor;
  unit.range = {factor, factor};
  std::vector<Expression> parts;
  parts.push_back(std::move(time));
  parts.push_back(std::move(unit));
  Expression product = arithmetic(Arithmetic::Multiply, ValueKind::Wide, std::move(parts));
  product.range = range;
  return product;
}

std::partial_ordering compare_literals(const Term& left, const Term& right) {
  if (left.kind == Term::Kind::Text) return left.text() <=> right.text();
  if (left.kind == Term::Kind::Truth) return left.is_true <=> right.is_true;
  return compare(left.number(), right.number());
}

}  // namespace

Expression Terms::compared(CompareOperator op, const Term& left, const Term& right) const {
  const auto is = [&](Term::Kind kind) { return left.kind == kind || right.kind == kind; };
  if (is(Term::Kind::Predicate)) {
    if (op != CompareOperator::Equal && op != CompareOperator::NotEqual) {
      source_.fail_at(ErrorKind::Argument, right.syntax->first,
                      "predicates are compared with = and != only");
    }
    return compare(op, boolean(*left.syntax), boolean(*right.syntax));
  }
  if (is(Term::Kind::Null)) return null_of(Type::Bool);
  if (left.is_literal() && !right.is_literal()) return compared(mirrored(op), right, left);
  const bool has_set = !left.is_literal() && right.is_literal();
  if (has_set && !is_number_type(left.type())) {
    return in_set(typed(left), set_of(op, left, right));
  }
  if (has_set && left.type().is(Type::Decimal)) {
    return in_set(typed(left), set_of(op, left, right));
  }
  if (has_set && right.is_untyped()) {
    const Term number = as_number(right);
    if (!number.is_untyped()) return compared(op, left, number);
  }
  expect_alike(left, right);
  if (left.is_literal()) return truth_of(holds(op, compare_literals(left, right)));
  if (has_set && !left.type().is(Type::Int128)) {
    return in_set(typed(left), set_of(op, left, right));
  }
  const bool has_types = !left.is_literal() && !right.is_literal();
  if (has_types && common_time_type(left.type(), right.type()) &&
      left.type().unit() != right.type().unit()) {
    return compare(op, in_nanoseconds(typed(left)), in_nanoseconds(typed(right)));
  }
  return compare(op, typed(left), typed(right));
}

Expression Terms::boolean(const Syntax& syntax) const {
  switch (syntax.kind) {
    case Kind::Not: return negation(boolean(syntax.parts[0]));
    case Kind::And:
    case Kind::Or: return many(syntax);
    case Kind::Compare: return compared(syntax.op, term(syntax.parts[0]), term(syntax.parts[1]));
    case Kind::In: return negated_if(syntax.negated, in(syntax));
    case Kind::Between: return negated_if(syntax.negated, between(syntax));
    case Kind::Like: return negated_if(syntax.negated, like_of(syntax));
    case Kind::IsNaN: return negated_if(syntax.negated, nan_of(syntax));
    case Kind::IsTruth:
      return negated_if(syntax.negated, is_truth(boolean(syntax.parts[0]), syntax.flag));
    case Kind::IsNull: {
      const Term part = term(syntax.parts[0]);
      const bool is_column = part.kind == Term::Kind::Column;
      return negated_if(syntax.negated, is_null(is_column ? part.value : typed(part)));
    }
    default: break;
  }
  const Term value = term(syntax);
  if (value.kind == Term::Kind::Null) return null_of(Type::Bool);
  if (value.kind == Term::Kind::Truth) return truth_of(value.is_true);
  const bool has_type = value.kind == Term::Kind::Column || value.kind == Term::Kind::Computed;
  if (!has_type || !value.type().is(Type::Bool)) fail_expected("a predicate", value);
  return value.value;
}

Expression Terms::many(const Syntax& syntax) const {
  std::vector<Expression> parts;
  for (const Syntax& part : syntax.parts) parts.push_back(boolean(part));
  return joined(syntax.kind == Kind::And ? Expression::Kind::And : Expression::Kind::Or,
                std::move(parts));
}

// Returns whether a value is equal to one of the other values; the literals among these become one
// set.
Expression Terms::in(const Syntax& syntax) const {
  const Term value = term(syntax.parts[0]);
  if (value.kind == Term::Kind::Predicate) fail_expected("a value", value);
  const bool has_sets =
      !value.is_literal() && value.kind != Term::Kind::Null && !value.type().is(Type::Int128);
  std::vector<Expression> tests;
  std::vector<ValueSet> sets;
  for (const Syntax& part : std::span(syntax.parts).subspan(1)) {
    const Term item = term(part);
    if (item.kind == Term::Kind::Predicate) fail_expected("a value", item);
    if (!has_sets || !item.is_literal()) {
      tests.push_back(compared(CompareOperator::Equal, value, item));
      continue;
    }
    sets.push_back(set_of(CompareOperator::Equal, value, item));
  }
  if (!sets.empty()) tests.push_back(in_set(typed(value), united(value.type(), sets)));
  return joined(Expression::Kind::Or, std::move(tests));
}

Expression Terms::between(const Syntax& syntax) const {
  const Term value = term(syntax.parts[0]);
  if (value.kind == Term::Kind::Predicate) fail_expected("a value", value);
  std::vector<Expression> ends;
  ends.push_back(compared(CompareOperator::GreaterEqual, value, term(syntax.parts[1])));
  ends.push_back(compared(CompareOperator::LessEqual, value, term(syntax.parts[2])));
  return joined(Expression::Kind::And, std::move(ends));
}

Expression Terms::like_of(const Syntax& syntax) const {
  const Term value = term(syntax.parts[0]);
  const LikePattern pattern = parse_pattern(syntax, source_);
  if (value.kind == Term::Kind::Null) return null_of(Type::Bool);
  const bool has_type = value.kind == Term::Kind::Column || value.kind == Term::Kind::Computed;
  if (value.kind != Term::Kind::Text && (!has_type || !value.type().is_text())) {
    fail_expected("a text", value);
  }
  return like(typed(value), pattern, syntax.flag);
}

Expression Terms::nan_of(const Syntax& syntax) const {
  const Term value = term(syntax.parts[0]);
  if (value.kind == Term::Kind::Null) return null_of(Type::Bool);
  if (!is_number(value)) fail_expected("a number", value);
  return is_nan(converted(typed(value), ValueKind::Float));
}

}  // namespace heron::inline v0
