#include "bytes/file_pages.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "bytes/byte_ranges.h"
#include "bytes/page_requests.h"

namespace heron::inline v0 {
namespace {

// The size of pieces that, with Access::Once, stay in memory or leave it as a whole.
constexpr uint64_t kPieceBytes = uint64_t{128} << 10;

// Returns whether this thread has waited for a page since the last call.
bool had_major_faults() noexcept {
  thread_local int64_t before = -1;
  rusage usage;
  if (::getrusage(RUSAGE_THREAD, &usage) != 0) return false;
  const int64_t last = std::exchange(before, usage.ru_majflt);
  return last >= 0 && last != usage.ru_majflt;
}

}  // namespace

// A read that does not wait fails for a cold page, and at most starts to read it. Unlike mincore(),
// it needs no map and no right to write to the file.
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

// Uses the descriptor for maps, too: madvise() would take the lock of the address space for every
// call.
uint64_t FilePages::prefetch(std::span<const ByteRange> ranges, bool are_far) const noexcept {
  uint64_t requested = 0;
  for (const ByteRange& range : ranges) {
    if (access_ == Access::Once) keep_warm_pieces(range);
    requested += range.bytes;
  }
  if (!request_pages(file_.descriptor(), ranges, are_far)) return 0;
  bytes_prefetched_.fetch_add(requested, std::memory_order_relaxed);
  return requested;
}

void FilePages::advise(int advice) const noexcept {
  const int kept_errno = errno;
  if (map_ != nullptr) ::madvise(map_, file_.size(), advice);
  errno = kept_errno;
}

void FilePages::prefetch_ends() const noexcept {
  constexpr uint64_t kLarge = uint64_t{1} << 20, kHead = uint64_t{16} << 10,
                     kTail = uint64_t{128} << 10;
  if (!can_prefetch() || file_.size() < kLarge || !is_cold(0)) return;
  const uint64_t tail = (file_.size() - kTail) / kPageBytes * kPageBytes;
  const ByteRange ends[] = {{0, kHead}, {tail, file_.size() - tail}};
  prefetch(ends, false);
}

void FilePages::keep_warm_pieces(const ByteRange& range) const noexcept {
  for (uint64_t at = range.offset, end = 0; at < range.end(); at = end) {
    const uint64_t number = at / kPieceBytes;
    end = std::min(range.end(), (number + 1) * kPieceBytes);
    if (is_cold(at) || is_cold(end - 1)) continue;
    const std::lock_guard lock(mutex_);
    try {
      const auto found = std::lower_bound(warm_pieces_.begin(), warm_pieces_.end(), number);
      if (found == warm_pieces_.end() || *found != number) warm_pieces_.insert(found, number);
    } catch (const std::bad_alloc&) {  // then it is dropped
    }
  }
}

// A page that is in a page table cannot be dropped, so it is taken out of the map first; a later
// read brings it back.
void FilePages::release(std::span<const ByteRange> ranges) const noexcept {
  if (access_ != Access::Once) return;
  const std::lock_guard lock(mutex_);
  for (const ByteRange& range : ranges) {
    const uint64_t first = range.offset / kPieceBytes;  // the start of the piece was read before
    const uint64_t end = range.end() == file_.size() ? (range.end() - 1) / kPieceBytes + 1
                                                     : range.end() / kPieceBytes;
    for (uint64_t number = first; number < end; ++number) {
      if (std::binary_search(warm_pieces_.begin(), warm_pieces_.end(), number)) continue;
      const uint64_t offset = number * kPieceBytes;
      if (map_ != nullptr) {
        ::madvise(map_ + offset, std::min(kPieceBytes, file_.size() - offset), MADV_DONTNEED);
      }
      ::posix_fadvise(file_.descriptor(), static_cast<off_t>(offset),
                      static_cast<off_t>(kPieceBytes), POSIX_FADV_DONTNEED);
    }
  }
}

}  // namespace heron::inline v0
