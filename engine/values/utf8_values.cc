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
  if (is_ascii(all)) return true;
  if (valid_utf8_prefix(all) != all.size()) return false;
  bool whole = true;
  for (uint64_t row = first; row < last; ++row) {
    const uint64_t begin = texts.extent(row);
    whole &= begin == end || !continues_utf8(characters[begin]);
  }
  return whole;
}

namespace {

// Checks rows `first` up to `last`.
bool are_utf8_within(const Values& values, uint64_t first, uint64_t last) noexcept {
  const Type& type = values.type;
  if (first == last) return true;
  if (type.is(Type::Vector)) return are_utf8_within(values.children[0], first, last);
  if (type.is(Type::Key)) {
    if (values.children.empty()) return true;
    const Values& standing = values.children[0];
    return standing.rows <= last - first && are_utf8_within(standing, 0, standing.rows);
  }
  if (!type.is_list() && !type.is_text()) return true;
  if (type.is_text()) return are_utf8(values, first, last);
  return are_utf8_within(values.children[0], values.extent(first), values.extent(last));
}

}  // namespace

bool are_utf8(const Values& values) noexcept {
  return are_utf8_within(values, 0, values.rows);
}

}  // namespace heron::inline v0
