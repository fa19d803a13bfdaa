// Loops over cells and vectors of eight bytes a row, compiled per CPU (base/cpu.h): they turn cells
// into vectors, find nulls among cells, compare, and choose between vectors.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/cpu.h"
#include "columns/row_bits.h"
#include "values/cells.h"

#if defined(HERON_X86_64_V3)
#include <immintrin.h>
#endif

namespace heron::inline v0 {

// Returns whether a cell is null by its own value, where the encoding says so: NaN, the least of
// signed integers, 0 of unsigned ones.
template <class T>
HERON_INLINE bool is_null_value(T value) {
  if constexpr (std::is_floating_point_v<T>)
    return value != value;
  else
    return value == std::numeric_limits<T>::min();
}

// Loops over what may be stored cells prefetch this far ahead, for 64 cells at a time: a vector is
// computed while the next vector's cells come from memory. They prefetch into the second cache, as
// the first one holds the vectors.
inline constexpr uint64_t kPrefetchedBytes = 8192;
inline constexpr uint64_t kCellsTogether = 64;

template <class T>
HERON_INLINE void prefetch_ahead(const T* cells) {
  const auto* from = reinterpret_cast<const std::byte*>(cells) + kPrefetchedBytes;
  for (uint64_t line = 0; line < sizeof(T); ++line) __builtin_prefetch(from + 64 * line, 0, 2);
}

// Sets bits of cells that are not null; bits behind the last are 0. Most words have no null, which
// costs less to find than where one is.
template <class T>
struct ValidBits {
  HERON_INLINE static void run(const std::byte* cells, uint64_t count, uint64_t* valid) {
    alignas(64) uint8_t flags[64];
    for (uint64_t first = 0; first < count; first += 64) {
      const uint64_t here = count - first < 64 ? count - first : 64;
      const std::byte* from = cells + first * sizeof(T);
      valid[first / 64] = low_bits(here);
      prefetch_ahead(reinterpret_cast<const T*>(from));
      BitsOf<T> nulls = 0;
      for (uint64_t i = 0; i < here; ++i) nulls += is_null_value(load_cell<T>(from, i));
      if (nulls == 0) continue;
      if (here < 64) std::memset(flags, 0, sizeof flags);
      for (uint64_t i = 0; i < here; ++i) {
        flags[i] = static_cast<uint8_t>(-int{!is_null_value(load_cell<T>(from, i))});
      }
      valid[first / 64] = pack_flags(flags);
    }
  }
};

// Converts numbers. The content under a null may be one that To does not hold.
template <class From, class To>
struct ConvertCells {
  HERON_INLINE static void run(const std::byte* cells, uint64_t count, To* to) {
    for (uint64_t first = 0; first < count; first += kCellsTogether) {
      const uint64_t here = count - first < kCellsTogether ? count - first : kCellsTogether;
      const std::byte* from = cells + first * sizeof(From);
      prefetch_ahead(reinterpret_cast<const From*>(from));
      for (uint64_t i = 0; i < here; ++i) {
        if constexpr (std::is_floating_point_v<From> && !std::is_floating_point_v<To>)
          to[first + i] = 0;
        else
          to[first + i] = static_cast<To>(load_cell<From>(from, i));
      }
    }
  }
};

// Converts as ConvertCells does. Returns whether a cell is null, which costs little where the cells
// have to come from memory anyway.
template <class From, class To>
struct ConvertTested {
  HERON_INLINE static bool run(const std::byte* cells, uint64_t count, To* to) {
    BitsOf<From> nulls = 0;
    uint64_t first = 0;
    for (; first + kCellsTogether <= count; first += kCellsTogether) {
      const std::byte* from = cells + first * sizeof(From);
      for (uint64_t i = 0; i < kCellsTogether; ++i) {
        nulls |= BitsOf<From>{is_null_value(load_cell<From>(from, i))};
      }
      ConvertCells<From, To>::run(from, kCellsTogether, to + first);
    }
    const std::byte* rest = cells + first * sizeof(From);
    for (uint64_t i = 0; i < count - first; ++i) {
      nulls |= BitsOf<From>{is_null_value(load_cell<From>(rest, i))};
    }
    ConvertCells<From, To>::run(rest, count - first, to + first);
    return nulls != 0;
  }
};

struct AnyNaN {
  HERON_INLINE static bool run(const double* values, uint64_t count) {
    uint64_t nans = 0;
    for (uint64_t i = 0; i < count; ++i) nans |= uint64_t{values[i] != values[i]};
    return nans != 0;
  }
};

typedef double FourFloats __attribute__((vector_size(32)));
typedef int64_t FourMasks __attribute__((vector_size(32)));

// Computes to[i] = work(from[i]) or work(left[i], right[i]). Returns whether a result is NaN.
// `from` often points to stored cells, which come from memory.
template <class Work, class... From>
struct MapToFloats {
  HERON_INLINE static bool run(Work work, uint64_t count, double* out, const From*... from) {
    double* __restrict const to = out;
    FourMasks nans = {};
    bool any_nan = false;
    uint64_t first = 0;
    for (; first + kCellsTogether <= count; first += kCellsTogether) {
      (prefetch_ahead(from + first), ...);
      for (uint64_t i = first; i < first + kCellsTogether; ++i) to[i] = work(from[i]...);
      for (uint64_t i = first; i < first + kCellsTogether; i += 4) {
        FourFloats four;
        std::memcpy(&four, to + i, sizeof four);
        nans |= four != four;
      }
    }
    for (; first < count; ++first) {
      to[first] = work(from[first]...);
      any_nan |= to[first] != to[first];
    }
    for (int i = 0; i < 4; ++i) any_nan |= nans[i] != 0;
    return any_nan;
  }
};

template <class Work, class... From>
bool map_to_floats(Work work, uint64_t count, double* to, const From*... from) {
  return dispatch<MapToFloats<Work, From...>>(work, count, to, from...);
}

// Computes to[i] = work(from[i]) or work(left[i], right[i]).
template <class Work, class To, class... From>
struct MapEach {
  HERON_INLINE static void run(Work work, uint64_t count, To* out, const From*... from) {
    To* __restrict const to = out;
    uint64_t first = 0;
    for (; first + kCellsTogether <= count; first += kCellsTogether) {
      (prefetch_ahead(from + first), ...);
      for (uint64_t i = first; i < first + kCellsTogether; ++i) to[i] = work(from[i]...);
    }
    for (; first < count; ++first) to[first] = work(from[first]...);
  }
};
template <class Work, class To, class... From>
void map_each(Work work, uint64_t count, To* to, const From*... from) {
  dispatch<MapEach<Work, To, From...>>(work, count, to, from...);
}

// Sets bits of rows for which holds(from[i], ..) is true; bits behind the last are 0.
template <class Holds, class... From>
struct PassingBits {
  HERON_INLINE static void run(Holds holds, uint64_t count, uint64_t* bits, const From*... from) {
    alignas(64) uint8_t flags[64];
    for (uint64_t first = 0; first < count; first += 64) {
      const uint64_t here = count - first < 64 ? count - first : 64;
      if (here < 64) std::memset(flags, 0, sizeof flags);
      (prefetch_ahead(from + first), ...);
      for (uint64_t i = 0; i < here; ++i) {
        flags[i] = static_cast<uint8_t>(-int{holds(from[first + i]...)});
      }
      bits[first / 64] = pack_flags(flags);
    }
  }
};
template <class Holds, class... From>
void passing_bits(Holds holds, uint64_t count, uint64_t* bits, const From*... from) {
  dispatch<PassingBits<Holds, From...>>(holds, count, bits, from...);
}

// Copies eight bytes of each row whose bit is set.
struct CopyChosen {
  HERON_INLINE static void run(const uint64_t* from, const uint64_t* rows, uint64_t count,
                               uint64_t* to) {
    for (uint64_t first = 0; first < count; first += 64) {
      for (uint64_t left = rows[first / 64]; left != 0; left &= left - 1) {
        const uint64_t row = first + static_cast<uint64_t>(std::countr_zero(left));
        to[row] = from[row];
      }
    }
  }
};

// Computes to[i] = bit i of `rows` ? left[i] : right[i], for eight bytes a row.
struct ChooseBetween {
  HERON_INLINE static void run(const uint64_t* left, const uint64_t* right, const uint64_t* rows,
                               uint64_t count, uint64_t* to) {
    for (uint64_t i = 0; i < count; ++i) {
      const uint64_t chosen = uint64_t{0} - (rows[i / 64] >> i % 64 & 1);
      to[i] = right[i] ^ ((left[i] ^ right[i]) & chosen);
    }
  }
};

// Computes to[i] = a[i] * b[i], for integers that 32 bits hold.
struct MultiplyNarrow {
  HERON_INLINE static void run(const int64_t* a, const int64_t* b, uint64_t count, int64_t* to) {
    for (uint64_t i = 0; i < count; ++i) {
      to[i] = int64_t{static_cast<int32_t>(a[i])} * static_cast<int32_t>(b[i]);
    }
  }
};

#if defined(HERON_X86_64_V3)
namespace avx2 {

// Four bits of a word after the other, each as the sign of a double, by which blends choose.
class BitsOfFour {
 public:
  HERON_X86_64_V3 explicit BitsOfFour(uint64_t word)
      : word_(_mm256_set1_epi64x(static_cast<int64_t>(word))),
        shifts_(_mm256_setr_epi64x(63, 62, 61, 60)) {}
  HERON_X86_64_V3 __m256d four() const {
    return _mm256_castsi256_pd(_mm256_sllv_epi64(word_, shifts_));
  }
  HERON_X86_64_V3 void next() { shifts_ = _mm256_sub_epi64(shifts_, _mm256_set1_epi64x(4)); }

