// Turns byte ranges of one source into requests to a device: whole pages, in order, close ranges
// joined.
#pragma once

#include <algorithm>
#include <vector>

#include "bytes/byte_source.h"

namespace heron::inline v0 {

inline constexpr uint64_t kPageBytes = 4096;
// A hole up to this size is read along: a device reads it in less time than it takes to begin
// another request (14 us, or 16 KiB, measured on a disk of 1.2 GB/s), and half of that keeps what
// random rows read within 1.2 times their pages.
inline constexpr uint64_t kMaxHole = 8192;

// Sorts the ranges, all inside a source of `size` bytes, widens each to whole pages (no further
// than `size`) and joins those that touch, overlap or have a small hole between them.
inline void merge_ranges(std::vector<ByteRange>& ranges, uint64_t size) {
  std::sort(ranges.begin(), ranges.end(),
            [](const ByteRange& a, const ByteRange& b) { return a.offset < b.offset; });
  uint64_t kept = 0;
  for (const ByteRange& range : ranges) {
    if (range.bytes == 0) continue;
    const uint64_t first = range.offset / kPageBytes * kPageBytes;
    const uint64_t rest = (kPageBytes - range.end() % kPageBytes) % kPageBytes;
    const uint64_t last = range.end() + std::min(rest, size - range.end());
    if (kept != 0 && first <= ranges[kept - 1].end() + kMaxHole) {
      ByteRange& before = ranges[kept - 1];
      before.bytes = std::max(before.end(), last) - before.offset;
    } else {
      ranges[kept++] = {first, last - first};
    }
  }
  ranges.resize(kept);
}

}  // namespace heron::inline v0
