// The tests of a few ranges in the words of AVX2, whose comparisons give bits without a detour:
// what compilers make of the loops in range_kernels.h takes twice as long where cells are in a
// cache.
#pragma once

#include "query/range_kernels.h"

#if defined(HERON_X86_64_V3)
#include <immintrin.h>

namespace heron::inline v0::avx2 {

#define HERON_AVX2 HERON_X86_64_V3 inline

HERON_AVX2 __m256i load(const std::byte* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

// Lanes of ones where a cell of 32 bytes of them is in the range.
template <class T>
struct Range;

template <>
struct Range<float> {
  __m256 low, high;
  HERON_AVX2 explicit Range(const InRange<float>& range)
      : low(_mm256_set1_ps(range.low)), high(_mm256_set1_ps(range.high)) {}
  HERON_AVX2 __m256i holds(__m256i cells) const {
    const __m256 values = _mm256_castsi256_ps(cells);
    return _mm256_castps_si256(_mm256_and_ps(_mm256_cmp_ps(values, low, _CMP_GE_OQ),
                                             _mm256_cmp_ps(values, high, _CMP_LE_OQ)));
  }
};

template <>
struct Range<double> {
  __m256d low, high;
  HERON_AVX2 explicit Range(const InRange<double>& range)
      : low(_mm256_set1_pd(range.low)), high(_mm256_set1_pd(range.high)) {}
  HERON_AVX2 __m256i holds(__m256i cells) const {
    const __m256d values = _mm256_castsi256_pd(cells);
    return _mm256_castpd_si256(_mm256_and_pd(_mm256_cmp_pd(values, low, _CMP_GE_OQ),
                                             _mm256_cmp_pd(values, high, _CMP_LE_OQ)));
  }
};

// Integers of so many bytes, as InRange has them: moved to begin at 0.
template <size_t kBytes>
struct IntegerRange;

template <>
struct IntegerRange<1> {
  __m256i low, span;
  template <class T>
  HERON_AVX2 explicit IntegerRange(const InRange<T>& range)
      : low(_mm256_set1_epi8(static_cast<char>(range.low))),
        span(_mm256_set1_epi8(static_cast<char>(range.span))) {}
  HERON_AVX2 __m256i holds(__m256i cells) const {
    const __m256i moved = _mm256_sub_epi8(cells, low);
    return _mm256_cmpeq_epi8(_mm256_min_epu8(moved, span), moved);
  }
};

template <>
struct IntegerRange<2> {
  __m256i low, span;
  template <class T>
  HERON_AVX2 explicit IntegerRange(const InRange<T>& range)
      : low(_mm256_set1_epi16(static_cast<int16_t>(range.low))),
        span(_mm256_set1_epi16(static_cast<int16_t>(range.span))) {}
  HERON_AVX2 __m256i holds(__m256i cells) const {
    const __m256i moved = _mm256_sub_epi16(cells, low);
    return _mm256_cmpeq_epi16(_mm256_min_epu16(moved, span), moved);
  }
};

template <>
struct IntegerRange<4> {
  __m256i low, span;
  template <class T>
  HERON_AVX2 explicit IntegerRange(const InRange<T>& range)
      : low(_mm256_set1_epi32(static_cast<int32_t>(range.low))),
        span(_mm256_set1_epi32(static_cast<int32_t>(range.span))) {}
  HERON_AVX2 __m256i holds(__m256i cells) const {
    const __m256i moved = _mm256_sub_epi32(cells, low);
    return _mm256_cmpeq_epi32(_mm256_min_epu32(moved, span), moved);
  }
};

// There is no unsigned comparison of so many bits: signs are turned.
template <>
struct IntegerRange<8> {
  __m256i low, span;
  template <class T>
  HERON_AVX2 explicit IntegerRange(const InRange<T>& range)
      : low(_mm256_set1_epi64x(static_cast<int64_t>(range.low + kTop))),
        span(_mm256_set1_epi64x(static_cast<int64_t>(range.span ^ kTop))) {}
  HERON_AVX2 __m256i holds(__m256i cells) const {
    const __m256i above = _mm256_cmpgt_epi64(_mm256_sub_epi64(cells, low), span);
    return _mm256_xor_si256(above, _mm256_set1_epi64x(-1));
  }

 private:
  static constexpr uint64_t kTop = uint64_t{1} << 63;  // subtracting it turns the sign, too
};

template <class T>
requires std::is_integral_v<T>
struct Range<T> : IntegerRange<sizeof(T)> {
  using IntegerRange<sizeof(T)>::IntegerRange;
};

// A bit for each of 64 cells, of any of the ranges.
template <class T, unsigned kRanges>
HERON_AVX2 uint64_t test_64(const std::byte* cells, const InAnyRange<T, kRanges>& test) {
  constexpr unsigned kVectors = 2 * sizeof(T);
  constexpr unsigned kLanes = 32 / sizeof(T);
  uint64_t word = 0;
  __m256i before = _mm256_setzero_si256();
  for (unsigned v = 0; v < kVectors; ++v) {
    const __m256i some = load(cells + 32 * v);
    __m256i in = Range<T>(test.ranges[0]).holds(some);
    for (unsigned k = 1; k < kRanges; ++k) {
      in = _mm256_or_si256(in, Range<T>(test.ranges[k]).holds(some));
    }
    if constexpr (sizeof(T) == 1) {
      word |= uint64_t{static_cast<uint32_t>(_mm256_movemask_epi8(in))} << (kLanes * v);
    } else if constexpr (sizeof(T) == 2) {  // two vectors of 16 lanes make one of 32
      if (v % 2 != 0) {
        const __m256i both = _mm256_permute4x64_epi64(_mm256_packs_epi16(before, in), 0xD8);
        word |= uint64_t{static_cast<uint32_t>(_mm256_movemask_epi8(both))} << (32 * (v / 2));
      }
      before = in;
    } else if constexpr (sizeof(T) == 4) {
      const auto bits = static_cast<uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(in)));
      word |= uint64_t{bits} << (kLanes * v);
    } else {
      const auto bits = static_cast<uint32_t>(_mm256_movemask_pd(_mm256_castsi256_pd(in)));
      word |= uint64_t{bits} << (kLanes * v);
    }
  }
  return word;
}

// KeepCells of those tests.
template <class T, unsigned kRanges>
HERON_X86_64_V3 void keep_cells(const std::byte* cells, uint64_t count, InAnyRange<T, kRanges> test,
                                uint64_t* rows) {
  const uint64_t whole = count / 64;
  for (uint64_t i = 0; i < whole; ++i) {
    if (rows[i] != 0) rows[i] &= test_64<T>(cells + i * 64 * sizeof(T), test);
  }
  KeepCells<T, InAnyRange<T, kRanges>>::run(cells + whole * 64 * sizeof(T), count % 64, test,
                                            rows + whole);
}

#undef HERON_AVX2

}  // namespace heron::inline v0::avx2
#endif
