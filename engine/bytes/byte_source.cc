#include "bytes/byte_source.h"

#include <time.h>

#include <algorithm>

#include "base/fail.h"
#include "bytes/file_pages.h"
#include "bytes/mapped_file.h"
#include "bytes/pread_file.h"

namespace heron::inline v0 {

namespace {

uint64_t tick_of_the_clock() noexcept {
  timespec now;
  ::clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

}  // namespace

ByteSource::ByteSource(std::string name, uint64_t size, const std::byte* base)
    : name_(std::move(name)), size_(size), base_(base), checked_tick_(tick_of_the_clock()) {}

void ByteSource::check_metadata_of(uint64_t bytes, std::string_view what, uint64_t offset) const {
  constexpr uint64_t kMaxCopiedBytes = uint64_t{256} << 20;  // tables need less
  if (base_ == nullptr && bytes > kMaxCopiedBytes) {
    fail(ErrorKind::Limit, name_, what, " at byte ", offset, ": expected at most ", kMaxCopiedBytes,
         " bytes of metadata in a payload or a file without a map, got ", bytes);
  }
  check_read_of(bytes);
}

void ByteSource::check_unchanged() const {
  check_lost();
  if (const char* how = change()) throw_changed(how);
}

void ByteSource::check_recently() const {
  check_lost();
  const uint64_t tick = tick_of_the_clock();
  if (checked_tick_.load(std::memory_order_relaxed) == tick) return;
  check_unchanged();
  // The tick is stored only for an unchanged file, so that the next call reports a change again.
  checked_tick_.store(tick, std::memory_order_relaxed);
}

void ByteSource::throw_changed(const char* how) const {
  fail(ErrorKind::Changed, name_, how);
}

bool ByteSource::may_be_cold(uint64_t least_bytes) const noexcept {
  return std::any_of(files_.begin(), files_.end(), [&](const FileInUse& file) {
    return file.pages->may_be_cold(least_bytes);
  });
}

bool ByteSource::releases() const noexcept {
  return std::any_of(files_.begin(), files_.end(), [](const FileInUse& file) {
    return file.in_place && file.pages->releases();
  });
}

// Gives no hints for many files: each file is small beside the readahead around a page, and one
// call per file would be slow.
ScatteredReads::ScatteredReads(const ByteSource& source) noexcept
    : files_(source.files().size() > 16 ? std::span<const ByteSource::FileInUse>()
                                        : source.files()) {
  for (const ByteSource::FileInUse& file : files_) {
    if (file.in_place) file.pages->begin_scattered();
  }
}

ScatteredReads::~ScatteredReads() {
  for (const ByteSource::FileInUse& file : files_) {
    if (file.in_place) file.pages->end_scattered();
  }
}

std::shared_ptr<const ByteSource> open_file(const std::string& path, bool map, Access access) {
  RegularFile file(path);
  return map ? map_file(path, std::move(file), access) : pread_file(path, std::move(file), access);
}

}  // namespace heron::inline v0
