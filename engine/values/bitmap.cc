#include "values/bitmap.h"

namespace heron::inline v0 {

void copy_bits(const std::byte* from, uint64_t first, uint64_t count, std::byte* to) noexcept {
  if (count == 0) return;
  const std::byte* source = from + first / 8;
  const unsigned shift = first % 8;
  const uint64_t bytes = bitmap_bytes(count);
  if (shift == 0) {
    std::memcpy(to, source, bytes);
  } else {
    const uint64_t source_bytes = bitmap_bytes(shift + count);
    for (uint64_t i = 0; i < bytes; ++i) {
      const unsigned low = std::to_integer<unsigned>(source[i]) >> shift;
      const unsigned high = i + 1 < source_bytes ? std::to_integer<unsigned>(source[i + 1]) : 0;
      to[i] = static_cast<std::byte>(low | high << (8 - shift));
    }
  }
  if (count % 8 != 0) to[bytes - 1] &= static_cast<std::byte>((1u << (count % 8)) - 1);
}

uint64_t count_clear(const std::byte* bits, uint64_t count) noexcept {
  uint64_t set = 0;
  uint64_t i = 0;
  for (; i + 64 <= count; i += 64) {
    uint64_t word;
    std::memcpy(&word, bits + i / 8, 8);
    set += static_cast<uint64_t>(std::popcount(word));
  }
  for (; i < count; ++i) set += get_bit(bits, i);
  return count - set;
}

}  // namespace heron::inline v0
