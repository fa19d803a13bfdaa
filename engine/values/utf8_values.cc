#include "values/utf8_values.h"

#include "base/utf8.h"

namespace heron::inline v0 {

// Texts are adjacent: each is UTF-8 if all together are and none begins within a character.
bool are_utf8(const Values& texts, uint64_t first, uint64_t last) noexcept {
  if (first == last) return true;
  const uint64_t start = texts.extent(first), end = texts.extent(last);
  if (start == end) return true;
  const auto* characters = texts.data.as<char>();
  const std::string_view all(characters + start, end - start);
  if (valid_utf8_prefix(all) != all.size()) return false;
  bool whole = true;
  for (uint64_t row = first; row < last; ++row) {
    const uint64_t begin = texts.extent(row);
    whole &= begin == end || !continues_utf8(characters[begin]);
  }
  return whole;
}

}  // namespace heron::inline v0
