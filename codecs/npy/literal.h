// Scans what Python writes for texts, numbers and bools, token by token. Nothing is evaluated.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/fail.h"

namespace heron::inline v0::npy {

// A position that advances through a header. Each function skips blanks first and throws
// Error(Corrupt) if the header has something else. One thread at a time.
class LiteralScanner {
 public:
  // `offset` is that of `text` in the file. Texts are Latin-1 unless `is_utf8`. All must outlive
  // this.
  LiteralScanner(const std::string& file, std::string_view text, uint64_t offset, bool is_utf8)
      : file_(file), text_(text), offset_(offset), is_utf8_(is_utf8) {}

  // Returns the next character, without advancing; 0 at the end.
  char peek();
  // Advances over a character, if it is the next one.
  bool take(char character);
  void expect(char character);
  // A text in quotes of either kind, as UTF-8.
  std::string text();
  // A whole number from 0 to kMaxBytes; Python 2 wrote an L behind some.
  uint64_t number();
  // True or False.
  bool boolean();
  // Expects nothing but blanks and line ends.
  void end();

  // What stands between two positions, for error texts.
  uint64_t at() const noexcept { return at_; }
  std::string_view since(uint64_t at) const noexcept { return text_.substr(at, at_ - at); }

  template <class... Parts>
  [[noreturn]] void fail_at(ErrorKind kind, uint64_t at, const Parts&... parts) const {
    fail(kind, file_, "header at byte ", offset_ + at, ": ", parts...);
  }
  // "expected <what>, got <the next characters>"
  [[noreturn]] void fail_next(std::string_view what);

 private:
  bool is_at_end() const noexcept { return at_ == text_.size(); }
  void skip_blanks() noexcept;
  void append_escaped(std::string& to);
  char32_t hex_digits(uint64_t count);
  void append_character(std::string& to);

  const std::string& file_;
  const std::string_view text_;
  const uint64_t offset_;
  const bool is_utf8_;
  uint64_t at_ = 0;
};

// Puts a text in quotes as Python does, for a header in UTF-8.
std::string python_text(std::string_view utf8);
// Puts sizes in parentheses as Python does: "()", "(3,)", "(3, 2)".
template <class Sizes>
std::string python_tuple(const Sizes& sizes) {
  std::string text = "(";
  for (uint64_t i = 0; i < sizes.size(); ++i) text += concat(i == 0 ? "" : ", ", sizes[i]);
  return text + (sizes.size() == 1 ? ",)" : ")");
}

}  // namespace heron::inline v0::npy
