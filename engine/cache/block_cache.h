// Decoded blocks in bounded memory, shared by all threads, each decoded once however many ask.
//
// A cached block is found without a lock: its slot is one word with its state and its number of
// pins. Only loading a block takes a lock. Blocks that only scans have read are evicted first; the
// others get a second chance if they were used since the last round.
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
#include "cache/frame_store.h"
#include "columns/column.h"

namespace heron::inline v0 {

// A scan reads every block once and must not evict blocks that others read repeatedly.
enum class BlockUse : uint8_t { Take, Scan };

// One block, decoded. Immutable once it is in the cache.
struct DecodedBlock {
  // Where the cells, validity and characters of `flat` are; null: not in memory.
  const std::byte* cells = nullptr;
  const std::byte* validity = nullptr;
  const std::byte* characters = nullptr;
  uint64_t character_bytes = 0;

  ColumnPtr column;               // its rows, from 0
  std::optional<FlatCells> flat;  // column->flat(), cached
};

// Memory for one block: `bytes` at a multiple of 64, uninitialised, followed by Arena::kSlack
// writable bytes, and the same memory as a source for the block's column. Null for 0 bytes.
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
  // The rows of the block, over the frame or the file. The results of flat() for blocks of one
  // column differ only in their views. Frame and file outlive the column, which itself pins no
  // blocks. Throws Error(Corrupt) for invalid structure, and Error(Changed), by check_lost() after
  // the last access to a map, so that no block is made of lost pages; values are checked when read.
  virtual ColumnPtr open(uint64_t block, uint64_t rows, const BlockFrame& frame,
                         const Context& context) const = 0;

 protected:
  BlockSource() = default;
};

class BlockCache;

// The blocks of one column and their slots. Thread-safe. Keeps cache and source alive.
class BlockSlots : public std::enable_shared_from_this<BlockSlots> {
  struct Resident;

  // Claimed, and emptied again, under the cache's mutex; made ready by the thread that claimed it.
  struct Slot {
    static constexpr uint64_t kLoading = 1;
    static constexpr uint64_t kReady = 2;
    static constexpr uint64_t kReferenced = 4;  // used since eviction last reached it
    static constexpr uint64_t kOutside = 8;     // beyond the limit: freed with its last pin
    static constexpr uint64_t kPin = 16;        // one pin; only ready slots have pins

    std::atomic<uint64_t> state{0};  // 0: not cached
    Resident* resident = nullptr;    // while kReady
  };

 public:
  // Keeps a block in memory while it lives. Must not outlive its BlockSlots; keep() makes one that
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
    // The block is beyond the cache's limit: it is decoded again after its last pin is released.
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

  // Asks `source` only for blocks below `count`, which was checked against what the file can
  // contain. Takes no memory for blocks never used.
  BlockSlots(std::shared_ptr<BlockCache> cache, uint64_t count,
             std::shared_ptr<const BlockSource> source) noexcept
      : cache_(std::move(cache)), source_(std::move(source)), count_(count) {}
  ~BlockSlots();

  // Decodes the block unless it is cached; `rows` is its number of rows. Waits while another thread
  // decodes it. Throws what the source throws, and Error(Limit) if there is no memory, to the
  // thread that decodes; threads that waited and later callers try again.
  Pin pin(uint64_t block, uint64_t rows, BlockUse use, const Context& context) {
    if (Pin pin = pin_if_cached(block, use)) return pin;
    return load(block, rows, use, context);
  }
  // Empty if the block is not cached (yet). Some nanoseconds.
  Pin pin_if_cached(uint64_t block, BlockUse use) noexcept {
    std::atomic<Slot*>* pages = pages_.load(std::memory_order_acquire);
    if (pages == nullptr) return {};
    Slot* page = pages[block / kPageSlots].load(std::memory_order_acquire);
    return page == nullptr ? Pin() : pin_if_ready(page[block % kPageSlots], use);
  }
  // As BlockSource::frame_bytes(); reads the file.
  uint64_t frame_bytes(uint64_t block, const Context& context) const {
    return source_->frame_bytes(block, context);
  }
  // Keeps the block and everything below it alive as long as the result, independent of all other
  // owners. One allocation.
  std::shared_ptr<const void> keep(Pin pin);

 private:
  friend class BlockCache;

  // Slots are allocated by the page, at the first use of one.
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
  // Memory is charged to `budget` at its first use. If everything is pinned, blocks beyond `bytes`
  // are held outside, each until its last pin is released.
  explicit BlockCache(uint64_t bytes, std::shared_ptr<MemoryBudget> budget = nullptr);
  ~BlockCache();

  uint64_t limit_bytes() const noexcept { return limit_bytes_; }
  // Bytes of cached blocks, pinned or not, with their bookkeeping.
  uint64_t used_bytes() const;
  // How many blocks were decoded so far.
  uint64_t decoded_blocks() const noexcept { return decoded_.load(std::memory_order_relaxed); }

 private:
  friend class BlockSlots;
  using Slot = BlockSlots::Slot;
  using Resident = BlockSlots::Resident;
  class Loading;

  // In the order in which eviction looks at them.
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

  mutable std::mutex mutex_;        // guards the members below
  std::condition_variable loaded_;  // signalled when a slot is no longer kLoading
  FrameStore frames_;
  Residents scanned_;
  Residents taken_;
  Residents outside_;
};

// A block that is cached or being loaded.
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
