// Blocks of columns in the cache: the bytes of a block, and the column over them.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "bytes/memory_source.h"
#include "cache/block_cache.h"
#include "columns/column.h"

namespace heron::inline v0 {

// One block of a column, decoded.
class DecodedBlock final : public CacheEntry {
 public:
  // Addresses of the cells, validity and characters of `flat`; null: not in memory.
  const std::byte* cells = nullptr;
  const std::byte* validity = nullptr;
  const std::byte* characters = nullptr;
  uint64_t character_bytes = 0;

  std::optional<MemorySource> source;  // the frame, if it has bytes
  ColumnPtr column;                    // the block's rows, from 0
  std::optional<FlatCells> flat;       // column->flat(), cached
};

// The frame of a block (CacheFrame), and the same memory as a source for the block's column; null
// for 0 bytes.
struct BlockFrame {
  std::byte* memory = nullptr;
  uint64_t bytes = 0;
  const ByteSource* source = nullptr;
};

// How a codec decodes the blocks of one column. Immutable, thread-safe.
class BlockSource {
 public:
  virtual ~BlockSource() = default;
  BlockSource(const BlockSource&) = delete;
  BlockSource& operator=(const BlockSource&) = delete;

  // The name of the file, for errors about the content of a frame.
  virtual const std::string& name() const noexcept = 0;
  // How much memory open() needs, checked against what the file can contain; 0: the block is read
  // in place in the file. Throws Error(Corrupt).
  virtual uint64_t frame_bytes(uint64_t block, const Context& context) const = 0;
  // The bytes of the file that open() reads, so that they can be prefetched; a view without a
  // source: unknown. Throws Error(Corrupt).
  virtual ByteView stored(uint64_t /*block*/, const Context& /*context*/) const { return {}; }
  // Returns whether blocks are read in place, and open() reads little of them: then the columns of
  // blocks without a frame locate their own rows, so that a few rows do not prefetch all of
  // stored().
  virtual bool is_in_place() const noexcept { return false; }
  // Returns whether the dictionaries of blocks live as long as the source, so that codes() of blocks
  // may be read. Rows with the same dictionary then have it in common with all rows between them.
  virtual bool keeps_dictionaries() const noexcept { return false; }
  // The rows of the block, over the frame or the file. The results of flat() for blocks of one
  // column differ only in their views. Frame and file outlive the column, which itself pins no
  // blocks. Throws Error(Corrupt) for invalid structure, and Error(Changed), by check_lost() after
  // the last access to a map, so that no block is made of lost pages; values are checked when read.
  virtual ColumnPtr open(uint64_t block, uint64_t rows, const BlockFrame& frame,
                         const Context& context) const = 0;

 protected:
  BlockSource() = default;
};

// The blocks of one column and their slots. Thread-safe. Keeps cache and source alive.
class BlockSlots : public std::enable_shared_from_this<BlockSlots> {
 public:
  // Pins a block, as CacheSlots::Pin. Must not outlive its BlockSlots; keep() makes one that may.
  class Pin {
   public:
    Pin() = default;
    explicit operator bool() const noexcept { return static_cast<bool>(pin_); }
    const DecodedBlock& operator*() const noexcept {
      return static_cast<const DecodedBlock&>(*pin_);
    }
    const DecodedBlock* operator->() const noexcept { return &**this; }
    bool is_outside() const noexcept { return pin_.is_outside(); }

   private:
    friend class BlockSlots;
    explicit Pin(CacheSlots::Pin pin) noexcept : pin_(std::move(pin)) {}

    CacheSlots::Pin pin_;
  };

  // Only reads blocks of `source` below `count`, which was checked against what the file can
  // contain. Takes no memory for blocks never used.
  BlockSlots(std::shared_ptr<BlockCache> cache, uint64_t count,
             std::shared_ptr<const BlockSource> source) noexcept
      : source_(std::move(source)), slots_(std::move(cache), count) {}

  // Decodes the block unless it is cached; `rows` is its number of rows. Otherwise behaves as
  // CacheSlots::pin().
  Pin pin(uint64_t block, uint64_t rows, BlockUse use, const Context& context) {
    if (Pin pin = pin_if_cached(block, use)) return pin;
    return load(block, rows, use, context);
  }
  // Returns an empty pin if the block is not cached (yet). Some nanoseconds.
  Pin pin_if_cached(uint64_t block, BlockUse use) noexcept {
    return Pin(slots_.pin_if_cached(block, use));
  }
  // Returns BlockSource::frame_bytes(), for which it reads the file.
  uint64_t frame_bytes(uint64_t block, const Context& context) const {
    return source_->frame_bytes(block, context);
  }
  // The stored bytes of a block; none if its offset is damaged, which its reader reports.
  ByteView stored(uint64_t block, const Context& context) const;
  // Return those of BlockSource.
  bool is_in_place() const noexcept { return source_->is_in_place(); }
  bool keeps_dictionaries() const noexcept { return source_->keeps_dictionaries(); }
  // Does what Column::locate() does for rows of a block, numbered in it; `block_rows` is its number
  // of rows. For sources that are in place.
  void locate(uint64_t block, uint64_t block_rows, const RowsToRead& rows, unsigned round,
              Prefetch& bytes, const Context& context);
  // Keeps the block and everything below it alive as long as the result, independent of all other
  // owners. One allocation.
  std::shared_ptr<const void> keep(Pin pin);

 private:
  Pin load(uint64_t block, uint64_t rows, BlockUse use, const Context& context);

  const std::shared_ptr<const BlockSource> source_;
  CacheSlots slots_;  // destroyed before the source of its blocks
};

}  // namespace heron::inline v0
