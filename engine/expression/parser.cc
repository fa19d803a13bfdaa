// A recursive descent parser, with a function for each rule of the grammar in EXPRESSIONS.md.
#include <algorithm>
#include <charconv>
#include <limits>

#include "expression/lexer.h"
#include "expression/syntax.h"

namespace heron::inline v0 {
namespace {

using Kind = Syntax::Kind;
using Operator = Compares::Operator;

// Deeper than anything written by hand, and safe for all code that recurses through the tree.
constexpr uint16_t kDeepest = 200;
constexpr uint64_t kMostParts = 10'000;

ExactNumber parse_number(const SourceText& source, const Token& token) {
  const std::string_view text = token.text;
  Int128 whole = 0;
  bool is_whole = true;
  for (const char c : text) {
    is_whole = is_whole && c >= '0' && c <= '9' && !__builtin_mul_overflow(whole, 10, &whole) &&
               !__builtin_add_overflow(whole, c - '0', &whole);
  }
  if (is_whole) return whole;
  double number = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), number).ec != std::errc()) {
    source.fail_at(ErrorKind::Argument, token.first, "expected a number that float64 can hold");
  }
  return number;
}

bool is_literal(const Syntax& syntax) {
  return syntax.kind >= Kind::Number && syntax.kind <= Kind::False;
}

class Parser {
 public:
  explicit Parser(const SourceText& source) : tokens_(source) {}

  Syntax parse() {
    Syntax condition = either();
    if (!tokens_.at(Token::Kind::End)) tokens_.fail_expected("and, or, or the end");
    return condition;
  }

 private:
  // Rules of the grammar.
  Syntax either();
  Syntax both();
  Syntax negation();
  Syntax comparison();
  Syntax sum();
  Syntax product();
  Syntax sign();
  Syntax operand();
  // Rules for what may follow the left value.
  Syntax list(Syntax value);
  Syntax between(Syntax value);
  Syntax like(Syntax value);
  Syntax is(Syntax value);

  // Adds a part that starts at `first` and ends with the last token taken.
  Syntax part(Kind kind, uint64_t first, std::vector<Syntax> parts = {});
  Syntax with(Kind kind, Syntax left, Syntax right);
  Token take() {
    Token token = tokens_.take();
    end_ = token.last;
    return token;
  }
  bool accept(Token::Kind kind) {
    if (!tokens_.at(kind)) return false;
    take();
    return true;
  }
  void expect(Token::Kind kind, std::string_view wanted) {
    if (!accept(kind)) tokens_.fail_expected(wanted);
  }
  [[noreturn]] void fail_too_deep(uint64_t offset) const {
    tokens_.source().fail_at(ErrorKind::Limit, offset, "more than ", kDeepest,
                             " parts within each other");
  }

  // Counts the depth of a rule that calls itself.
  class Nested {
   public:
    explicit Nested(Parser& parser) : parser_(parser) {
      if (parser.depth_ == kDeepest) parser.fail_too_deep(parser.tokens_.peek().first);
      ++parser.depth_;
    }
    ~Nested() { --parser_.depth_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;

   private:
    Parser& parser_;
  };

