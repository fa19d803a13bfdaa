#include "format/json_reader.h"

#include <charconv>

#include "base/utf8.h"

namespace heron::inline v0 {
namespace {

constexpr unsigned kMaxDepth = 128;

bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

}  // namespace

void JsonReader::skip_space() noexcept {
  while (at_ < text_.size() &&
         (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t')) {
    ++at_;
  }
}

bool JsonReader::take(char c) noexcept {
  skip_space();
  if (at_ == text_.size() || text_[at_] != c) return false;
  ++at_;
  return true;
}

std::string JsonReader::got() const {
  if (at_ >= text_.size()) return concat("the end of the ", what_);
  const char c = text_[at_];
  if (c > ' ' && c <= '~') return concat('\'', c, '\'');
  return concat("byte ", static_cast<unsigned>(static_cast<unsigned char>(c)));
}

void JsonReader::expect(char c) {
  if (!take(c)) fail_at(start_ + at_, "expected '", c, "', got ", got());
}

bool JsonReader::next_item(char end, bool& is_first) {
  if (take(end)) return false;
  if (!is_first && !take(',')) {
    fail_at(start_ + at_, "expected ',' or '", end, "', got ", got());
  }
  is_first = false;
  return true;
}

std::string JsonReader::name() {
  std::string name = string();
  expect(':');
  return name;
}

std::string JsonReader::string() {
  skip_space();
  const uint64_t first = start_ + at_;
  if (!take('"')) fail_at(first, "expected a string, got ", got());
  std::string out;
  for (size_t from = at_;; ++at_) {
    const char c = at_ < text_.size() ? text_[at_] : '\0';
    if (c != '"' && c != '\\' && static_cast<unsigned char>(c) >= ' ') continue;
    const std::string_view plain = text_.substr(from, at_ - from);
    if (const size_t valid = valid_utf8_prefix(plain); valid != plain.size()) {
      fail_at(start_ + from + valid, "expected UTF-8 in a string");
    }
    out += plain;
    if (c == '"') break;
    if (c != '\\') fail_at(start_ + at_, "expected the end of a string, got ", got());
    ++at_;
    escape(out);
    from = at_--;  // the loop moves on
  }
  ++at_;
  return out;
}

void JsonReader::escape(std::string& out) {
  constexpr std::string_view kEscapes = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
  const uint64_t first = start_ + at_ - 1;
  const char c = at_ < text_.size() ? text_[at_++] : '\0';
  if (const size_t i = kEscapes.find(c); i != kEscapes.npos) {
    out += kMeanings[i];
    return;
  }
  if (c != 'u') fail_at(first, "expected a defined escape in a string");
  char32_t code = hex();
  if (code >= 0xD800 && code < 0xE000) {
    const bool is_pair = code < 0xDC00 && text_.substr(at_).starts_with("\\u");
    if (is_pair) at_ += 2;
    const uint32_t low = is_pair ? hex() : 0;
    if (low < 0xDC00 || low > 0xDFFF) fail_at(first, "expected both halves of a surrogate pair");
    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
  }
  char utf8[4];
  out.append(utf8, write_utf8(code, utf8));
}

uint32_t JsonReader::hex() {
  uint32_t code = 0;
  const std::string_view digits = text_.substr(at_, 4);
  const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
  if (digits.size() != 4 || end.ptr != digits.data() + 4) {
    fail_at(start_ + at_, "expected four hexadecimal digits");
  }
  at_ += 4;
  return code;
}

bool JsonReader::skip_digits() noexcept {
  const size_t first = at_;
  while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
  return at_ != first;
}

uint64_t JsonReader::natural() {
  skip_space();
  const size_t first = at_;
  const bool has_digits = skip_digits();
  const std::string_view digits = text_.substr(first, at_ - first);
  const bool goes_on =
      at_ < text_.size() && (text_[at_] == '.' || text_[at_] == 'e' || text_[at_] == 'E');
  if (!has_digits || goes_on || (digits.size() > 1 && digits[0] == '0')) {
    if (has_digits) {
      fail_at(start_ + first, "expected a number without leading zeros, fraction or exponent");
    }
    fail_at(start_ + first, "expected a whole number from 0, got ", got());
  }
  uint64_t number = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), number).ec != std::errc()) {
    fail_at(start_ + first, "expected a number below 2^64, got ", digits.size(), " digits");
  }
  return number;
}

bool JsonReader::take_null() {
  skip_space();
  if (!text_.substr(at_).starts_with("null")) return false;
  at_ += 4;
  return true;
}

void JsonReader::skip_number() {
  const uint64_t first = start_ + at_;
  if (text_[at_] == '-') ++at_;
  const bool has_zero = at_ < text_.size() && text_[at_] == '0';
  bool valid = has_zero ? (++at_, at_ == text_.size() || !is_digit(text_[at_])) : skip_digits();
  if (valid && at_ < text_.size() && text_[at_] == '.') valid = (++at_, skip_digits());
  if (valid && at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
    ++at_;
    if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
    valid = skip_digits();
  }
  if (!valid) fail_at(first, "expected a number");
}

void JsonReader::skip(unsigned depth) {
  skip_space();
  if (at_ == text_.size()) fail_at(start_ + at_, "expected a value, got ", got());
  const char c = text_[at_];
  if (c == '"') {
    string();
  } else if (c == '-' || is_digit(c)) {
    skip_number();
  } else if (c == '{' || c == '[') {
    if (depth == kMaxDepth) {
      fail_at(start_ + at_, "expected at most ", kMaxDepth, " values inside each other");
    }
    ++at_;
    for (bool is_first = true; next_item(c == '{' ? '}' : ']', is_first);) {
      if (c == '{') name();
      skip(depth + 1);
    }
  } else {
    for (const std::string_view word : {"null", "true", "false"}) {
      if (!text_.substr(at_).starts_with(word)) continue;
      at_ += word.size();
      return;
    }
    fail_at(start_ + at_, "expected a value, got ", got());
  }
}

void JsonReader::end() {
  skip_space();
  if (at_ != text_.size()) fail_at(start_ + at_, "expected the end of the ", what_, ", got ", got());
}

}  // namespace heron::inline v0
