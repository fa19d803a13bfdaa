#include "output/sink.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>

#include "base/fail.h"
#include "bytes/compression.h"
#include "bytes/output_file.h"
#include "bytes/system_call.h"
#include "heron/error.h"
#include "output/printable.h"

namespace heron::cli {

FileSink::FileSink(int descriptor, std::string name)
    : descriptor_(descriptor), name_(std::move(name)), memory_(kBufferBytes) {
  next_ = memory_.data();
  end_ = memory_.data() + memory_.size();
}

FileSink::FileSink(OutputFile& file, std::optional<Compression> compression)
    : FileSink(-1, file.path()) {
  file_ = &file;
  if (!compression) return;
  compressor_ =
      std::make_unique<Compressor>(*compression, [this](auto bytes) { append_to_file(bytes); });
}

FileSink::~FileSink() {
  try {
    flush();
  } catch (...) {
    // The error that is already being thrown is reported instead.
  }
}

void FileSink::flush() {
  const std::string_view pending(memory_.data(), static_cast<size_t>(next_ - memory_.data()));
  if (pending.empty()) return;
  if (before_writing_) before_writing_();
  next_ = memory_.data();  // discards output if writing fails
  write(escapes_ ? escaped(pending) : pending);
}

// Escapes the text, and keeps an incomplete character at its end in memory.
std::string_view FileSink::escaped(std::string_view text) {
  escaped_.clear();
  const size_t done = append_lines_printable(escaped_, text);
  next_ = std::copy(text.begin() + static_cast<ptrdiff_t>(done), text.end(), memory_.data());
  return escaped_;
}

void FileSink::write(std::string_view text) {
  if (file_ != nullptr) {
    const auto bytes = std::as_bytes(std::span(text));
    compressor_ != nullptr ? compressor_->write(bytes) : append_to_file(bytes);
    return;
  }
  const uint64_t written = heron::write_all(descriptor_, std::as_bytes(std::span(text)));
  if (written == text.size()) return;
  if (errno == EPIPE) throw ClosedPipe();
  fail(ErrorKind::Write, name_, "cannot be written: ", std::strerror(errno));
}

void FileSink::append_to_file(std::span<const std::byte> bytes) {
  file_->write_at(file_bytes_, bytes);
  file_bytes_ += bytes.size();
}

void FileSink::finish() {
  flush();
  if (compressor_ != nullptr) compressor_->finish();
}

bool FileSink::is_terminal() const noexcept {
  return ::isatty(descriptor_) == 1;
}

}  // namespace heron::cli
