// The bytes below every column. Two kinds of sources read files, mapped (mapped_file.h) and with
// pread (pread_file.h); one reads memory (memory_source.h).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heron/context.h"
#include "heron/error.h"

namespace heron::inline v0 {

class FilePages;

struct ByteRange {
  uint64_t offset = 0;
  uint64_t bytes = 0;

  uint64_t end() const noexcept { return offset + bytes; }
  bool operator==(const ByteRange&) const = default;
};

// Immutable bytes of fixed size. Thread-safe. Owners hold shared_ptr<const ByteSource>.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  const std::string& name() const noexcept { return name_; }
  uint64_t size() const noexcept { return size_; }

  // All bytes at one address for the source's life; null: only read() reaches them (an empty source
  // may have either).
  const std::byte* base() const noexcept { return base_; }
  // Returns whether others may write to these bytes while they are read: true for a mapped file. A
  // number that is checked and then used as an index is copied first (own_window in view_reader.h),
  // because it may have changed when it is loaded again.
  bool may_change() const noexcept { return may_change_; }

  // Copies bytes inside the source: the caller has checked offset + into.size() <= size(). For a
  // file it is a system call that touches no page of the map: for bytes that are read only once.
  // Throws Error: Io, Changed (the file has become shorter).
  virtual void read(uint64_t offset, std::span<std::byte> into, const Context&) const = 0;

  // The files whose pages the source reads and may prefetch (bytes/file_pages.h).
  struct FileInUse {
    const FilePages* pages;
    bool in_place;  // base() is a part of the file's map, or read() copies from the file
  };
  std::span<const FileInUse> files() const noexcept { return files_; }
  bool can_prefetch() const noexcept { return !files_.empty(); }
  // Returns whether it may be worth sampling pages for a batch of rows; files of less than
  // `least_bytes` only if the caller of open() chose Access::Cold or Once. Some nanoseconds.
  bool may_be_cold(uint64_t least_bytes = 0) const noexcept;
  // Returns whether scans leave nothing in memory, as with Access::Once.
  bool releases() const noexcept;
  // Adds the ranges of these files that hold a range of the source.
  struct FileRange {
    const FilePages* pages;
    ByteRange range;
  };
  virtual void find_pages(const ByteRange& /*range*/, std::vector<FileRange>& /*found*/) const {}

  // How many bytes read() has copied so far; 0 for sources that do not count.
  virtual uint64_t bytes_read() const noexcept { return 0; }
  // Returns other counters, including counters of the sources below.
  virtual std::vector<Counter> counters() const { return {}; }

  // Called before that many bytes, or all, are read for one query: throws Error(Limit) if that
  // would decode more than is allowed.
  virtual void check_read_of(uint64_t /*bytes*/) const {}
  virtual void check_whole_read() const { check_read_of(size_); }
  // Called before that many bytes of metadata, `what` at an offset, are read to open a file: also
  // throws Error(Limit) if more than 256 MiB would be copied of a source without a base, whose size
  // may be no more than a claim.
  void check_metadata_of(uint64_t bytes, std::string_view what, uint64_t offset) const;

  // Throws Error(Changed) if a page of the map was lost. Some nanoseconds. Callers that read base()
  // call it, or one of the next two, before they return an answer.
  virtual void check_lost() const {
    if (lost().load(std::memory_order_relaxed)) throw_changed("was cut short while open");
  }
  // Does what check_lost() does, and throws Error(Changed) if the file has changed since it was
  // opened (size, modification time). Costs a system call; check_recently(), for calls that fetch a
  // single row, makes it only if the clock has ticked since the last one (4 ms, the resolution of
  // file times).
  virtual void check_unchanged() const;
  void check_recently() const;

  // Returns how the file has changed since it was opened; null if it has not. Costs a system call.
  virtual const char* change() const noexcept { return nullptr; }

  // Returns when the file was last written to before it was opened, in nanoseconds since 1970
  // (modulo 2^64); 0 without a file.
  virtual uint64_t modified() const noexcept { return 0; }

  // The flag covers the map that base() points into, and nothing else. For RowView, which checks
  // after every cell that lies in base().
  const std::atomic<bool>& lost() const noexcept { return *lost_of_map_; }
  [[noreturn]] void throw_changed(const char* how) const;

 protected:
  // Makes the caller's examination of the file count as its first check.
  ByteSource(std::string name, uint64_t size, const std::byte* base);

  mutable std::atomic<bool> lost_{false};
  bool may_change_ = false;                        // set once, by the constructor
  const std::atomic<bool>* lost_of_map_ = &lost_;  // set once: the flag of the map's owner
  std::vector<FileInUse> files_;                   // set once, by the constructor

 private:
  std::string name_;
  uint64_t size_;

 protected:
  const std::byte* base_;

 private:
  mutable std::atomic<uint64_t> checked_tick_;
};

// Reads are scattered while it lives: pages that base() touches and that were not prefetched are
// read alone, without the MBs around them that the kernel would read ahead. A hint; a system call
// at either end. The source must outlive it.
class ScatteredReads {
 public:
  explicit ScatteredReads(const ByteSource& source) noexcept;
  ~ScatteredReads();
  ScatteredReads(const ScatteredReads&) = delete;
  ScatteredReads& operator=(const ScatteredReads&) = delete;

 private:
  const std::span<const ByteSource::FileInUse> files_;
};

// Returns whether bytes that change while they are read can cause an error of this kind. Errors
// that report a change themselves, system errors and cancellation are not caused by them.
inline bool may_come_of_change(ErrorKind kind) noexcept {
  return kind != ErrorKind::Changed && kind != ErrorKind::Io && kind != ErrorKind::Cancelled;
}

// Opens a regular file. Throws Error(Io) for a path that cannot be opened or is no regular file.
std::shared_ptr<const ByteSource> open_file(const std::string& path, bool map,
                                            Access access = Access::Auto);

// Returns read(). A file that was written to meanwhile may contradict itself without being damaged:
// an error that its bytes caused becomes Error(Changed) if the file has changed since it was
// opened. Every call that reads a file's bytes for a caller of the engine goes through here. Costs
// nothing unless read() throws.
template <class Read>
decltype(auto) unless_changed(const ByteSource& bytes, Read&& read) {
  try {
    return std::forward<Read>(read)();
  } catch (const Error& error) {
    if (may_come_of_change(error.kind())) bytes.check_unchanged();
    throw;
  }
}

// A window of a source, checked to lie inside it.
struct ByteView {
  const ByteSource* source = nullptr;
  uint64_t offset = 0;
  uint64_t bytes = 0;

  // Returns the address of the window; null if the source has no base().
  const std::byte* data() const noexcept {
    return source->base() == nullptr ? nullptr : source->base() + offset;
  }
  void read(uint64_t at, std::span<std::byte> into, const Context& context) const {
    source->read(offset + at, into, context);
  }
};

}  // namespace heron::inline v0
