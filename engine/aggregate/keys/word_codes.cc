#include "aggregate/keys/word_codes.h"

#include <bit>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "base/cpu.h"

namespace heron::inline v0 {
namespace {

// Returns the bits of `word` that are set in `mask`, side by side.
uint64_t gathered(uint64_t word, uint64_t mask) noexcept {
  uint64_t bits = 0;
  for (int to = 0; mask != 0; mask &= mask - 1, ++to) {
    bits |= (word >> std::countr_zero(mask) & 1) << to;
  }
  return bits;
}

#if defined(HERON_X86_64_V3)
HERON_X86_64_V3 uint64_t find_codes(std::span<const uint64_t> words, uint64_t first,
                                    uint64_t differing, const uint32_t* next_numbers,
                                    uint32_t* numbers) noexcept {
  uint64_t beyond = 0, free = 0;  // the highest bit of `free`: a word has no number
  for (uint64_t i = 0; i < words.size(); ++i) {
    const uint64_t difference = words[i] ^ first;
    const uint64_t number = uint64_t{next_numbers[_pext_u64(difference, differing)]} - 1;
    numbers[i] = static_cast<uint32_t>(number);
    beyond |= difference & ~differing;
    free |= number;
  }
  if (beyond == 0 && free >> 63 == 0) return 0;
  uint64_t unknown = 0;
  for (uint64_t i = 0; i < words.size(); ++i) {
    const bool is_beyond = ((words[i] ^ first) & ~differing) != 0;
    unknown |= uint64_t{is_beyond || numbers[i] == UINT32_MAX} << i;
  }
  return unknown;
}
#endif

}  // namespace

bool WordCodes::can_gather_bits() noexcept {
#if defined(HERON_X86_64_V3)
  // The first two Zens gather bits one by one.
  return has_x86_64_v3() && !__builtin_cpu_is("znver1") && !__builtin_cpu_is("znver2");
#else
  return false;
#endif
}

uint64_t WordCodes::find([[maybe_unused]] std::span<const uint64_t> words,
                         [[maybe_unused]] uint32_t* numbers) noexcept {
  uint64_t unknown = words.size() == 64 ? ~uint64_t{0} : (uint64_t{1} << words.size()) - 1;
#if defined(HERON_X86_64_V3)
  if (!known_.empty()) {
    unknown = find_codes(words, first_, differing_, next_numbers_.data(), numbers);
  }
#endif
  constexpr uint64_t kTried = 32'768;  // new words are missed, too
  looked_up_ += words.size();
  if (unknown != 0) missed_ += static_cast<uint64_t>(std::popcount(unknown));
  if (looked_up_ > kTried) {
    useful_ = missed_ * 8 <= looked_up_;
    looked_up_ /= 2;
    missed_ /= 2;
  }
  return unknown;
}

void WordCodes::add(uint64_t word, uint32_t number) {
  if (!useful_) return;
  if (known_.empty()) {
    first_ = word;
    next_numbers_.assign(1, 0);
  }
  const uint64_t differing = differing_ | (word ^ first_);
  if (std::popcount(differing) > kBits) return;
  known_.push_back({word, number});
  if (differing != differing_) {
    differing_ = differing;
    next_numbers_.assign(uint64_t{1} << std::popcount(differing), 0);
    for (const Known& one : known_) {
      next_numbers_[gathered(one.word ^ first_, differing_)] = one.number + 1;
    }
  } else {
    next_numbers_[gathered(word ^ first_, differing_)] = number + 1;
  }
}

}  // namespace heron::inline v0