 private:
  __m256i word_, shifts_;
};

HERON_X86_64_V3 inline void choose_between(const uint64_t* left, const uint64_t* right,
                                           const uint64_t* rows, uint64_t count, uint64_t* to) {
  const uint64_t whole = count / 64;
  for (uint64_t w = 0; w < whole; ++w, left += 64, right += 64, to += 64) {
    if (rows[w] == UINT64_MAX || rows[w] == 0) {
      std::memcpy(to, rows[w] == 0 ? right : left, 64 * sizeof(uint64_t));
      continue;
    }
    prefetch_ahead(left);
    prefetch_ahead(right);
    BitsOfFour bits(rows[w]);
    for (unsigned i = 0; i < 64; i += 4, bits.next()) {
      const __m256d yes = _mm256_loadu_pd(reinterpret_cast<const double*>(left + i));
      const __m256d no = _mm256_loadu_pd(reinterpret_cast<const double*>(right + i));
      _mm256_storeu_pd(reinterpret_cast<double*>(to + i), _mm256_blendv_pd(no, yes, bits.four()));
    }
  }
  ChooseBetween::run(left, right, rows + whole, count % 64, to);
}

HERON_X86_64_V3 inline void multiply_narrow(const int64_t* a, const int64_t* b, uint64_t count,
                                            int64_t* to) {
  uint64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const __m256i left = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(a + i));
    const __m256i right = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(b + i));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i), _mm256_mul_epi32(left, right));
  }
  MultiplyNarrow::run(a + i, b + i, count - i, to + i);
}

