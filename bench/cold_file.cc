#include "cold_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <thread>

#include "heron/error.h"
#include "measure.h"

namespace heron::bench {
namespace {

double timed_on_threads(unsigned count, const std::function<void()>& work) {
  const double start = seconds_now();
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < count; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  return seconds_now() - start;
}

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

}  // namespace

uint64_t PartsOfFile::page_count() const {
  uint64_t count = pages.size();
  for (const ByteRange& range : ranges) count += (range.bytes + kPageBytes - 1) / kPageBytes;
  return count;
}

ColdFile::ColdFile(const std::string& path)
    : path_(path),
      descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)),
      direct_(::open(path.c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC)) {
  if (descriptor_ < 0) fail(ErrorKind::Io, path, "cannot be opened");
  bytes_ = static_cast<uint64_t>(::lseek(descriptor_, 0, SEEK_END));
}

ColdFile::~ColdFile() {
  if (direct_ >= 0) ::close(direct_);
  ::close(descriptor_);
}

double ColdFile::drop() const {
  ::fsync(descriptor_);
  ::posix_fadvise(descriptor_, 0, 0, POSIX_FADV_DONTNEED);
  constexpr uint64_t kLooks = 1000;
  uint64_t stayed = 0;
  for (uint64_t i = 0; i < kLooks; ++i) {
    char byte;
    const iovec into = {&byte, 1};
    const auto at = static_cast<off_t>(bytes_ / kLooks * i);
    stayed += ::preadv2(descriptor_, &into, 1, at, RWF_NOWAIT) == 1;
  }
  return static_cast<double>(stayed) / kLooks;
}

double ColdFile::read_ranges(const std::vector<ByteRange>& ranges, Depth depth) const {
  std::vector<ByteRange> pieces;
  for (const ByteRange& range : ranges) {
    const uint64_t first = range.offset / kPageBytes * kPageBytes;
    for (uint64_t at = first; at < range.end(); at += depth.piece_bytes) {
      const uint64_t left = (range.end() - at + kPageBytes - 1) / kPageBytes * kPageBytes;
      pieces.push_back({at, std::min(depth.piece_bytes, left)});
    }
  }
  const int file = direct_ < 0 ? descriptor_ : direct_;
  std::atomic<uint64_t> next{0};
  return timed_on_threads(depth.threads, [&] {
    const AlignedMemory memory(depth.piece_bytes);
    for (uint64_t i; (i = next++) < pieces.size();) {
      if (::pread(file, memory.data(), pieces[i].bytes, static_cast<off_t>(pieces[i].offset)) < 0) {
        break;
      }
    }
  });
}

double ColdFile::read_pages(const std::vector<uint64_t>& pages, unsigned threads) const {
  std::vector<ByteRange> ranges;
  for (const uint64_t page : pages) ranges.push_back({page * kPageBytes, kPageBytes});
  return read_ranges(ranges, {threads, kPageBytes});
}

uint64_t device_bytes() {
  std::ifstream counters("/proc/self/io");
  std::string name;
  for (uint64_t value = 0; counters >> name >> value;) {
    if (name == "read_bytes:") return value;
  }
  return 0;
}

int64_t major_faults() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_majflt;
}

void touch_free_memory(uint64_t bytes) {
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  for (uint64_t at = 0; at < bytes; at += kPageBytes) static_cast<volatile char*>(memory)[at] = 1;
  ::munmap(memory, bytes);
}

}  // namespace heron::bench
