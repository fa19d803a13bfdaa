// Decoded blocks in bounded memory, shared by all threads, each decoded once however many ask.
//
// A block that is there is found without a lock: its slot is one word that holds its state and how
// many pin it. What takes a lock is bringing a block in. Memory is one reserved range, handed out
// and taken back in runs, so that it is touched once and then used again. Blocks that only scans
// have read go first; among the others whoever was asked for since the last round stays (second
// chance).
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "base/arena.h"
#include "bytes/memory_source.h"
#include "columns/column.h"

namespace heron::inline v0 {

// Who asks: a scan reads every block once and must not push out what others come back to.
enum class BlockUse : uint8_t { Take, Scan };

// One block, decoded. Immutable once it is in the cache.
struct DecodedBlock {
  ColumnPtr column;               // its rows, from 0
  std::optional<FlatCells> flat;  // column->flat(), asked once
};

// Memory for one block: `bytes` at a multiple of 64, uninitialised, with Arena::kSlack writable
// bytes behind them, and the same memory as a source for the block's column.
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

  // How much memory open() will want, held against what the file can contain; 0: the block is read
  // where it lies in the file. Throws Error(Corrupt).
  virtual uint64_t frame_bytes(uint64_t block, const Context& context) const = 0;
  // The block's rows, over the frame or the file. Both outlive the column. Throws Error(Corrupt)
  // for structure that does not hold; values are checked when read.
  virtual ColumnPtr open(uint64_t block, uint64_t rows, const BlockFrame& frame,
                         const Context& context) const = 0;

 protected:
  BlockSource() = default;
};

class BlockCache;

// The blocks of one column: where each is, if it is there. Thread-safe. Keeps the cache.
class BlockSlots : public std::enable_shared_from_this<BlockSlots> {
  struct Slot;
  struct Resident;

 public:
  // A block that stays while this lives. Must not outlive its BlockSlots; keep() makes one that
  // may.
  class Pin {
   public:
    Pin() = default;
    ~Pin() { release(); }
    Pin(Pin&& other) noexcept : slot_(std::exchange(other.slot_, nullptr)) {}
    Pin& operator=(Pin&& other) noexcept {
      std::swap(slot_, other.slot_);
      return *this;
    }
    explicit operator bool() const noexcept { return slot_ != nullptr; }
    const DecodedBlock& operator*() const noexcept;
    const DecodedBlock* operator->() const noexcept { return &**this; }

   private:
    friend class BlockSlots;
    explicit Pin(Slot* slot) noexcept : slot_(slot) {}
    void release() noexcept;
    Slot* slot_ = nullptr;
  };

  // `name` and what is asked of `source` are for blocks below `count`. Takes no memory for blocks
  // nobody asked for.
  BlockSlots(std::shared_ptr<BlockCache> cache, uint64_t count,
             std::shared_ptr<const BlockSource> source);
  ~BlockSlots();

  // Decodes the block if it is not there; `rows` is what it has. Throws what the source throws, to
  // everyone who asked, and Error(Limit) if there is no memory; asked again, it is tried again.
  // While another thread decodes the block, waits for it.
  Pin pin(uint64_t block, uint64_t rows, BlockUse use, const Context& context);
  // Nothing if it is not there (yet). Some nanoseconds.
  Pin pin_if_there(uint64_t block, BlockUse use) noexcept;
  // Holds the block and all below it for as long as the answer lives, whoever else is gone.
  std::shared_ptr<const void> keep(Pin pin);

 private:
  friend class BlockCache;

  std::shared_ptr<BlockCache> cache_;
  std::shared_ptr<const BlockSource> source_;
  // two-level, made at first use
};

// Thread-safe.
class BlockCache : public std::enable_shared_from_this<BlockCache> {
 public:
  // Memory is charged to `budget` as it is first used. If everything is pinned, blocks beyond
  // `bytes` are held outside, each until its last pin goes.
  explicit BlockCache(uint64_t bytes, std::shared_ptr<MemoryBudget> budget = nullptr);
  ~BlockCache();

  uint64_t limit_bytes() const noexcept;
  // Of blocks that are there, pinned or not.
  uint64_t used_bytes() const;
  // How many blocks were decoded so far.
  uint64_t decoded_blocks() const noexcept;

 private:
  friend class BlockSlots;
};

}  // namespace heron::inline v0
