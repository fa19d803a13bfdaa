// A file opened for reading, and how it looked then: what both kinds of file sources
// (mapped_file.h, pread_file.h) stand on.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "heron/error.h"

namespace heron::inline v0 {

// Thread-safe once constructed.
class RegularFile {
 public:
  // Throws Error(Io) that names `path`, also if a directory, FIFO or device is there; never waits
  // for somebody to write into a FIFO.
  explicit RegularFile(const std::string& path);
  // Of a file that is open: takes the descriptor, or reports errno where it is below 0.
  RegularFile(const std::string& path, int descriptor);
  // Nothing if there is no such file.
  static std::optional<RegularFile> find(const std::string& path);
  RegularFile(RegularFile&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)),
        size_(other.size_),
        modified_(other.modified_),
        owner_(other.owner_),
        mode_(other.mode_) {}
  RegularFile& operator=(RegularFile&&) = delete;
  ~RegularFile();

  int descriptor() const noexcept { return descriptor_; }
  uint64_t size() const noexcept { return size_; }
  // As ByteSource has it.
  uint64_t modified() const noexcept {
    return static_cast<uint64_t>(modified_.tv_sec) * 1'000'000'000 +
           static_cast<uint64_t>(modified_.tv_nsec);
  }

  // Of whom the file was, and who might do what with it, when it was opened: as stat() has them.
  uid_t owner() const noexcept { return owner_; }
  mode_t mode() const noexcept { return mode_; }

  // Fills `into`. Throws Error: Io, Changed (the file ends before that); they name `name`.
  void read(uint64_t offset, std::span<std::byte> into, const std::string& name) const;

  // What has happened to the file since it was opened, or null. The descriptor holds on to the
  // inode, so size and time of change tell everything: another file renamed over the name, or the
  // name removed, changes nothing here. 0.4 us.
  const char* change() const noexcept;

 private:
  int descriptor_;
  uint64_t size_;
  timespec modified_;
  uid_t owner_;
  mode_t mode_;
};

// Throws an Error that says what the path is instead, unless `mode` (of stat) is a regular file's.
void require_regular(const std::string& path, mode_t mode, ErrorKind kind = ErrorKind::Io);

}  // namespace heron::inline v0
