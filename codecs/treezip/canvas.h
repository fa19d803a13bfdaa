// Payload words that begin as 0 and over which 1 bits are laid, cube by cube.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

#include "treezip/cube.h"

namespace heron::inline v0::treezip {

// Cubes wait until there are some, while their first words are on the way from memory: most are
// scattered single words, and as many misses as the machine can have are then under way at once.
class Canvas {
 public:
  // The words that a range of addresses is in, from `out` on.
  Canvas(BitRange range, std::byte* out) noexcept
      : begin_(range.begin / 64), end_((range.end + 63) / 64), out_(out) {}

  // A cube that has addresses here. No jump depends on `bit`, which nobody can foresee.
  HERON_INLINE void lay_if(bool bit, const Cube& cube) noexcept {
    waiting_[count_].free = cube.free;
    waiting_[count_].fixed = cube.fixed;
    count_ += bit ? 1 : 0;
    const uint64_t word = cube.fixed / 64;
    if (word >= begin_) __builtin_prefetch(out_ + (word - begin_) * sizeof word, 1);
    if (count_ == waiting_.size()) flush();
  }
  HERON_INLINE void flush() noexcept {
    for (unsigned cube = 0; cube < count_; ++cube) lay(waiting_[cube]);
    count_ = 0;
  }

  // Once for every cube.
  uint64_t words_laid() const noexcept { return words_laid_; }

 private:
  HERON_INLINE void lay(const Cube& cube) noexcept {
    const uint64_t lanes = lanes_of(cube);
    const Cube words = cube.words();
    const uint64_t run = words.free & ~(words.free + 1);  // the free bits at the lower end
    const uint64_t rest = words.free & ~run;
    uint64_t word = words.fixed >= begin_ ? words.fixed : words.first_from(begin_);
    while (word < end_) {
      const uint64_t stop = std::min((word | run) + 1, end_);
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
};

}  // namespace heron::inline v0::treezip
