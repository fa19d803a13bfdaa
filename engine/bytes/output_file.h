// A file that appears under its name whole or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace heron::inline v0 {

// Writes to a temporary name beside `path`; publish() syncs and renames. Unless it was published,
// the destructor removes it. One thread at a time. Throws Error(Io) that names `path`.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  const std::string& path() const noexcept { return path_; }
  // Writes at any offset; what is never written reads as zeros.
  void write_at(uint64_t offset, std::span<const std::byte> bytes);
  // Copies from another open file, within the kernel where it can.
  void copy_from(int descriptor, uint64_t from, uint64_t bytes, uint64_t to);
  // fsync, rename over `path`, fsync of the folder.
  void publish();

 private:
  std::string path_;
  std::string temporary_;
  int descriptor_ = -1;
};

// A descriptor of a file without a name in the folder of `path`; gone when closed.
int open_scratch_file(const std::string& path);

}  // namespace heron::inline v0
