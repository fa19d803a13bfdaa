#include "bytes/standard_input.h"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <vector>

#include "bytes/io_error.h"
#include "bytes/mapped_file.h"
#include "bytes/pread_file.h"
#include "bytes/regular_file.h"
#include "bytes/scratch_file.h"

namespace heron::inline v0 {
namespace {

constexpr const char* kName = "standard input";

bool is_whole_file() {
  struct stat status;
  return ::fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode) &&
         ::lseek(STDIN_FILENO, 0, SEEK_CUR) == 0;
}

RegularFile copied_input(const Context& context) {
  ScratchFile scratch(temporary_path(kName));
  scratch.write_at(0, {});
  std::vector<std::byte> buffer(uint64_t{1} << 20);
  for (uint64_t done = 0;;) {
    context.check_cancelled();
    const ssize_t got = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (got == 0) break;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_io(kName, "cannot be read");
    scratch.write_at(done, std::span(buffer).first(static_cast<size_t>(got)));
    done += static_cast<uint64_t>(got);
  }
  return {kName, scratch.descriptor()};
}

// The process has one such file, because standard input can be read only once.
RegularFile standard_input(const Context& context) {
  static std::mutex mutex;
  static std::optional<RegularFile> file;
  const std::lock_guard lock(mutex);
  if (!file) file = is_whole_file() ? RegularFile(kName, STDIN_FILENO) : copied_input(context);
  return *file;
}

}  // namespace

std::shared_ptr<const ByteSource> open_input(const std::string& path, bool map,
                                             const Context& context, Access access) {
  if (path != "-") return open_file(path, map, access);
  RegularFile file = standard_input(context);
  return map ? map_file(kName, std::move(file), access)
             : pread_file(kName, std::move(file), access);
}

}  // namespace heron::inline v0
