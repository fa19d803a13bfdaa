// Text output to a file descriptor or file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heron/text.h"

namespace heron::inline v0 {
class Compressor;
enum class Compression : uint8_t;
class OutputFile;
}

namespace heron::cli {

// Thrown when the reader of a pipe has closed it.
struct ClosedPipe {};

// Writes to a file descriptor, or into a file that the caller publishes. Throws Error(Write) and
// ClosedPipe. The destructor writes the rest and ignores errors: call flush() at the end.
class FileSink final : public TextSink {
 public:
  // `name` is for error texts. The caller keeps the descriptor.
  FileSink(int descriptor, std::string name);
  // Writes from the start of the file, which must outlive the sink, compressed if `compression` is
  // set.
  explicit FileSink(OutputFile& file, std::optional<Compression> compression = std::nullopt);
  ~FileSink() override;

  // Sets a function to call before each write.
  void before_writing(std::function<void()> call) { before_writing_ = std::move(call); }
  // From now on the output is JSON or CSV on a terminal: escapes unsafe characters.
  void escape_for_terminal() noexcept { escapes_ = true; }
  void flush();
  // Flushes; ends a compressed file, after which nothing can be written.
  void finish();
  bool is_terminal() const noexcept;
  // Returns the descriptor; below 0 for a file that has no name yet.
  int descriptor() const noexcept { return descriptor_; }

 private:
  void make_room(size_t) override { flush(); }
  void write(std::string_view text);
  void append_to_file(std::span<const std::byte> bytes);
  std::string_view escaped(std::string_view text);

  static constexpr size_t kBufferBytes = 256 * 1024;
  int descriptor_ = -1;
  OutputFile* file_ = nullptr;
  uint64_t file_bytes_ = 0;  // bytes written so far
  std::unique_ptr<Compressor> compressor_;
  std::string name_;
  std::function<void()> before_writing_;
  std::vector<char> memory_;
  bool escapes_ = false;
  std::string escaped_;
};

}  // namespace heron::cli
