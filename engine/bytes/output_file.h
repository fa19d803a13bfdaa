// An output file that appears under its name whole or not at all.
#pragma once

#include <sys/types.h>

#include <boost/iostreams/device/file_descriptor.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "bytes/byte_source.h"

namespace heron::inline v0 {

// How publish() treats a name that exists.
enum class Existing : uint8_t {
  Keep,     // publish() throws Error(Write)
  Replace,  // the new file gets the mode of the old one and, if permitted, its owner; its access
            // control lists are lost. A symbolic link is followed: its target is replaced
  Renew     // the new file is made as if there were no old one
};
inline Existing existing_if(bool replace) noexcept {
  return replace ? Existing::Replace : Existing::Keep;
}

// Creates an unnamed file in the folder of `path`, if the file system supports it, else a file with
// a temporary name that is removed with the object. publish() syncs it and gives it its name
// atomically. One thread at a time. Throws Error(Write) that names `path`.
class OutputFile {
 public:
  // Also throws if the name exists and is to be kept, or is not a regular file.
  explicit OutputFile(std::string path, Existing existing = Existing::Keep);
  ~OutputFile();
  OutputFile(OutputFile&&) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;

  // Throws what the constructor throws for a path, without creating anything, for callers that
  // check before work begins.
  static void check_target(const std::string& path, Existing existing);

  const std::string& path() const noexcept { return path_; }
  // Writes at any offset; bytes never written read as zeros.
  void write_at(uint64_t offset, std::span<const std::byte> bytes);
  // Allocates space for that many bytes in the file system, if it can, so that writing them takes
  // less time. They read as zeros.
  void allocate(uint64_t bytes) noexcept;
  // Reads what was written.
  void read_at(uint64_t offset, std::span<std::byte> into) const;
  // Copies from another open file, inside the kernel if it can.
  void copy_from(int source, uint64_t from, uint64_t bytes, uint64_t to);
  // Restricts the mode further than the umask: group and others may not write it, nor read it
  // unless they may read the file at `about`.
  void keep_private(const std::string& about);
  // Returns the content so far as a source named `path`, mapped unless /proc is missing; the source
  // may outlive the object.
  std::shared_ptr<const ByteSource> written() const;
  // Syncs the file and gives it its name.
  void publish() { publish({this, 1}); }
  // Publishes files that belong together: all are synced first, then named one right after the
  // other. If one cannot get its name, the earlier names are removed again, except those that
  // replaced a file.
  static void publish(std::span<OutputFile> files);

 private:
  void make(mode_t mode);
  int descriptor() const { return descriptor_.handle(); }
  bool take_free_name() const;
  void take_name();
  void replace();
  void give_name_back() noexcept;

  std::string path_;    // as errors name it
  std::string target_;  // the name that the file gets
  Existing existing_;
  std::string temporary_;  // empty: the file has no name, or its published one
  boost::iostreams::file_descriptor descriptor_;
  bool name_was_free_ = false;  // the published name did not exist before
};

// A descriptor of a file without a name in the folder of `path`; gone when closed.
int open_scratch_file(const std::string& path);

}  // namespace heron::inline v0