  Lexer tokens_;
  uint64_t end_ = 0;
  uint64_t count_ = 0;
  uint16_t depth_ = 0;
};

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
  if (++count_ > kMostParts) {
    tokens_.source().fail_at(ErrorKind::Limit, first, "more than ", kMostParts, " parts");
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

Syntax Parser::comparison() {
  Syntax value = sum();
  if (const auto op = comparison_sign(tokens_.peek().kind)) {
    take();
    Syntax compared = with(Kind::Compare, std::move(value), sum());
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
  else if (negated)
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
    parts.push_back(sum());
    if (is_literal(parts.back())) --count_;
  } while (accept(Token::Kind::Comma));
  expect(Token::Kind::Close, ", or )");
  return part(Kind::In, first, std::move(parts));
}

Syntax Parser::between(Syntax value) {
  const uint64_t first = value.first;
  std::vector<Syntax> parts;
  parts.push_back(std::move(value));
  parts.push_back(sum());
  expect(Token::Kind::And, "and");
  parts.push_back(sum());
  return part(Kind::Between, first, std::move(parts));
}

Syntax Parser::like(Syntax value) {
  const uint64_t first = value.first;
  std::vector<Syntax> parts;
  parts.push_back(std::move(value));
  do {
    if (!tokens_.at(Token::Kind::Text)) tokens_.fail_expected("a text");
    parts.push_back(operand());
  } while (parts.size() == 2 && accept(Token::Kind::Escape));
  return part(Kind::Like, first, std::move(parts));
}

Syntax Parser::is(Syntax value) {
  const uint64_t first = value.first;
  const bool negated = accept(Token::Kind::Not);
  const bool is_nan = accept(Token::Kind::NaN);
  if (!is_nan) expect(Token::Kind::Null, negated ? "null or nan" : "null, nan or not");
  std::vector<Syntax> parts;
  parts.push_back(std::move(value));
  Syntax tested = part(is_nan ? Kind::IsNaN : Kind::IsNull, first, std::move(parts));
  tested.negated = negated;
  return tested;
}

Syntax Parser::sum() {
  Syntax value = product();
  while (tokens_.at(Token::Kind::Plus) || tokens_.at(Token::Kind::Minus)) {
    const Kind kind = take().kind == Token::Kind::Plus ? Kind::Add : Kind::Subtract;
    value = with(kind, std::move(value), product());
  }
  return value;
}

Syntax Parser::product() {
  Syntax value = sign();
  for (;;) {
    Kind kind = Kind::Multiply;
    switch (tokens_.peek().kind) {
      case Token::Kind::Star: break;
      case Token::Kind::Slash: kind = Kind::Divide; break;
      case Token::Kind::Percent: kind = Kind::Remainder; break;
      default: return value;
    }
    take();
    value = with(kind, std::move(value), sign());
  }
}

// A signed number literal becomes a number.
Syntax Parser::sign() {
  const uint64_t first = tokens_.peek().first;
  if (!accept(Token::Kind::Minus)) return operand();
  const Nested nested(*this);
  const bool is_number = tokens_.at(Token::Kind::Number);
  Syntax value = sign();
  if (is_number) {
    std::visit([](auto& number) { number = -number; }, value.number);
    value.first = first;
    return value;
  }
  std::vector<Syntax> parts;
  parts.push_back(std::move(value));
  return part(Kind::Negate, first, std::move(parts));
}

Syntax Parser::operand() {
  const uint64_t first = tokens_.peek().first;
  const auto literal = [&](Kind kind) {
    Token token = take();
    Syntax made = part(kind, first);
    made.quoted = token.quoted;
    if (kind == Kind::Number && token.kind == Token::Kind::Number)
      made.number = parse_number(tokens_.source(), token);
    else
      made.text = std::move(token.text);
    return made;
  };
  switch (tokens_.peek().kind) {
    case Token::Kind::Name: return literal(Kind::Name);
    case Token::Kind::Number: return literal(Kind::Number);
    case Token::Kind::Text: return literal(Kind::Text);
    case Token::Kind::Null: return literal(Kind::Null);
    case Token::Kind::True: return literal(Kind::True);
    case Token::Kind::False: return literal(Kind::False);
    case Token::Kind::NaN: {
      Syntax nan = literal(Kind::Number);
      nan.number = std::numeric_limits<double>::quiet_NaN();
      return nan;
    }
    default: break;
  }
  if (!accept(Token::Kind::Open)) {
    tokens_.fail_expected("a name, a value or a condition in brackets");
  }
  Syntax value = either();
  expect(Token::Kind::Close, ")");
  value.first = first;
  value.last = end_;
  return value;
}

}  // namespace

Syntax parse_condition(const SourceText& source) {
  return Parser(source).parse();
}

}  // namespace heron::inline v0
