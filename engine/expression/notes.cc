#include "expression/notes.h"

#include <algorithm>
#include <cmath>

#include "base/fail.h"
#include "expression/bound_predicate.h"

namespace heron::inline v0 {
namespace {

bool is_written_null(const Term& term) {
  return term.syntax->kind == Syntax::Kind::Null;
}

// Returns the text of `number`, which fits 64 bits, signed or unsigned.
std::string text_of(Int128 number) {
  return number < 0 ? concat(static_cast<int64_t>(number)) : concat(static_cast<uint64_t>(number));
}

bool is_whole(const Literal& literal) {
  const auto* number = std::get_if<double>(&literal);
  return number == nullptr || *number == std::floor(*number);
}

double as_double(const Literal& number) {
  const auto* whole = std::get_if<Int128>(&number);
  return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(number);
}

}  // namespace

void Notes::add(std::string_view what, std::string_view why) {
  std::string note = concat(what, " is never true", why);
  if (std::find(notes_.begin(), notes_.end(), note) == notes_.end()) {
    notes_.push_back(std::move(note));
  }
}

void Notes::on_comparison(const Syntax& comparison, const Term& left, const Term& right) {
  if (is_written_null(left) || is_written_null(right))
    add(shown(comparison), "; use \"is null\"");
  else if (left.is_nan() || right.is_nan())
    add(shown(comparison), "; use \"is nan\"");
  else if (left.kind == Term::Kind::Column && right.is_literal())
    on_literal(comparison, left, right);
  else if (left.is_literal() && right.kind == Term::Kind::Column)
    on_literal(comparison, right, left);
}

void Notes::on_literal(const Syntax& comparison, const Term& column, const Term& literal) {
  using Operator = CompareOperator;
  const Type& type = column.type();
  const Literal value = terms_.literal_for(column, literal);
  const Operator op = comparison.op;
  const bool mirror = column.syntax != &comparison.parts[0];
  if (!is_empty(terms_.set_of(mirror ? mirrored(op) : op, column, literal))) return;
  const std::string described = columns_.described(column.value.column);
  if (type.is_float() && op == Operator::Equal)
    add(shown(comparison), concat(": the value nearest to it that ", described, " can hold is ",
                                  nearest(type, as_double(value))));
  else if (type.is_float() || type.has_bytes() || type.is(Type::Decimal) ||
           type.is(Type::RowId) || type.is(Type::Bool))
    add(shown(comparison), concat(": no value of ", described, " is"));
  else if (!is_whole(value))
    add(shown(comparison), concat(": ", described, " holds whole numbers"));
  else
    add(shown(comparison), concat(": ", described, " holds ", text_of(integer_range(type).low),
                                  " to ", text_of(integer_range(type).high)));
}

void Notes::on_tested(const Syntax& syntax, const Term& value, bool has_null, bool expected,
                      const BoundPredicate& tested) {
  const auto* always = std::get_if<Always>(&tested);
  if (always == nullptr || always->is_true) return;
  const bool as_written = expected != syntax.negated;
  const std::string what = as_written ? shown(syntax) : concat("not ", shown(syntax));
  if (has_null)
    add(what, " because of its null; use \"is null\"");
  else if (value.kind == Term::Kind::Column)
    add(what, concat(": no value of ", columns_.described(value.value.column), " is"));
}

}  // namespace heron::inline v0
