// Payloads for TreeZip: random ones, and ones with the patterns that trees use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

namespace heron::inline v0 {

inline std::vector<std::byte> random_bytes(uint64_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::byte> bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

struct TreePayload {
  std::string_view what;
  std::vector<std::byte> bytes;
};

// Returns one payload of every kind, of `count` bytes; the same at every call.
inline std::vector<TreePayload> tree_payloads(uint64_t count) {
  std::mt19937_64 random(count);
  const auto made = [count](std::string_view what, auto&& byte_at) {
    TreePayload payload{what, std::vector<std::byte>(count)};
    for (uint64_t at = 0; at < count; ++at) payload.bytes[at] = static_cast<std::byte>(byte_at(at));
    return payload;
  };
  constexpr std::string_view kText = "the quick brown fox, jumps over; the lazy dog\n";
  return {
      made("random", [&](uint64_t) { return random(); }),
      made("sparse", [&](uint64_t) { return random() % 8 != 0 ? 0 : random(); }),
      made("dense", [&](uint64_t) { return random() | random() | random(); }),
      made("zeros", [](uint64_t) { return 0; }),
      made("ones", [](uint64_t) { return 0xFF; }),
      made("numbers", [](uint64_t at) { return at % 4 == 0 ? at / 4 : 0; }),
      made("words", [&](uint64_t at) { return kText[(at * at / 64 + at) % kText.size()]; }),
      made("period 17", [](uint64_t at) { return at % 17 * 29; }),
      made("one odd byte", [count](uint64_t at) { return at == count / 2 ? 0x40 : 0x55; }),
  };
}

}  // namespace heron::inline v0
