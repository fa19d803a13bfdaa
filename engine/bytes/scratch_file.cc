#include "bytes/scratch_file.h"

#include <unistd.h>

#include "bytes/io_error.h"
#include "bytes/output_file.h"

namespace heron::inline v0 {
namespace {

// Repeats a pread or pwrite until all bytes are done.
template <class Transfer>
void transfer_all(Transfer transfer, uint64_t bytes, const std::string& path, const char* what) {
  for (uint64_t done = 0; done < bytes;) {
    const ssize_t moved = transfer(done, bytes - done);
    if (moved < 0 && errno == EINTR) continue;
    if (moved < 0) fail_write(path, "cannot ", what, " its scratch file");
    if (moved == 0) fail(ErrorKind::Write, path, "its scratch file has become shorter");
    done += static_cast<uint64_t>(moved);
  }
}

}  // namespace

ScratchFile::~ScratchFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void ScratchFile::write_at(uint64_t offset, std::span<const std::byte> bytes) {
  if (descriptor_ < 0) descriptor_ = open_scratch_file(path_);
  transfer_all(
      [&](uint64_t done, uint64_t left) {
        return ::pwrite(descriptor_, bytes.data() + done, left, static_cast<off_t>(offset + done));
      },
      bytes.size(), path_, "write");
}

void ScratchFile::read_at(uint64_t offset, std::span<std::byte> into) const {
  transfer_all(
      [&](uint64_t done, uint64_t left) {
        return ::pread(descriptor_, into.data() + done, left, static_cast<off_t>(offset + done));
      },
      into.size(), path_, "read");
}

}  // namespace heron::inline v0