// Reads and writes all rows of a word that has a bit.
HERON_X86_64_V3 inline void copy_chosen(const uint64_t* from, const uint64_t* rows,
                                        uint64_t count, uint64_t* to) {
  const uint64_t whole = count / 64;
  for (uint64_t w = 0; w < whole; ++w, from += 64, to += 64) {
    if (rows[w] == 0) continue;
    if (rows[w] == UINT64_MAX) {
      std::memcpy(to, from, 64 * sizeof(uint64_t));
      continue;
    }
    BitsOfFour bits(rows[w]);
    for (unsigned i = 0; i < 64; i += 4, bits.next()) {
      const __m256d old = _mm256_loadu_pd(reinterpret_cast<const double*>(to + i));
      const __m256d now = _mm256_loadu_pd(reinterpret_cast<const double*>(from + i));
      _mm256_storeu_pd(reinterpret_cast<double*>(to + i), _mm256_blendv_pd(old, now, bits.four()));
    }
  }
  CopyChosen::run(from, rows + whole, count % 64, to);
}

}  // namespace avx2
#endif

inline void choose_between(const uint64_t* left, const uint64_t* right, const uint64_t* rows,
                           uint64_t count, uint64_t* to) {
#if defined(HERON_X86_64_V3)
  if (has_x86_64_v3()) return avx2::choose_between(left, right, rows, count, to);
#endif
  ChooseBetween::run(left, right, rows, count, to);
}

inline void multiply_narrow(const int64_t* a, const int64_t* b, uint64_t count, int64_t* to) {
#if defined(HERON_X86_64_V3)
  if (has_x86_64_v3()) return avx2::multiply_narrow(a, b, count, to);
#endif
  MultiplyNarrow::run(a, b, count, to);
}

inline void copy_chosen(const uint64_t* from, const uint64_t* rows, uint64_t count, uint64_t* to) {
#if defined(HERON_X86_64_V3)
  if (has_x86_64_v3()) return avx2::copy_chosen(from, rows, count, to);
#endif
  CopyChosen::run(from, rows, count, to);
}

}  // namespace heron::inline v0
