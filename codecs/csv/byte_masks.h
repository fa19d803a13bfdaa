// Finds quotes, separators and line ends in 64 bytes, as bits. There are two finders with equal
// results: one for any CPU, which compares eight bytes at a time in a register, and one with AVX2.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "base/cpu.h"

#if defined(HERON_X86_64_V3)
#include <immintrin.h>
#endif

namespace heron::inline v0::csv {

// Bit i stands for byte i.
struct ByteMasks {
  uint64_t quotes;
  uint64_t separators;
  uint64_t line_feeds;
  uint64_t returns;
};

class PlainFinder {
 public:
  HERON_INLINE explicit PlainFinder(char separator) : separator_(separator) {}

  HERON_INLINE ByteMasks find(const char* bytes) const {
    ByteMasks masks{};
    for (unsigned i = 0; i < 8; ++i) {
      uint64_t word;
      std::memcpy(&word, bytes + 8 * i, 8);
      if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
      masks.quotes |= equal(word, '"') << 8 * i;
      masks.separators |= equal(word, separator_) << 8 * i;
      masks.line_feeds |= equal(word, '\n') << 8 * i;
      masks.returns |= equal(word, '\r') << 8 * i;
    }
    return masks;
  }

 private:
  // Returns a bit for each byte of the word that equals `byte`. Adding 0x7F to the lower seven bits
  // of a byte sets its top bit unless they are all 0, and carries into no other byte; a product
  // gathers the top bits.
  HERON_INLINE static uint64_t equal(uint64_t word, char byte) {
    constexpr uint64_t kOnes = 0x0101010101010101, kLow = 0x7F * kOnes;
    const uint64_t differing = word ^ (kOnes * static_cast<unsigned char>(byte));
    const uint64_t tops = ~(((differing & kLow) + kLow) | differing | kLow);
    return (tops >> 7) * 0x0102040810204080 >> 56;
  }

  char separator_;
};

#if defined(HERON_X86_64_V3)
class Avx2Finder {
 public:
  HERON_X86_64_V3 explicit Avx2Finder(char separator) : separator_(_mm256_set1_epi8(separator)) {}

  HERON_X86_64_V3 ByteMasks find(const char* bytes) const {
    const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes));
    const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes + 32));
    return {equal(low, high, _mm256_set1_epi8('"')), equal(low, high, separator_),
            equal(low, high, _mm256_set1_epi8('\n')), equal(low, high, _mm256_set1_epi8('\r'))};
  }

 private:
  HERON_X86_64_V3 static uint64_t equal(__m256i low, __m256i high, __m256i byte) {
    const auto first = static_cast<uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, byte)));
    const auto second = static_cast<uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, byte)));
    return uint64_t{second} << 32 | first;
  }

  __m256i separator_;
};
#endif

}  // namespace heron::inline v0::csv
