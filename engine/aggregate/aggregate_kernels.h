// The inner loops of sums: one block of cells at a time, in the order of sum_order.h. The loops of
// extremes are in columns/extremes.h.
#pragma once

#include <limits>

#include "aggregate/sum_order.h"
#include "base/arena.h"
#include "base/int128.h"
#include "values/bitmap.h"
#include "values/cells.h"

namespace heron::inline v0 {

typedef double Doubles __attribute__((vector_size(32)));
typedef int64_t Masks __attribute__((vector_size(32)));

// Sets `four` by reference: a returned vector would have a different ABI in the other compilation.
template <class T>
HERON_INLINE void load_four(const std::byte* cells, uint64_t i, Doubles& four) {
  if constexpr (sizeof(T) == 8) {
    std::memcpy(&four, cells + i * sizeof(T), sizeof four);
  } else {
    float floats[4];
    std::memcpy(floats, cells + i * sizeof(T), sizeof floats);
    // The initializer list is one instruction; g++ 12 makes three of __builtin_convertvector, 1.7 x
    // as slow in all.
    four = Doubles{floats[0], floats[1], floats[2], floats[3]};
  }
}

template <class T, bool kLeaveOutNaNs>
struct SumFloats {
  HERON_INLINE static double run(const std::byte* cells, uint64_t rows) {
    constexpr uint64_t kVectors = kSumLanes / 4;
    Doubles sums[kVectors] = {};
    uint64_t i = 0;
    for (; i + kSumLanes <= rows; i += kSumLanes) {
      for (uint64_t v = 0; v < kVectors; ++v) {
        Doubles four;
        load_four<T>(cells, i + 4 * v, four);
        if constexpr (kLeaveOutNaNs) {
          four = reinterpret_cast<Doubles>(reinterpret_cast<Masks>(four) & (four == four));
        }
        sums[v] += four;
      }
    }
    double sum = 0;
    for (const Doubles& four : sums) {
      for (int lane = 0; lane < 4; ++lane) sum += four[lane];
    }
    for (; i < rows; ++i) {
      const double value = load_cell<T>(cells, i);
      sum += kLeaveOutNaNs && value != value ? 0 : value;
    }
    return sum;
  }
};

// Adds cells, a multiple of kSumLanes, to the sums of the lanes.
template <class T>
struct AddToLanes {
  HERON_INLINE static void run(const std::byte* cells, uint64_t rows, double* lanes) {
    constexpr uint64_t kVectors = kSumLanes / 4;
    Doubles sums[kVectors];
    std::memcpy(sums, lanes, sizeof sums);
    for (uint64_t i = 0; i < rows; i += kSumLanes) {
      for (uint64_t v = 0; v < kVectors; ++v) {
        Doubles four;
        load_four<T>(cells, i + 4 * v, four);
        sums[v] += four;
      }
    }
    std::memcpy(lanes, sums, sizeof sums);
  }
};

// Sums the cells whose bit is set; other cells count as zeros.
template <class T>
struct SumSelected {
  HERON_INLINE static double run(const std::byte* cells, const uint64_t* bits, uint64_t rows) {
    constexpr uint64_t kVectors = kSumLanes / 4;
    constexpr Masks kBits[kVectors] = {{0x1, 0x2, 0x4, 0x8},
                                       {0x10, 0x20, 0x40, 0x80},
                                       {0x100, 0x200, 0x400, 0x800},
                                       {0x1000, 0x2000, 0x4000, 0x8000}};
    Doubles sums[kVectors] = {};
    uint64_t i = 0;
    for (; i + kSumLanes <= rows; i += kSumLanes) {
      const auto some = static_cast<int64_t>(bits[i / 64] >> i % 64);
      for (uint64_t v = 0; v < kVectors; ++v) {
        Doubles four;
        load_four<T>(cells, i + 4 * v, four);
        const Masks is_set = (kBits[v] & some) == kBits[v];
        sums[v] += reinterpret_cast<Doubles>(reinterpret_cast<Masks>(four) & is_set);
      }
    }
    double sum = 0;
    for (const Doubles& four : sums) {
      for (int lane = 0; lane < 4; ++lane) sum += four[lane];
    }
    for (; i < rows; ++i) {
      if ((bits[i / 64] >> i % 64 & 1) != 0) sum += load_cell<T>(cells, i);
    }
    return sum;
  }
};

struct IntegerSum {
  Int128 sum = 0;
  uint64_t sentinels = 0;
};

template <class T>
struct SumIntegers {
  HERON_INLINE static IntegerSum run(const std::byte* cells, uint64_t rows) {
    constexpr T kSentinel = std::numeric_limits<T>::min();
    uint64_t sentinels = 0;
    if constexpr (sizeof(T) == 8) {
      // The halves of values are summed apart, so that 64 bits hold each sum; high halves become
      // unsigned.
      uint64_t low = 0, high = 0;
      for (uint64_t i = 0; i < rows; ++i) {
        const T value = load_cell<T>(cells, i);
        const auto bits = static_cast<uint64_t>(value);
        low += bits & UINT32_MAX;
        high += std::is_signed_v<T> ? (bits ^ (uint64_t{1} << 63)) >> 32 : bits >> 32;
        sentinels += value == kSentinel;
      }
      const Int128 bias = std::is_signed_v<T> ? Int128{1} << 63 : 0;
      return {(static_cast<Int128>(high) << 32) + low - bias * rows, sentinels};
    } else {
      int64_t sum = 0;
      uint32_t some = 0;  // 32 bits count the rows of a block
      for (uint64_t i = 0; i < rows; ++i) {
        const T value = load_cell<T>(cells, i);
        sum += value;
        some += value == kSentinel;
      }
      sentinels = some;
      return {sum, sentinels};
    }
  }
};

template <class T>
struct CountNaNs {
  HERON_INLINE static uint64_t run(const std::byte* cells, uint64_t rows) {
    uint32_t count = 0;  // 32 bits count the rows of a block
    for (uint64_t i = 0; i < rows; ++i) {
      const T value = load_cell<T>(cells, i);
      count += value != value;
    }
    return count;
  }
};

// Sums values[codes[i]] in the order of SumFloats.
template <class Code>
struct SumCodes {
  HERON_INLINE static double run(const Code* codes, uint64_t rows, const double* values) {
    constexpr uint64_t kVectors = kSumLanes / 4;
    Doubles sums[kVectors] = {};
    uint64_t i = 0;
    for (; i + kSumLanes <= rows; i += kSumLanes) {
      for (uint64_t v = 0; v < kVectors; ++v) {
        const Code* four = codes + i + 4 * v;
        sums[v] += Doubles{values[four[0]], values[four[1]], values[four[2]], values[four[3]]};
      }
    }
    double sum = 0;
    for (const Doubles& four : sums) {
      for (int lane = 0; lane < 4; ++lane) sum += four[lane];
    }
    for (; i < rows; ++i) sum += values[codes[i]];
    return sum;
  }
};

// The type that sums one block of cells of packed rows; 32 bits hold small integers.
template <class T>
using SumOfBlock =
    std::conditional_t<std::is_floating_point_v<T>, double,
                       std::conditional_t<sizeof(T) <= 2, int32_t,
                                          std::conditional_t<sizeof(T) == 4, int64_t, Int128>>>;

// Adds packed rows to one row of sums.
template <class T>
struct AddRows {
  HERON_INLINE static void run(const std::byte* rows, uint64_t count, uint64_t row_cells,
                               SumOfBlock<T>* row_of_sums) {
    SumOfBlock<T>* __restrict sums = row_of_sums;
    for (uint64_t row = 0; row < count; ++row) {
      for (uint64_t i = 0; i < row_cells; ++i) sums[i] += load_cell_as<T, SumOfBlock<T>>(rows, i);
      rows += row_cells * sizeof(T);
    }
  }
};

// Replaces cells whose bit is clear with zeros, eight at a time as vectors: the loop that g++ 12
// makes by itself is ten times as slow.
template <class Word>
struct OnlyThere {
  typedef Word Eight __attribute__((vector_size(8 * sizeof(Word))));

