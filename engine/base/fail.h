// Builds the texts of errors and throws them.
#pragma once

#include <charconv>
#include <string>
#include <string_view>
#include <type_traits>

#include "heron/error.h"

namespace heron::inline v0 {

// Appends text, numbers and characters to one string: how error texts are built.
template <class... Parts>
std::string concat(const Parts&... parts) {
  std::string out;
  auto append = [&out](const auto& part) {
    using Part = std::remove_cvref_t<decltype(part)>;
    if constexpr (std::is_same_v<Part, char>) {
      out += part;
    } else if constexpr (std::is_arithmetic_v<Part>) {
      char digits[32];
      out.append(digits, std::to_chars(digits, digits + sizeof digits, part).ptr);
    } else {
      out += std::string_view(part);
    }
  };
  (append(parts), ...);
  return out;
}

// Throws Error(kind, file, concat(parts...)); with a hint, one of base/hints.h or a codec's own.
template <class... Parts>
[[noreturn]] void fail(ErrorKind kind, std::string_view file, const Parts&... parts) {
  throw Error(kind, file, concat(parts...));
}
template <class... Parts>
[[noreturn]] void fail_with_hint(ErrorKind kind, const char* hint, std::string_view file,
                                 const Parts&... parts) {
  throw Error(kind, file, concat(parts...), hint);
}

}  // namespace heron::inline v0
