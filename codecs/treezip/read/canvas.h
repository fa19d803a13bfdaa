// Payload words that begin as 0, over which 1 bits are laid, cube by cube, in any order.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <unordered_map>

#include "treezip/read/cube.h"

namespace heron::inline v0::treezip {

// Cubes are collected in batches while their first words are prefetched: most are scattered single
// words, and a batch overlaps as many cache misses as the CPU supports. Large cubes wait to the
// end: cubes that differ only in their lanes, such as the constant bits of records, are laid as
// one, and all cubes a tile of memory at a time.
class Canvas {
 public:
  // Writes the words of a range of addresses to `out`.
  Canvas(BitRange range, std::byte* out) noexcept
      : begin_(range.begin / 64), end_((range.end + 63) / 64), out_(out) {}

  // Adds a cube that has addresses in the range. Branch-free in `bit`, which is unpredictable.
  HERON_INLINE void lay_if(bool bit, const Cube& cube) {
    waiting_[count_].free = cube.free;
    waiting_[count_].fixed = cube.fixed;
    count_ += bit ? 1 : 0;
    const uint64_t word = cube.fixed / 64;
    if (word >= begin_) __builtin_prefetch(out_ + (word - begin_) * sizeof word, 1);
    if (count_ == waiting_.size()) flush();
  }
  // Lays the waiting cubes. Call it after the last cube.
  HERON_INLINE void finish() {
    flush();
    lay_large();
  }

  // Returns the number of words laid, counted once per cube, or per group of cubes laid as one.
  uint64_t words_laid() const noexcept { return words_laid_; }

 private:
  static constexpr int kLargeBits = 9;  // large cubes have 2^9 words or more
  static constexpr uint64_t kMaxLarge = uint64_t{1} << 16;
  static constexpr uint64_t kTileWords = uint64_t{1} << 16;

  struct Hash {
    size_t operator()(const Cube& words) const noexcept {
      constexpr uint64_t kGolden = 0x9E3779B97F4A7C15;
      return (words.free * kGolden ^ words.fixed) * kGolden >> 16;
    }
  };

  HERON_INLINE void flush() {
    for (unsigned i = 0; i < count_; ++i) {
      const Cube words = waiting_[i].words();
      const uint64_t lanes = lanes_of(waiting_[i]);
      if (std::popcount(words.free) < kLargeBits) {
        lay(words, lanes, begin_, end_);
      } else {
        large_[words] |= lanes;
        if (large_.size() == kMaxLarge) lay_large();
      }
    }
    count_ = 0;
  }
  HERON_INLINE void lay_large() {
    if (large_.empty()) return;
    for (uint64_t tile = begin_; tile < end_; tile += kTileWords) {
      const uint64_t end = tile + std::min(kTileWords, end_ - tile);
      for (const auto& [words, lanes] : large_) lay(words, lanes, tile, end);
    }
    large_.clear();
  }
  // Lays the cube's words from `begin` up to `end`.
  HERON_INLINE void lay(const Cube& words, uint64_t lanes, uint64_t begin, uint64_t end) noexcept {
    const uint64_t run = words.free & ~(words.free + 1);  // free bits at the lower end
    const uint64_t rest = words.free & ~run;
    uint64_t word = words.fixed >= begin ? words.fixed : words.first_from(begin);
    while (word < end) {
      const uint64_t stop = std::min((word | run) + 1, end);
      words_laid_ += stop - word;
      for (; word < stop; ++word) lay(word, lanes);
      const uint64_t next = (((word - 1) | ~rest) + 1) & rest;
      if (next == 0) break;
      word = next | words.fixed;
    }
  }
  HERON_INLINE void lay(uint64_t word, uint64_t lanes) const noexcept {
    std::byte* at = out_ + (word - begin_) * sizeof word;
    uint64_t value;
    std::memcpy(&value, at, sizeof value);
    value |= lanes;
    std::memcpy(at, &value, sizeof value);
  }

  const uint64_t begin_, end_;
  std::byte* const out_;
  unsigned count_ = 0;
  uint64_t words_laid_ = 0;
  std::array<Cube, 128> waiting_;
  std::unordered_map<Cube, uint64_t, Hash> large_;  // words of cubes, with their lanes
};

}  // namespace heron::inline v0::treezip
