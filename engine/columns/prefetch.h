// Gathers the bytes that some rows need before the first of them is read, so that the device gets
// all requests together: one after the other, each would take its whole latency.
#pragma once

#include <span>
#include <vector>

#include "bytes/byte_source.h"
#include "heron/values.h"

namespace heron::inline v0 {

class Coldness;

// Row numbers in any order, or consecutive rows.
struct RowsToRead {
  std::span<const uint64_t> list = {};
  RowRange range = {};  // used if the list is empty

  uint64_t size() const noexcept { return list.empty() ? range.rows() : list.size(); }
  uint64_t operator[](uint64_t i) const noexcept {
    return list.empty() ? range.first + i : list[i];
  }
};

// Byte ranges of any number of sources. Ignores sources without pages to prefetch.
class Prefetch {
 public:
  // Adds bytes inside the view.
  void add(const ByteView& view, uint64_t at, uint64_t bytes);
  // Add the cells of rows, at a constant stride, or their bits.
  void add_cells(const ByteView& view, uint64_t width, uint64_t stride, const RowsToRead& rows);
  void add_bits(const ByteView& view, const RowsToRead& rows);

  bool empty() const noexcept { return ranges_.empty(); }
  // Starts to read all ranges, and forgets them. `are_far`: as in FilePages::prefetch(). Returns
  // how many bytes were requested.
  uint64_t start(bool are_far = false);
  // Releases the ranges, which will not be read again soon (FilePages::release), and forgets them.
  void release();
  // Samples at most `samples` ranges and returns whether any is cold, as FilePages::any_cold()
  // does.
  bool any_cold(Coldness* own = nullptr, uint64_t samples = 8) const;

 private:
  struct Range {
    const ByteSource* source;
    ByteRange range;
  };
  template <class Work>
  void each_file(Work work);

  std::vector<Range> ranges_;
};

// Calls FilePages::any_cold() without offsets for the files of the source.
bool any_cold_of_none(const ByteSource& source, Coldness* own = nullptr);

}  // namespace heron::inline v0
