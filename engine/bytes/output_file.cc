#include "bytes/output_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <random>
#include <vector>

#include "bytes/io_error.h"
#include "bytes/regular_file.h"

namespace heron::inline v0 {
namespace {

// With a "/" at its end.
std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "./" : path.substr(0, slash + 1);
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  struct stat there;
  if (::stat(path_.c_str(), &there) == 0) require_regular(path_, there.st_mode);
  std::random_device random;
  do {
    temporary_ = concat(folder_of(path_), ".heron-", random(), '-', random(), ".tmp");
    descriptor_ = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor_ < 0 && errno == EEXIST);
  if (descriptor_ < 0) fail_io(path_, "cannot be made");
}

OutputFile::~OutputFile() {
  ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::write_at(uint64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t put =
        ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) fail_io(path_, "cannot write ", bytes.size(), " bytes at byte ", offset);
    offset += static_cast<uint64_t>(put);
    bytes = bytes.subspan(static_cast<size_t>(put));
  }
}

void OutputFile::copy_from(int descriptor, uint64_t from, uint64_t bytes, uint64_t to) {
  auto in = static_cast<off_t>(from);
  auto out = static_cast<off_t>(to);
  while (bytes > 0) {  // where the kernel will not, the loop below does it or knows why not
    const ssize_t copied = ::copy_file_range(descriptor, &in, descriptor_, &out, bytes, 0);
    if (copied <= 0) break;
    bytes -= static_cast<uint64_t>(copied);
  }
  std::vector<std::byte> buffer(std::min<uint64_t>(bytes, 256 << 10));
  while (bytes > 0) {
    const ssize_t got = ::pread(descriptor, buffer.data(), std::min(bytes, buffer.size()), in);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_io(path_, "cannot be copied to: reading ", bytes, " bytes at byte ", in);
    if (got == 0) {
      fail(ErrorKind::Io, path_, "cannot be copied to: the source ends ", bytes,
           " bytes too early");
    }
    write_at(static_cast<uint64_t>(out), std::span(buffer).first(static_cast<size_t>(got)));
    in += got;
    out += got;
    bytes -= static_cast<uint64_t>(got);
  }
}

void OutputFile::publish() {
  if (::fsync(descriptor_) != 0) fail_io(path_, "cannot be synced");
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail_io(path_, "cannot be named");
  temporary_.clear();
  // A folder that may be written to but not read cannot be synced; the file is there all the same.
  const int folder = ::open(folder_of(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  const int synced = ::fsync(folder);
  const int number = errno;
  ::close(folder);
  errno = number;
  if (synced != 0) fail_io(path_, "is there, but its folder cannot be synced");
}

int open_scratch_file(const std::string& path) {
  const std::string folder = folder_of(path);
  int descriptor = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor >= 0) return descriptor;
  std::string name = folder + ".heron-XXXXXX";  // not every file system knows files without names
  descriptor = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor < 0) fail_io(path, "no scratch file can be made beside it");
  ::unlink(name.c_str());
  return descriptor;
}

}  // namespace heron::inline v0
