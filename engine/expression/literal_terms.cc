// Literals, as the values beside them read them.
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "base/fail.h"
#include "expression/term.h"
#include "values/decimals.h"
#include "values/times.h"

namespace heron::inline v0 {
namespace {

using Kind = Syntax::Kind;

std::optional<UInt128> parse_row_id(std::string_view text) {
  uint64_t high = 0, low = 0;
  const auto parse = [&](size_t from, uint64_t& half) {
    const char* end = text.data() + from + 16;
    return std::from_chars(text.data() + from, end, half, 16).ptr == end;
  };
  if (text.size() != 32 || !parse(0, high) || !parse(16, low)) return std::nullopt;
  return UInt128{high} << 64 | low;
}

// Parses a number: "12", "-1.5e3", "inf"; never NaN.
std::optional<ExactNumber> number_in(std::string_view text) {
  const char* const end = text.data() + text.size();
  int64_t whole = 0;
  if (const auto [at, error] = std::from_chars(text.data(), end, whole);
      error == std::errc() && at == end) {
    return ExactNumber(Int128{whole});
  }
  uint64_t large = 0;
  if (const auto [at, error] = std::from_chars(text.data(), end, large);
      error == std::errc() && at == end) {
    return ExactNumber(Int128{large});
  }
  double number = 0;
  const auto [at, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || at != end || number != number) return std::nullopt;
  return number;
}

// Describes the literals that a column of this type accepts, for error texts.
std::string_view expected_for(const Type& type) {
  if (is_number_type(type)) return "a number";
  if (type.has_bytes()) return "a text";
  if (type.is(Type::Bool)) return "true or false";
  if (type.is(Type::RowId)) return "32 hex digits";
  return expected_time(type);
}

// Returns a number as it was written; nullopt for other terms.
std::optional<std::string_view> written_digits(const Term& term) {
  const Syntax& syntax = *term.syntax;
  const bool is_number = term.kind == Term::Kind::Number && syntax.kind == Kind::Number &&
                         !syntax.is_parameter && !term.is_nan();
  const bool is_untyped = syntax.kind == Kind::Text && syntax.is_untyped &&
                          (term.kind == Term::Kind::Number || term.kind == Term::Kind::Text);
  return is_number || is_untyped ? std::optional<std::string_view>(syntax.text) : std::nullopt;
}

std::optional<Literal> parse_literal(const Type& type, const Term& term) {
  const bool is_text = term.kind == Term::Kind::Text;
  if (type.is_text() && is_text && term.type().is_text()) return term.text();
  if (type.is_binary() && is_text) return term.text();
  if (type.is(Type::Decimal)) {
    if (const auto digits = written_digits(term)) {
      if (const auto number = scaled(*digits, type.scale())) return *number;
    }
    if (term.kind != Term::Kind::Number) return std::nullopt;
    const ExactNumber number = term.number();
    const auto* whole = std::get_if<Int128>(&number);
    return whole != nullptr ? scaled(*whole, 0, type.scale())
                            : scaled(std::get<double>(number), type.scale());
  }
  if (type.is(Type::Bool) && term.kind == Term::Kind::Truth) return Int128{term.is_true};
  if (type.is(Type::RowId) && is_text) {
    if (const auto id = parse_row_id(term.text())) return *id;
  }
  if (is_time(type) && is_text) {
    if (const auto time = parse_iso_time(type, term.text())) return Int128{*time};
  }
  if (is_number_type(type) && term.kind == Term::Kind::Number) {
    return std::visit([](auto number) { return Literal(number); }, term.number());
  }
  if (!term.is_untyped()) return std::nullopt;
  if (type.is(Type::Bool) && (term.text() == "true" || term.text() == "false")) {
    return Int128{term.text() == "true"};
  }
  if (is_number_type(type)) {
    if (const auto number = number_in(term.text())) {
      return std::visit([](auto held) { return Literal(held); }, *number);
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Expression> Terms::as_decimal_literal(const Term& term) {
  const auto digits = written_digits(term);
  const bool is_float = !digits || digits->find_first_of("eE") != digits->npos;
  const auto type = !is_float ? decimal_type_of(*digits) : std::nullopt;
  if (!type) return std::nullopt;
  Expression decimal = null_of(*type);
  decimal.offset = term.value.offset;
  decimal.constant = scaled(*digits, type->scale())->floor;
  return decimal;
}

Term Terms::as_number(Term term) const {
  if (!term.is_untyped()) return term;
  const auto read = number_in(term.text());
  return read ? number(*term.syntax, *read) : term;
}

Literal Terms::literal_for(const Term& value, const Term& literal) const {
  expected_beside(value);
  const Type& of = value.type();
  if (auto parsed = parse_literal(of, literal)) return *std::move(parsed);
  const bool is_text = literal.kind == Term::Kind::Text;
  const bool is_number = literal.kind == Term::Kind::Number;
  // A date without quotes is a difference of numbers.
  const bool is_unfit = is_time(of) ? is_text || is_number : is_text && of.is(Type::RowId);
  const Syntax& syntax = *literal.syntax;
  source_.fail_at(ErrorKind::Argument, syntax.first, "expected ", expected_for(of),
                  is_time(of) && is_number ? ", in quotes, for " : " for ", described(value),
                  ", got ",
                  is_unfit && !syntax.is_parameter ? source_.shown(syntax.first, syntax.last)
                                                   : described(literal));
}

ValueSet Terms::set_of(CompareOperator op, const Term& value, const Term& literal) const {
  const Type& type = value.type();
  const Literal read = literal_for(value, literal);
  if (literal.is_nan()) return empty_set(type);
  const bool is_order = op != CompareOperator::Equal && op != CompareOperator::NotEqual;
  const Values* texts = is_order && value.kind == Term::Kind::Column
                            ? columns_.texts_in_own_order(value.value.column)
                            : nullptr;
  return texts == nullptr ? heron::compared(type, op, read)
                          : set_of_texts(op, value, *texts, literal);
}

// The texts before the literal decide: those of `>` and `>=` are all others.
ValueSet Terms::set_of_texts(CompareOperator op, const Term& column, const Values& texts,
                             const Term& literal) const {
  const Type& type = column.type();
  std::vector<ValueSet> before = {empty_set(type)};
  const auto add = [&](std::string_view text) {
    before.push_back(heron::compared(type, CompareOperator::Equal, std::string(text)));
  };
  uint64_t i = 0;
  for (; i < texts.rows && (texts.is_null(i) || texts.text(i) != literal.text()); ++i) {
    if (!texts.is_null(i)) add(texts.text(i));
  }
  if (i == texts.rows) {
    const Syntax& syntax = *literal.syntax;
    source_.fail_at(ErrorKind::Argument, syntax.first, "expected one of the values of ",
                    described(column), ", whose order is their own, got ",
                    source_.shown(syntax.first, syntax.last));
  }
  if (op == CompareOperator::LessEqual || op == CompareOperator::Greater) add(texts.text(i));
  ValueSet set = united(type, before);
  const bool is_after = op == CompareOperator::Greater || op == CompareOperator::GreaterEqual;
  return is_after ? complement(type, set) : set;
}

}  // namespace heron::inline v0
