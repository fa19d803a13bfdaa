#include "treezip/write/labels.h"

#include <algorithm>
#include <cstring>

namespace heron::inline v0::treezip {
namespace {

// Sums neighbours, neighbouring sums, and so on, in one pass: `add` takes the sum of the next
// 2^(kFirst - 6) words; sums whose number has a 1 at some bit are added to that bit's ones.
template <unsigned kFirst>
class FoldedSums {
 public:
  HERON_INLINE explicit FoldedSums(OnesWith& ones) : ones_(ones) {}

  HERON_INLINE void add(uint64_t sum) {
    unsigned j = kFirst;
    for (uint64_t number = count_++; (number & 1) != 0; number >>= 1, ++j) {
      ones_[j] += sum;
      sum += pending_[j];
    }
    pending_[j] = sum;
  }
  // Adds the sums left without a neighbour.
  HERON_INLINE void finish() {
    uint64_t sum = 0;
    unsigned j = kFirst;
    for (uint64_t number = count_; number != 0; number >>= 1, ++j) {
      if ((number & 1) == 0) continue;
      ones_[j] += sum;
      sum += pending_[j];
    }
  }

 private:
  OnesWith& ones_;
  std::array<uint64_t, 64> pending_;  // sums of an even number, until their neighbour follows
  uint64_t count_ = 0;
};

struct CountOnes {
  HERON_INLINE static void run(const uint64_t* words, uint64_t count, OnesWith* result) {
    OnesWith& ones = *result;
    ones.fill(0);
    FoldedSums<8> sums(ones);
    uint64_t at = 0;
    for (; at + 4 <= count; at += 4) sums.add(count_four(words + at, ones));
    if (at < count) {
      uint64_t last[4] = {};
      std::copy(words + at, words + count, last);
      sums.add(count_four(last, ones));
    }
    sums.finish();
  }

  // Counts all set labels, also for the address bits of the four words.
  HERON_INLINE static uint64_t count_four(const uint64_t* words, OnesWith& ones) {
    for (unsigned j = 0; j < kWordFeatures; ++j) {
      for (unsigned k = 0; k < 4; ++k) ones[j] += count_ones(words[k] & kBitsWith[j]);
    }
    const unsigned odd = count_ones(words[1]), last = count_ones(words[3]);
    const unsigned upper = count_ones(words[2]) + last;
    ones[6] += odd + last;
    ones[7] += upper;
    return count_ones(words[0]) + odd + upper;
  }
};

template <bool kFast>
struct TakeHalf {
  HERON_INLINE static void run(const uint64_t* words, uint64_t count, unsigned j, bool value,
                               uint64_t* half) {
    if (j < kWordFeatures) {
      for (uint64_t at = 0; at + 2 <= count; at += 2) {
        *half++ = half_of(words[at], j, value, kFast) | half_of(words[at + 1], j, value, kFast)
                                                            << 32;
      }
      if (count % 2 != 0) *half = half_of(words[count - 1], j, value, kFast);
      return;
    }
    const uint64_t run = uint64_t{1} << (j - kWordFeatures);
    for (uint64_t at = value ? run : 0; at < count; at += 2 * run) {
      const uint64_t here = std::min(run, count - at);
      if (run < 8) {
        for (uint64_t k = 0; k < here; ++k) half[k] = words[at + k];
      } else {
        std::memmove(half, words + at, here * sizeof *half);
      }
      half += here;
    }
  }
};

}  // namespace

void count_ones(const uint64_t* words, uint64_t count, OnesWith& ones) {
  dispatch<CountOnes>(words, count, &ones);
}

void take_half(const uint64_t* words, uint64_t count, unsigned j, bool value, uint64_t* half) {
  dispatch_bits<TakeHalf>(words, count, j, value, half);
}

}  // namespace heron::inline v0::treezip
