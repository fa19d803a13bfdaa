// Tests cells and sets a bit for each. A test is a struct of the numbers it compares with; 64 cells
// become 64 flags, which compilers vectorize, and 64 flags become a word.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "columns/row_bits.h"
#include "values/cells.h"

namespace heron::inline v0 {

// Clears the bits of cells that do not pass the test. Skips 64 adjacent cells if all their bits are
// clear.
template <class T, class Test>
struct KeepCells {
  HERON_INLINE static void run(const std::byte* cells, uint64_t count, Test test, uint64_t* rows) {
    alignas(64) uint8_t flags[64];
    uint64_t i = 0;
    for (; i + 64 <= count; i += 64, ++rows) {
      if (*rows == 0) continue;
      for (uint64_t j = 0; j < 64; ++j) flags[j] = flag(test(load_cell<T>(cells, i + j)));
      *rows &= pack_flags(flags);
    }
    if (i == count) return;
    uint64_t rest = 0;
    for (uint64_t j = 0; i + j < count; ++j) {
      rest |= uint64_t{test(load_cell<T>(cells, i + j))} << j;
    }
    *rows &= rest;
  }

 private:
  HERON_INLINE static uint8_t flag(bool is_true) { return static_cast<uint8_t>(-int{is_true}); }
};

// Tests for one interval. Integers are shifted to begin at 0, so that one comparison suffices; NaN
// fails without a test.
template <class T, bool kIsFloat = std::is_floating_point_v<T>>
struct InRange {
  T low, high;
  HERON_INLINE bool operator()(T value) const { return bool(value >= low) & bool(value <= high); }
};
template <class T>
struct InRange<T, false> {
  using Unsigned = std::make_unsigned_t<T>;
  Unsigned low, span;
  InRange() = default;
  InRange(T from, T to)
      : low(static_cast<Unsigned>(from)),
        span(static_cast<Unsigned>(static_cast<Unsigned>(to) - low)) {}
  HERON_INLINE bool operator()(T value) const {
    return static_cast<Unsigned>(static_cast<Unsigned>(value) - low) <= span;
  }
};

struct InNone {
  template <class T>
  HERON_INLINE bool operator()(T) const {
    return false;
  }
};

// Tests for any of a few intervals.
template <class T, unsigned kRanges>
struct InAnyRange {
  InRange<T> ranges[kRanges];
  HERON_INLINE bool operator()(T value) const {
    bool in = false;
    for (const InRange<T>& range : ranges) in |= range(value);
    return in;
  }
};

// Tests for any of many ascending intervals, at least one, found without a branch.
template <class T>
struct InSorted {
  const T* lows;
  const T* highs;
  uint64_t count;
  HERON_INLINE bool operator()(T value) const {
    const T* low = lows;
    for (uint64_t left = count; left > 1;) {
      const uint64_t half = left / 2;
      low = low[half] <= value ? low + half : low;
      left -= half;
    }
    return bool(*low <= value) & bool(value <= highs[low - lows]);
  }
};

// Tests whether a number has the hash of one of many: true for all of these and for a few others.
template <class T>
struct InHashes {
  const uint64_t* bits;
  unsigned shift;  // from a hash to the index of its bit

  // Zeros of both signs are equal.
  HERON_INLINE static uint64_t hash(T value) {
    uint64_t number = 0;
    if constexpr (std::is_floating_point_v<T>) {
      const T positive = value + T{0};
      std::memcpy(&number, &positive, sizeof positive);
    } else {
      number = static_cast<uint64_t>(value);
    }
    return number * 0x9e3779b97f4a7c15;
  }
  HERON_INLINE bool operator()(T value) const {
    const uint64_t bit = hash(value) >> shift;
    return (bits[bit / 64] >> (bit % 64) & 1) != 0;
  }
};

// Tests small integers by a flag for each possible value.
template <class T>
struct InTable {
  const bool* flags;
  HERON_INLINE bool operator()(T value) const {
    return flags[static_cast<std::make_unsigned_t<T>>(value)];
  }
};

template <class T, class Test>
struct OrNaN {
  Test test;
  HERON_INLINE bool operator()(T value) const { return test(value) | bool(value != value); }
};

}  // namespace heron::inline v0
