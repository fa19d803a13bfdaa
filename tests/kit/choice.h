// Chooses what a test or fuzzer does with an input.
#pragma once

#include <cstdint>
#include <optional>

namespace heron::inline v0 {

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
