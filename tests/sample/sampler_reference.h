// The algorithm of engine/sample/SAMPLING.md in its simplest form, one position at a time. Tests
// compare Sampler with it, and it shows how many rounds are enough.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace reference {

__extension__ using Wide = unsigned __int128;
constexpr uint64_t kGolden = 0x9e3779b97f4a7c15;

inline uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

inline std::vector<uint64_t> keys(uint64_t seed, uint64_t epoch, uint64_t count = 8) {
  const uint64_t state = mix(mix(seed + kGolden) + epoch + kGolden);
  std::vector<uint64_t> keys;
  for (uint64_t i = 1; i <= count; ++i) {
    keys.push_back(mix(state + i * kGolden));
  }
  return keys;
}

inline uint64_t side(uint64_t rows) {
  uint64_t least = 16;  // then the next even number whose square is enough, by bisection
  uint64_t enough = uint64_t{1} << 32;
  while (least < enough) {
    const uint64_t middle = (least + enough) / 4 * 2;
    if (Wide{middle} * middle >= rows) {
      enough = middle;
    } else {
      least = middle + 2;
    }
  }
  return least <= uint64_t{1} << 31 ? least : uint64_t{1} << 32;
}

// Returns the row at a position of the whole order, without replacement.
inline uint64_t row(uint64_t position, uint64_t rows, uint64_t side,
                    const std::vector<uint64_t>& keys) {
  Wide number = position;
  do {
    uint64_t left = static_cast<uint64_t>(number / side);
    uint64_t right = static_cast<uint64_t>(number % side);
    for (size_t round = 0; round < keys.size(); ++round) {
      const auto low = static_cast<uint32_t>(keys[round]);
      const auto high = static_cast<uint32_t>(keys[round] >> 32);
      uint32_t hash = (static_cast<uint32_t>(right) + low) * 0x9e3779b1u;
      hash = ((hash ^ (hash >> 15)) ^ high) * 0x85ebca77u;
      const uint64_t angle = static_cast<uint64_t>((Wide{hash} * side + 0xffffffffu) >> 32);
      const uint64_t turned = (left + side - angle) % side;
      left = right;
      right = turned;
    }
    number = Wide{left} * side + right;
  } while (number >= rows);
  return static_cast<uint64_t>(number);
}

// Returns the row at a position with replacement.
inline uint64_t draw(uint64_t position, uint64_t rows, const std::vector<uint64_t>& keys) {
  const uint64_t threshold = static_cast<uint64_t>((Wide{1} << 64) % rows);
  for (uint64_t state = mix(position + keys[0]) + keys[1];; state += kGolden) {
    const Wide product = Wide{mix(state)} * rows;
    if (static_cast<uint64_t>(product) >= threshold) {
      return static_cast<uint64_t>(product >> 64);
    }
  }
}

}  // namespace reference
