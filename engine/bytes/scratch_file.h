// Temporary data: bytes in an unnamed file, removed with the object.
#pragma once

#include <boost/iostreams/device/file_descriptor.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace heron::inline v0 {

// Returns a path of that name in the folder for temporary files: TMPDIR, or /tmp.
std::string temporary_path(std::string_view name);

// One thread at a time. Throws Error(Write) that names `path`.
class ScratchFile {
 public:
  // The file is in the folder of `path`; the first write creates it.
  explicit ScratchFile(std::string path) : path_(std::move(path)) {}
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  void write_at(uint64_t offset, std::span<const std::byte> bytes);
  // The bytes must have been written.
  void read_at(uint64_t offset, std::span<std::byte> into) const;
  // Valid after the first write.
  int descriptor() const { return descriptor_.handle(); }

 private:
  std::string path_;
  boost::iostreams::file_descriptor descriptor_;
};

}  // namespace heron::inline v0