  HERON_INLINE static void run(const std::byte* cells, const std::byte* bits, uint64_t rows,
                               std::byte* to) {
    constexpr Eight kBit = {1, 2, 4, 8, 16, 32, 64, 128};
    uint64_t i = 0;
    for (; i + 8 <= rows; i += 8) {
      Eight eight;
      std::memcpy(&eight, cells + i * sizeof(Word), sizeof eight);
      const auto is_set = (kBit & std::to_integer<Word>(bits[i / 8])) == kBit;
      eight &= reinterpret_cast<const Eight&>(is_set);
      std::memcpy(to + i * sizeof(Word), &eight, sizeof eight);
    }
    for (; i < rows; ++i) {
      const Word word = get_bit(bits, i) ? load_cell<Word>(cells, i) : Word{0};
      std::memcpy(to + i * sizeof word, &word, sizeof word);
    }
  }
};

// Copies cells of 1, 2, 4 or 8 bytes into the arena; cells that are not valid become zeros.
inline const std::byte* only_valid(const std::byte* cells, const std::byte* bits, uint64_t rows,
                                   uint64_t width, Arena& arena) {
  std::byte* to = arena.allocate(rows * width);
  switch (width) {
    case 1: dispatch<OnlyThere<uint8_t>>(cells, bits, rows, to); break;
    case 2: dispatch<OnlyThere<uint16_t>>(cells, bits, rows, to); break;
    case 4: dispatch<OnlyThere<uint32_t>>(cells, bits, rows, to); break;
    default: dispatch<OnlyThere<uint64_t>>(cells, bits, rows, to); break;
  }
  return to;
}

}  // namespace heron::inline v0
