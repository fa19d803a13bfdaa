// Bytes that are written in sequence and then read in the same sequence: in memory up to a limit,
// then in a scratch file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bytes/scratch_file.h"

namespace heron::inline v0::npy {

// One thread at a time. Throws Error(Write) that names `path`.
class TextSpill {
 public:
  explicit TextSpill(const std::string& path) : scratch_(path) {}

  void append(std::span<const std::byte> bytes);
  // Begins to read; nothing is appended afterwards.
  void rewind();
  // Returns the next bytes, which were appended; valid until the next call.
  const std::byte* next(uint64_t bytes);

 private:
  ScratchFile scratch_;
  std::vector<std::byte> buffer_;
  uint64_t written_ = 0;  // bytes in the file
  uint64_t read_ = 0;     // bytes of the file that were in the buffer
  uint64_t at_ = 0;       // in the buffer
};

}  // namespace heron::inline v0::npy
