// Text output through one buffer, filled without a call per value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace heron::inline v0 {
class OutputFile;
}

namespace heron::cli {

// One thread at a time.
class Sink {
 public:
  virtual ~Sink() = default;
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  // At least `bytes` (up to kRoom) writable bytes; advance() sets the end of what was written.
  char* room(size_t bytes) {
    if (static_cast<size_t>(end_ - next_) < bytes) make_room(bytes);
    return next_;
  }
  void advance(char* to) noexcept { next_ = to; }

  void append(char c) {
    *room(1) = c;
    ++next_;
  }
  void append(std::string_view text) {
    while (static_cast<size_t>(end_ - next_) < text.size()) {
      const size_t fits = static_cast<size_t>(end_ - next_);
      copy(text.substr(0, fits));
      text.remove_prefix(fits);
      make_room(text.size() < kRoom ? text.size() : kRoom);
    }
    copy(text);
  }

  static constexpr size_t kRoom = 4096;

 protected:
  Sink() = default;
  virtual void make_room(size_t bytes) = 0;

  char* next_ = nullptr;
  char* end_ = nullptr;

 private:
  void copy(std::string_view text) {
    if (!text.empty()) std::memcpy(next_, text.data(), text.size());
    next_ += text.size();
  }
};

// Keeps the text.
class StringSink final : public Sink {
 public:
  std::string_view text() const noexcept {
    return {memory_.data(), static_cast<size_t>(next_ - memory_.data())};
  }
  void clear() noexcept { next_ = memory_.data(); }

 private:
  void make_room(size_t bytes) override;
  std::vector<char> memory_;
};

// Thrown when the reader of a pipe has closed it.
struct ClosedPipe {};

// Writes to a file descriptor, or into a file that the caller publishes. Throws Error(Write) and
// ClosedPipe. The destructor writes the rest and ignores errors: call flush() at the end.
class FileSink final : public Sink {
 public:
  // `name` is for error texts. The caller keeps the descriptor.
  FileSink(int descriptor, std::string name);
  // Writes from the start of the file, which must outlive the sink.
  explicit FileSink(OutputFile& file);
  ~FileSink() override;

  // Sets a function to call before each write.
  void before_writing(std::function<void()> call) { before_writing_ = std::move(call); }
  // From now on the output is JSON or CSV on a terminal: escapes unsafe characters.
  void escape_for_terminal() noexcept { escapes_ = true; }
  void flush();
  bool is_terminal() const noexcept;
  // Below 0: a file without a name so far.
  int descriptor() const noexcept { return descriptor_; }

 private:
  void make_room(size_t) override { flush(); }
  void write(std::string_view text);
  std::string_view escaped(std::string_view text);

  static constexpr size_t kBufferBytes = 256 * 1024;
  int descriptor_ = -1;
  OutputFile* file_ = nullptr;
  uint64_t file_bytes_ = 0;  // written so far
  std::string name_;
  std::function<void()> before_writing_;
  std::vector<char> memory_;
  bool escapes_ = false;
  std::string escaped_;
};

}  // namespace heron::cli
