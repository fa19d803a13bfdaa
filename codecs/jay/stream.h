// Writes many buffers of unknown length into one file in one pass. Each buffer is a Stream. A
// stream with a known offset writes there as it fills; the others share one scratch file, in which
// each stream's chunks form a chain from the last to the first, so that memory does not grow with
// the bytes.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "bytes/output_file.h"
#include "bytes/scratch_file.h"

namespace heron::inline v0::jay {

// Cells are written as they are in memory.
static_assert(std::endian::native == std::endian::little);

// The final extent of a buffer: its offset in the file and its size.
struct Extent {
  uint64_t offset = 0;
  uint64_t bytes = 0;
};

// The file, scratch file and free space that the streams of one file share. Streams of several
// threads may use the scratch file at once, and write to the file; everything else is one thread at
// a time. Throws Error(Write).
class Store {
 public:
  // `chunk_bytes`, a multiple of 8, is the memory of each stream.
  Store(const std::string& path, Existing existing, uint64_t chunk_bytes);

  OutputFile& file() noexcept { return file_; }
  uint64_t chunk_bytes() const noexcept { return chunk_bytes_; }

  // Reserves space and returns its offset in the file, a multiple of 8; of 64 for a large buffer.
  uint64_t reserve(uint64_t bytes) noexcept;
  uint64_t end() const noexcept { return end_; }

  // A scratch slot holds one chunk and the number of the previous slot in its chain.
  uint64_t add_slot(std::span<const std::byte> chunk_and_link);
  void read_slot(uint64_t slot, uint64_t at, std::span<std::byte> into) const;
  void copy_slot(uint64_t slot, uint64_t to);

 private:
  uint64_t slot_bytes() const noexcept { return chunk_bytes_ + sizeof(uint64_t); }

  OutputFile file_;
  const uint64_t chunk_bytes_;
  uint64_t end_ = 0;
  std::mutex mutex_;  // guards the members below while rows are appended
  ScratchFile scratch_;
  uint64_t slots_ = 0;
};

// A buffer to which bytes are only appended. The Store must outlive it.
class Stream {
 public:
  explicit Stream(Store& store) noexcept : store_(&store) {}

  // Sets the file offset of the bytes, and their maximum number if it is known: more are
  // Error(Argument). Call it before a chunk is full, at most once.
  void put_at(uint64_t offset, uint64_t bytes = UINT64_MAX) noexcept {
    offset_ = offset;
    expected_bytes_ = bytes;
  }

  void append(std::span<const std::byte> bytes);
  template <class T>
  void append_cells(std::span<const T> cells) {
    append(std::as_bytes(cells));
  }
  uint64_t bytes() const noexcept { return flushed_bytes_ + used_; }

  // Moves all bytes to their offset in the file, the next free one unless put_at() set it. Nothing
  // may be appended later.
  Extent finish();

  // Visits all bytes, in pieces of whole 8-byte words except the last; not in order.
  using Visitor = std::function<void(uint64_t position, std::span<const std::byte> piece)>;
  void visit(const Visitor& visitor) const;

 private:
  static constexpr uint64_t kNone = UINT64_MAX;

  // Returns the size of a chunk: no more than needed, since there may be a million columns of few
  // rows.
  uint64_t chunk_bytes() const noexcept;
  void flush_chunk();
  // Visits the chunks from the last to the first.
  template <class Step>
  void walk(Step step) const;

  Store* store_;
  uint64_t offset_ = kNone;
  uint64_t expected_bytes_ = UINT64_MAX;
  std::unique_ptr<std::byte[]> chunk_;  // allocated with the first byte; has room for the link
  uint64_t used_ = 0;
  uint64_t flushed_bytes_ = 0;
  uint64_t last_slot_ = kNone;
};

}  // namespace heron::inline v0::jay
