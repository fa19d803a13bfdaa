#include "bytes/page_requests.h"

#include <fcntl.h>

#include <algorithm>

#ifdef HERON_IO_URING
#include <liburing.h>
#include <pthread.h>

#include <atomic>
#include <mutex>
#include <new>
#endif

namespace heron::inline v0 {
namespace {

// Bytes requested per call: the kernel ignores what exceeds the readahead of the device, which is
// 128 KiB by default.
constexpr uint64_t kPieceBytes = uint64_t{128} << 10;

// Calls request(offset, bytes) for each piece of the range while it returns true.
template <class Request>
bool each_piece(const ByteRange& range, Request request) {
  for (uint64_t at = range.offset; at < range.end();) {
    const uint64_t end = std::min(range.end(), (at / kPieceBytes + 1) * kPieceBytes);
    if (!request(static_cast<off_t>(at), static_cast<off_t>(end - at))) return false;
    at = end;
  }
  return true;
}

#ifdef HERON_IO_URING

// The ring of the process. It waits for no request; the kernel does not even report successes.
class Ring {
 public:
  // Returns null if io_uring is not allowed here, or too old.
  static Ring* of_process() noexcept {
    static Ring* const ring = make();
    return in_child_ ? nullptr : ring;
  }

  // Returns how many of the ranges it took, from the first on: none while another thread uses the
  // ring.
  uint64_t start(int file, std::span<const ByteRange> ranges) noexcept {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return 0;
    forget_failures();
    uint64_t taken = 0;
    while (taken < ranges.size() && each_piece(ranges[taken], [&](off_t at, off_t bytes) {
             return add(file, static_cast<uint64_t>(at), bytes);
           })) {
      ++taken;
    }
    return io_uring_submit(&ring_) < 0 ? 0 : taken;
  }

 private:
  static constexpr unsigned kEntries = 256;

  static Ring* make() noexcept {
    Ring* ring = new (std::nothrow) Ring;
    if (ring == nullptr) return nullptr;
    io_uring_params parameters{};
    if (io_uring_queue_init_params(kEntries, &ring->ring_, &parameters) < 0) {
      delete ring;
      return nullptr;
    }
    // A child process would share the queue.
    if ((parameters.features & IORING_FEAT_CQE_SKIP) == 0 ||
        ::pthread_atfork(nullptr, nullptr, [] { in_child_ = true; }) != 0) {
      io_uring_queue_exit(&ring->ring_);
      delete ring;
      return nullptr;
    }
    return ring;
  }

  bool add(int file, uint64_t at, off_t bytes) noexcept {
    io_uring_sqe* request = io_uring_get_sqe(&ring_);
    if (request == nullptr && io_uring_submit(&ring_) >= 0) request = io_uring_get_sqe(&ring_);
    if (request == nullptr) return false;
    io_uring_prep_fadvise(request, file, at, bytes, POSIX_FADV_WILLNEED);
    request->flags |= IOSQE_CQE_SKIP_SUCCESS;
    return true;
  }

  // A hint that failed is no error; while completions are full, the kernel takes no more requests.
  void forget_failures() noexcept {
    for (io_uring_cqe* failure; io_uring_peek_cqe(&ring_, &failure) == 0;) {
      io_uring_cqe_seen(&ring_, failure);
    }
  }

  static inline std::atomic<bool> in_child_{false};
  std::mutex mutex_;
  io_uring ring_{};
};

uint64_t start_far(int file, std::span<const ByteRange> ranges) noexcept {
  Ring* const ring = Ring::of_process();
  return ring == nullptr ? 0 : ring->start(file, ranges);
}

#else

uint64_t start_far(int, std::span<const ByteRange>) noexcept {
  return 0;
}

#endif

}  // namespace

bool request_pages(int file, std::span<const ByteRange> ranges, bool are_far) noexcept {
  if (are_far) ranges = ranges.subspan(start_far(file, ranges));
  return std::all_of(ranges.begin(), ranges.end(), [file](const ByteRange& range) {
    return each_piece(range, [&](off_t at, off_t bytes) {
      return ::posix_fadvise(file, at, bytes, POSIX_FADV_WILLNEED) == 0;
    });
  });
}

bool has_ring() noexcept {
#ifdef HERON_IO_URING
  return Ring::of_process() != nullptr;
#else
  return false;
#endif
}

}  // namespace heron::inline v0
