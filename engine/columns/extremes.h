// Finds the minimum and the maximum of cells, for zone maps and for aggregates.
#pragma once

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

#include "values/cells.h"

namespace heron::inline v0 {

// The bounds of cells of one type.
template <class T>
struct CellExtremes {
  T low, high;
  uint64_t out = 0;  // cells that the bounds exclude: nulls by their own value, NaNs
};

// The extremes of integers, of at least one cell. kMinIsNull: the minimum of the type is no value;
// if all cells are the minimum, `low` is above `high`.
template <class T, bool kMinIsNull>
struct ExtremesOfIntegers {
  using Unsigned = std::make_unsigned_t<T>;

  HERON_INLINE static CellExtremes<T> run(const std::byte* cells, uint64_t count) {
    // Two at a time, one from either half, because each comparison waits for the one before it.
    const uint64_t half = count / 2;
    Ends ends, more;
    for (uint64_t i = 0; i < half; ++i) {
      ends.add(load_cell<T>(cells, i));
      more.add(load_cell<T>(cells, half + i));
    }
    if (count % 2 != 0) more.add(load_cell<T>(cells, count - 1));
    T low = std::min(ends.low, more.low);
    const uint64_t out = ends.out + more.out;
    if (kMinIsNull && out != count) low = static_cast<T>(static_cast<Unsigned>(low) + Unsigned{1});
    return {low, std::max(ends.high, more.high), out};
  }

 private:
  static constexpr T kMinimum = std::numeric_limits<T>::min();

  struct Ends {
    T low = std::numeric_limits<T>::max();  // minus 1 with kMinIsNull
    T high = kMinimum;
    uint32_t out = 0;

    HERON_INLINE void add(T value) {
      const auto from_low = static_cast<T>(static_cast<Unsigned>(value) - Unsigned{kMinIsNull});
      low = from_low < low ? from_low : low;
      high = value > high ? value : high;
      if constexpr (kMinIsNull) out += value == kMinimum;
    }
  };
};

// Vectors of 32 bytes, and the integers that its comparisons produce.
template <class T>
struct ExtremeLanes;
template <>
struct ExtremeLanes<float> {
  typedef float Vector __attribute__((vector_size(32)));
  typedef int32_t Masks __attribute__((vector_size(32)));
};
template <>
struct ExtremeLanes<double> {
  typedef double Vector __attribute__((vector_size(32)));
  typedef int64_t Masks __attribute__((vector_size(32)));
};

// The extremes of floats, without NaNs. Lanes are explicit, because the compiler does not reorder
// floats.
template <class T>
struct ExtremesOfFloats {
  HERON_INLINE static CellExtremes<T> run(const std::byte* cells, uint64_t count) {
    using Vector = typename ExtremeLanes<T>::Vector;
    using Mask = typename ExtremeLanes<T>::Masks;
    constexpr uint64_t kLanes = sizeof(Vector) / sizeof(T);
    constexpr T kInfinity = std::numeric_limits<T>::infinity();
    Vector low[2] = {Vector{} + kInfinity, Vector{} + kInfinity};
    Vector high[2] = {Vector{} - kInfinity, Vector{} - kInfinity};
    Mask nans[2] = {};
    uint64_t i = 0;
    for (; i + 2 * kLanes <= count; i += 2 * kLanes) {
      for (uint64_t half = 0; half < 2; ++half) {
        Vector some;
        std::memcpy(&some, cells + (i + half * kLanes) * sizeof(T), sizeof some);
        low[half] = some < low[half] ? some : low[half];
        high[half] = some > high[half] ? some : high[half];
        nans[half] -= some != some;
      }
    }
    CellExtremes<T> seen{kInfinity, -kInfinity};
    for (uint64_t lane = 0; lane < 2 * kLanes; ++lane) {
      const uint64_t half = lane / kLanes;
      seen.low = std::min(seen.low, T{low[half][lane % kLanes]});
      seen.high = std::max(seen.high, T{high[half][lane % kLanes]});
      seen.out += static_cast<uint64_t>(nans[half][lane % kLanes]);
    }
    for (; i < count; ++i) {
      const T value = load_cell<T>(cells, i);
      seen.low = value < seen.low ? value : seen.low;
      seen.high = value > seen.high ? value : seen.high;
      seen.out += value != value;
    }
    return seen;
  }
};

// There is at least one cell. Leaves out NaNs and, if `least_is_out`, the minimum of an integer
// type; without any other cell `low` is above `high`.
template <class T>
CellExtremes<T> extremes_of(const std::byte* cells, uint64_t count, bool least_is_out) {
  if constexpr (std::is_floating_point_v<T>)
    return dispatch<ExtremesOfFloats<T>>(cells, count);
  else if (least_is_out)
    return dispatch<ExtremesOfIntegers<T, true>>(cells, count);
  else
    return dispatch<ExtremesOfIntegers<T, false>>(cells, count);
}

}  // namespace heron::inline v0
