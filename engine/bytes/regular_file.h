// A file opened for reading, with its state when it was opened: the base of both kinds of file
// sources (mapped_file.h, pread_file.h).
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
  // Throws Error(Io) that names `path`, also for a directory, FIFO or device; never blocks on a
  // FIFO.
  explicit RegularFile(const std::string& path);
  // Duplicates the descriptor of an open file.
  RegularFile(const std::string& path, int descriptor);
  // Returns nullopt if the file does not exist.
  static std::optional<RegularFile> find(const std::string& path);

  int descriptor() const { return descriptor_.handle(); }
  uint64_t size() const noexcept { return size_; }
  // The file's time of modification, as ByteSource returns it.
  uint64_t modified() const noexcept {
    return static_cast<uint64_t>(modified_.tv_sec) * 1'000'000'000 +
           static_cast<uint64_t>(modified_.tv_nsec);
  }

  // Owner and mode of the file when it was opened, as stat() reports them.
  uid_t owner() const noexcept { return owner_; }
  mode_t mode() const noexcept { return mode_; }

  // Fills `into`. Throws Error: Io, Changed (the file ends before that); they name `name`.
  void read(uint64_t offset, std::span<std::byte> into, const std::string& name) const;

  // Returns how the file has changed since it was opened, or null. The descriptor keeps the inode,
  // so size and modification time suffice: another file renamed over the name, or the name removed,
  // changes nothing here. Costs 0.4 us.
  const char* change() const noexcept;

 private:
  RegularFile() = default;
  // Takes the descriptor; throws the error of errno if it is below 0.
  void hold(const std::string& path, int descriptor);

  boost::iostreams::file_descriptor_source descriptor_;  // closed with the last of its copies
  uint64_t size_ = 0;
  timespec modified_{};
  uid_t owner_ = 0;
  mode_t mode_ = 0;
};

// Throws an Error that names the kind of file unless `mode` (of stat) is a regular file's.
void require_regular(const std::string& path, mode_t mode, ErrorKind kind = ErrorKind::Io);

}  // namespace heron::inline v0
