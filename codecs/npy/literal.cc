#include "npy/literal.h"

#include <algorithm>
#include <charconv>

#include "base/in_quotes.h"
#include "base/utf8.h"
#include "npy/layout.h"

namespace heron::inline v0::npy {
namespace {

bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

bool is_quote(char c) noexcept {
  return c == '\'' || c == '"';
}

bool is_character(char32_t code) noexcept {
  return code < 0xD800 || (code >= 0xE000 && code <= 0x10FFFF);
}

void append_code(std::string& to, char32_t code) {
  char bytes[4];
  to.append(bytes, write_utf8(code, bytes));
}

}  // namespace

void LiteralScanner::fail_next(std::string_view what) {
  skip_blanks();
  constexpr uint64_t kShown = 20;
  if (is_at_end()) fail_at(ErrorKind::Corrupt, at_, "expected ", what, ", got its end");
  fail_at(ErrorKind::Corrupt, at_, "expected ", what, ", got ",
          in_quotes(text_.substr(at_, kShown)));
}

void LiteralScanner::skip_blanks() noexcept {
  constexpr std::string_view kBlanks = " \t\r\n";
  at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size());
}

char LiteralScanner::peek() {
  skip_blanks();
  return is_at_end() ? '\0' : text_[at_];
}

bool LiteralScanner::take(char character) {
  if (peek() != character || is_at_end()) return false;
  ++at_;
  return true;
}

void LiteralScanner::expect(char character) {
  if (!take(character)) fail_next(concat('"', character, '"'));
}

std::string LiteralScanner::text() {
  const bool is_marked = peek() == 'u' || peek() == 'b';  // as Python 2 and 3 mark some
  if (is_marked && at_ + 1 < text_.size() && is_quote(text_[at_ + 1])) ++at_;
  const uint64_t begin = at_;
  const char quote = peek();
  if (!is_quote(quote)) fail_next("a text in quotes");
  ++at_;
  std::string made;
  while (true) {
    if (is_at_end()) fail_at(ErrorKind::Corrupt, begin, "expected a closing quote, got none");
    const char c = text_[at_];
    if (c == quote) break;
    if (static_cast<unsigned char>(c) < ' ') fail_next("a text without control characters");
    if (c == '\\') {
      append_escaped(made);
    } else {
      append_character(made);
    }
  }
  ++at_;
  return made;
}

void LiteralScanner::append_character(std::string& to) {
  if (!is_utf8_) return append_code(to, static_cast<unsigned char>(text_[at_++]));
  const CodePoint point = decode_utf8(text_, at_);
  if (!point.valid) fail_next("UTF-8");
  to += text_.substr(at_, point.bytes);
  at_ += point.bytes;
}

void LiteralScanner::append_escaped(std::string& to) {
  const uint64_t begin = at_++;
  const char c = is_at_end() ? '\0' : text_[at_++];
  char32_t code = 0;
  switch (c) {
    case '\\':
    case '\'':
    case '"': code = static_cast<unsigned char>(c); break;
    case 'n': code = '\n'; break;
    case 'r': code = '\r'; break;
    case 't': code = '\t'; break;
    case 'x': code = hex_digits(2); break;
    case 'u': code = hex_digits(4); break;
    case 'U': code = hex_digits(8); break;
    default: at_ = begin; fail_next("an escape sequence that Python writes");
  }
  if (!is_character(code)) {
    at_ = begin;
    fail_next("a Unicode character");
  }
  append_code(to, code);
}

char32_t LiteralScanner::hex_digits(uint64_t count) {
  const std::string_view digits = text_.substr(at_, count);
  uint32_t code = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
  if (digits.size() != count || error != std::errc() || end != digits.data() + count) {
    fail_next(concat(count, " hexadecimal digits"));
  }
  at_ += count;
  return code;
}

uint64_t LiteralScanner::number() {
  if (!is_digit(peek())) fail_next("a whole number");
  uint64_t value = 0;
  const char* first = text_.data() + at_;
  const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), value);
  if (error != std::errc() || value > kMaxBytes) {
    fail_next(concat("a number of at most ", kMaxBytes));
  }
  at_ += static_cast<uint64_t>(end - first);
  if (!is_at_end() && text_[at_] == 'L') ++at_;
  return value;
}

bool LiteralScanner::boolean() {
  skip_blanks();
  for (const std::string_view word : {"True", "False"}) {
    if (!text_.substr(at_).starts_with(word)) continue;
    at_ += word.size();
    return word == "True";
  }
  fail_next("True or False");
}

void LiteralScanner::end() {
  skip_blanks();
  if (!is_at_end()) fail_next("the end of the header");
}

std::string python_text(std::string_view utf8) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text = "'";
  for (const char c : utf8) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\'' || c == '\\') {
      text += concat('\\', c);
    } else if (byte < ' ' || byte == 0x7F) {
      text += concat("\\x", kDigits[byte >> 4], kDigits[byte & 15]);
    } else {
      text += c;
    }
  }
  return text + '\'';
}

}  // namespace heron::inline v0::npy
