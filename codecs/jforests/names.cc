#include "jforests/names.h"

#include <bit>
#include <cstdint>

#include "jforests/layout.h"

namespace heron::inline v0::jforests {
namespace {

uint32_t byte_at(std::string_view text, size_t i) {
  return static_cast<unsigned char>(text[i]);
}

// The bytes of the first character; 1 if it is not UTF-8.
size_t character_bytes(std::string_view text) {
  const int leading_ones = std::countl_one(static_cast<uint8_t>(text[0]));
  if (leading_ones < 2 || leading_ones > 4) return 1;
  const auto bytes = static_cast<size_t>(leading_ones);
  if (bytes > text.size()) return 1;
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte_at(text, i) & 0xC0) != 0x80) return 1;
  }
  return bytes;
}

uint32_t code_point(std::string_view character) {
  const size_t bytes = character.size();
  uint32_t point = bytes == 1 ? byte_at(character, 0) : byte_at(character, 0) & (0x7FU >> bytes);
  for (size_t i = 1; i < bytes; ++i) point = (point << 6) | (byte_at(character, i) & 0x3F);
  return point;
}

}  // namespace

std::string stored_name(std::string_view text) {
  std::string name;
  while (!text.empty()) {
    const size_t bytes = character_bytes(text);
    const uint32_t point = code_point(text.substr(0, bytes));
    if (point > 0xFFFF) name += static_cast<char>((0xD800 + ((point - 0x10000) >> 10)) & 0xFF);
    name += static_cast<char>(point & 0xFF);
    text.remove_prefix(bytes);
  }
  name.resize(std::min<size_t>(name.size(), kMostNameBytes));
  return name;
}

}  // namespace heron::inline v0::jforests
