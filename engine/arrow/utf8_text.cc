#include "arrow/utf8_text.h"

#include <limits>

#include "base/utf8.h"

namespace heron::inline v0::arrow {
namespace {

// Of a text with U+FFFD in it: how long it is, and, unless null, the text itself.
uint64_t write_repaired(std::string_view text, char* to) {
  uint64_t bytes = 0;
  while (!text.empty()) {
    const size_t valid = valid_utf8_prefix(text);
    if (to != nullptr && valid != 0) std::memcpy(to + bytes, text.data(), valid);
    bytes += valid;
    text.remove_prefix(valid);
    if (text.empty()) break;
    const CodePoint damaged = decode_utf8(text, 0);
    char character[4];
    const auto size = static_cast<uint64_t>(write_utf8(damaged.code, character) - character);
    if (to != nullptr) std::memcpy(to + bytes, character, size);
    bytes += size;
    text.remove_prefix(damaged.bytes);
  }
  return bytes;
}

bool begins_character(std::byte byte) noexcept {
  return (std::to_integer<unsigned>(byte) & 0xC0) != 0x80;
}

// All of them together, and no character lies in two texts.
bool are_utf8(const Values& texts) {
  const uint64_t first = texts.extent(0), last = texts.extent(texts.rows);
  if (first == last) return true;
  const std::string_view all(texts.data.as<char>() + first, last - first);
  if (valid_utf8_prefix(all) != all.size()) return false;
  bool whole = true;
  for (uint64_t row = 1; row < texts.rows; ++row) {
    const uint64_t start = texts.extent(row);
    whole &= start == last || begins_character(texts.data.data[start]);
  }
  return whole;
}

template <class Offset>
void repair_texts(const Values& texts, Values& repaired, Arena& arena) {
  auto* offsets = arena.allocate_array<Offset>(texts.rows + 1);
  uint64_t total = 0;
  for (uint64_t row = 0; row < texts.rows; ++row) {
    offsets[row] = static_cast<Offset>(total);
    if (!texts.is_null(row)) total += write_repaired(texts.text(row), nullptr);
    if (total > static_cast<uint64_t>(std::numeric_limits<Offset>::max())) {
      fail(ErrorKind::Limit, {}, "these rows together have more than ",
           std::numeric_limits<Offset>::max(),
           " characters once they are UTF-8; ask for fewer rows at once");
    }
  }
  offsets[texts.rows] = static_cast<Offset>(total);
  char* characters = arena.allocate_array<char>(total);
  for (uint64_t row = 0; row < texts.rows; ++row) {
    if (!texts.is_null(row)) write_repaired(texts.text(row), characters + offsets[row]);
  }
  repaired.offsets = {reinterpret_cast<const std::byte*>(offsets),
                      (texts.rows + 1) * sizeof(Offset)};
  repaired.data = {reinterpret_cast<const std::byte*>(characters), total};
}

}  // namespace

std::string as_utf8(std::string_view text) {
  std::string repaired(write_repaired(text, nullptr), '\0');
  write_repaired(text, repaired.data());
  return repaired;
}

Values as_utf8(const Values& texts, Arena& arena) {
  if (texts.rows == 0 || are_utf8(texts)) return texts;
  Values repaired(texts.type, texts.rows);
  repaired.null_count = texts.null_count;
  repaired.validity = texts.validity;
  if (texts.type.is(Type::LargeText)) {
    repair_texts<int64_t>(texts, repaired, arena);
  } else {
    repair_texts<int32_t>(texts, repaired, arena);
  }
  return repaired;
}

}  // namespace heron::inline v0::arrow
