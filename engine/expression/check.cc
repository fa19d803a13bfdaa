// In three-valued logic "a and b" is true if both are, and "not (a and b)" if "not a" or "not b"
// is: the checker makes tests either for a predicate to be true, or for its "not" to be.
#include "expression/check.h"

#include <algorithm>

#include "expression/combine.h"
#include "expression/functions/inverse.h"
#include "expression/functions/regex.h"
#include "expression/like.h"
#include "expression/notes.h"
#include "expression/term.h"

namespace heron::inline v0 {
namespace {

using Kind = Syntax::Kind;
using Operator = CompareOperator;

constexpr uint64_t kMaxTests = 100'000;

// Returns contains() or ends_with() of a column and a literal as a pattern, else nullopt;
// starts_with() is a set.
std::optional<BoundPredicate> part_of_text(const Expression& call, bool expected) {
  if (call.kind != Expression::Kind::Call || call.parts.size() != 2) return std::nullopt;
  const bool contains = call.function->name == "contains";
  if (!contains && call.function->name != "ends_with") return std::nullopt;
  const auto* part = std::get_if<std::string>(&call.parts[1].constant);
  if (call.parts[0].kind != Expression::Kind::Column || part == nullptr || part->empty()) {
    return std::nullopt;
  }
  using Piece = LikePattern::Piece;
  LikePattern pattern;
  pattern.pieces.push_back({Piece::Kind::Any, {}});
  pattern.pieces.push_back({Piece::Kind::Text, *part});
  if (contains) pattern.pieces.push_back({Piece::Kind::Any, {}});
  return IsLike{call.parts[0].column, std::move(pattern), !expected};
}

class Checker {
 public:
  Checker(NamedColumns& columns, const SourceText& source)
      : columns_(columns),
        source_(source),
        terms_(columns, source),
        notes_(columns, terms_, source) {}

  // Returns a test that passes where `syntax` is true or, if not `expected`, where its "not" is
  // true.
  BoundPredicate predicate(const Syntax& syntax, bool expected);
  std::vector<std::string> take_notes() { return notes_.take(); }

 private:
  BoundPredicate many(const Syntax& syntax, bool expected);
  BoundPredicate value(const Syntax& syntax, bool expected);
  BoundPredicate matches(const Expression& call, bool expected) const;
  BoundPredicate comparison(const Syntax& syntax, bool expected);
  BoundPredicate compare(Operator op, const Term& left, const Term& right, bool expected);
  BoundPredicate compare_predicates(Operator op, const Term& left, const Term& right,
                                    bool expected);
  BoundPredicate in(const Syntax& syntax, bool expected);
  BoundPredicate between(const Syntax& syntax, bool expected);
  BoundPredicate like(const Syntax& syntax, bool expected);
  BoundPredicate is_null(const Syntax& syntax, bool expected);
  BoundPredicate is_nan(const Syntax& syntax, bool expected);
  BoundPredicate is_truth(const Syntax& syntax, bool expected);
  BoundPredicate none_of(BoundPredicate part) const;
  // Returns a test that passes where the bool equals `expected`. If the bool corresponds to a set
  // of column values, the set decides, or selects the rows for which the bool is computed.
  BoundPredicate computed(Expression truth, bool expected) const;

  // Tests whether a column's value is in the set or, if not `expected`, outside it and not null.
  BoundPredicate in_set_or_not(const Term& column, ValueSet set, bool expected) const {
    const Type& type = column.type();
    return in_set(column.value.column, type, expected ? std::move(set) : complement(type, set));
  }
  // Returns a term. Throws Error(Argument) if it is a predicate.
  Term value_term(const Syntax& syntax) const {
    Term term = terms_.term(syntax);
    if (term.kind == Term::Kind::Predicate) terms_.fail_expected("a value", term);
    return term;
  }
  BoundPredicate all_of(std::vector<BoundPredicate> parts) const {
    return heron::all_of(std::move(parts), columns_);
  }
  BoundPredicate any_of(std::vector<BoundPredicate> parts) const {
    return heron::any_of(std::move(parts), columns_);
  }

