// How the writer puts many buffers of unknown length into one file in one pass. Each buffer is a
// Stream. One whose place is told beforehand writes there as it fills; the others share one scratch
// file, in which each stream's chunks are a chain from the last to the first, so that nothing held
// in memory grows with the bytes.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "bytes/output_file.h"
#include "bytes/scratch_file.h"

namespace heron::inline v0::jay {

// Cells go to the file as they lie in memory.
static_assert(std::endian::native == std::endian::little);

// A buffer's final place: bytes from the file's first one.
struct Place {
  uint64_t offset = 0;
  uint64_t bytes = 0;
};

// What the streams of one file share. One thread at a time. Throws Error(Write).
class Store {
 public:
  // `chunk_bytes`, a multiple of 8, is what each stream may hold in memory.
  Store(const std::string& path, Existing existing, uint64_t chunk_bytes);

  OutputFile& file() noexcept { return file_; }
  uint64_t chunk_bytes() const noexcept { return chunk_bytes_; }

  // The next free place in the file, at a multiple of 8, of a large buffer at one of 64.
  uint64_t reserve(uint64_t bytes) noexcept;
  uint64_t end() const noexcept { return end_; }

  // Scratch slots hold one chunk and the number of the slot before it in its chain.
  uint64_t add_slot(std::span<const std::byte> chunk_and_link);
  void read_slot(uint64_t slot, uint64_t at, std::span<std::byte> into) const;
  void copy_slot(uint64_t slot, uint64_t to);

 private:
  uint64_t slot_bytes() const noexcept { return chunk_bytes_ + sizeof(uint64_t); }

  OutputFile file_;
  const uint64_t chunk_bytes_;
  uint64_t end_ = 0;
  ScratchFile scratch_;
  uint64_t slots_ = 0;
};

// Bytes that are only added to. The Store must outlive it.
class Stream {
 public:
  explicit Stream(Store& store) noexcept : store_(&store) {}

  // Before the first byte, and at most once: where the bytes belong.
  void put_at(uint64_t offset) noexcept { offset_ = offset; }

  void append(std::span<const std::byte> bytes);
  template <class T>
  void append_cells(std::span<const T> cells) {
    append(std::as_bytes(cells));
  }
  uint64_t bytes() const noexcept { return flushed_bytes_ + used_; }

  // Brings all bytes to their place, which is the next free one if none was told. Nothing is added
  // later.
  Place finish();

  // All bytes of a stream without a place, in pieces of whole 8-byte words but for the last; not in
  // order.
  using Visitor = std::function<void(uint64_t position, std::span<const std::byte> piece)>;
  void visit(const Visitor& visitor) const;

 private:
  static constexpr uint64_t kNone = UINT64_MAX;

  void flush_chunk();
  // From the last chunk to the first.
  template <class Step>
  void walk(Step step) const;

  Store* store_;
  uint64_t offset_ = kNone;
  std::unique_ptr<std::byte[]> chunk_;  // made with the first byte; room for the link behind it
  uint64_t used_ = 0;
  uint64_t flushed_bytes_ = 0;
  uint64_t last_slot_ = kNone;
};

}  // namespace heron::inline v0::jay
