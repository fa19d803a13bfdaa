#include "bytes/regular_file.h"

#include <fcntl.h>

#include "base/fail.h"
#include "bytes/io_error.h"
#include "bytes/system_call.h"

namespace heron::inline v0 {
namespace {

int open_to_read(const std::string& path) noexcept {
  // O_NONBLOCK and O_NOCTTY have no effect on regular files; all others can be opened and refused.
  constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  return uninterrupted([&] { return ::open(path.c_str(), kFlags); });
}

}  // namespace

RegularFile::RegularFile(const std::string& path) {
  hold(path, open_to_read(path));
}

RegularFile::RegularFile(const std::string& path, int descriptor) {
  hold(path, ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
}

std::optional<RegularFile> RegularFile::find(const std::string& path) {
  RegularFile file;
  const int descriptor = open_to_read(path);
  const bool is_none = errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG;
  if (descriptor < 0 && is_none) return std::nullopt;
  file.hold(path, descriptor);
  return file;
}

void RegularFile::hold(const std::string& path, int descriptor) {
  if (descriptor < 0) fail_io(path, "cannot be opened");
  descriptor_.open(descriptor, boost::iostreams::close_handle);
  struct stat status;
  if (::fstat(descriptor, &status) != 0) fail_io(path, "cannot be examined");
  require_regular(path, status.st_mode);
  size_ = static_cast<uint64_t>(status.st_size);
  modified_ = status.st_mtim;
  owner_ = status.st_uid;
  mode_ = status.st_mode;
}

void RegularFile::read(uint64_t offset, std::span<std::byte> into, const std::string& name) const {
  const uint64_t got = read_all(descriptor(), into, offset);
  if (got == into.size()) return;
  const uint64_t left = into.size() - got;
  if (errno != 0) fail_io(name, "cannot read ", left, " bytes at byte ", offset + got);
  fail(ErrorKind::Changed, name, "was cut short while open: expected ", left, " bytes at byte ",
       offset + got, ", got none");
}

const char* RegularFile::change() const noexcept {
  struct stat now;
  if (::fstat(descriptor(), &now) != 0) return "cannot be examined any more";
  const auto size = static_cast<uint64_t>(now.st_size);
  if (size < size_) return "was cut short while open";
  if (size > size_) return "has grown while open";
  const bool same_time =
      now.st_mtim.tv_sec == modified_.tv_sec && now.st_mtim.tv_nsec == modified_.tv_nsec;
  return same_time ? nullptr : "was written to while open";
}

void require_regular(const std::string& path, mode_t mode, ErrorKind kind) {
  if (S_ISREG(mode)) return;
  const char* what = S_ISDIR(mode)    ? "a directory"
                     : S_ISFIFO(mode) ? "a FIFO"
                     : S_ISCHR(mode)  ? "a character device"
                     : S_ISBLK(mode)  ? "a block device"
                                      : "a socket";
  fail(kind, path, "is ", what, ", not a regular file");
}

}  // namespace heron::inline v0
