// Decoded blocks in bounded memory, shared by all threads, each decoded once however many ask.
//
// A block that is there is found without a lock: its slot is one word that holds its state and how
// many pin it. What takes a lock is bringing a block in. Blocks that only scans have read go first;
// among the others whoever was asked for since the last round stays (second chance).
#pragma once

#include <atomic>
#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "bytes/memory_source.h"
#include "columns/column.h"
#include "columns/frame_store.h"

namespace heron::inline v0 {

// Who asks: a scan reads every block once and must not push out what others come back to.
enum class BlockUse : uint8_t { Take, Scan };

// One block, decoded. Immutable once it is in the cache.
struct DecodedBlock {
  // Where flat's cells, validity and characters are; null: nowhere in memory.
  const std::byte* cells = nullptr;
  const std::byte* validity = nullptr;
  const std::byte* characters = nullptr;
  uint64_t character_bytes = 0;

  ColumnPtr column;               // its rows, from 0
  std::optional<FlatCells> flat;  // column->flat(), asked once
};

// Memory for one block: `bytes` at a multiple of 64, uninitialised, with Arena::kSlack writable
// bytes behind them, and the same memory as a source for the block's column. Null if 0 bytes.
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

  // The file's, for error texts about what lies in a frame.
  virtual const std::string& name() const noexcept = 0;
  // How much memory open() will want, held against what the file can contain; 0: the block is read
  // where it lies in the file. Throws Error(Corrupt).
  virtual uint64_t frame_bytes(uint64_t block, const Context& context) const = 0;
  // The block's rows, over the frame or the file. What flat() says of blocks of one column differs
  // only in its views. Both outlive the column, which pins no blocks
  // itself. Throws Error(Corrupt) for structure that does not hold, and Error(Changed), by
  // check_lost() after the last look at a map, so that no block is made of lost pages; values are
  // checked when read.
  virtual ColumnPtr open(uint64_t block, uint64_t rows, const BlockFrame& frame,
                         const Context& context) const = 0;

 protected:
  BlockSource() = default;
};

class BlockCache;

// The blocks of one column: where each is, if it is there. Thread-safe. Keeps cache and source.
class BlockSlots : public std::enable_shared_from_this<BlockSlots> {
  struct Resident;

  // Claimed, and made empty again, under the cache's mutex; made ready by who claimed it.
  struct Slot {
    static constexpr uint64_t kLoading = 1;
    static constexpr uint64_t kReady = 2;
    static constexpr uint64_t kReferenced = 4;  // taken from since eviction last came by
    static constexpr uint64_t kOutside = 8;     // beyond the limit: leaves with its last pin
    static constexpr uint64_t kPin = 16;        // one of them; only those that are ready have pins

    std::atomic<uint64_t> state{0};  // 0: not there
    Resident* resident = nullptr;    // while kReady
  };

 public:
  // A block that stays while this lives. Must not outlive its BlockSlots; keep() makes one that
  // may.
  class Pin {
   public:
    Pin() = default;
    ~Pin() {
      if (slot_ != nullptr) release();
    }
    Pin(Pin&& other) noexcept : slot_(std::exchange(other.slot_, nullptr)) {}
    Pin& operator=(Pin&& other) noexcept {
      std::swap(slot_, other.slot_);
      return *this;
    }
    explicit operator bool() const noexcept { return slot_ != nullptr; }
    const DecodedBlock& operator*() const noexcept;
    const DecodedBlock* operator->() const noexcept { return &**this; }
    // It is beyond the cache's limit: whoever asks again once it is let go has it decoded again.
    bool is_outside() const noexcept {
      return (slot_->state.load(std::memory_order_relaxed) & Slot::kOutside) != 0;
    }

   private:
    friend class BlockSlots;
    explicit Pin(Slot* slot) noexcept : slot_(slot) {}
    void release() noexcept;
    void release_outside() noexcept;

    Slot* slot_ = nullptr;
  };

  // What is asked of `source` are blocks below `count`, which was held against what the file can
  // contain. Takes no memory for blocks nobody asked for.
  BlockSlots(std::shared_ptr<BlockCache> cache, uint64_t count,
             std::shared_ptr<const BlockSource> source) noexcept
      : cache_(std::move(cache)), source_(std::move(source)), count_(count) {}
  ~BlockSlots();

