// Implements the grammar rules of values.
#include <charconv>
#include <limits>

#include "base/fail.h"
#include "expression/parser.h"
#include "values/scalar.h"

namespace heron::inline v0 {
namespace {

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

std::string in_lower_case(std::string_view word) {
  std::string lower(word);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  return lower;
}

}  // namespace

bool Parser::is_word(const Token& token, std::string_view word) {
  return token.kind == Token::Kind::Name && !token.quoted && in_lower_case(token.text) == word;
}

Syntax Parser::joined() {
  Syntax value = sum();
  while (accept(Token::Kind::Bars)) {
    value = with(Kind::Call, std::move(value), sum());
    value.text = "||";
  }
  return value;
}

// Parses a call whose name was taken.
Syntax Parser::call(Token name) {
  const Nested nested(*this);
  std::string function = in_lower_case(name.text);
  if (function == "cast" || function == "try_cast") return cast(name);
  expect(Token::Kind::Open, "(");
  std::vector<Syntax> parts;
  if (!tokens_.at(Token::Kind::Close)) {
    do {
      parts.push_back(either());
    } while (accept(Token::Kind::Comma));
  }
  expect(Token::Kind::Close, parts.empty() ? "a value or )" : ", or )");
  Syntax made = part(Kind::Call, name.first, std::move(parts));
  made.text = std::move(function);
  return made;
}

Syntax Parser::cast(const Token& name) {
  expect(Token::Kind::Open, "(");
  std::vector<Syntax> parts;
  parts.push_back(either());
  expect_word("as");
  if (!tokens_.at(Token::Kind::Name)) tokens_.fail_expected("a type");
  std::string type = take().text;
  take_sizes(type);
  expect(Token::Kind::Close, ")");
  Syntax made = part(Kind::Cast, name.first, std::move(parts));
  made.text = in_lower_case(type);
  made.flag = in_lower_case(name.text) == "try_cast";
  return made;
}

// Appends the sizes behind a type's name: "(10, 2)", or what follows the comma of "decimal[10, 2]",
// whose brackets are parts of names.
void Parser::take_sizes(std::string& type) {
  if (accept(Token::Kind::Open)) {
    type += '(';
    for (bool first = true; first || accept(Token::Kind::Comma); first = false) {
      if (!tokens_.at(Token::Kind::Number)) tokens_.fail_expected("a number of digits");
      type += concat(first ? "" : ",", take().text);
    }
    expect(Token::Kind::Close, ")");
    type += ')';
  } else if (type.find('[') != type.npos && !type.ends_with(']') && accept(Token::Kind::Comma)) {
    if (!tokens_.at(Token::Kind::Name)) tokens_.fail_expected("a number of digits and ]");
    type += concat(',', take().text);
  }
}

// Parses a choice whose "case" was taken.
Syntax Parser::choice(uint64_t first) {
  const Nested nested(*this);
  std::vector<Syntax> parts;
  const bool compares = !at_word("when");
  if (compares) parts.push_back(either());
  do {
    expect_word("when");
    parts.push_back(either());
    expect_word("then");
    parts.push_back(either());
  } while (at_word("when"));
  if (accept_word("else")) parts.push_back(either());
  if (!accept_word("end")) tokens_.fail_expected("when, else or end");
  Syntax made = part(Kind::Case, first, std::move(parts));
  made.flag = compares;
  return made;
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

// Parses a signed value; a signed number literal becomes a number.
Syntax Parser::sign() {
  const uint64_t first = tokens_.peek().first;
  if (!accept(Token::Kind::Minus)) return operand();
  const Nested nested(*this);
  const bool is_number = tokens_.at(Token::Kind::Number);
  Syntax value = sign();
  if (is_number) {
    std::visit([](auto& number) { number = -number; }, value.number);
    value.text.insert(0, 1, '-');
    value.first = first;
    return value;
  }
  std::vector<Syntax> parts;
  parts.push_back(std::move(value));
  return part(Kind::Negate, first, std::move(parts));
}

// Parses a column, a function with arguments, or "case"; after a column named "case", no token
// follows that begins a value.
Syntax Parser::name() {
  Token token = take();
  if (!token.quoted && tokens_.at(Token::Kind::Open) && !is_word(token, "case")) {
    return call(std::move(token));
  }
  if (is_word(token, "case")) {
    switch (tokens_.peek().kind) {
      case Token::Kind::Name:
      case Token::Kind::Text:
      case Token::Kind::Number:
      case Token::Kind::Null:
      case Token::Kind::True:
      case Token::Kind::False:
      case Token::Kind::Open: return choice(token.first);
      default: break;
    }
  }
  Syntax made = part(Kind::Name, token.first);
  made.quoted = token.quoted;
  made.text = std::move(token.text);
  return made;
}

// Makes a literal with the value of the next parameter.
Syntax Parser::parameter() {
  const uint64_t first = take().first;
  if (bound_ == parameters_.size()) fail_parameters(first);
  const QueryParameter& bound = parameters_[bound_++];
  Syntax made = part(Kind::Null, first);
  made.is_parameter = true;
  made.is_untyped = bound.is_untyped;
  if (const auto* truth = std::get_if<bool>(&bound.value)) {
    made.kind = *truth ? Kind::True : Kind::False;
  } else if (const auto* text = std::get_if<std::string>(&bound.value)) {
    made.kind = Kind::Text;
    made.text = *text;
  } else if (!std::holds_alternative<std::monostate>(bound.value)) {
    made.kind = Kind::Number;
    if (const auto* number = std::get_if<int64_t>(&bound.value)) made.number = Int128{*number};
    if (const auto* number = std::get_if<uint64_t>(&bound.value)) made.number = Int128{*number};
    if (const auto* number = std::get_if<double>(&bound.value)) made.number = *number;
    if (const auto* number = std::get_if<WideInteger>(&bound.value)) {
      made.number = wide_of(*number);
    }
  }
  return made;
}

void Parser::fail_parameters(uint64_t offset) const {
  uint64_t count = 0;
  for (Lexer all(tokens_.source()); !all.at(Token::Kind::End);) {
    if (all.take().kind == Token::Kind::Parameter) ++count;
  }
  const auto values = parameters_.size();
  tokens_.source().fail_at(ErrorKind::Argument, offset, "expected a value for each ? (", count,
                           "), got ", values, values == 1 ? " value" : " values");
}

Syntax Parser::operand() {
  const uint64_t first = tokens_.peek().first;
  const auto literal = [&](Kind kind) {
    Token token = take();
    Syntax made = part(kind, first);
    if (kind == Kind::Number && token.kind == Token::Kind::Number)
      made.number = parse_number(tokens_.source(), token);
    made.text = std::move(token.text);
    return made;
  };
  switch (tokens_.peek().kind) {
    case Token::Kind::Name: return name();
    case Token::Kind::Parameter: return parameter();
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
    tokens_.fail_expected("a name, a value or a predicate in brackets");
  }
  Syntax value = either();
  expect(Token::Kind::Close, ")");
  value.first = first;
  value.last = end_;
  return value;
}

}  // namespace heron::inline v0
