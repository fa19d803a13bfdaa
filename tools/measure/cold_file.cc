#include "measure/cold_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

#include "base/fail.h"
#include "heron/error.h"
#include "measure/clock.h"

namespace heron::measure {
namespace {

class AlignedMemory {
 public:
  explicit AlignedMemory(uint64_t bytes)
      : data_(static_cast<char*>(std::aligned_alloc(kPageBytes, bytes))) {}
  ~AlignedMemory() { std::free(data_); }
  AlignedMemory(const AlignedMemory&) = delete;
  AlignedMemory& operator=(const AlignedMemory&) = delete;
  char* data() const { return data_; }

 private:
  char* data_;
};

// Divides ranges into pieces of whole pages.
std::vector<ByteRange> pieces_of(const std::vector<ByteRange>& ranges, uint64_t piece_bytes) {
  std::vector<ByteRange> pieces;
  for (const ByteRange& range : ranges) {
    const uint64_t first = range.offset / kPageBytes * kPageBytes;
    for (uint64_t at = first; at < range.end(); at += piece_bytes) {
      const uint64_t left = (range.end() - at + kPageBytes - 1) / kPageBytes * kPageBytes;
      pieces.push_back({at, std::min(piece_bytes, left)});
    }
  }
  return pieces;
}

}  // namespace

uint64_t PartsOfFile::page_count() const {
  uint64_t count = pages.size();
  for (const ByteRange& range : ranges) count += (range.bytes + kPageBytes - 1) / kPageBytes;
  return count;
}

ColdFile::ColdFile(const std::string& path)
    : path_(path),
      file_(path),
      direct_(::open(path.c_str(), O_RDONLY | O_DIRECT | O_NONBLOCK | O_CLOEXEC)) {}

ColdFile::~ColdFile() {
  if (direct_ >= 0) ::close(direct_);
}

double ColdFile::drop() const {
  const uint64_t stayed = drop_all();
  return static_cast<double>(stayed) / static_cast<double>(std::max<uint64_t>(pages(), 1));
}

uint64_t ColdFile::drop_all() const {
  ::fsync(file_.descriptor());
  constexpr int kTries = 3;  // a page that another core has just read stays at first
  uint64_t stayed = 0;
  for (int i = 0; i < kTries; ++i) {
    ::posix_fadvise(file_.descriptor(), 0, 0, POSIX_FADV_DONTNEED);
    stayed = resident_pages();
    if (stayed == 0) break;
  }
  return stayed;
}

// Asks mincore(): a read that may not wait (RWF_NOWAIT) would show it, too, but makes the system
// read ahead.
uint64_t ColdFile::resident_pages() const {
  if (bytes() == 0) return 0;
  void* map = ::mmap(nullptr, bytes(), PROT_READ, MAP_SHARED, file_.descriptor(), 0);
  if (map == MAP_FAILED) fail(ErrorKind::Io, path_, "cannot be mapped: ", std::strerror(errno));
  std::vector<unsigned char> in_memory(pages());
  const int failed = ::mincore(map, bytes(), in_memory.data());
  ::munmap(map, bytes());
  if (failed != 0) return pages();
  return static_cast<uint64_t>(std::count_if(in_memory.begin(), in_memory.end(),
                                             [](unsigned char page) { return (page & 1) != 0; }));
}

void ColdFile::warm() const {
  constexpr uint64_t kPiece = 1 << 20;
  std::vector<char> memory(kPiece);
  for (uint64_t at = 0; at < bytes(); at += kPiece) {
    if (::pread(file_.descriptor(), memory.data(), kPiece, static_cast<off_t>(at)) <= 0) break;
  }
}

double ColdFile::read_ranges(const std::vector<ByteRange>& ranges, Depth depth,
                             Histogram* latencies) const {
  const std::vector<ByteRange> pieces = pieces_of(ranges, depth.piece_bytes);
  const int file = direct_ < 0 ? file_.descriptor() : direct_;
  std::atomic<uint64_t> next{0};
  std::mutex mutex;
  const auto work = [&] {
    const AlignedMemory memory(depth.piece_bytes);
    Histogram own;
    for (uint64_t i; (i = next++) < pieces.size();) {
      const uint64_t start = now_ns();
      const auto at = static_cast<off_t>(pieces[i].offset);
      if (::pread(file, memory.data(), pieces[i].bytes, at) < 0) break;
      own.add(now_ns() - start);
    }
    if (latencies == nullptr) return;
    const std::lock_guard lock(mutex);
    latencies->add(own);
  };
  const uint64_t start = now_ns();
  {
    std::vector<std::jthread> threads;  // joined here, also if not all can be started
    for (unsigned i = 0; i < depth.threads; ++i) threads.emplace_back(work);
  }
  return static_cast<double>(now_ns() - start) / 1e9;
}

double ColdFile::read_pages(const std::vector<uint64_t>& pages, unsigned threads,
                            Histogram* latencies) const {
  std::vector<ByteRange> ranges;
  for (const uint64_t page : pages) ranges.push_back({page * kPageBytes, kPageBytes});
  return read_ranges(ranges, {threads, kPageBytes}, latencies);
}

void touch_free_memory(uint64_t bytes) {
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  for (uint64_t at = 0; at < bytes; at += kPageBytes) static_cast<volatile char*>(memory)[at] = 1;
  ::munmap(memory, bytes);
}

}  // namespace heron::measure
