#include "output/utf8.h"

#include "base/utf8.h"

namespace heron::cli {
namespace {

bool is_continuation(char byte) noexcept {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

// Rows first up to last.
bool is_utf8_within(const Values& values, uint64_t first, uint64_t last) noexcept {
  const Type& type = values.type;
  if (first == last) return true;
  if (type.is(Type::Vector)) return is_utf8_within(values.children[0], first, last);
  if (type.is(Type::Key)) {
    if (values.children.empty()) return true;
    const Values& standing = values.children[0];
    return standing.rows <= last - first && is_utf8_within(standing, 0, standing.rows);
  }
  if (!type.is_list() && !type.is_text()) return true;
  const uint64_t start = values.extent(first), end = values.extent(last);
  if (type.is_list()) return is_utf8_within(values.children[0], start, end);
  // Texts are adjacent: all are valid if the whole is and none begins within a character.
  const std::string_view all{values.data.as<char>() + start, end - start};
  if (valid_utf8_prefix(all) != all.size()) return false;
  for (uint64_t row = first; row < last; ++row) {
    const std::string_view text = values.text(row);
    if (!text.empty() && is_continuation(text.front())) return false;
  }
  return true;
}

}  // namespace

bool is_utf8(const Values& values) noexcept {
  return is_utf8_within(values, 0, values.rows);
}

void append_repaired(Sink& sink, std::string_view text) {
  while (!text.empty()) {
    const size_t valid = valid_utf8_prefix(text);
    sink.append(text.substr(0, valid));
    if (valid == text.size()) return;
    sink.append(kReplacement);
    text.remove_prefix(valid + decode_utf8(text, valid).bytes);
  }
}

}  // namespace heron::cli
