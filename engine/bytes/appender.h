// Collects small consecutive writes to a file into large ones.
#pragma once

#include <cstring>
#include <span>
#include <vector>

#include "bytes/output_file.h"

namespace heron::inline v0 {

// Appends from an offset on. The file must outlive it. One thread at a time. Throws Error(Write).
class Appender {
 public:
  Appender(OutputFile& file, uint64_t offset) : file_(&file), start_(offset) {
    pending_.reserve(kBufferBytes);
  }

  void append(std::span<const std::byte> bytes) {
    if (bytes.size() > kBufferBytes - pending_.size()) flush();
    if (bytes.size() > kBufferBytes) {
      file_->write_at(start_, bytes);
      start_ += bytes.size();
    } else {
      pending_.insert(pending_.end(), bytes.begin(), bytes.end());
    }
  }
  // Appends one number in its stored form: append_cell<i32be>(k).
  template <class Stored>
  void append_cell(typename Stored::value_type value) {
    const Stored stored(value);
    append(std::as_bytes(std::span(&stored, 1)));
  }
  // Writes the buffer to the file. More may follow.
  void flush() {
    file_->write_at(start_, pending_);
    start_ += pending_.size();
    pending_.clear();
  }
  // The offset of the next append.
  uint64_t end() const noexcept { return start_ + pending_.size(); }

 private:
  static constexpr uint64_t kBufferBytes = uint64_t{256} << 10;

  OutputFile* file_;
  uint64_t start_;  // offset of the pending bytes
  std::vector<std::byte> pending_;
};

}  // namespace heron::inline v0
