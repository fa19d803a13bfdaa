#include "output/sink.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <span>

#include "bytes/output_file.h"
#include "bytes/system_call.h"
#include "heron/error.h"

namespace heron::cli {

void StringSink::make_room(size_t bytes) {
  const size_t used = text().size();
  memory_.resize(std::max(2 * memory_.size(), used + bytes));
  next_ = memory_.data() + used;
  end_ = memory_.data() + memory_.size();
}

FileSink::FileSink(int descriptor, std::string name)
    : descriptor_(descriptor), name_(std::move(name)), memory_(kBufferBytes) {
  next_ = memory_.data();
  end_ = memory_.data() + memory_.size();
}

FileSink::FileSink(OutputFile& file) : FileSink(-1, file.path()) {
  file_ = &file;
}

FileSink::~FileSink() {
  try {
    flush();
  } catch (...) {
    // Another error is on its way already: that one is reported.
  }
}

void FileSink::flush() {
  const std::string_view pending(memory_.data(), static_cast<size_t>(next_ - memory_.data()));
  if (pending.empty()) return;
  if (before_writing_) before_writing_();
  next_ = memory_.data();  // what cannot be written is not tried again
  if (file_ == nullptr) return write_all(pending);
  file_->write_at(file_bytes_, std::as_bytes(std::span(pending)));
  file_bytes_ += pending.size();
}

void FileSink::write_all(std::string_view bytes) const {
  const uint64_t written = heron::write_all(descriptor_, std::as_bytes(std::span(bytes)));
  if (written == bytes.size()) return;
  if (errno == EPIPE) throw ClosedPipe();
  fail(ErrorKind::Write, name_, "cannot be written: ", std::strerror(errno));
}

bool FileSink::is_terminal() const noexcept {
  return ::isatty(descriptor_) == 1;
}

}  // namespace heron::cli
