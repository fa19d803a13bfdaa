#include "cache/frame_store.h"

#include <sys/mman.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <new>

#include "base/arena.h"
#include "base/fail.h"
#include "base/round_up.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HERON_ADDRESS_SANITIZER
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define HERON_ADDRESS_SANITIZER
#endif
#if defined(HERON_ADDRESS_SANITIZER)
#include <sanitizer/asan_interface.h>
#endif

namespace heron::inline v0 {

namespace {

constexpr uint64_t kGranule = 1024;  // runs are multiples of it
constexpr uint64_t kPage = 4096;
constexpr uint64_t kStep = uint64_t{2} << 20;        // unit of charges to the budget; a huge page
constexpr uint64_t kSmallPages = uint64_t{2} << 20;  // leading bytes of the range in small pages

// Shows AddressSanitizer which parts of the range are in use.
void poison([[maybe_unused]] const std::byte* memory, [[maybe_unused]] uint64_t bytes) noexcept {
#if defined(HERON_ADDRESS_SANITIZER)
  __asan_poison_memory_region(memory, bytes);
#endif
}
void unpoison([[maybe_unused]] const std::byte* memory, [[maybe_unused]] uint64_t bytes) noexcept {
#if defined(HERON_ADDRESS_SANITIZER)
  __asan_unpoison_memory_region(memory, bytes);
#endif
}

}  // namespace

FrameStore::~FrameStore() {
  if (range_ == nullptr) return;
  unpoison(range_, charged_bytes_);
  ::munmap(range_, range_bytes_);
  if (budget_ != nullptr) budget_->release(charged_bytes_);
}

uint64_t FrameStore::run_bytes(uint64_t frame_bytes) {
  if (frame_bytes > UINT64_MAX / 4) {
    fail(ErrorKind::Limit, "", "no memory for a block of ", frame_bytes, " bytes");
  }
  return frame_bytes == 0 ? 0 : round_up(frame_bytes + Arena::kSlack, kGranule);
}

std::byte* FrameStore::allocate(uint64_t frame_bytes) {
  const uint64_t bytes = run_bytes(frame_bytes);
  if (bytes > limit_bytes_) return nullptr;
  if (range_ == nullptr) reserve();
  auto run = free_.by_bytes.lower_bound({bytes, 0});
  for (; run != free_.by_bytes.end(); ++run) {
    const auto [free_bytes, offset] = *run;
    if (!charge_up_to(offset + bytes)) continue;  // a larger run may lie lower
    if (free_bytes == bytes) {
      free_.move({offset, bytes}, used_, {offset, bytes});
    } else {
      used_.add({offset, bytes});
      free_.move({offset, free_bytes}, free_, {offset + bytes, free_bytes - bytes});
    }
    unpoison(range_ + offset, frame_bytes + Arena::kSlack);
    return range_ + offset;
  }
  return nullptr;
}

std::byte* FrameStore::allocate_outside(uint64_t frame_bytes) {
  const uint64_t bytes = run_bytes(frame_bytes);
  if (budget_ != nullptr) budget_->acquire(bytes);
  void* memory = ::operator new (frame_bytes + Arena::kSlack, std::align_val_t{Arena::kAlignment},
                                 std::nothrow);
  if (memory == nullptr) {
    if (budget_ != nullptr) budget_->release(bytes);
    fail(ErrorKind::Limit, "", "no memory for a block of ", frame_bytes, " bytes");
  }
  return static_cast<std::byte*>(memory);
}

void FrameStore::give_back(std::byte* frame, uint64_t frame_bytes) noexcept {
  if (frame == nullptr) return;
  const uint64_t bytes = run_bytes(frame_bytes);
  if (std::less<>()(frame, range_) || !std::less<>()(frame, range_ + range_bytes_)) {
    ::operator delete (frame, std::align_val_t{Arena::kAlignment});
    if (budget_ != nullptr) budget_->release(bytes);
    return;
  }
  poison(frame, bytes);
  const Run run = {static_cast<uint64_t>(frame - range_), bytes};
  Run joined = run;  // the run with its free neighbours
  const auto next = free_.by_offset.lower_bound(run.offset);
  const auto before = next == free_.by_offset.begin() ? free_.by_offset.end() : std::prev(next);
  if (before != free_.by_offset.end() && before->first + before->second == run.offset) {
    const Run neighbour = {before->first, before->second};
    joined = {neighbour.offset, neighbour.bytes + joined.bytes};
    free_.remove(neighbour);
  }
  if (next != free_.by_offset.end() && next->first == run.offset + run.bytes) {
    const Run neighbour = {next->first, next->second};
    joined.bytes += neighbour.bytes;
    free_.remove(neighbour);
  }
  used_.move(run, free_, joined);
}

// Maps twice the range and frees half, so that the rest of the process has as many addresses left.
// With limited addresses the range is smaller, or none.
void FrameStore::reserve() {
  constexpr uint64_t kMaxAddresses = uint64_t{1} << 46;
  const uint64_t most =
      std::min({limit_bytes_, budget_ == nullptr ? UINT64_MAX : budget_->limit(), kMaxAddresses});
  for (uint64_t bytes = round_up(most, kPage); bytes >= kPage; bytes = bytes / 2 / kPage * kPage) {
    void* memory = ::mmap(nullptr, 2 * bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) continue;
    range_ = static_cast<std::byte*>(memory);
    ::munmap(range_ + bytes, bytes);
    range_bytes_ = bytes;
    // Asks for huge pages, a hint: one fault then maps what otherwise takes hundreds. The first
    // pages stay small, because a few blocks are not worth clearing a huge page.
    if (bytes > kSmallPages) ::madvise(range_ + kSmallPages, bytes - kSmallPages, MADV_HUGEPAGE);
    free_.add({0, bytes});
    return;
  }
}

bool FrameStore::charge_up_to(uint64_t end) noexcept {
  if (end <= charged_bytes_) return true;
  // Spare room must not exceed the budget by itself.
  for (const uint64_t target : {std::min(round_up(end, kStep), range_bytes_), end}) {
    if (budget_ != nullptr && !budget_->try_acquire(target - charged_bytes_)) continue;
    poison(range_ + charged_bytes_, target - charged_bytes_);
    charged_bytes_ = target;
    return true;
  }
  return false;
}

void FrameStore::Runs::add(const Run& run) {
  const auto added = by_offset.emplace(run.offset, run.bytes).first;
  try {
    by_bytes.emplace(run.bytes, run.offset);
  } catch (...) {
    by_offset.erase(added);
    throw;
  }
}

void FrameStore::Runs::remove(const Run& run) noexcept {
  by_offset.erase(run.offset);
  by_bytes.erase({run.bytes, run.offset});
}

void FrameStore::Runs::move(const Run& run, Runs& others, const Run& as) noexcept {
  auto node = by_offset.extract(run.offset);
  node.key() = as.offset;
  node.mapped() = as.bytes;
  others.by_offset.insert(std::move(node));
  auto by_size = by_bytes.extract({run.bytes, run.offset});
  by_size.value() = {as.bytes, as.offset};
  others.by_bytes.insert(std::move(by_size));
}

}  // namespace heron::inline v0
