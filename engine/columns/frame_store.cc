#include "columns/frame_store.h"

#include <sys/mman.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <new>

#include "base/arena.h"

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
constexpr uint64_t kStep = uint64_t{2} << 20;        // the budget is charged in such: huge pages
constexpr uint64_t kSmallPages = uint64_t{2} << 20;  // of the range are usual ones

constexpr uint64_t round_up(uint64_t bytes, uint64_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

// For AddressSanitizer, which else does not know what of the range is in use.
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
  for (auto run = free_by_bytes_.lower_bound({bytes, 0}); run != free_by_bytes_.end(); ++run) {
    const auto [free_bytes, offset] = *run;
    if (!charge_up_to(offset + bytes)) continue;  // a larger one may lie lower
    remove_free(offset, free_bytes);
    if (free_bytes > bytes) add_free(offset + bytes, free_bytes - bytes);
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
  uint64_t bytes = run_bytes(frame_bytes);
  if (std::less<>()(frame, range_) || !std::less<>()(frame, range_ + range_bytes_)) {
    ::operator delete (frame, std::align_val_t{Arena::kAlignment});
    if (budget_ != nullptr) budget_->release(bytes);
    return;
  }
  poison(frame, bytes);
  auto offset = static_cast<uint64_t>(frame - range_);
  const auto next = free_.lower_bound(offset);
  const auto before = next == free_.begin() ? free_.end() : std::prev(next);
  if (next != free_.end() && next->first == offset + bytes) {
    bytes += next->second;
    remove_free(next->first, next->second);
  }
  if (before != free_.end() && before->first + before->second == offset) {
    offset = before->first;
    bytes += before->second;
    remove_free(before->first, before->second);
  }
  add_free(offset, bytes);
}

// A process that may have only so many addresses gets a smaller range, or none.
void FrameStore::reserve() {
  const uint64_t most =
      budget_ == nullptr ? limit_bytes_ : std::min(limit_bytes_, budget_->limit());
  for (uint64_t bytes = round_up(most, kPage); bytes >= kPage;
       bytes = bytes / 2 / kPage * kPage) {
    void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) continue;
    range_ = static_cast<std::byte*>(memory);
    range_bytes_ = bytes;
    // A hint; one fault then brings in what is otherwise hundreds. What few blocks need is not
    // worth clearing so much.
    if (bytes > kSmallPages) ::madvise(range_ + kSmallPages, bytes - kSmallPages, MADV_HUGEPAGE);
    add_free(0, bytes);
    return;
  }
}

bool FrameStore::charge_up_to(uint64_t end) noexcept {
  if (end <= charged_bytes_) return true;
  // Room to spare must not be what breaks the budget.
  for (const uint64_t wanted : {std::min(round_up(end, kStep), range_bytes_), end}) {
    if (budget_ != nullptr && !budget_->try_acquire(wanted - charged_bytes_)) continue;
    poison(range_ + charged_bytes_, wanted - charged_bytes_);
    charged_bytes_ = wanted;
    return true;
  }
  return false;
}

void FrameStore::add_free(uint64_t offset, uint64_t bytes) {
  free_.emplace(offset, bytes);
  free_by_bytes_.emplace(bytes, offset);
}

void FrameStore::remove_free(uint64_t offset, uint64_t bytes) {
  free_.erase(offset);
  free_by_bytes_.erase({bytes, offset});
}

}  // namespace heron::inline v0
