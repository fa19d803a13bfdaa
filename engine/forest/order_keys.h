// Floats as unsigned integers of the same order, so that a step down a tree compares integers.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <limits>

#include "base/cpu.h"

namespace heron::inline v0 {

// The keys that compare as features with split values do: point_key(x) < split_key(s) exactly if
// x < s. Key is uint32_t for split values that are floats, uint64_t for doubles.
template <class Key>
using KeyFloat = std::conditional_t<sizeof(Key) == 4, float, double>;

template <class Key>
inline constexpr Key kNoPointIsLess = 0;  // the key of a leaf

template <class Key>
HERON_INLINE Key ordered_bits(KeyFloat<Key> value) noexcept {
  constexpr Key kSign = Key{1} << (sizeof(Key) * 8 - 1);
  value += 0;  // -0 becomes 0
  Key bits;
  std::memcpy(&bits, &value, sizeof bits);
  return (bits & kSign) != 0 ? static_cast<Key>(~bits) : static_cast<Key>(bits | kSign);
}

template <class Key>
HERON_INLINE Key split_key(KeyFloat<Key> split) noexcept {
  return split == split ? ordered_bits<Key>(split) : kNoPointIsLess<Key>;
}

// A double is compared with floats as the largest float that is not above it, or as the gap between
// -0 and 0, which no split value has.
template <class Key, std::floating_point T>
HERON_INLINE Key point_key(T value) noexcept {
  if (value != value) return std::numeric_limits<Key>::max();  // less than no split value: right
  const auto nearest = static_cast<KeyFloat<Key>>(value);
  return static_cast<Key>(ordered_bits<Key>(nearest) - (static_cast<T>(nearest) > value));
}

}  // namespace heron::inline v0
