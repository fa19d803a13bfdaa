#include "plain.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace heron::bench {

PlainMap::PlainMap(const std::string& path)
    : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  struct stat status;
  if (descriptor_ < 0 || fstat(descriptor_, &status) != 0) {
    throw std::system_error(errno, std::generic_category(), path);
  }
  bytes_ = static_cast<uint64_t>(status.st_size);
  void* mapped = mmap(nullptr, bytes_, PROT_READ, MAP_SHARED, descriptor_, 0);
  if (mapped == MAP_FAILED) throw std::system_error(errno, std::generic_category(), path);
  base_ = static_cast<const std::byte*>(mapped);
}

PlainMap::~PlainMap() {
  munmap(const_cast<std::byte*>(base_), bytes_);
  close(descriptor_);
}

}  // namespace heron::bench
