// A file that appears under its name whole or not at all.
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

// What publish() does where something has the name already.
enum class Existing : uint8_t {
  Keep,     // Error(Write)
  Replace,  // the new file has the mode of the old one and, where we may give it away, its owner;
            // access control lists are not kept. A link is followed: what it leads to is replaced
  Renew     // the new file is as if there had been none
};
inline Existing existing_if(bool replace) noexcept {
  return replace ? Existing::Replace : Existing::Keep;
}

// A file without a name in the folder of `path`, where the file system knows such, else one of a
// temporary name that goes with the object; publish() syncs it and puts it under its name, at once
// and whole. One thread at a time. Throws Error(Write) that names `path`.
class OutputFile {
 public:
  // Also throws if there is something under that name already that is to be kept, or is no file.
  explicit OutputFile(std::string path, Existing existing = Existing::Keep);
  ~OutputFile();
  OutputFile(OutputFile&&) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;

  // What the constructor throws for a path, without making anything: for those who ask before work
  // begins.
  static void check_target(const std::string& path, Existing existing);

  const std::string& path() const noexcept { return path_; }
  // Writes at any offset; what is never written reads as zeros.
  void write_at(uint64_t offset, std::span<const std::byte> bytes);
  // Copies from another open file, within the kernel where it can.
  void copy_from(int source, uint64_t from, uint64_t bytes, uint64_t to);
  // Whatever the umask would let group and others do: they may not write it, nor read it unless they
  // may read the file at `about`.
  void keep_private(const std::string& about);
  // What is in it so far, under the name `path`, mapped unless /proc is missing; lives on without
  // the object.
  std::shared_ptr<const ByteSource> written() const;
  // fsync, and the name.
  void publish() { publish({this, 1}); }
  // Those that belong together get their names one right after the other, when all are synced. If
  // one cannot have its name, the names of those before it are taken away again, but where they
  // replaced something.
  static void publish(std::span<OutputFile> files);

 private:
  void make(mode_t mode);
  int descriptor() const { return descriptor_.handle(); }
  bool take_free_name() const;
  void take_name();
  void replace();
  void give_name_back() noexcept;

  std::string path_;    // as errors name it
  std::string target_;  // the name it gets
  Existing existing_;
  std::string temporary_;  // empty: the file has no name, or that it was published under
  boost::iostreams::file_descriptor descriptor_;
  bool name_was_free_ = false;  // that it was published under
};

// A descriptor of a file without a name in the folder of `path`; gone when closed.
int open_scratch_file(const std::string& path);

}  // namespace heron::inline v0
