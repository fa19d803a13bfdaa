#include "output/sink.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "heron/error.h"
#include "output/printable.h"

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

FileSink::~FileSink() {
  try {
    flush();
  } catch (...) {
    // Another error is on its way already: that one is told.
  }
}

void FileSink::flush() {
  const std::string_view text(memory_.data(), static_cast<size_t>(next_ - memory_.data()));
  if (!text.empty() && before_writing_) before_writing_();
  next_ = memory_.data();  // what cannot be written is not tried again
  write(escapes_ ? escaped(text) : text);
}

// What is not yet a whole character stays in memory.
std::string_view FileSink::escaped(std::string_view text) {
  escaped_.clear();
  const size_t done = append_lines_printable(escaped_, text);
  next_ = std::copy(text.begin() + static_cast<ptrdiff_t>(done), text.end(), memory_.data());
  return escaped_;
}

void FileSink::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<size_t>(written));
    } else if (errno == EPIPE) {
      throw ClosedPipe();
    } else if (errno != EINTR) {
      fail(ErrorKind::Io, name_, "cannot be written: ", std::strerror(errno));
    }
  }
}

bool FileSink::is_terminal() const noexcept {
  return ::isatty(descriptor_) == 1;
}

}  // namespace heron::cli
