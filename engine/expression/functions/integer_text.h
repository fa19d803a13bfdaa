// Integers of 128 bits as text.
#pragma once

#include <algorithm>
#include <string>

#include "base/int128.h"

namespace heron::inline v0 {

inline std::string integer_text(Int128 value) {
  auto rest = static_cast<UInt128>(value);
  if (value < 0) rest = 0 - rest;
  std::string text;
  do {
    text += static_cast<char>('0' + static_cast<int>(rest % 10));
    rest /= 10;
  } while (rest != 0);
  if (value < 0) text += '-';
  std::reverse(text.begin(), text.end());
  return text;
}

}  // namespace heron::inline v0
