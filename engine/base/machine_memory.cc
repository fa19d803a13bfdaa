#include "base/machine_memory.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace heron::inline v0 {
namespace {

// Returns the number in a file; UINT64_MAX if there is none: a group without a limit has "max".
uint64_t number_in(const char* path) noexcept {
  uint64_t number = UINT64_MAX;
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return number;
  std::array<char, 32> text;
  const ssize_t bytes = ::read(file, text.data(), text.size());
  ::close(file);
  if (bytes > 0) std::from_chars(text.data(), text.data() + bytes, number);
  return number;
}

uint64_t read_memory() noexcept {
  const long pages = ::sysconf(_SC_PHYS_PAGES), page_bytes = ::sysconf(_SC_PAGESIZE);
  if (pages < 0 || page_bytes < 0) return 0;
  return std::min({static_cast<uint64_t>(pages) * static_cast<uint64_t>(page_bytes),
                   number_in("/sys/fs/cgroup/memory.max"),
                   number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes")});
}

}  // namespace

uint64_t machine_memory() noexcept {
  static const uint64_t bytes = read_memory();
  return bytes;
}

}  // namespace heron::inline v0
