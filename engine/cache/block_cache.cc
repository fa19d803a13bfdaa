#include "cache/block_cache.h"

#include <cassert>

namespace heron::inline v0 {

namespace {

// Bytes that a block takes besides its frame: its entry, its column with name and label. Counted,
// so that the number of blocks read in place in the file is bounded, too.
constexpr uint64_t kEntryBytes = 512;

// The share of the limit that blocks of scans may hold before a scan evicts its own blocks first: a
// scan of many columns returns to each block for some batches.
constexpr uint64_t kScanShare = 8;  // one byte in this many

// How many pinned blocks eviction examines per new block on average; fewer are always examined.
constexpr uint64_t kBlocksALook = 64;

uint64_t bytes_with_entry(uint64_t frame_bytes) {
  return FrameStore::run_bytes(frame_bytes) + kEntryBytes;
}

// Returns the `size` objects that `pointer` points to; the first thread allocates them.
template <class T>
T* made_once(std::atomic<T*>& pointer, uint64_t size) {
  if (T* cached = pointer.load(std::memory_order_acquire)) return cached;
  auto made = std::make_unique<T[]>(size);
  T* cached = nullptr;
  return pointer.compare_exchange_strong(cached, made.get(), std::memory_order_acq_rel)
             ? made.release()
             : cached;
}

}  // namespace

// A claimed slot, which becomes ready, or empty again if an exception was thrown.
class BlockCache::Loading {
 public:
  Loading(BlockCache& cache, Slot& slot) noexcept : cache_(cache), slot_(slot) {}
  ~Loading() {
    const std::lock_guard lock(cache_.mutex_);
    if (slot_.state.load(std::memory_order_relaxed) == Slot::kLoading) {
      if (resident_ != nullptr) cache_.remove(*resident_);
      slot_.state.store(0, std::memory_order_relaxed);
    }
    cache_.loaded_.notify_all();
  }
  Loading(const Loading&) = delete;
  Loading& operator=(const Loading&) = delete;

  Resident& make_room(uint64_t bytes, BlockUse use) {
    const std::lock_guard lock(cache_.mutex_);
    resident_ = &cache_.make_room(slot_, bytes, use);
    if (resident_->among == &cache_.outside_) outside_ = Slot::kOutside;
    return *resident_;
  }
  // Leaves the block with one pin.
  void publish() noexcept {
    slot_.entry = resident_->entry.get();
    slot_.state.store(Slot::kReady + outside_ + Slot::kPin, std::memory_order_release);
    cache_.decoded_.fetch_add(1, std::memory_order_relaxed);
  }

