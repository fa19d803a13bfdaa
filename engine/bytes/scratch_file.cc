#include "bytes/scratch_file.h"

#include <cstdlib>

#include "base/fail.h"
#include "bytes/io_error.h"
#include "bytes/output_file.h"
#include "bytes/system_call.h"

namespace heron::inline v0 {

std::string temporary_path(std::string_view name) {
  const char* folder = std::getenv("TMPDIR");
  return concat(folder == nullptr || *folder == '\0' ? "/tmp" : folder, "/", name);
}

void ScratchFile::write_at(uint64_t offset, std::span<const std::byte> bytes) {
  if (!descriptor_.is_open()) {
    descriptor_.open(open_scratch_file(path_), boost::iostreams::close_handle);
  }
  if (write_all(descriptor(), bytes, offset) < bytes.size()) {
    fail_write(path_, "cannot write its scratch file");
  }
}

void ScratchFile::read_at(uint64_t offset, std::span<std::byte> into) const {
  if (read_all(descriptor(), into, offset) == into.size()) return;
  if (errno != 0) fail_write(path_, "cannot read its scratch file");
  fail(ErrorKind::Write, path_, "its scratch file has become shorter");
}

}  // namespace heron::inline v0
