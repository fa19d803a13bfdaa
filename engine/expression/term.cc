#include "expression/term.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/fail.h"
#include "expression/functions/decimals.h"
#include "values/times.h"

namespace heron::inline v0 {
namespace {

using Kind = Syntax::Kind;

ValueKind value_that_holds(const Interval<Int128>& range) {
  const bool small = range.low >= std::numeric_limits<int64_t>::min() &&
                     range.high <= std::numeric_limits<int64_t>::max();
  return small ? ValueKind::Integer : ValueKind::Wide;
}

bool is_arithmetic(Kind kind) {
  return kind >= Kind::Negate && kind <= Kind::Remainder;
}

Arithmetic arithmetic_kind(Kind kind) {
  switch (kind) {
    case Kind::Negate: return Arithmetic::Negate;
    case Kind::Add: return Arithmetic::Add;
    case Kind::Subtract: return Arithmetic::Subtract;
    case Kind::Multiply: return Arithmetic::Multiply;
    case Kind::Divide: return Arithmetic::Divide;
    default: return Arithmetic::Remainder;
  }
}

double as_double(const ExactNumber& number) {
  return std::visit([](auto value) { return static_cast<double>(value); }, number);
}

// Returns false if the result exceeds 128 bits.
bool reckon(Kind kind, Int128 a, Int128 b, Int128& result) {
  switch (kind) {
    case Kind::Add: return !__builtin_add_overflow(a, b, &result);
    case Kind::Subtract: return !__builtin_sub_overflow(a, b, &result);
    default: return !__builtin_mul_overflow(a, b, &result);
  }
}

double reckon(Kind kind, double a, double b) {
  switch (kind) {
    case Kind::Add: return a + b;
    case Kind::Subtract: return a - b;
    case Kind::Multiply: return a * b;
    case Kind::Divide: return a / b;
    default: return std::fmod(a, b);
  }
}

// The range of possible results; nullopt if it exceeds 128 bits.
std::optional<Interval<Int128>> range_of(Kind kind, const Interval<Int128>& a,
                                         const Interval<Int128>& b) {
  if (kind == Kind::Remainder) {
    // A remainder is smaller than the divisor and not beyond the dividend, whose sign it has.
    const Int128 below =
        std::max(b.high > 0 ? b.high - 1 : Int128{0}, b.low < 0 ? -(b.low + 1) : Int128{0});
    return Interval<Int128>{a.low < 0 ? std::max(a.low, -below) : 0,
                            a.high > 0 ? std::min(a.high, below) : 0};
  }
  Interval<Int128> range{};
  bool first = true;
  for (const Int128 left : {a.low, a.high}) {
    for (const Int128 right : {b.low, b.high}) {
      Int128 corner = 0;
      if (!reckon(kind, left, right, corner)) return std::nullopt;
      range.low = first ? corner : std::min(range.low, corner);
      range.high = first ? corner : std::max(range.high, corner);
      first = false;
    }
  }
  return range;
}

}  // namespace

bool is_number_type(const Type& type) {
  return type.is_integer() || type.is_float() || type.is(Type::Key) || type.is(Type::Int128) ||
         type.is(Type::Decimal);
}

std::optional<Type> common_time_type(const Type& a, const Type& b) {
  const Type::Unit finer = std::max(a.unit(), b.unit());
  if (a.is(Type::Duration) && b.is(Type::Duration)) return Type::duration(finer);
  const bool are_timestamps = a.is(Type::Timestamp) && b.is(Type::Timestamp);
  if (!are_timestamps || a.zone().empty() != b.zone().empty()) return std::nullopt;
  return Type::timestamp(finer, std::string(a.zone() == b.zone() ? a.zone() : "UTC"));
}

std::partial_ordering compare(const ExactNumber& a, const ExactNumber& b) {
  const auto* integer_a = std::get_if<Int128>(&a);
  const auto* integer_b = std::get_if<Int128>(&b);
  if (integer_a == nullptr && integer_b == nullptr) return as_double(a) <=> as_double(b);
  if (integer_a == nullptr) return 0 <=> compare(b, a);
  if (integer_b != nullptr) return *integer_a <=> *integer_b;
  const double number = std::get<double>(b);
  if (!(number > -0x1p127 && number < 0x1p127)) return 0 <=> number;
  const double floor = std::floor(number);
  const auto whole = static_cast<Int128>(floor);
  if (*integer_a != whole) return *integer_a <=> whole;
  return floor <=> number;
}

Term Terms::term(const Syntax& syntax) const {
  Term term;
  term.syntax = &syntax;
  term.value.offset = syntax.first;
  switch (syntax.kind) {
    case Kind::Null: return term;
    case Kind::Number: return number(syntax, syntax.number);
    case Kind::Name: return column(syntax);
    case Kind::Call: return call(syntax);
    case Kind::Cast: return cast_of(syntax);
    case Kind::Case: return case_of(syntax);
    case Kind::Text:
      term.kind = Term::Kind::Text;
      term.value.value = ValueKind::Text;
      term.value.type = Type::Text;
      term.value.constant = syntax.text;
      return term;
    case Kind::True:
    case Kind::False:
      term.kind = Term::Kind::Truth;
      term.is_true = syntax.kind == Kind::True;
      return term;
    default: break;
  }
  if (is_arithmetic(syntax.kind)) return arithmetic_of(syntax);
  term.kind = Term::Kind::Predicate;
  return term;
}

Term Terms::number(const Syntax& syntax, ExactNumber number) const {
  Term term;
  term.kind = Term::Kind::Number;
  term.syntax = &syntax;
  term.value.offset = syntax.first;
  if (const auto* whole = std::get_if<Int128>(&number)) {
    term.value.range = {*whole, *whole};
    term.value.value = value_that_holds(term.value.range);
    term.value.type = term.value.value == ValueKind::Wide ? Type::Int128 : Type::Int64;
    term.value.constant = *whole;
  } else {
    term.value.value = ValueKind::Float;
    term.value.type = Type::Float64;
    term.value.constant = std::get<double>(number);
  }
  return term;
}

Term Terms::column(const Syntax& name) const {
  if (!name.quoted && !columns_.find(name.text)) {
    std::string lower = name.text;
    std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    if (lower == "inf" || lower == "infinity") {
      return number(name, std::numeric_limits<double>::infinity());
    }
  }
  Term term;
  term.syntax = &name;
  term.value.offset = name.first;
  const uint64_t index = columns_.resolve(name);
  const Type& type = columns_.type(index);
  if (type.is(Type::Null)) return term;
  term.kind = Term::Kind::Column;
  term.value.kind = Expression::Kind::Column;
  term.value.column = index;
  term.value.type = type;
  if (type.is_nested()) {
    term.value.value = ValueKind::List;
    return term;
  }
  term.value.value = kind_of(type);
  const bool is_integer =
      term.value.value == ValueKind::Integer || term.value.value == ValueKind::Wide;
  if (is_integer && !type.is(Type::Decimal)) {
    term.value.range = integer_range(type);
    term.value.value = value_that_holds(term.value.range);
  }
  return term;
}

Term Terms::arithmetic_of(const Syntax& syntax) const {
  std::vector<Term> parts;
  for (const Syntax& part : syntax.parts) {
    parts.push_back(as_number(term(part)));
    if (parts.back().kind != Term::Kind::Null && !is_number(parts.back())) {
      fail_expected("a number", parts.back());
    }
  }
  // For ranges, -x is 0 - x.
  const bool negates = syntax.kind == Kind::Negate;
  const auto is = [&](Term::Kind kind) {
    return [kind](const Term& part) { return part.kind == kind; };
  };
  Term term;
  term.syntax = &syntax;
  if (std::any_of(parts.begin(), parts.end(), is(Term::Kind::Null))) return term;
  if (std::all_of(parts.begin(), parts.end(), is(Term::Kind::Number))) {
    return folded(syntax, parts);
  }
  const bool any_decimal = std::any_of(parts.begin(), parts.end(), [](const Term& part) {
    return part.type().is(Type::Decimal);
  });
  if (any_decimal) {
    if (auto exact = decimals_of(syntax, parts)) return *std::move(exact);
  }
  const auto computed_as = [&](ValueKind value) {
    return std::any_of(parts.begin(), parts.end(),
                       [value](const Term& part) { return part.value.value == value; });
  };
  ValueKind computed_in = ValueKind::Float;
  Interval<Int128> range{};
  if (syntax.kind != Kind::Divide && !any_decimal && !computed_as(ValueKind::Float)) {
    const auto possible = negates
                              ? range_of(Kind::Subtract, {0, 0}, parts[0].value.range)
                              : range_of(syntax.kind, parts[0].value.range, parts[1].value.range);
    if (!possible) fail_too_large(syntax);
    range = *possible;
    computed_in = computed_as(ValueKind::Wide) ? ValueKind::Wide : value_that_holds(range);
  }
  std::vector<Expression> values;
  for (Term& part : parts) values.push_back(std::move(part.value));
  term.kind = Term::Kind::Computed;
  term.value = arithmetic(arithmetic_kind(syntax.kind), computed_in, std::move(values));
  term.value.range = range;
  term.value.offset = syntax.first;
  // A remainder, or a difference, can be of a narrower type than its parts.
  if (computed_in == ValueKind::Wide && value_that_holds(range) == ValueKind::Integer) {
    term.value = converted(std::move(term.value), ValueKind::Integer);
  }
  return term;
}

std::optional<Term> Terms::decimals_of(const Syntax& syntax, std::span<const Term> parts) const {
  std::vector<Expression> values;
  for (const Term& part : parts) {
    auto literal = as_decimal_literal(part);
    values.push_back(literal ? *std::move(literal) : part.value);
    if (values.back().value == ValueKind::Float) return std::nullopt;
  }
  auto exact = decimal_arithmetic(arithmetic_kind(syntax.kind), std::move(values));
  if (!exact) return std::nullopt;
  Term term;
  term.syntax = &syntax;
  term.kind = Term::Kind::Computed;
  term.value = *std::move(exact);
  term.value.offset = syntax.first;
  return term;
}

Term Terms::folded(const Syntax& syntax, std::span<const Term> parts) const {
  const bool negates = syntax.kind == Kind::Negate;
  const Kind kind = negates ? Kind::Subtract : syntax.kind;
  const ExactNumber right = parts.back().number();
  if (negates && std::holds_alternative<double>(right)) return number(syntax, -as_double(right));
  const ExactNumber left = negates ? ExactNumber(Int128{0}) : parts.front().number();
  const auto* a = std::get_if<Int128>(&left);
  const auto* b = std::get_if<Int128>(&right);
  if (a == nullptr || b == nullptr || kind == Kind::Divide) {
    return number(syntax, reckon(kind, as_double(left), as_double(right)));
  }
  if (kind == Kind::Remainder) {
    if (*b != 0) return number(syntax, *b == -1 ? Int128{0} : *a % *b);
    Term null;
    null.syntax = &syntax;
    return null;
  }
  Int128 result = 0;
  if (!reckon(kind, *a, *b, result)) fail_too_large(syntax);
  return number(syntax, result);
}

void Terms::fail_too_large(const Syntax& syntax) const {
  source_.fail_at(ErrorKind::Argument, syntax.first,
                  "the result can exceed an exact integer of 128 bits; 1.0 * makes it float64");
}

bool Terms::is_number(const Term& term) const {
  if (term.kind == Term::Kind::Number) return true;
  return (term.kind == Term::Kind::Column || term.kind == Term::Kind::Computed) &&
         is_number_type(term.type());
}

std::string Terms::described(const Term& term) const {
  if (term.kind == Term::Kind::Text && term.syntax->is_parameter) {
    const std::string quoted = concat('\'', term.text(), '\'');
    return SourceText{{}, {}, quoted}.shown(0, quoted.size());
  }
  switch (term.kind) {
    case Term::Kind::Null: return "null";
    case Term::Kind::Text: return term.type().is_binary() ? "a binary" : "a text";
    case Term::Kind::Truth: return term.is_true ? "true" : "false";
    case Term::Kind::Column: return columns_.described(term.value.column);
    case Term::Kind::Predicate: return "a predicate";
    case Term::Kind::Number: return "a number";
    case Term::Kind::Computed: break;
  }
  if (is_number(term)) return "a number";
  if (term.type().is_text()) return "a text";
  return term.type().is(Type::Bool) ? "a predicate" : concat("a ", term.type().name());
}

void Terms::fail_expected(std::string_view expected, const Term& got) const {
  const bool has_type = got.kind == Term::Kind::Column || got.kind == Term::Kind::Computed;
  const bool is_binary = has_type && got.type().is_binary() && expected.starts_with("a text");
  source_.fail_at(ErrorKind::Argument, got.syntax->first, "expected ", expected, ", got ",
                  described(got), is_binary ? "; cast(.. as text) reads its bytes as one" : "");
}

std::string Terms::expected_beside(const Term& term) const {
  if (is_number(term)) return "a number";
  if (term.is_literal()) return term.kind == Term::Kind::Text ? "a text" : "true or false";
  const Type& of = term.type();
  if (of.is_nested()) {
    source_.fail_at(ErrorKind::Argument, term.syntax->first, described(term),
                    " can only be tested for null");
  }
  return of.is_text() ? "a text" : of.is(Type::Bool) ? "true or false" : of.name();
}

void Terms::expect_alike(const Term& left, const Term& right) const {
  const bool has_types = !left.is_literal() && !right.is_literal();
  if (has_types && common_time_type(left.type(), right.type())) return;
  const std::string expected = expected_beside(left);
  if (expected != expected_beside(right)) {
    fail_expected(concat(expected, " beside ", described(left)), right);
  }
}

}  // namespace heron::inline v0
