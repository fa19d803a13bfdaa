// Chooses what a test or fuzzer does with an input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>

namespace heron::inline v0 {

// Returns a number that any edit of the bytes changes: a mutation of an input is treated otherwise.
inline uint64_t seed_of(std::span<const std::byte> bytes) {
  uint64_t sum = bytes.size();
  for (const std::byte byte : bytes) sum = (sum ^ std::to_integer<uint64_t>(byte)) * 1099511628211U;
  return sum;
}

// Returns whether a fuzzer does everything with an input, as for the files of ctest: with
// HERON_FUZZ_ALL=1.
inline bool does_all() {
  static const bool all = std::getenv("HERON_FUZZ_ALL") != nullptr;
  return all;
}

// What is done: everything, or one of several ways at a time.
class Choice {
 public:
  static Choice all() { return Choice(std::nullopt); }
  static Choice some(uint64_t seed) { return Choice(seed); }

  struct Taken {
    std::optional<uint64_t> way;  // nullopt: all
    bool operator()(uint64_t other) const { return !way || *way == other; }
  };
  // Returns another choice among as many ways.
  Taken among(uint64_t ways) { return {seed_ ? std::optional(below(ways)) : std::nullopt}; }
  // Returns another number below `count`; 0 if everything is done.
  uint64_t below(uint64_t count) {
    return seed_ ? ((*seed_ += 0x9E3779B97F4A7C15U) >> 32) % count : 0;
  }
  bool takes_all() const { return !seed_; }

 private:
  explicit Choice(std::optional<uint64_t> seed) : seed_(seed) {}

  std::optional<uint64_t> seed_;
};

}  // namespace heron::inline v0
