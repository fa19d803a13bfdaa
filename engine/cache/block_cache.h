// Decoded blocks in bounded memory, shared by all threads, each decoded once, however many threads
// need it.
// A cached block is found without a lock: its slot is one word with its state and its number of
// pins. Only loading a block takes a lock. Blocks that only scans have read are evicted first; the
// others get a second chance if they were used since the last round. A block is bytes, and what its
// loader makes of them; decoded_block.h has the blocks of columns.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "cache/frame_store.h"
#include "heron/context.h"

namespace heron::inline v0 {

// A scan reads every block once and must not evict blocks that others read repeatedly.
enum class BlockUse : uint8_t { Take, Scan };

// Allocates one block: `bytes` uninitialised bytes at a multiple of 64, then Arena::kSlack writable
// bytes. Null for 0 bytes.
struct CacheFrame {
  std::byte* memory = nullptr;
  uint64_t bytes = 0;
};

class BlockCache;

// One cached block: the bytes of its frame, and in a derived class what its loader made of them.
// Immutable once it is in the cache. Its frame outlives it.
class CacheEntry {
 public:
  CacheEntry() = default;
  virtual ~CacheEntry() = default;
  CacheEntry(const CacheEntry&) = delete;
  CacheEntry& operator=(const CacheEntry&) = delete;

  const CacheFrame& frame() const noexcept { return frame_; }

 private:
  friend class BlockCache;
  friend class CacheSlots;
  struct Resident;

  CacheFrame frame_;
  Resident* resident_ = nullptr;
};

// How one block is decoded, for the time of a call.
class CacheLoader {
 public:
  // How much memory load() needs, checked against what the file can contain; 0: none. Throws
  // Error(Corrupt).
  virtual uint64_t frame_bytes(const Context& context) const = 0;
  // Fills the frame. Throws what decoding throws.
  virtual std::unique_ptr<CacheEntry> load(const CacheFrame& frame,
                                           const Context& context) const = 0;

 protected:
  CacheLoader() = default;
  ~CacheLoader() = default;
  CacheLoader(const CacheLoader&) = default;
  CacheLoader& operator=(const CacheLoader&) = default;
};

// The blocks of one sequence (a column, the chunks of a payload) and their slots. Thread-safe.
// Keeps the cache alive.
class CacheSlots {
  using Resident = CacheEntry::Resident;

  // A slot is claimed and emptied under the cache's mutex, and made ready by the thread that
  // claimed it.
  struct Slot {
    static constexpr uint64_t kLoading = 1;
    static constexpr uint64_t kReady = 2;
    static constexpr uint64_t kReferenced = 4;  // used since eviction last reached it
    static constexpr uint64_t kOutside = 8;     // beyond the limit: freed with its last pin
    static constexpr uint64_t kPin = 16;        // one pin; only ready slots have pins

    std::atomic<uint64_t> state{0};  // 0: not cached
    CacheEntry* entry = nullptr;     // valid while kReady
  };

 public:
  // Keeps a block in memory while it lives. Must not outlive its CacheSlots.
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
    const CacheEntry& operator*() const noexcept { return *slot_->entry; }
    const CacheEntry* operator->() const noexcept { return slot_->entry; }
    // The block is beyond the cache's limit: it is decoded again after its last pin is released.
    bool is_outside() const noexcept {
      return (slot_->state.load(std::memory_order_relaxed) & Slot::kOutside) != 0;
    }

   private:
    friend class CacheSlots;
    explicit Pin(Slot* slot) noexcept : slot_(slot) {}
    void release() noexcept;
    void release_outside() noexcept;

    Slot* slot_ = nullptr;
  };

  // Blocks are numbers below `count`. Takes no memory for blocks never used.
  CacheSlots(std::shared_ptr<BlockCache> cache, uint64_t count) noexcept
      : cache_(std::move(cache)), count_(count) {}
  ~CacheSlots();
  CacheSlots(const CacheSlots&) = delete;
  CacheSlots& operator=(const CacheSlots&) = delete;

  // Decodes the block with `loader` unless it is cached. Waits while another thread decodes it.
  // Throws what the loader throws, and Error(Limit) if there is no memory, to the thread that
  // decodes; threads that waited and later callers try again.
  Pin pin(uint64_t block, BlockUse use, const CacheLoader& loader, const Context& context) {
    if (Pin pin = pin_if_cached(block, use)) return pin;
    return load(block, use, loader, context);
  }
  // Returns an empty pin if the block is not cached (yet). Some nanoseconds.
  Pin pin_if_cached(uint64_t block, BlockUse use) noexcept {
    std::atomic<Slot*>* pages = pages_.load(std::memory_order_acquire);
    if (pages == nullptr) return {};
    Slot* page = pages[block / kPageSlots].load(std::memory_order_acquire);
    return page == nullptr ? Pin() : pin_if_ready(page[block % kPageSlots], use);
  }

 private:
  friend class BlockCache;
  friend class CacheEntry;

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
  Pin load(uint64_t block, BlockUse use, const CacheLoader& loader, const Context& context);
  Slot& made_slot(uint64_t block);
  uint64_t page_count() const noexcept { return count_ / kPageSlots + 1; }
  // The last page has only the slots that are needed: there may be a million columns of one block.
  uint64_t slots_of(uint64_t page) const noexcept {
    return std::min(kPageSlots, count_ - page * kPageSlots);
  }

  const std::shared_ptr<BlockCache> cache_;
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
  friend class CacheEntry;
  friend class CacheSlots;
  using Slot = CacheSlots::Slot;
  using Resident = CacheEntry::Resident;
  class Loading;

  // Blocks in the order in which eviction examines them.
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
  uint64_t rest_ = 0;  // new blocks held outside before eviction examines all again
};

// A block that is cached or being loaded.
struct CacheEntry::Resident {
  BlockCache* cache;
  CacheSlots::Slot* slot;
  BlockCache::Residents* among;
  std::list<Resident>::iterator self;
  CacheFrame frame;
  std::unique_ptr<CacheEntry> entry;  // null while it is being loaded
};

inline void CacheSlots::Pin::release() noexcept {
  if (is_outside()) {
    release_outside();
  } else {
    slot_->state.fetch_sub(Slot::kPin, std::memory_order_release);
  }
}

}  // namespace heron::inline v0
