// Builds the texts of errors and throws them. There are a thousand kinds of calls, by the types of
// their parts: each only lists its parts, and one function makes the text.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>

#include "heron/error.h"

namespace heron::inline v0 {

// A part of a text: text, which must outlive it, a number or a character.
class TextPart {
 public:
  template <class Part>
  [[gnu::always_inline]] TextPart(const Part& part) {  // NOLINT(google-explicit-constructor)
    if constexpr (std::is_same_v<Part, char>) {
      kind_ = Kind::Character;
      character_ = part;
    } else if constexpr (std::is_same_v<Part, float>) {
      kind_ = Kind::Float;
      float_ = part;
    } else if constexpr (std::is_floating_point_v<Part>) {
      kind_ = Kind::Double;
      double_ = part;
    } else if constexpr (std::is_unsigned_v<Part>) {
      kind_ = Kind::Unsigned;
      unsigned_ = part;
    } else if constexpr (std::is_arithmetic_v<Part>) {
      kind_ = Kind::Signed;
      signed_ = part;
    } else {
      kind_ = Kind::Text;
      text_ = std::string_view(part);
    }
  }

  void append_to(std::string& out) const;

 private:
  enum class Kind : uint8_t { Text, Character, Signed, Unsigned, Float, Double };

  union {
    std::string_view text_;
    char character_;
    int64_t signed_;
    uint64_t unsigned_;
    float float_;
    double double_;
  };
  Kind kind_;
};

std::string joined(std::initializer_list<TextPart> parts);
[[noreturn, gnu::cold]] void fail_with(ErrorKind kind, const char* hint, std::string_view file,
                                       std::initializer_list<TextPart> parts);

// Appends text, numbers and characters to one string: how error texts are built.
template <class... Parts>
std::string concat(const Parts&... parts) {
  return joined({TextPart(parts)...});
}
// Throws Error(kind, file, concat(parts...)); with a hint, one of base/hints.h or a codec's own.
template <class... Parts>
[[noreturn, gnu::cold]] void fail(ErrorKind kind, std::string_view file, const Parts&... parts) {
  fail_with(kind, "", file, {TextPart(parts)...});
}
template <class... Parts>
[[noreturn, gnu::cold]] void fail_with_hint(ErrorKind kind, const char* hint, std::string_view file,
                                            const Parts&... parts) {
  fail_with(kind, hint, file, {TextPart(parts)...});
}

}  // namespace heron::inline v0
