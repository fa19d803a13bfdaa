// Parses a number that makes up a whole text.
#pragma once

#include <charconv>
#include <string_view>
#include <system_error>

namespace heron::inline v0 {

template <class T>
bool parse_whole(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace heron::inline v0
