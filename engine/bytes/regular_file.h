// A file opened for reading, and how it looked then: what both kinds of file sources
// (mapped_file.h, pread_file.h) stand on.
#pragma once

#include <sys/stat.h>

#include <boost/iostreams/device/file_descriptor.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "heron/error.h"

namespace heron::inline v0 {

// Thread-safe once constructed.
class RegularFile {
 public:
  // Throws Error(Io) that names `path`, also if a directory, FIFO or device is there; never waits
  // for somebody to write into a FIFO.
  explicit RegularFile(const std::string& path);
  // Of a file that is open, through a descriptor of its own.
  RegularFile(const std::string& path, int descriptor);
  // Nothing if there is no such file.
  static std::optional<RegularFile> find(const std::string& path);

  int descriptor() const { return descriptor_.handle(); }
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
  RegularFile() = default;
  // Takes the descriptor, or reports errno where it is below 0.
  void hold(const std::string& path, int descriptor);

  boost::iostreams::file_descriptor_source descriptor_;  // closed with the last of its copies
  uint64_t size_ = 0;
  timespec modified_{};
  uid_t owner_ = 0;
  mode_t mode_ = 0;
};

// Throws an Error that says what the path is instead, unless `mode` (of stat) is a regular file's.
void require_regular(const std::string& path, mode_t mode, ErrorKind kind = ErrorKind::Io);

}  // namespace heron::inline v0
