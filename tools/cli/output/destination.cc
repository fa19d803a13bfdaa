#include "output/destination.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <string_view>

#include "base/fail.h"
#include "bytes/compression.h"
#include "bytes/output_file.h"
#include "heron/error.h"

namespace heron::cli {
namespace {

// Returns the descriptor of /dev/stdout and the like: opening a path again would write a file
// behind it from its start.
std::optional<int> descriptor_named(std::string_view path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    const std::string_view digits = path.substr(folder.size());
    int number = -1;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error == std::errc() && end == digits.data() + digits.size()) return number;
  }
  return std::nullopt;
}

bool is_device_or_pipe(const std::string& path) {
  struct stat found;
  return ::stat(path.c_str(), &found) == 0 && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode);
}

}  // namespace

bool is_file(const std::string& path) {
  return !descriptor_named(path) && !is_device_or_pipe(path);
}

Destination::Destination(const std::string& path, bool replace) {
  if (path.empty()) {
    sink_.emplace(STDOUT_FILENO, "standard output");
    return;
  }
  const std::optional<int> open_already = descriptor_named(path);
  if (is_file(path)) {
    file_ = std::make_unique<OutputFile>(path, existing_if(replace));
    sink_.emplace(*file_, compression_named(path));
    return;
  }
  opened_ = open_already ? ::fcntl(*open_already, F_DUPFD_CLOEXEC, 0)
                         : ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  // Opening a FIFO blocks until it has a reader.
  if (opened_ < 0 && errno == EINTR) fail(ErrorKind::Cancelled, path, "interrupted");
  if (opened_ < 0) {
    fail(ErrorKind::Write, path, "cannot be opened for writing: ", std::strerror(errno));
  }
  sink_.emplace(opened_, path);
}

Destination::~Destination() {
  sink_.reset();  // flushes
  if (opened_ >= 0) ::close(opened_);
}

void Destination::finish() {
  sink_->finish();
  if (file_ != nullptr) file_->publish();
}

}  // namespace heron::cli