  NamedColumns& columns_;
  const SourceText& source_;
  const Terms terms_;
  Notes notes_;
  uint64_t tests_ = 0;
};

BoundPredicate Checker::predicate(const Syntax& syntax, bool expected) {
  if (++tests_ > kMaxTests) {
    source_.fail_at(ErrorKind::Limit, syntax.first, "this becomes more than ", kMaxTests,
                    " tests");
  }
  switch (syntax.kind) {
    case Kind::Not: return predicate(syntax.parts[0], !expected);
    case Kind::And:
    case Kind::Or: return many(syntax, expected);
    case Kind::Compare: return comparison(syntax, expected);
    case Kind::In: return in(syntax, expected != syntax.negated);
    case Kind::Between: return between(syntax, expected != syntax.negated);
    case Kind::Like: return like(syntax, expected != syntax.negated);
    case Kind::IsNull: return is_null(syntax, expected != syntax.negated);
    case Kind::IsNaN: return is_nan(syntax, expected != syntax.negated);
    case Kind::IsTruth: return is_truth(syntax, expected != syntax.negated);
    default: return value(syntax, expected);
  }
}

BoundPredicate Checker::many(const Syntax& syntax, bool expected) {
  std::vector<BoundPredicate> parts;
  for (const Syntax& part : syntax.parts) parts.push_back(predicate(part, expected));
  const bool all = (syntax.kind == Kind::And) == expected;
  return all ? all_of(std::move(parts)) : any_of(std::move(parts));
}

BoundPredicate Checker::value(const Syntax& syntax, bool expected) {
  const Term term = terms_.term(syntax);
  if (term.kind == Term::Kind::Null) return Always{false};
  if (term.kind == Term::Kind::Truth) return Always{term.is_true == expected};
  if (term.kind == Term::Kind::Computed && term.type().is(Type::Bool)) {
    if (term.value.regex != nullptr) return matches(term.value, expected);
    if (auto pattern = part_of_text(term.value, expected)) return *std::move(pattern);
    return computed(term.value, expected);
  }
  if (term.kind != Term::Kind::Column || !term.type().is(Type::Bool)) {
    terms_.fail_expected("a predicate", term);
  }
  return in_set(term.value.column, Type::Bool,
                compared(Type::Bool, Operator::Equal, Int128{expected}));
}

// Adds a test from what is known of a column's matching texts: zones, dictionaries and text
// searches decide it before the expression is computed.
BoundPredicate Checker::matches(const Expression& call, bool expected) const {
  const Expression& text = call.parts[0];
  const LikeOfRegex& known = call.regex->like();
  const bool is_exact = known.exact == LikeOfRegex::Exact::Always;
  if (text.kind != Expression::Kind::Column || (!expected && !is_exact))
    return Holds{call, expected};
  BoundPredicate like = IsLike{text.column, known.pattern, !expected};
  if (const auto set = as_set(known.pattern))
    like = in_set(text.column, text.type, expected ? *set : complement(text.type, *set));
  if (is_exact) return like;
  std::vector<BoundPredicate> both;
  both.push_back(std::move(like));
  both.push_back(Holds{of_likely_texts(call), true});
  return all_of(std::move(both));
}

BoundPredicate Checker::comparison(const Syntax& syntax, bool expected) {
  const Term left = terms_.term(syntax.parts[0]);
  const Term right = terms_.term(syntax.parts[1]);
  BoundPredicate compared = compare(syntax.op, left, right, expected);
  notes_.on_comparison(syntax, left, right);
  return compared;
}

BoundPredicate Checker::compare(Operator op, const Term& left, const Term& right, bool expected) {
  if (left.kind == Term::Kind::Predicate || right.kind == Term::Kind::Predicate) {
    return compare_predicates(op, left, right, expected);
  }
  if (left.is_literal() && right.kind == Term::Kind::Column) {
    return compare(mirrored(op), right, left, expected);
  }
  if (left.kind == Term::Kind::Null || right.kind == Term::Kind::Null) return Always{false};
  if (left.kind == Term::Kind::Column && right.is_literal()) {
    return in_set_or_not(left, terms_.set_of(op, left, right), expected);
  }
  Expression compared = terms_.compared(op, left, right);
  if (compared.is_null()) return Always{false};
  if (compared.is_constant()) return Always{(std::get<Int128>(compared.constant) != 0) == expected};
  return computed(std::move(compared), expected);
}

BoundPredicate Checker::compare_predicates(Operator op, const Term& left, const Term& right,
                                      bool expected) {
  if (op != Operator::Equal && op != Operator::NotEqual) {
    source_.fail_at(ErrorKind::Argument, right.syntax->first,
                    "predicates are compared with = and != only");
  }
  const bool alike = (op == Operator::Equal) == expected;
  std::vector<BoundPredicate> cases;
  for (const bool is_true : {true, false}) {
    std::vector<BoundPredicate> both;
    both.push_back(predicate(*left.syntax, is_true));
    both.push_back(predicate(*right.syntax, is_true == alike));
    cases.push_back(all_of(std::move(both)));
  }
  return any_of(std::move(cases));
}

BoundPredicate Checker::in(const Syntax& syntax, bool expected) {
  const Term value = value_term(syntax.parts[0]);
  std::vector<ValueSet> sets;
  std::vector<BoundPredicate> tests;
  bool has_null = false;
  for (const Syntax& part : std::span(syntax.parts).subspan(1)) {
    const Term item = value_term(part);
    has_null = has_null || item.kind == Term::Kind::Null;
    if (value.kind != Term::Kind::Column || !item.is_literal()) {
      tests.push_back(compare(Operator::Equal, value, item, expected));
      continue;
    }
    sets.push_back(terms_.set_of(Operator::Equal, value, item));
  }
  if (!sets.empty()) {
    const Type& type = value.type();
    tests.push_back(in_set_or_not(value, united(type, sets), expected));
  }
  BoundPredicate tested = expected ? any_of(std::move(tests)) : all_of(std::move(tests));
  notes_.on_tested(syntax, value, has_null, expected, tested);
  return tested;
}

BoundPredicate Checker::between(const Syntax& syntax, bool expected) {
  const Term value = value_term(syntax.parts[0]);
  const Term low = value_term(syntax.parts[1]);
  const Term high = value_term(syntax.parts[2]);
  std::vector<BoundPredicate> ends;
  ends.push_back(compare(Operator::GreaterEqual, value, low, expected));
  ends.push_back(compare(Operator::LessEqual, value, high, expected));
  BoundPredicate tested = expected ? all_of(std::move(ends)) : any_of(std::move(ends));
  const bool has_null = low.kind == Term::Kind::Null || high.kind == Term::Kind::Null;
  notes_.on_tested(syntax, value, has_null, expected, tested);
  return tested;
}

BoundPredicate Checker::like(const Syntax& syntax, bool expected) {
  const Term value = terms_.term(syntax.parts[0]);
  LikePattern pattern = parse_pattern(syntax, source_);
  if (value.kind == Term::Kind::Null) return Always{false};
  if (value.kind != Term::Kind::Column || syntax.flag) {
    Syntax as_written = syntax;
    as_written.negated = false;
    return Holds{terms_.boolean(as_written), expected};
  }
  if (!value.type().is_text()) terms_.fail_expected("a text", value);
  if (auto set = as_set(pattern)) return in_set_or_not(value, *std::move(set), expected);
  return IsLike{value.value.column, std::move(pattern), !expected};
}

BoundPredicate Checker::is_null(const Syntax& syntax, bool expected) {
  const Term term = terms_.term(syntax.parts[0]);
  switch (term.kind) {
    case Term::Kind::Null: return Always{expected};
    case Term::Kind::Column: return IsNull{term.value.column, !expected};
    case Term::Kind::Computed: return Holds{heron::is_null(term.value), expected};
    case Term::Kind::Predicate: break;
    default: return Always{!expected};
  }
  std::vector<BoundPredicate> decided;
  for (const bool is_true : {true, false}) {
    decided.push_back(predicate(syntax.parts[0], is_true));
  }
  BoundPredicate either = any_of(std::move(decided));
  return expected ? none_of(std::move(either)) : std::move(either);
}

BoundPredicate Checker::is_truth(const Syntax& syntax, bool expected) {
  BoundPredicate is_that = predicate(syntax.parts[0], syntax.flag);
  return expected ? std::move(is_that) : none_of(std::move(is_that));
}

BoundPredicate Checker::computed(Expression truth, bool expected) const {
  auto values = column_values(truth, expected, columns_, source_);
  if (!values) return Holds{std::move(truth), expected};
  BoundPredicate set =
      in_set(values->column, columns_.type(values->column), std::move(values->set));
  if (values->is_exact) return set;
  std::vector<BoundPredicate> both;
  both.push_back(std::move(set));
  both.push_back(Holds{std::move(truth), expected});
  return all_of(std::move(both));
}

BoundPredicate Checker::none_of(BoundPredicate part) const {
  if (const auto* always = std::get_if<Always>(&part)) return Always{!always->is_true};
  if (auto* is_null = std::get_if<IsNull>(&part)) return IsNull{is_null->column, !is_null->negated};
  NoneOf none;
  none.part.push_back(std::move(part));
  return none;
}

BoundPredicate Checker::is_nan(const Syntax& syntax, bool expected) {
  const Term term = terms_.term(syntax.parts[0]);
  if (term.kind == Term::Kind::Null) return Always{false};
  if (!terms_.is_number(term)) terms_.fail_expected("a number", term);
  if (term.kind == Term::Kind::Number) return Always{term.is_nan() == expected};
  const bool can_be = term.value.value == ValueKind::Float;
  if (term.kind == Term::Kind::Column) {
    ValueSet nans = empty_set(term.type());
    nans.nan = can_be;
    return in_set_or_not(term, std::move(nans), expected);
  }
  if (can_be) return Holds{heron::is_nan(term.value), expected};
  if (expected) return Always{false};
  return Holds{heron::is_null(term.value), false};
}

}  // namespace

Checked check(const Syntax& syntax, NamedColumns& columns, const SourceText& source) {
  Checker checker(columns, source);
  BoundPredicate predicate = checker.predicate(syntax, true);
  return {std::move(predicate), checker.take_notes()};
}

}  // namespace heron::inline v0
