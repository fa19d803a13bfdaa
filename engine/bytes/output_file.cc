// A file without a name is removed with its last descriptor, however the process ends. linkat()
// gives it one, through /proc/self/fd: by the descriptor alone it requires a privilege. linkat()
// never replaces a file; to replace one, the new file is linked under a temporary name beside it
// and renamed over it.
#include "bytes/output_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "base/hints.h"
#include "bytes/io_error.h"
#include "bytes/mapped_file.h"
#include "bytes/pread_file.h"
#include "bytes/regular_file.h"
#include "bytes/system_call.h"

namespace heron::inline v0 {
namespace {

// Returns the folder of a path, with a "/" at the end.
std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "./" : path.substr(0, slash + 1);
}

// Calls make(name), which returns whether it created that file, with names in the folder of `path`
// until one is free; not forever, because some file systems refuse every name with EEXIST. Returns
// an empty name if none could be created, with the reason in errno.
template <class Make>
std::string make_temporary(const std::string& path, Make make) {
  constexpr int kMaxTries = 100;
  std::random_device random;
  for (int i = 0; i < kMaxTries; ++i) {
    std::string name = concat(folder_of(path), ".heron-", random(), '-', random(), ".tmp");
    if (make(name)) return name;
    if (errno != EEXIST) break;
  }
  return {};
}

// Returns a descriptor; below 0: failed, with the reason in errno.
int open_unnamed(const std::string& path, mode_t mode) {
  const std::string folder = folder_of(path);
  return uninterrupted(
      [&] { return ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, mode); });
}

int open_new(const std::string& name, mode_t mode) noexcept {
  return uninterrupted(
      [&] { return ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode); });
}

std::string path_of(int descriptor) {
  return "/proc/self/fd/" + std::to_string(descriptor);
}

// Returns false if /proc is missing.
bool has_path(int descriptor) {
  return ::access(path_of(descriptor).c_str(), F_OK) == 0;
}

// Both fail with EEXIST if the name exists.
bool link_as(int descriptor, const std::string& name) {
  return ::linkat(AT_FDCWD, path_of(descriptor).c_str(), AT_FDCWD, name.c_str(),
                  AT_SYMLINK_FOLLOW) == 0;
}