  // Decodes the block if it is not there; `rows` is what it has. While another thread decodes it,
  // waits for that. Throws what the source throws, and Error(Limit) if there is no memory: to the
  // thread that decodes; those that waited try themselves, as does whoever asks again.
  Pin pin(uint64_t block, uint64_t rows, BlockUse use, const Context& context) {
    if (Pin pin = pin_if_cached(block, use)) return pin;
    return load(block, rows, use, context);
  }
  // Nothing if it is not there (yet). Some nanoseconds.
  Pin pin_if_cached(uint64_t block, BlockUse use) noexcept {
    std::atomic<Slot*>* pages = pages_.load(std::memory_order_acquire);
    if (pages == nullptr) return {};
    Slot* page = pages[block / kPageSlots].load(std::memory_order_acquire);
    return page == nullptr ? Pin() : pin_if_ready(page[block % kPageSlots], use);
  }
  // As its source says; asks the file.
  uint64_t frame_bytes(uint64_t block, const Context& context) const {
    return source_->frame_bytes(block, context);
  }
  // Holds the block and all below it for as long as the answer lives, whoever else is gone. One
  // allocation.
  std::shared_ptr<const void> keep(Pin pin);

 private:
  friend class BlockCache;

  // Slots are made by the page, when one is first asked for.
  static constexpr uint64_t kPageSlots = 512;

  static Pin pin_if_ready(Slot& slot, BlockUse use) noexcept {
    const uint64_t referenced = use == BlockUse::Take ? Slot::kReferenced : 0;
    uint64_t state = slot.state.load(std::memory_order_relaxed);
    while ((state & Slot::kReady) != 0) {
      if (slot.state.compare_exchange_weak(state, (state | referenced) + Slot::kPin,
                                           std::memory_order_acquire, std::memory_order_relaxed)) {
        return Pin(&slot);
      }
    }
    return {};
  }
  Pin load(uint64_t block, uint64_t rows, BlockUse use, const Context& context);
  Slot& made_slot(uint64_t block);
  uint64_t page_count() const noexcept { return count_ / kPageSlots + 1; }

  const std::shared_ptr<BlockCache> cache_;
  const std::shared_ptr<const BlockSource> source_;
  const uint64_t count_;
  std::atomic<std::atomic<Slot*>*> pages_{nullptr};
};

// Thread-safe.
class BlockCache {
 public:
  // Memory is charged to `budget` as it is first used. If everything is pinned, blocks beyond
  // `bytes` are held outside, each until its last pin goes.
  explicit BlockCache(uint64_t bytes, std::shared_ptr<MemoryBudget> budget = nullptr);
  ~BlockCache();

  uint64_t limit_bytes() const noexcept { return limit_bytes_; }
  // Of blocks that are there, pinned or not, with what it takes to keep each.
  uint64_t used_bytes() const;
  // How many blocks were decoded so far.
  uint64_t decoded_blocks() const noexcept { return decoded_.load(std::memory_order_relaxed); }

 private:
  friend class BlockSlots;
  using Slot = BlockSlots::Slot;
  using Resident = BlockSlots::Resident;
  class Loading;

  // In the order they will be looked at to be evicted.
  struct Residents {
    std::list<Resident> blocks;
    uint64_t bytes = 0;
  };

  bool claim(Slot& slot);
  Resident& make_room(Slot& slot, uint64_t bytes, BlockUse use);
  std::optional<std::byte*> fit(uint64_t bytes, BlockUse use);
  bool evict_for(BlockUse use);
  bool evict_from(Residents& among);
  void move(Resident& resident, Residents& to) noexcept;
  void remove(Resident& resident) noexcept;
  void forget(const Slot* slots, uint64_t count) noexcept;
  void release_outside(Slot& slot) noexcept;

  const uint64_t limit_bytes_;
  std::atomic<uint64_t> decoded_{0};

  mutable std::mutex mutex_;        // for what follows
  std::condition_variable loaded_;  // a slot is not kLoading any more
  FrameStore frames_;
  Residents scanned_;
  Residents taken_;
  Residents outside_;
};

// A block that is there, or on its way in.
struct BlockSlots::Resident {
  BlockCache* cache;
  Slot* slot;
  BlockCache::Residents* among;
  std::list<Resident>::iterator self;
  std::optional<MemorySource> source;
  BlockFrame frame;
  DecodedBlock block;
};

inline const DecodedBlock& BlockSlots::Pin::operator*() const noexcept {
  return slot_->resident->block;
}

inline void BlockSlots::Pin::release() noexcept {
  if (is_outside()) {
    release_outside();
  } else {
    slot_->state.fetch_sub(Slot::kPin, std::memory_order_release);
  }
}

}  // namespace heron::inline v0