 private:
  BlockCache& cache_;
  Slot& slot_;
  Resident* resident_ = nullptr;
  uint64_t outside_ = 0;  // Slot::kOutside if it lies outside the limit
};

BlockCache::BlockCache(uint64_t bytes, std::shared_ptr<MemoryBudget> budget)
    : limit_bytes_(bytes), frames_(bytes, std::move(budget)) {}

BlockCache::~BlockCache() = default;

uint64_t BlockCache::used_bytes() const {
  const std::lock_guard lock(mutex_);
  return scanned_.bytes + taken_.bytes + outside_.bytes;
}

// Waits while another thread loads the block. Returns false if the block is cached already.
bool BlockCache::claim(Slot& slot) {
  std::unique_lock lock(mutex_);
  loaded_.wait(lock, [&] { return slot.state.load(std::memory_order_relaxed) != Slot::kLoading; });
  if (slot.state.load(std::memory_order_relaxed) != 0) return false;
  slot.state.store(Slot::kLoading, std::memory_order_relaxed);
  return true;
}

BlockCache::Resident& BlockCache::make_room(Slot& slot, uint64_t bytes, BlockUse use) {
  std::list<Resident> fresh(1);
  Resident& resident = fresh.front();
  const std::optional<std::byte*> inside = fit(bytes, use);
  if (inside) {
    resident.frame.memory = *inside;
  } else if (bytes != 0) {
    resident.frame.memory = frames_.allocate_outside(bytes);
  }
  resident.frame.bytes = bytes;
  resident.slot = &slot;
  resident.cache = this;
  resident.self = fresh.begin();
  resident.among = !inside ? &outside_ : use == BlockUse::Scan ? &scanned_ : &taken_;
  resident.among->bytes += bytes_with_entry(bytes);
  resident.among->blocks.splice(resident.among->blocks.end(), fresh);
  return resident;
}

// Returns memory for a frame within the limit, null for a frame of 0 bytes; nullopt if no more
// blocks can be evicted.
std::optional<std::byte*> BlockCache::fit(uint64_t bytes, BlockUse use) {
  const uint64_t needed = bytes_with_entry(bytes);
  if (needed > limit_bytes_) return std::nullopt;
  do {
    if (needed > limit_bytes_ - scanned_.bytes - taken_.bytes) continue;
    if (bytes == 0) return nullptr;
    if (std::byte* memory = frames_.allocate(bytes)) return memory;
  } while (evict_for(use));
  return std::nullopt;
}

// If many blocks are all pinned, examining each of them for every new block would take quadratic
// time: then only some calls examine them.
bool BlockCache::evict_for(BlockUse use) {
  if (rest_ > 0) {
    --rest_;
    return false;
  }
  const uint64_t blocks = scanned_.blocks.size() + taken_.blocks.size();
  const bool scanned_first = use == BlockUse::Take || scanned_.bytes > limit_bytes_ / kScanShare;
  if (evict_from(scanned_first ? scanned_ : taken_) ||
      evict_from(scanned_first ? taken_ : scanned_)) {
    return true;
  }
  rest_ = blocks / kBlocksALook;
  return false;
}

// Evicts the first block that is neither pinned nor used since its last look; at most two rounds,
// because the first round clears all marks. Used blocks of a scan then count as taken.
bool BlockCache::evict_from(Residents& among) {
  for (uint64_t looks = 2 * among.blocks.size(); looks > 0 && !among.blocks.empty(); --looks) {
    Resident& resident = among.blocks.front();
    std::atomic<uint64_t>& slot_state = resident.slot->state;
    uint64_t state = Slot::kReady;
    if (slot_state.compare_exchange_strong(state, 0, std::memory_order_acquire,
                                           std::memory_order_relaxed)) {
      remove(resident);
      return true;
    }
    const bool referenced = (state & Slot::kReferenced) != 0;
    if (referenced) slot_state.fetch_and(~Slot::kReferenced, std::memory_order_relaxed);
    move(resident, referenced ? taken_ : among);
  }
  return false;
}

void BlockCache::move(Resident& resident, Residents& to) noexcept {
  const uint64_t bytes = bytes_with_entry(resident.frame.bytes);
  resident.among->bytes -= bytes;
  to.bytes += bytes;
  to.blocks.splice(to.blocks.end(), resident.among->blocks, resident.self);
  resident.among = &to;
}

// Removes a block whose slot the caller has emptied, or empties next.
void BlockCache::remove(Resident& resident) noexcept {
  const CacheFrame frame = resident.frame;
  resident.among->bytes -= bytes_with_entry(frame.bytes);
  resident.among->blocks.erase(resident.self);
  frames_.give_back(frame.memory, frame.bytes);
}

void BlockCache::forget(const Slot* slots, uint64_t count) noexcept {
  const std::lock_guard lock(mutex_);
  for (const Slot* slot = slots; slot != slots + count; ++slot) {
    const uint64_t state = slot->state.load(std::memory_order_acquire);
    assert(state < Slot::kPin && state != Slot::kLoading);
    if (state != 0) remove(*slot->entry->resident_);
  }
}

// Removes one pin, and the block if it was the last, unless another thread pins it meanwhile.
void BlockCache::release_outside(Slot& slot) noexcept {
  const std::lock_guard lock(mutex_);
  uint64_t state = slot.state.load(std::memory_order_relaxed);
  uint64_t less = 0;
  do {
    less = state < 2 * Slot::kPin ? 0 : state - Slot::kPin;
  } while (!slot.state.compare_exchange_weak(state, less, std::memory_order_acq_rel,
                                             std::memory_order_relaxed));
  if (less == 0) remove(*slot.entry->resident_);
}

CacheSlots::~CacheSlots() {
  const std::unique_ptr<std::atomic<Slot*>[]> pages(pages_.load(std::memory_order_acquire));
  for (uint64_t i = 0; pages != nullptr && i < page_count(); ++i) {
    const std::unique_ptr<Slot[]> page(pages[i].load(std::memory_order_acquire));
    if (page != nullptr) cache_->forget(page.get(), slots_of(i));
  }
}

CacheSlots::Slot& CacheSlots::made_slot(uint64_t block) {
  assert(block < count_);
  std::atomic<Slot*>* pages = made_once(pages_, page_count());
  const uint64_t page = block / kPageSlots;
  return made_once(pages[page], slots_of(page))[block % kPageSlots];
}

CacheSlots::Pin CacheSlots::load(uint64_t block, BlockUse use, const CacheLoader& loader,
                                 const Context& context) {
  Slot& slot = made_slot(block);
  while (!cache_->claim(slot)) {
    if (Pin pin = pin_if_ready(slot, use)) return pin;
  }
  BlockCache::Loading loading(*cache_, slot);
  context.check_cancelled();
  Resident& resident = loading.make_room(loader.frame_bytes(context), use);
  resident.entry = loader.load(resident.frame, context);
  resident.entry->frame_ = resident.frame;
  resident.entry->resident_ = &resident;
  loading.publish();
  return Pin(&slot);
}

void CacheSlots::Pin::release_outside() noexcept {
  slot_->entry->resident_->cache->release_outside(*slot_);
}

}  // namespace heron::inline v0
