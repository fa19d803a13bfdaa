#include "columns/prefetch.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "bytes/byte_ranges.h"

namespace heron::inline v0 {

void Prefetch::add(const ByteView& view, uint64_t at, uint64_t bytes) {
  if (bytes != 0) ranges_.push_back({view.source, {view.offset + at, bytes}});
}

void Prefetch::add_cells(const ByteView& view, uint64_t width, uint64_t stride,
                         const RowsToRead& rows) {
  if (rows.size() == 0 || view.source == nullptr) return;
  if (rows.list.empty()) {
    add(view, rows.range.first * stride, (rows.range.rows() - 1) * stride + width);
    return;
  }
  ranges_.reserve(ranges_.size() + rows.size());
  for (const uint64_t row : rows.list) add(view, row * stride, width);
}

void Prefetch::add_bits(const ByteView& view, const RowsToRead& rows) {
  if (rows.size() == 0 || view.source == nullptr) return;
  if (rows.list.empty()) {
    const uint64_t first = rows.range.first / 8;
    add(view, first, (rows.range.last - 1) / 8 + 1 - first);
    return;
  }
  for (const uint64_t row : rows.list) add(view, row / 8, 1);
}

// Calls work(source, its ranges).
template <class Work>
void Prefetch::each_source(Work work) {
  std::stable_sort(ranges_.begin(), ranges_.end(), [](const Range& a, const Range& b) {
    return std::less<>()(a.source, b.source);
  });
  std::vector<ByteRange> ranges;
  for (uint64_t i = 0; i < ranges_.size();) {
    const ByteSource& source = *ranges_[i].source;
    ranges.clear();
    for (; i < ranges_.size() && ranges_[i].source == &source; ++i) {
      ranges.push_back(ranges_[i].range);
    }
    if (source.can_prefetch()) work(source, ranges);
  }
  ranges_.clear();
}

uint64_t Prefetch::start(bool are_far) {
  uint64_t bytes = 0;
  each_source([&](const ByteSource& source, std::vector<ByteRange>& ranges) {
    merge_ranges(ranges, source.size());
    bytes += source.prefetch(ranges, are_far);
  });
  return bytes;
}

void Prefetch::release() {
  each_source([&](const ByteSource& source, std::vector<ByteRange>& ranges) {
    merge_ranges(ranges, source.size());
    source.release(ranges);
  });
}

bool Prefetch::any_cold(Coldness* own, uint64_t places) const {
  const uint64_t count = std::min<uint64_t>(places, ranges_.size());
  bool any = false;
  std::vector<uint64_t> offsets;
  for (uint64_t i = 0; i < count && !any; ++i) {
    const auto& [source, range] = ranges_[i * ranges_.size() / count];
    offsets.push_back(range.offset);
    if (range.bytes > kPageBytes) offsets.push_back(range.end() - 1);
    if (i + 1 < count && ranges_[(i + 1) * ranges_.size() / count].source == source) continue;
    any = source->can_prefetch() && source->any_cold(offsets, own);
    offsets.clear();
  }
  return any;
}

}  // namespace heron::inline v0
