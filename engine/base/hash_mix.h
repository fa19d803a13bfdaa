// mix() and keys of SAMPLING.md, which the samplers share.
#pragma once

#include <array>
#include <cstdint>

namespace heron::inline v0 {

inline constexpr uint64_t kGolden = 0x9e3779b97f4a7c15;

inline uint64_t mix_hash(uint64_t x) noexcept {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

inline std::array<uint64_t, 8> sampler_keys(uint64_t seed, uint64_t epoch) noexcept {
  uint64_t state = mix_hash(mix_hash(seed + kGolden) + epoch + kGolden);
  std::array<uint64_t, 8> keys;
  for (uint64_t& key : keys) {
    state += kGolden;
    key = mix_hash(state);
  }
  return keys;
}

}  // namespace heron::inline v0
