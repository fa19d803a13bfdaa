#include "output/sink.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

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

FileSink::~FileSink() {
  try {
    flush();
  } catch (...) {
    // Another error is on its way already: that one is told.
  }
}

void FileSink::flush() {
  const char* from = memory_.data();
  const char* const to = next_;
  if (from < to && before_writing_) before_writing_();
  next_ = memory_.data();  // what cannot be written is not tried again
  while (from < to) {
    const ssize_t written = ::write(descriptor_, from, static_cast<size_t>(to - from));
    if (written >= 0) {
      from += written;
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
