// Compares 64 bytes at once into the bits of one word, for any CPU and for x86-64-v3. A kernel
// takes one of the two classes as its parameter; dispatch_bits chooses.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/cpu.h"
#include "values/bitmap.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace heron::inline v0::idv {

// kSelect[byte][k]: the position of the k-th set bit.
inline constexpr auto kSelect = [] {
  std::array<std::array<uint8_t, 8>, 256> positions{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    unsigned k = 0;
    for (uint8_t position = 0; position < 8; ++position) {
      if ((byte >> position & 1) != 0) positions[byte][k++] = position;
    }
  }
  return positions;
}();

struct AnyBits {
  // Sets bit i if bytes[i] >= limit, which is at least 0x80.
  HERON_INLINE static uint64_t at_least(const uint8_t* bytes, uint8_t limit) {
    uint64_t bits = 0;
#if defined(__SSE2__)
    const __m128i least = _mm_set1_epi8(static_cast<char>(limit));
    for (unsigned i = 0; i < 64; i += 16) {
      const __m128i some = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + i));
      const int mask = _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_max_epu8(some, least), some));
      bits |= uint64_t{static_cast<uint32_t>(mask)} << i;
    }
#else
    uint8_t flags[64];
    for (unsigned i = 0; i < 64; ++i) flags[i] = bytes[i] >= limit;
    for (unsigned i = 0; i < 64; i += 8) bits |= uint64_t{pack_eight(flags + i)} << i;
#endif
    return bits;
  }

  // Counts the set bits in each byte and the bytes below it.
  HERON_INLINE static uint64_t counts(uint64_t word) {
    const uint64_t pairs = word - (word >> 1 & 0x5555555555555555);
    const uint64_t fours = (pairs & 0x3333333333333333) + (pairs >> 2 & 0x3333333333333333);
    return ((fours + (fours >> 4)) & 0x0F0F0F0F0F0F0F0F) * kOnes;
  }
  HERON_INLINE static uint64_t count(uint64_t word) {
    return counts(word) >> 56;
  }

  // Returns the position of the k-th set bit; more than k are set.
  HERON_INLINE static uint64_t select(uint64_t word, uint64_t k) {
    const uint64_t below = counts(word);
    const uint64_t bytes = ((k * kOnes | 0x80 * kOnes) - below) >> 7 & kOnes;
    const uint64_t position = (bytes * kOnes >> 56) * 8;
    return position + kSelect[word >> position & 0xFF][k - (below << 8 >> position & 0xFF)];
  }

 private:
  static constexpr uint64_t kOnes = 0x0101010101010101;
};

#if defined(HERON_X86_64_V3)
struct V3Bits {
  HERON_X86_64_V3 static uint64_t at_least(const uint8_t* bytes, uint8_t limit) {
    const __m256i least = _mm256_set1_epi8(static_cast<char>(limit));
    return half_at_least(bytes, least) | half_at_least(bytes + 32, least) << 32;
  }
  HERON_X86_64_V3 static uint64_t count(uint64_t word) {
    return static_cast<uint64_t>(_mm_popcnt_u64(word));
  }
  HERON_X86_64_V3 static uint64_t select(uint64_t word, uint64_t k) {
    return _tzcnt_u64(_pdep_u64(uint64_t{1} << k, word));
  }

 private:
  HERON_X86_64_V3 static uint64_t half_at_least(const uint8_t* bytes, __m256i least) {
    const __m256i some = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes));
    const int mask = _mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_max_epu8(some, least), some));
    return static_cast<uint32_t>(mask);
  }
};
#endif

// Runs Kernel<Bits>::run(args...), compiled for this CPU.
template <template <class> class Kernel, class... Args>
auto dispatch_bits(Args... args) {
#if defined(HERON_X86_64_V3)
  if (has_x86_64_v3()) return run_x86_64_v3<Kernel<V3Bits>>(args...);
#endif
  return Kernel<AnyBits>::run(args...);
}

}  // namespace heron::inline v0::idv
