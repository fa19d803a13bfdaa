// Without a name, a file is gone with its last descriptor however the process ends. linkat() gives
// it one, through /proc/self/fd: by the descriptor alone it asks for a privilege. It never
// replaces; for that the file is linked under a temporary name beside the other first and renamed
// over it.
#include "bytes/output_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "bytes/io_error.h"
#include "bytes/mapped_file.h"
#include "bytes/pread_file.h"
#include "bytes/regular_file.h"

namespace heron::inline v0 {
namespace {

// With a "/" at its end.
std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "./" : path.substr(0, slash + 1);
}

// Calls make(name), which gives whether it has made that file, with names in the folder of `path`
// until one is free. Empty: none could be made, errno tells why.
template <class Make>
std::string make_temporary(const std::string& path, Make make) {
  std::random_device random;
  do {
    std::string name = concat(folder_of(path), ".heron-", random(), '-', random(), ".tmp");
    if (make(name)) return name;
  } while (errno == EEXIST);
  return {};
}

// Below 0: none could be made, errno tells why.
int open_unnamed(const std::string& path, mode_t mode) noexcept {
  return ::open(folder_of(path).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
}

int open_new(const std::string& name, mode_t mode) noexcept {
  return ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
}

std::string path_of(int descriptor) {
  return concat("/proc/self/fd/", descriptor);
}

// Not where /proc is missing.
bool has_path(int descriptor) {
  return ::access(path_of(descriptor).c_str(), F_OK) == 0;
}

// Both fail with EEXIST where the name is not free.
bool link_as(int descriptor, const std::string& name) {
  return ::linkat(AT_FDCWD, path_of(descriptor).c_str(), AT_FDCWD, name.c_str(),
                  AT_SYMLINK_FOLLOW) == 0;
}

bool rename_to_free(const char* from, const char* to) noexcept {
  if (::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return true;
  if (errno != EINVAL && errno != ENOSYS) return false;  // else it is NFS, for one
  return ::link(from, to) == 0 && ::unlink(from) == 0;
}

[[noreturn]] void fail_exists(const std::string& path) {
  fail(ErrorKind::Write, path, "already exists; --force replaces it");
}

void sync_folder_of(const std::string& path) {
  // A folder that may be written to but not read cannot be synced; what is in it is there all the
  // same.
  const int folder = ::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  const int synced = ::fsync(folder);
  const int number = errno;
  ::close(folder);
  errno = number;
  if (synced != 0) fail_write(path, "its folder cannot be synced");
}

}  // namespace

OutputFile::OutputFile(std::string path, Existing existing)
    : path_(std::move(path)), existing_(existing) {
  check_target(path_, existing_);
  constexpr mode_t kMode = 0666;
  descriptor_ = open_unnamed(path_, kMode);
  if (descriptor_ >= 0 && has_path(descriptor_)) return;
  if (descriptor_ >= 0) ::close(descriptor_);  // nor could it be named later
  temporary_ = make_temporary(path_, [&](const std::string& name) {
    descriptor_ = open_new(name, kMode);
    return descriptor_ >= 0;
  });
  if (descriptor_ < 0) fail_write(path_, "cannot be made");
}

void OutputFile::check_target(const std::string& path, Existing existing) {
  struct stat found;
  if (::stat(path.c_str(), &found) == 0) require_regular(path, found.st_mode, ErrorKind::Write);
  // A link that leads nowhere has the name, too.
  if (existing == Existing::Keep && ::lstat(path.c_str(), &found) == 0) fail_exists(path);
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(other.path_),
      existing_(other.existing_),
      temporary_(std::exchange(other.temporary_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)),
      name_was_free_(std::exchange(other.name_was_free_, false)) {}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::write_at(uint64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t put =
        ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) fail_write(path_, "cannot write ", bytes.size(), " bytes at byte ", offset);
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

std::shared_ptr<const ByteSource> OutputFile::written() const {
  RegularFile file(path_, ::fcntl(descriptor_, F_DUPFD_CLOEXEC, 0));
  return has_path(file.descriptor()) ? map_file(path_, std::move(file))
                                     : pread_file(path_, std::move(file));
}

// Else errno tells why not.
bool OutputFile::take_free_name() const {
  if (!temporary_.empty()) return rename_to_free(temporary_.c_str(), path_.c_str());
  return link_as(descriptor_, path_);
}

void OutputFile::replace() {
  if (temporary_.empty()) {
    temporary_ =
        make_temporary(path_, [&](const std::string& name) { return link_as(descriptor_, name); });
  }
  if (temporary_.empty() || ::rename(temporary_.c_str(), path_.c_str()) != 0) {
    fail_write(path_, "cannot be named");
  }
}

void OutputFile::take_name() {
  name_was_free_ = take_free_name();
  if (!name_was_free_) {
    if (errno != EEXIST) fail_write(path_, "cannot be named");
    if (existing_ == Existing::Keep) fail_exists(path_);
    replace();
  }
  temporary_.clear();
}

void OutputFile::give_name_back() noexcept {
  if (std::exchange(name_was_free_, false)) ::unlink(path_.c_str());
}

void OutputFile::publish(std::span<OutputFile> files) {
  for (const OutputFile& file : files) {
    if (::fsync(file.descriptor_) != 0) fail_write(file.path_, "cannot be synced");
  }
  size_t named = 0;
  try {
    for (; named < files.size(); ++named) files[named].take_name();
    std::set<std::string> folders;
    for (const OutputFile& file : files) {
      if (folders.insert(folder_of(file.path_)).second) sync_folder_of(file.path_);
    }
  } catch (...) {
    for (OutputFile& file : files.first(named)) file.give_name_back();
    throw;
  }
}

int open_scratch_file(const std::string& path) {
  constexpr mode_t kMode = 0600;
  int descriptor = open_unnamed(path, kMode);
  if (descriptor >= 0) return descriptor;
  const std::string name = make_temporary(path, [&](const std::string& free) {
    descriptor = open_new(free, kMode);
    return descriptor >= 0;
  });
  if (descriptor < 0) fail_write(path, "no scratch file can be made beside it");
  ::unlink(name.c_str());
  return descriptor;
}

}  // namespace heron::inline v0
