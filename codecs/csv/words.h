// The words that are values.
#pragma once

#include <optional>
#include <string_view>

#include "base/cpu.h"

namespace heron::inline v0::csv {

HERON_INLINE std::optional<bool> bool_word(std::string_view text) noexcept {
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "False" || text == "FALSE") return false;
  return std::nullopt;
}

}  // namespace heron::inline v0::csv
