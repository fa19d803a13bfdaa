// The pages of an open file as the system caches them: which are cold, and prefetching them.
#pragma once

#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "bytes/byte_source.h"
#include "bytes/coldness.h"
#include "bytes/regular_file.h"

namespace heron::inline v0 {

// Thread-safe. The file must outlive it.
class FilePages {
 public:
  FilePages(const RegularFile& file, Access access) noexcept : file_(file), access_(access) {}

  // Sets the address of the file's map, before other threads use the pages; by default there is
  // none.
  void set_map(std::byte* begin) noexcept { map_ = begin; }
  uint64_t file_bytes() const noexcept { return file_.size(); }

  // Returns whether any of the other functions may have an effect.
  bool can_prefetch() const noexcept { return access_ != Access::Warm && file_.size() != 0; }
  // These functions are described at ByteSource.
  bool may_be_cold(uint64_t least_bytes) const noexcept {
    return can_prefetch() &&
           (access_ != Access::Auto || (file_.size() >= least_bytes && coldness_.may_be_cold()));
  }
  bool releases() const noexcept { return access_ == Access::Once; }
  // Samples whether any of a few offsets of what is read next is cold, and returns whether to
  // prefetch it (coldness.h). Records the result for may_be_cold(), or in `own`, for readers that
  // sample offsets of their own. No offsets: what is read next is in memory. About a microsecond an
  // offset.
  bool any_cold(std::span<const uint64_t> offsets, Coldness* own) const noexcept;
  // Starts to read the ranges, which are inside the file, ascend and do not touch (byte_ranges.h),
  // and returns before they are in memory. A hint: where the system refuses, nothing happens. Half
  // a microsecond a range. Returns how many bytes it requested. `are_far`: the ranges are needed
  // only after others that are under way (page_requests.h).
  uint64_t prefetch(std::span<const ByteRange> ranges, bool are_far) const noexcept;
  // Returns how many bytes all calls of prefetch() have requested.
  uint64_t bytes_prefetched() const noexcept {
    return bytes_prefetched_.load(std::memory_order_relaxed);
  }
  // Releases ranges, given as for prefetch(), that will not be read again soon. With Access::Once,
  // ranges that were cold when they were prefetched leave memory; otherwise nothing happens.
  void release(std::span<const ByteRange> ranges) const noexcept;
  // From the first begin to the last end, which nest, pages of the map are read alone; see
  // ScatteredReads. A system call each.
  void begin_scattered() const noexcept {
    if (scattered_.fetch_add(1) == 0) advise(MADV_RANDOM);
  }
  void end_scattered() const noexcept {
    if (scattered_.fetch_sub(1) == 1) advise(MADV_NORMAL);
  }
  // Prefetches both ends of a file of a MiB or more, where headers are. Through a map, a cold page
  // costs the whole readahead of the device around it, some MB, unless it is under way. Under a
  // microsecond if the start is warm.
  void prefetch_ends() const noexcept;

 private:
  void advise(int advice) const noexcept;
  bool is_cold(uint64_t offset) const noexcept;
  void keep_warm_pieces(const ByteRange& range) const noexcept;

  const RegularFile& file_;
  const Access access_;
  std::byte* map_ = nullptr;
  mutable Coldness coldness_;
  mutable std::atomic<uint32_t> scattered_{0};
  mutable std::atomic<uint64_t> bytes_prefetched_{0};

  // The numbers of pieces that were in memory before they were prefetched, with Access::Once.
  mutable std::mutex mutex_;
  mutable std::vector<uint64_t> warm_pieces_;
};

}  // namespace heron::inline v0
