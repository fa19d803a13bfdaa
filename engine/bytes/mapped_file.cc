// The file is opened and examined first (regular_file.h), and the same descriptor is mapped: no
// other file (or FIFO) can get under the path in between, and an open file takes one descriptor.
// The mapped_file of Boost.Iostreams, which holds the descriptors here, opens a path itself and
// keeps a second one: 4 us of 12, and half as many files that can be open.
#include "bytes/mapped_file.h"

#include <sys/mman.h>

#include <optional>
#include <utility>

#include "base/fail.h"
#include "base/hints.h"
#include "bytes/fault_guard.h"
#include "bytes/file_source.h"
#include "bytes/io_error.h"

namespace heron::inline v0 {
namespace {

// Maps a whole file; a file of 0 bytes has no map.
class Mapping {
 public:
  Mapping(const RegularFile& file, const std::string& name) : bytes_(file.size()) {
    if (bytes_ == 0) return;
    void* memory = ::mmap(nullptr, bytes_, PROT_READ, MAP_SHARED, file.descriptor(), 0);
    if (memory == MAP_FAILED && errno == ENOMEM) {
      fail_with_hint(ErrorKind::Limit, hint::kWithoutMap, name, "no memory to map its ", bytes_,
                     " bytes");
    }
    if (memory == MAP_FAILED) fail_io(name, "cannot be mapped");
    begin_ = static_cast<std::byte*>(memory);
  }
  ~Mapping() {
    if (begin_ != nullptr) ::munmap(begin_, bytes_);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  std::byte* begin() const noexcept { return begin_; }

 private:
  std::byte* begin_ = nullptr;
  uint64_t bytes_;
};

class MappedFile final : public FileSource {
 public:
  MappedFile(std::string name, RegularFile file, Access access)
      : FileSource(std::move(name), std::move(file), access), map_(this->file(), this->name()) {
    if (size() == 0) return;
    base_ = map_.begin();
    may_change_ = true;
    pages().set_map(map_.begin());
    pages().prefetch_ends();
    guard_.emplace(std::span(base_, size()), lost_);
  }

  void read(uint64_t offset, std::span<std::byte> into, const Context&) const override {
    file().read(offset, into, name());
  }

 private:
  Mapping map_;
  std::optional<FaultGuard> guard_;
};

}  // namespace

std::shared_ptr<const ByteSource> map_file(std::string name, RegularFile file, Access access) {
  return std::make_shared<MappedFile>(std::move(name), std::move(file), access);
}

}  // namespace heron::inline v0
