// The bits of a word that a mask selects, side by side: what splitting bit columns is made of.
#pragma once

#include <bit>
#include <cstdint>

#include "base/cpu.h"

namespace heron::inline v0::treezip {

// kFast: only in what runs as compiled for x86-64-v3.
template <bool kFast>
HERON_INLINE uint64_t extract_bits(uint64_t word, uint64_t mask) {
  uint64_t bits = 0;
#if defined(__x86_64__)
  // Not the intrinsic: what is compiled for any machine, too, cannot hold it.
  if constexpr (kFast) {
    asm("pextq %2, %1, %0" : "=r"(bits) : "r"(word), "rm"(mask));
    return bits;
  }
#endif
  for (unsigned to = 0; mask != 0; mask &= mask - 1, ++to) {
    bits |= (word >> std::countr_zero(mask) & 1) << to;
  }
  return bits;
}

// Kernel<fast>::run(args...), compiled for this machine.
template <template <bool> class Kernel, class... Args>
auto dispatch_bits(Args... args) {
#if defined(HERON_X86_64_V3)
  if (has_x86_64_v3()) return run_x86_64_v3<Kernel<true>>(args...);
#endif
  return Kernel<false>::run(args...);
}

}  // namespace heron::inline v0::treezip
