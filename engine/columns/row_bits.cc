#include "columns/row_bits.h"

#include "base/cpu.h"

namespace heron::inline v0 {
namespace {

struct CountBits {
  HERON_INLINE static uint64_t run(const uint64_t* words, uint64_t count) {
    uint64_t bits = 0;
    for (uint64_t i = 0; i < count; ++i) bits += static_cast<uint64_t>(std::popcount(words[i]));
    return bits;
  }
};

}  // namespace

uint64_t count_bits(std::span<const uint64_t> words) noexcept {
  return dispatch<CountBits>(words.data(), words.size());
}

void extract_bits(std::span<const uint64_t> words, uint64_t first, uint64_t last,
                  std::vector<uint64_t>& to) {
  const uint64_t count = last - first;
  const uint64_t shift = first % 64;
  to.resize(bit_words(count));
  for (uint64_t i = 0; i < to.size(); ++i) {
    const uint64_t at = first / 64 + i;
    to[i] = words[at] >> shift;
    if (shift != 0 && at + 1 < words.size()) to[i] |= words[at + 1] << (64 - shift);
  }
  if (count % 64 != 0) to.back() &= low_bits(count % 64);
}

void replace_bits(std::span<uint64_t> words, uint64_t first, uint64_t last,
                  std::span<const uint64_t> from) noexcept {
  const uint64_t begin = first;
  for_words(words, first, last, [&](uint64_t& word, uint64_t mask) {
    const uint64_t at = first - begin;  // index in `from` of the word's first selected bit
    uint64_t bits = from[at / 64] >> at % 64;
    if (at % 64 != 0 && at / 64 + 1 < from.size()) bits |= from[at / 64 + 1] << (64 - at % 64);
    const auto low = static_cast<uint64_t>(std::countr_zero(mask));
    word = (word & ~mask) | (bits << low & mask);
    first += static_cast<uint64_t>(std::popcount(mask));
    return true;
  });
}

}  // namespace heron::inline v0
