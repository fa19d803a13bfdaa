// A file of some 200 MB whose pages can be dropped from memory.
#pragma once

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "generate/preset.h"
#include "heron/heron.h"
#include "temp_folder.h"

namespace heron {

inline constexpr uint64_t kColdRows = 3'600'000;  // some 200 MB
inline constexpr uint64_t kColdPage = 4096;

// Returns the path of one file for all tests.
inline const std::string& cold_path() {
  static const test::TempFolder folder;
  static const std::string path = [] {
    const std::string name = folder / "cold.jay";
    const auto preset = generate::make_preset("peers", 5);
    const auto writer = create(name, *preset->schema());
    RowBatch batch;
    for (uint64_t done = 0; done < kColdRows; done += batch.rows) {
      preset->fill(100'000, batch);
      writer->write(batch);
    }
    writer->close();
    writer->publish();
    return name;
  }();
  return path;
}

// Returns whether the pages have left memory, but for the few that are in use.
inline bool drop(const std::string& path) {
  constexpr uint64_t kLooks = 500;
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const auto bytes = static_cast<uint64_t>(::lseek(file, 0, SEEK_END));
  ::fsync(file);
  ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  uint64_t stayed = 0;
  for (uint64_t i = 0; i < kLooks; ++i) {
    char byte;
    const iovec into = {&byte, 1};
    const auto at = static_cast<off_t>(bytes / kLooks * i);
    stayed += ::preadv2(file, &into, 1, at, RWF_NOWAIT) < 0 ? 0 : 1;
  }
  ::close(file);
  return stayed < kLooks / 50;
}

// Returns the least result of measure(), which is called until it returns `enough` or less: the
// system may take any page back before it is read, as Linux does in the background where DAMON
// reclaims memory, and prefetched pages may come late. Returns nullopt as soon as measure() does.
template <class Measure>
std::optional<uint64_t> least_of_tries(uint64_t enough, Measure measure) {
  constexpr int kTries = 12;
  std::optional<uint64_t> least = measure();
  for (int i = 1; i < kTries && least && *least > enough; ++i) {
    const std::optional<uint64_t> more = measure();
    least = more ? std::min(*least, *more) : more;
  }
  return least;
}

inline uint64_t device_bytes_read() {
  std::ifstream counters("/proc/self/io");
  std::string name;
  for (uint64_t value = 0; counters >> name >> value;) {
    if (name == "read_bytes:") return value;
  }
  return 0;
}

inline std::vector<uint64_t> random_rows(uint64_t count, uint64_t below) {
  std::mt19937_64 random(count);
  std::vector<uint64_t> rows(count);
  for (uint64_t& row : rows) row = random() % below;
  return rows;
}

}  // namespace heron
