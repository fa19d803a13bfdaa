#include "expression/lexer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/fail.h"

namespace heron::inline v0 {
namespace {

using Word = Token::Kind;

constexpr std::array<std::pair<std::string_view, Word>, 12> kKeywords{{{"and", Word::And},
                                                                       {"or", Word::Or},
                                                                       {"not", Word::Not},
                                                                       {"in", Word::In},
                                                                       {"between", Word::Between},
                                                                       {"like", Word::Like},
                                                                       {"escape", Word::Escape},
                                                                       {"is", Word::Is},
                                                                       {"null", Word::Null},
                                                                       {"nan", Word::NaN},
                                                                       {"true", Word::True},
                                                                       {"false", Word::False}}};
// Longer signs come first.
constexpr std::array<std::pair<std::string_view, Word>, 18> kSigns{{{"==", Word::Equal},
                                                                    {"||", Word::Bars},
                                                                    {"!=", Word::NotEqual},
                                                                    {"<>", Word::NotEqual},
                                                                    {"<=", Word::LessEqual},
                                                                    {">=", Word::GreaterEqual},
                                                                    {"=", Word::Equal},
                                                                    {"<", Word::Less},
                                                                    {">", Word::Greater},
                                                                    {"+", Word::Plus},
                                                                    {"-", Word::Minus},
                                                                    {"*", Word::Star},
                                                                    {"/", Word::Slash},
                                                                    {"%", Word::Percent},
                                                                    {"(", Word::Open},
                                                                    {")", Word::Close},
                                                                    {",", Word::Comma},
                                                                    {"?", Word::Parameter}}};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

uint64_t digits(std::string_view text, uint64_t from) {
  while (from < text.size() && is_digit(text[from])) ++from;
  return from;
}

// Returns how many leading bytes are a number, such as "12", "1.5", ".5" or "1.5e-3"; 0 if none
// are.
uint64_t number_bytes(std::string_view text) {
  uint64_t end = digits(text, 0);
  bool any = end != 0;
  if (end < text.size() && text[end] == '.') {
    const uint64_t point = end;
    end = digits(text, point + 1);
    any = any || end != point + 1;
  }
  if (!any) return 0;
  if (end < text.size() && lower(text[end]) == 'e') {
    uint64_t power = end + 1;
    if (power < text.size() && (text[power] == '+' || text[power] == '-')) ++power;
    if (digits(text, power) != power) end = digits(text, power);
  }
  return end;
}

}  // namespace

bool Lexer::in_name(char c) noexcept {
  return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z') || c == '_' || c == '.' || c == '[' ||
         c == ']' || static_cast<unsigned char>(c) >= 0x80;
}

Token Lexer::lex() {
  const std::string_view text = source_.text;
  while (position_ < text.size() && is_space(text[position_])) ++position_;
  if (position_ == text.size()) return token(Word::End, 0);
  const char first = text[position_];
  if (first == '\'') return quoted(first, Word::Text);
  if (first == '`') return quoted(first, Word::Name);
  return in_name(first) ? number_or_word() : sign();
}

Token Lexer::token(Word kind, uint64_t bytes) {
  Token token;
  token.kind = kind;
  token.first = position_;
  token.last = position_ += bytes;
  return token;
}

Token Lexer::sign() {
  const std::string_view rest = source_.text.substr(position_);
  for (const auto& [written, kind] : kSigns) {
    if (rest.starts_with(written)) return token(kind, written.size());
  }
  if (rest.front() == '"') {
    source_.fail_at(ErrorKind::Argument, position_,
                    "texts stand in single quotes, names in backticks");
  }
  source_.fail_at(ErrorKind::Argument, position_, "unexpected character");
}

// Reads a doubled quote inside as one.
Token Lexer::quoted(char quote, Word kind) {
  const std::string_view rest = source_.text.substr(position_);
  std::string inside;
  for (uint64_t i = 1;; ++i) {
    const uint64_t end = rest.find(quote, i);
    if (end == std::string_view::npos) {
      source_.fail_at(ErrorKind::Argument, position_, "expected a closing ", quote);
    }
    inside += rest.substr(i, end - i);
    i = end + 1;
    if (i == rest.size() || rest[i] != quote) {
      Token read = token(kind, i);
      read.quoted = true;
      read.text = std::move(inside);
      return read;
    }
    inside += quote;
  }
}

std::string Lexer::quoted_name(std::string_view name) {
  const bool is_word = !name.empty() && std::all_of(name.begin(), name.end(), in_name);
  if (is_word && Lexer({{}, {}, name}).at(Word::Name)) return std::string(name);
  std::string out = "`";
  for (const char c : name) out.append(c == '`' ? 2 : 1, c);
  return out + '`';
}

Token Lexer::number_or_word() {
  const std::string_view rest = source_.text.substr(position_);
  const auto word_end = std::find_if_not(rest.begin(), rest.end(), in_name);
  const auto word_bytes = static_cast<uint64_t>(word_end - rest.begin());
  const uint64_t bytes = number_bytes(rest);
  if (bytes != 0 && bytes >= word_bytes) {
    Token number = token(Word::Number, bytes);
    number.text = rest.substr(0, bytes);
    return number;
  }
  std::string word(rest.substr(0, word_bytes));
  std::string keyword = word;
  std::transform(word.begin(), word.end(), keyword.begin(), lower);
  for (const auto& [written, kind] : kKeywords) {
    if (keyword == written) return token(kind, word_bytes);
  }
  Token name = token(Word::Name, word_bytes);
  name.text = std::move(word);
  return name;
}

void Lexer::fail_expected(std::string_view what) const {
  const auto got = [this] {
    switch (next_.kind) {
      case Word::End: return std::string("the end");
      case Word::Text: return std::string("a text");
      case Word::Number: return std::string("a number");
      default: return concat('"', source_.shown(next_.first, next_.last), '"');
    }
  };
  source_.fail_at(ErrorKind::Argument, next_.first, "expected ", what, ", got ", got());
}

}  // namespace heron::inline v0
