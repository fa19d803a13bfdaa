// Text of a file that is being written.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bytes/output_file.h"
#include "heron/text.h"

namespace heron::inline v0 {

// Buffers text and writes it to the file, one piece after the other.
class FileText final : public TextSink {
 public:
  explicit FileText(OutputFile& file) : file_(file), memory_(kBufferBytes) {
    next_ = memory_.data();
    end_ = memory_.data() + memory_.size();
  }

  void flush() {
    const std::span text(memory_.data(), static_cast<size_t>(next_ - memory_.data()));
    file_.write_at(bytes_, std::as_bytes(text));
    bytes_ += text.size();
    next_ = memory_.data();
  }
  uint64_t bytes() const noexcept { return bytes_ + static_cast<uint64_t>(next_ - memory_.data()); }

 private:
  void make_room(size_t) override { flush(); }

  static constexpr size_t kBufferBytes = 256 * 1024;
  OutputFile& file_;
  uint64_t bytes_ = 0;  // bytes in the file
  std::vector<char> memory_;
};

}  // namespace heron::inline v0
