#include "base/fail.h"

#include <charconv>

namespace heron::inline v0 {
namespace {

template <class Number>
void append_number(std::string& out, Number number) {
  char digits[32];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

}  // namespace

void TextPart::append_to(std::string& out) const {
  switch (kind_) {
    case Kind::Text: out += text_; break;
    case Kind::Character: out += character_; break;
    case Kind::Signed: append_number(out, signed_); break;
    case Kind::Unsigned: append_number(out, unsigned_); break;
    case Kind::Float: append_number(out, float_); break;
    case Kind::Double: append_number(out, double_); break;
  }
}

std::string joined(std::initializer_list<TextPart> parts) {
  std::string out;
  for (const TextPart& part : parts) part.append_to(out);
  return out;
}

void fail_with(ErrorKind kind, const char* hint, std::string_view file,
               std::initializer_list<TextPart> parts) {
  throw Error(kind, file, joined(parts), hint);
}

}  // namespace heron::inline v0
