// The pages of an open file as the system caches them: which are cold, and asking for them ahead.
#pragma once

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

  // As in ByteSource; `map` is the address of the file's first byte, or null.
  bool may_be_cold(uint64_t least_bytes) const noexcept {
    return can_prefetch() &&
           (access_ != Access::Auto || (file_.size() >= least_bytes && coldness_.may_be_cold()));
  }
  bool can_prefetch() const noexcept { return access_ != Access::Warm && file_.size() != 0; }
  bool any_cold(std::span<const uint64_t> offsets, Coldness* own) const noexcept;
  uint64_t prefetch(std::span<const ByteRange> ranges, bool are_far) const noexcept;
  bool releases() const noexcept { return access_ == Access::Once; }
  // Headers are at either end of a file. Through a map, a cold page costs the whole readahead of
  // the device around it, some MB, unless it is on its way already. Of files of a MiB or more;
  // under a microsecond if they are warm.
  void prefetch_ends() const noexcept;
  void release(std::span<const ByteRange> ranges, const std::byte* map) const noexcept;

 private:
  bool is_cold(uint64_t offset) const noexcept;
  void keep_warm_pieces(const ByteRange& range) const noexcept;

  const RegularFile& file_;
  const Access access_;
  mutable Coldness coldness_;

  // With Access::Once: pieces, by their number, that were in memory before they were asked for.
  mutable std::mutex mutex_;
  mutable std::vector<uint64_t> warm_pieces_;
};

}  // namespace heron::inline v0
