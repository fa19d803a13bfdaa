// Reads JSON (RFC 8259) from the front, value by value, as its caller expects them. Strict: UTF-8
// only, no control characters in strings, no halves of surrogate pairs, no leading zeros. Memory
// does not grow with anything but the strings that are requested.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/fail.h"

namespace heron::inline v0 {

// Throws Error(Corrupt) that names the file and the offset of what is wrong.
class JsonReader {
 public:
  // `start` is the offset of the text in the file, `what` its name for errors. All must outlive the
  // reader.
  JsonReader(std::string_view text, const std::string& file, uint64_t start, const char* what)
      : text_(text), file_(file), start_(start), what_(what) {}

  // Reads the opening of an object or a list, or what stands between its items: returns false
  // behind its end. `is_first` is true before the first item, and then set to false.
  bool next_item(char end, bool& is_first);
  void open(char bracket) { expect(bracket); }
  // Reads a name and its colon.
  std::string name();
  std::string string();
  // Reads a whole number without sign, fraction or exponent.
  uint64_t natural();
  // Reads `null`, if it comes next.
  bool take_null();
  // Reads any value. Throws for more than 128 values inside each other.
  void skip() { skip(0); }
  // Expects nothing but white space up to the end.
  void end();

  // The offset in the file of the next token.
  uint64_t at() {
    skip_space();
    return start_ + at_;
  }
  template <class... Parts>
  [[noreturn]] void fail_at(uint64_t at, const Parts&... parts) const {
    fail(ErrorKind::Corrupt, file_, what_, " at byte ", at, ": ", parts...);
  }

 private:
  void skip_space() noexcept;
  bool take(char c) noexcept;
  void expect(char c);
  // Returns the next character for an error text.
  std::string got() const;
  void escape(std::string& out);
  uint32_t hex();
  void skip(unsigned depth);
  void skip_number();
  bool skip_digits() noexcept;

  std::string_view text_;
  const std::string& file_;
  uint64_t start_;
  const char* what_;
  size_t at_ = 0;
};

}  // namespace heron::inline v0
