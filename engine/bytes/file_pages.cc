#include "bytes/file_pages.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "bytes/byte_ranges.h"

namespace heron::inline v0 {
namespace {

// What one call asks for: the kernel ignores what exceeds the readahead of the device, 128 KiB
// where nobody has set it.
constexpr uint64_t kPieceBytes = uint64_t{128} << 10;

// Whether this thread has waited for a page since its last call.
bool had_major_faults() noexcept {
  thread_local int64_t before = -1;
  rusage usage;
  if (::getrusage(RUSAGE_THREAD, &usage) != 0) return false;
  const int64_t last = std::exchange(before, usage.ru_majflt);
  return last >= 0 && last != usage.ru_majflt;
}

}  // namespace

// A read that does not wait fails for a cold page, and starts no reading. Unlike mincore(), it
// needs no map and no right to write to the file.
bool FilePages::is_cold(uint64_t offset) const noexcept {
  char byte;
  const iovec into = {&byte, 1};
  return ::preadv2(file_.descriptor(), &into, 1, static_cast<off_t>(offset), RWF_NOWAIT) < 0 &&
         errno == EAGAIN;
}

bool FilePages::any_cold(std::span<const uint64_t> offsets, Coldness* own) const noexcept {
  if (access_ != Access::Auto) return can_prefetch();
  const int kept_errno = errno;
  const bool cold =
      had_major_faults() || std::any_of(offsets.begin(), offsets.end(),
                                        [this](uint64_t offset) { return is_cold(offset); });
  errno = kept_errno;
  return (own == nullptr ? coldness_ : *own).sampled(cold);
}

// Of a map, too: madvise() would take the lock of the address space for every call.
uint64_t FilePages::prefetch(std::span<const ByteRange> ranges) const noexcept {
  uint64_t asked = 0;
  for (const ByteRange& range : ranges) {
    for (uint64_t at = range.offset; at < range.end();) {
      const uint64_t end = std::min(range.end(), (at / kPieceBytes + 1) * kPieceBytes);
      if (access_ == Access::Once) keep_if_warm({at, end - at});
      if (::posix_fadvise(file_.descriptor(), static_cast<off_t>(at), static_cast<off_t>(end - at),
                          POSIX_FADV_WILLNEED) != 0) {
        return asked;  // this file system does not do it
      }
      asked += end - at;
      at = end;
    }
  }
  return asked;
}

void FilePages::prefetch_ends() const noexcept {
  constexpr uint64_t kLarge = uint64_t{1} << 30, kHead = uint64_t{16} << 10,
                     kTail = uint64_t{128} << 10;
  if (!can_prefetch() || file_.size() < kLarge || !is_cold(0)) return;
  const uint64_t tail = (file_.size() - kTail) / kPageBytes * kPageBytes;
  const ByteRange ends[] = {{0, kHead}, {tail, file_.size() - tail}};
  prefetch(ends);
}

void FilePages::keep_if_warm(const ByteRange& piece) const noexcept {
  if (is_cold(piece.offset) || is_cold(piece.end() - 1)) return;
  const std::lock_guard lock(mutex_);
  try {
    const uint64_t number = piece.offset / kPieceBytes;
    const auto at = std::lower_bound(warm_pieces_.begin(), warm_pieces_.end(), number);
    if (at == warm_pieces_.end() || *at != number) warm_pieces_.insert(at, number);
  } catch (const std::bad_alloc&) {  // then it is dropped
  }
}

// A page that is in a page table cannot be dropped, so it is taken out of the map first; a later
// read brings it back.
void FilePages::release(std::span<const ByteRange> ranges, const std::byte* map) const noexcept {
  if (access_ != Access::Once) return;
  const std::lock_guard lock(mutex_);
  for (const ByteRange& range : ranges) {
    const uint64_t first = range.offset / kPieceBytes;  // the rest of it was read before
    const uint64_t end = range.end() == file_.size() ? (range.end() - 1) / kPieceBytes + 1
                                                     : range.end() / kPieceBytes;
    for (uint64_t number = first; number < end; ++number) {
      if (std::binary_search(warm_pieces_.begin(), warm_pieces_.end(), number)) continue;
      const uint64_t offset = number * kPieceBytes;
      if (map != nullptr) {
        ::madvise(const_cast<std::byte*>(map + offset),
                  std::min(kPieceBytes, file_.size() - offset), MADV_DONTNEED);
      }
      ::posix_fadvise(file_.descriptor(), static_cast<off_t>(offset),
                      static_cast<off_t>(kPieceBytes), POSIX_FADV_DONTNEED);
    }
  }
}

}  // namespace heron::inline v0
