// Tests of a few ranges with AVX2 intrinsics, whose comparisons result in bits directly: the code
// that compilers generate from range_kernels.h takes twice as long for cells in a cache.
#pragma once

#include "filter/range_kernels.h"
#include "values/byte_order.h"

#if defined(HERON_X86_64_V3)
#include <immintrin.h>

namespace heron::inline v0::avx2 {

#define HERON_AVX2 HERON_X86_64_V3 inline

HERON_AVX2 __m256i load(const std::byte* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

// Tests 32 bytes of cells: a lane becomes ones if its cell is in the range.
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

// Tests integers of `kBytes` bytes, shifted to begin at 0 as in InRange.
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

// AVX2 has no unsigned comparison of this width: signs are flipped.
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
  static constexpr uint64_t kTop = uint64_t{1} << 63;  // subtracting it flips the sign, too
};

template <class T>
requires std::is_integral_v<T>
struct Range<T> : IntegerRange<sizeof(T)> {
  using IntegerRange<sizeof(T)>::IntegerRange;
};

// Returns the cells with their bytes in the other order.
template <class T>
HERON_AVX2 __m256i swapped(__m256i cells) {
  const __m256i order =
      sizeof(T) == 2 ? _mm256_setr_epi8(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14, 1, 0,
                                        3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14)
                     : _mm256_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12, 3, 2,
                                        1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
  return _mm256_shuffle_epi8(cells, order);
}

template <size_t kBytes>
HERON_AVX2 __m256i less(__m256i from, __m256i lanes) {
  if constexpr (kBytes == 1) return _mm256_sub_epi8(from, lanes);
  if constexpr (kBytes == 2) return _mm256_sub_epi16(from, lanes);
  if constexpr (kBytes == 4) return _mm256_sub_epi32(from, lanes);
  return _mm256_sub_epi64(from, lanes);
}

// Returns a bit for each of 64 cells: whether it is in any of the ranges.
template <class T, unsigned kRanges, bool kSwapped>
HERON_AVX2 uint64_t test_64(const std::byte* cells, const InAnyRange<T, kRanges>& test) {
  constexpr unsigned kVectors = 2 * sizeof(T);
  constexpr unsigned kLanes = 32 / sizeof(T);
  uint64_t word = 0;
  __m256i before = _mm256_setzero_si256();
  for (unsigned v = 0; v < kVectors; ++v) {
    __m256i some = load(cells + 32 * v);
    if constexpr (kSwapped) some = swapped<T>(some);
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

// KeepCells for those tests; kSwapped: for unsigned cells in the other byte order.
template <class T, unsigned kRanges, bool kSwapped = false>
HERON_X86_64_V3 void keep_cells(const std::byte* cells, uint64_t count, InAnyRange<T, kRanges> test,
                                uint64_t* rows) {
  const uint64_t whole = count / 64;
  for (uint64_t i = 0; i < whole; ++i) {
    if (rows[i] != 0) {
      rows[i] &= test_64<T, kRanges, kSwapped>(cells + i * 64 * sizeof(T), test);
    }
  }
  const std::byte* rest = cells + whole * 64 * sizeof(T);
  T native[64];
  if constexpr (kSwapped) {
    for (uint64_t i = 0; i < count % 64; ++i) native[i] = byte_reversed(load_cell<T>(rest, i));
    rest = reinterpret_cast<const std::byte*>(native);
  }
  KeepCells<T, InAnyRange<T, kRanges>>::run(rest, count % 64, test, rows + whole);
}

// Sums lanes of `kBytes` bytes.
template <size_t kBytes>
HERON_AVX2 uint64_t add_lanes(__m256i counts) {
  using Lane = std::conditional_t<kBytes == 2, uint16_t,
                                  std::conditional_t<kBytes == 4, uint32_t, uint64_t>>;
  if constexpr (kBytes == 1) counts = _mm256_sad_epu8(counts, _mm256_setzero_si256());
  Lane lanes[32 / sizeof(Lane)];
  std::memcpy(lanes, &counts, sizeof lanes);
  uint64_t sum = 0;
  for (const Lane lane : lanes) sum += lane;
  return sum;
}

// Counts the cells in the range: lanes of ones (-1) are subtracted from counting lanes.
template <class T, bool kSwapped>
HERON_X86_64_V3 uint64_t count_cells(const std::byte* cells, uint64_t count,
                                     InAnyRange<T, 1> test) {
  // A lane can count to kMaximum.
  constexpr uint64_t kMaximum = sizeof(T) == 1 ? 255 : sizeof(T) == 2 ? 65535 : uint64_t{1} << 30;
  const Range<T> range(test.ranges[0]);
  const uint64_t vectors = count * sizeof(T) / 32;
  uint64_t found = 0;
  for (uint64_t v = 0; v < vectors;) {
    __m256i counts[4] = {};
    const uint64_t end = v + std::min(vectors - v, 4 * kMaximum);
    for (; v + 4 <= end; v += 4) {
      for (unsigned k = 0; k < 4; ++k) {
        __m256i some = load(cells + 32 * (v + k));
        if constexpr (kSwapped) some = swapped<T>(some);
        counts[k] = less<sizeof(T)>(counts[k], range.holds(some));
      }
    }
    for (; v < end; ++v) {
      __m256i some = load(cells + 32 * v);
      if constexpr (kSwapped) some = swapped<T>(some);
      found += add_lanes<sizeof(T)>(less<sizeof(T)>(_mm256_setzero_si256(), range.holds(some)));
    }
    for (const __m256i& lanes : counts) found += add_lanes<sizeof(T)>(lanes);
  }
  for (uint64_t i = vectors * 32 / sizeof(T); i < count; ++i) {
    T cell = load_cell<T>(cells, i);
    if constexpr (kSwapped) cell = byte_reversed(cell);
    found += test(cell);
  }
  return found;
}

#undef HERON_AVX2

}  // namespace heron::inline v0::avx2
#endif
