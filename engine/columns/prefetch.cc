#include "columns/prefetch.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "bytes/byte_ranges.h"
#include "bytes/file_pages.h"

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

// Calls work(pages, their ranges) for each file.
template <class Work>
void Prefetch::each_file(Work work) {
  std::vector<ByteSource::FileRange> found;
  found.reserve(ranges_.size());
  for (const auto& [source, range] : ranges_) source->find_pages(range, found);
  ranges_.clear();
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return std::less<>()(a.pages, b.pages);
  });
  std::vector<ByteRange> ranges;
  for (uint64_t i = 0; i < found.size();) {
    const FilePages& pages = *found[i].pages;
    ranges.clear();
    for (; i < found.size() && found[i].pages == &pages; ++i) ranges.push_back(found[i].range);
    merge_ranges(ranges, pages.file_bytes());
    work(pages, ranges);
  }
}

uint64_t Prefetch::start(bool are_far) {
  uint64_t bytes = 0;
  each_file([&](const FilePages& pages, const std::vector<ByteRange>& ranges) {
    bytes += pages.prefetch(ranges, are_far);
  });
  return bytes;
}

void Prefetch::release() {
  each_file([](const FilePages& pages, const std::vector<ByteRange>& ranges) {
    pages.release(ranges);
  });
}

bool Prefetch::any_cold(Coldness* own, uint64_t samples) const {
  const uint64_t count = std::min<uint64_t>(samples, ranges_.size());
  std::vector<ByteSource::FileRange> looks;
  for (uint64_t i = 0; i < count; ++i) {
    const auto& [source, range] = ranges_[i * ranges_.size() / count];
    source->find_pages({range.offset, 1}, looks);
    if (range.bytes > kPageBytes) source->find_pages({range.end() - 1, 1}, looks);
  }
  if (looks.empty()) return count != 0 && any_cold_of_none(*ranges_.front().source, own);
  bool any = false;
  std::vector<uint64_t> offsets;
  for (uint64_t i = 0; i < looks.size() && !any;) {
    const FilePages& pages = *looks[i].pages;
    offsets.clear();
    for (; i < looks.size() && looks[i].pages == &pages; ++i) {
      offsets.push_back(looks[i].range.offset);
    }
    any = pages.any_cold(offsets, own);
  }
  return any;
}

bool any_cold_of_none(const ByteSource& source, Coldness* own) {
  bool any = false;
  for (const ByteSource::FileInUse& file : source.files()) any |= file.pages->any_cold({}, own);
  return any;
}

}  // namespace heron::inline v0