bool rename_to_free(const char* from, const char* to) noexcept {
  if (::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return true;
  if (errno != EINVAL && errno != ENOSYS) return false;  // else for example NFS
  if (::link(from, to) != 0) return false;
  ::unlink(from);  // else it has both names
  return true;
}

// Follows a symbolic link: its target is replaced, in its own folder, and the link stays.
std::string followed(const std::string& path) {
  struct stat found;
  if (::lstat(path.c_str(), &found) != 0 || !S_ISLNK(found.st_mode)) return path;
  const std::unique_ptr<char, decltype(&std::free)> end(::realpath(path.c_str(), nullptr),
                                                        &std::free);
  if (end == nullptr) fail_write(path, "is a link that cannot be followed");
  return end.get();
}

// Gives a new file the owner and mode of the file it replaces, as far as permitted. If its group is
// not the old one, the group gets no more than the permissions of others.
void keep_owner_and_mode(int descriptor, const struct stat& old) noexcept {
  mode_t mode = old.st_mode & 07777;
  if (::fchown(descriptor, old.st_uid, old.st_gid) != 0) {
    mode &= 01777;  // the set-id bits were for that owner to grant
    const bool same_group = ::fchown(descriptor, static_cast<uid_t>(-1), old.st_gid) == 0;
    if (!same_group) mode &= ~mode_t{070} | (mode & 07) << 3;
  }
  ::fchmod(descriptor, mode);  // if it fails, only the owner has access
}

[[noreturn]] void fail_exists(const std::string& path) {
  fail_with_hint(ErrorKind::Write, hint::kReplace, path, "already exists");
}

void sync_folder(const std::string& folder, const std::string& path) {
  // A folder that is writable but not readable cannot be synced; its files exist anyway.
  const int descriptor =
      uninterrupted([&] { return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
  if (descriptor < 0) return;
  const int synced = uninterrupted([&] { return ::fsync(descriptor); });
  const int number = errno;
  ::close(descriptor);
  errno = number;
  if (synced != 0) fail_write(path, "its folder cannot be synced");
}

}  // namespace

OutputFile::OutputFile(std::string path, Existing existing)
    : path_(std::move(path)), existing_(existing) {
  check_target(path_, existing_);
  target_ = existing_ == Existing::Replace ? followed(path_) : path_;
  struct stat old;
  const bool keeps_mode = existing_ == Existing::Replace && ::stat(target_.c_str(), &old) == 0;
  make(keeps_mode ? 0600 : 0666);
  if (keeps_mode) keep_owner_and_mode(descriptor(), old);
}

void OutputFile::make(mode_t mode) {
  int descriptor = open_unnamed(target_, mode);
  if (descriptor >= 0 && !has_path(descriptor)) {  // nor could it get a name later
    ::close(descriptor);
    descriptor = -1;
  }
  if (descriptor < 0) {
    temporary_ = make_temporary(target_, [&](const std::string& name) {
      descriptor = open_new(name, mode);
      return descriptor >= 0;
    });
  }
  if (descriptor < 0) fail_write(path_, "cannot be made");
  descriptor_.open(descriptor, boost::iostreams::close_handle);
}

void OutputFile::check_target(const std::string& path, Existing existing) {
  struct stat found;
  if (::stat(path.c_str(), &found) == 0) require_regular(path, found.st_mode, ErrorKind::Write);
  // A dangling link has the name, too.
  if (existing == Existing::Keep && ::lstat(path.c_str(), &found) == 0) fail_exists(path);
  if (existing == Existing::Replace) followed(path);
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      existing_(other.existing_),
      temporary_(std::exchange(other.temporary_, {})),
      descriptor_(other.descriptor_),
      name_was_free_(std::exchange(other.name_was_free_, false)) {}

OutputFile::~OutputFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::write_at(uint64_t offset, std::span<const std::byte> bytes) {
  const uint64_t put = write_all(descriptor(), bytes, offset);
  if (put == bytes.size()) return;
  fail_write(path_, "cannot write ", bytes.size() - put, " bytes at byte ", offset + put);
}

// Failures are ignored: if the file system has no space, writing reports it.
void OutputFile::allocate(uint64_t bytes) noexcept {
  if (bytes > INT64_MAX) return;
  uninterrupted([&] { return ::fallocate(descriptor(), 0, 0, static_cast<off_t>(bytes)); });
}

void OutputFile::read_at(uint64_t offset, std::span<std::byte> into) const {
  if (read_all(descriptor(), into, offset) == into.size()) return;
  if (errno != 0) fail_write(path_, "cannot be read while it is written");
  fail(ErrorKind::Write, path_, "has become shorter while it is written");
}

void OutputFile::copy_from(int source, uint64_t from, uint64_t bytes, uint64_t to) {
  auto in = static_cast<off_t>(from);
  auto out = static_cast<off_t>(to);
  while (bytes > 0) {  // if the kernel refuses, the loop below copies or fails with the reason
    const ssize_t copied = ::copy_file_range(source, &in, descriptor(), &out, bytes, 0);
    if (copied <= 0) break;
    bytes -= static_cast<uint64_t>(copied);
  }
  std::vector<std::byte> buffer(std::min<uint64_t>(bytes, 256 << 10));
  while (bytes > 0) {
    const auto piece = std::span(buffer).first(std::min<uint64_t>(bytes, buffer.size()));
    const uint64_t got = read_all(source, piece, static_cast<uint64_t>(in));
    if (got < piece.size() && errno != 0) {
      fail_io(path_, "cannot be copied to: reading ", bytes, " bytes at byte ", in);
    }
    if (got < piece.size()) {
      fail(ErrorKind::Io, path_, "cannot be copied to: the source ends ", bytes - got,
           " bytes too early");
    }
    write_at(static_cast<uint64_t>(out), piece);
    in += static_cast<off_t>(got);
    out += static_cast<off_t>(got);
    bytes -= got;
  }
}

void OutputFile::keep_private(const std::string& about) {
  struct stat status, read;
  const mode_t readers = ::stat(about.c_str(), &read) == 0 ? read.st_mode & (S_IRGRP | S_IROTH) : 0;
  if (::fstat(descriptor(), &status) != 0 ||
      ::fchmod(descriptor(), status.st_mode & (S_IRWXU | readers)) != 0) {
    fail_io(path_, "cannot be closed to others");
  }
}

std::shared_ptr<const ByteSource> OutputFile::written() const {
  RegularFile file(path_, descriptor());
  return has_path(file.descriptor()) ? map_file(path_, std::move(file))
                                     : pread_file(path_, std::move(file));
}

// On failure errno has the reason.
bool OutputFile::take_free_name() const {
  if (!temporary_.empty()) return rename_to_free(temporary_.c_str(), target_.c_str());
  return link_as(descriptor(), target_);
}

void OutputFile::replace() {
  if (temporary_.empty()) {
    temporary_ = make_temporary(
        target_, [&](const std::string& name) { return link_as(descriptor(), name); });
  }
  if (temporary_.empty() || ::rename(temporary_.c_str(), target_.c_str()) != 0) {
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
  if (std::exchange(name_was_free_, false)) ::unlink(target_.c_str());
}

void OutputFile::publish(std::span<OutputFile> files) {
  // Holds one file per folder. No memory is allocated after the last name is given.
  std::map<std::string, const OutputFile*> folders;
  for (const OutputFile& file : files) {
    if (uninterrupted([&] { return ::fsync(file.descriptor()); }) != 0) {
      fail_write(file.path_, "cannot be synced");
    }
    folders.emplace(folder_of(file.target_), &file);
  }
  size_t named = 0;
  try {
    for (; named < files.size(); ++named) files[named].take_name();
    for (const auto& [folder, file] : folders) sync_folder(folder, file->path_);
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
