// How the pages of an opened file are read: whether they are expected to be in memory.
#pragma once

#include <cstdint>

namespace heron::inline v0 {

// All modes give the same results; they differ in the prefetch hints to the kernel.
enum class Access : uint8_t {
  Auto,  // samples whether pages are cold, and prefetches them if so
  Warm,  // all pages are in memory: prefetches nothing
  Cold,  // no page is in memory: prefetches everything
  // Like Cold; also, the pages that scans read leave memory behind them, unless they were cached
  // before. Some MB may stay: the last that were read, and prefetched ones that arrive late.
  Once,
};

}  // namespace heron::inline v0
