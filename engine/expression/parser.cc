// Implements the grammar rules of predicates.
#include "expression/parser.h"

#include <algorithm>
#include <optional>

namespace heron::inline v0 {
namespace {

using Kind = Syntax::Kind;
using Operator = CompareOperator;

constexpr uint64_t kMaxParts = 10'000;

bool is_literal(const Syntax& syntax) {
  return syntax.kind >= Kind::Number && syntax.kind <= Kind::False;
}

std::optional<Operator> comparison_sign(Token::Kind kind) {
  switch (kind) {
    case Token::Kind::Equal: return Operator::Equal;
    case Token::Kind::NotEqual: return Operator::NotEqual;
    case Token::Kind::Less: return Operator::Less;
    case Token::Kind::LessEqual: return Operator::LessEqual;
    case Token::Kind::Greater: return Operator::Greater;
    case Token::Kind::GreaterEqual: return Operator::GreaterEqual;
    default: return std::nullopt;
  }
}

}  // namespace

NamedSyntax Parser::parse_named() {
  const uint64_t first = tokens_.peek().first;
  NamedSyntax named{either(), {}};
  const std::string_view written = tokens_.source().text.substr(first, end_ - first);
  named.name = named.value.kind == Kind::Name ? named.value.text : std::string(written);
  if (accept_word("as")) {
    if (!tokens_.at(Token::Kind::Name)) tokens_.fail_expected("a name");
    named.name = take().text;
  }
  if (!tokens_.at(Token::Kind::End)) tokens_.fail_expected("as, an operator, or the end");
  return named;
}

Syntax Parser::part(Kind kind, uint64_t first, std::vector<Syntax> parts) {
  Syntax made;
  made.kind = kind;
  made.first = first;
  made.last = end_;
  made.parts = std::move(parts);
  for (const Syntax& below : made.parts) {
    made.depth = std::max(made.depth, static_cast<uint16_t>(below.depth + 1));
  }
  if (made.depth > kDeepest) fail_too_deep(first);
  if (++count_ > kMaxParts) {
    tokens_.source().fail_at(ErrorKind::Limit, first, "more than ", kMaxParts, " parts");
  }
  return made;
}

Syntax Parser::with(Kind kind, Syntax left, Syntax right) {
  const uint64_t first = left.first;
  std::vector<Syntax> parts;
  parts.push_back(std::move(left));
  parts.push_back(std::move(right));
  return part(kind, first, std::move(parts));
}

Syntax Parser::either() {
  const Nested nested(*this);
  std::vector<Syntax> parts;
  do {
    parts.push_back(both());
  } while (accept(Token::Kind::Or));
  if (parts.size() == 1) return std::move(parts.front());
  const uint64_t first = parts.front().first;
  return part(Kind::Or, first, std::move(parts));
}

Syntax Parser::both() {
  std::vector<Syntax> parts;
  do {
    parts.push_back(negation());
  } while (accept(Token::Kind::And));
  if (parts.size() == 1) return std::move(parts.front());
  const uint64_t first = parts.front().first;
  return part(Kind::And, first, std::move(parts));
}

Syntax Parser::negation() {
  const uint64_t first = tokens_.peek().first;
  if (!accept(Token::Kind::Not)) return comparison();
  const Nested nested(*this);
  std::vector<Syntax> parts;
  parts.push_back(negation());
  return part(Kind::Not, first, std::move(parts));
}

Syntax Parser::comparison() {
  Syntax value = joined();
  if (const auto op = comparison_sign(tokens_.peek().kind)) {
    take();
    Syntax compared = with(Kind::Compare, std::move(value), joined());
    compared.op = *op;
    return compared;
  }
  if (accept(Token::Kind::Is)) return is(std::move(value));
  const bool negated = accept(Token::Kind::Not);
  Syntax tested;
  if (accept(Token::Kind::In))
    tested = list(std::move(value));
  else if (accept(Token::Kind::Between))
    tested = between(std::move(value));
  else if (accept(Token::Kind::Like))
    tested = like(std::move(value));
  else if (accept_word("ilike")) {
    tested = like(std::move(value));
    tested.flag = true;
  } else if (negated)
    tokens_.fail_expected("in, between or like");
  else
    return value;
  tested.negated = negated;
  return tested;
}

Syntax Parser::list(Syntax value) {
  const uint64_t first = value.first;
  std::vector<Syntax> parts;
  parts.push_back(std::move(value));
  expect(Token::Kind::Open, "( and values");
  do {
    parts.push_back(joined());
    if (is_literal(parts.back())) --count_;
  } while (accept(Token::Kind::Comma));
  expect(Token::Kind::Close, ", or )");
  return part(Kind::In, first, std::move(parts));
}

Syntax Parser::between(Syntax value) {
  const uint64_t first = value.first;
  std::vector<Syntax> parts;
  parts.push_back(std::move(value));
  parts.push_back(joined());
  expect(Token::Kind::And, "and");
  parts.push_back(joined());
  return part(Kind::Between, first, std::move(parts));
}

Syntax Parser::like(Syntax value) {
  const uint64_t first = value.first;
  std::vector<Syntax> parts;
  parts.push_back(std::move(value));
  do {
    if (!tokens_.at(Token::Kind::Text) && !tokens_.at(Token::Kind::Parameter)) {
      tokens_.fail_expected("a text");
    }
    parts.push_back(operand());
    if (parts.back().kind != Kind::Text) {
      tokens_.source().fail_at(ErrorKind::Argument, parts.back().first, "expected a text");
    }
  } while (parts.size() == 2 && accept(Token::Kind::Escape));
  return part(Kind::Like, first, std::move(parts));
}

Syntax Parser::is(Syntax value) {
  const uint64_t first = value.first;
  const bool negated = accept(Token::Kind::Not);
  Kind kind = Kind::IsNull;
  bool flag = false;
  if (accept(Token::Kind::NaN)) {
    kind = Kind::IsNaN;
  } else if (tokens_.at(Token::Kind::True) || tokens_.at(Token::Kind::False)) {
    kind = Kind::IsTruth;
    flag = take().kind == Token::Kind::True;
  } else {
    expect(Token::Kind::Null,
           negated ? "null, nan, true or false" : "null, nan, true, false or not");
  }
  std::vector<Syntax> parts;
  parts.push_back(std::move(value));
  Syntax tested = part(kind, first, std::move(parts));
  tested.negated = negated;
  tested.flag = flag;
  return tested;
}

Syntax parse_predicate(const SourceText& source, std::span<const QueryParameter> parameters) {
  return Parser(Lexer(source), parameters).parse();
}

NamedSyntax parse_named(const SourceText& source) {
  return Parser(Lexer(source)).parse_named();
}

Syntax parse_value(Lexer& tokens) {
  Parser parser(tokens);
  Syntax value = parser.parse_value();
  tokens = parser.tokens();
  return value;
}

}  // namespace heron::inline v0
