#include "base/arena.h"

#include <algorithm>
#include <new>

#include "base/fail.h"
#include "base/huge_pages.h"

namespace heron::inline v0 {
namespace {

// Chunks of at least this size are in huge pages: a batch of 800 MB is filled in three quarters of
// the time.
constexpr uint64_t kHugeChunk = uint64_t{8} << 20;
constexpr std::align_val_t kChunkAlignment{Arena::kAlignment};

// Returns null if there is no memory.
void* allocate_chunk(uint64_t bytes) noexcept {
  if (bytes < kHugeChunk) return ::operator new(bytes, kChunkAlignment, std::nothrow);
  try {
    return map_pages(bytes).memory;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void free_chunk(void* memory, uint64_t bytes) noexcept {
  bytes < kHugeChunk ? ::operator delete(memory, kChunkAlignment) : unmap_pages(memory, bytes);
}

}  // namespace

Arena::~Arena() {
  free_chunks();
}

void Arena::reset() {
  kept_.clear();
  kept_.swap(kept_for_next_);
  if (chunks_.size() > 1) {
    uint64_t sum = 0;
    for (const Chunk& chunk : chunks_) sum += chunk.bytes;
    free_chunks();
    next_chunk_bytes_ = sum;
  } else if (!chunks_.empty()) {
    next_ = chunks_[0].memory;
    free_bytes_ = chunks_[0].bytes;
  }
}

std::byte* Arena::grow(uint64_t bytes) {
  const uint64_t needed = padded(bytes);
  if (needed < bytes) throw_too_much(bytes);
  // The spare room of a chunk must not exceed the budget by itself.
  const bool spare = budget_ == nullptr || next_chunk_bytes_ <= budget_->limit() - budget_->used();
  add_chunk(spare ? std::max(needed, next_chunk_bytes_) : needed);
  return allocate(bytes);
}

void Arena::add_chunk(uint64_t bytes) {
  chunks_.reserve(chunks_.size() + 1);
  if (budget_ != nullptr) budget_->acquire(bytes);
  void* memory = allocate_chunk(bytes);
  if (memory == nullptr) {
    if (budget_ != nullptr) budget_->release(bytes);
    throw_too_much(bytes);
  }
  chunks_.push_back({static_cast<std::byte*>(memory), bytes});
  next_ = chunks_.back().memory;
  free_bytes_ = bytes;
  next_chunk_bytes_ = std::max(next_chunk_bytes_, bytes) * 2;
}

void Arena::free_chunks() noexcept {
  for (const Chunk& chunk : chunks_) {
    free_chunk(chunk.memory, chunk.bytes);
    if (budget_ != nullptr) budget_->release(chunk.bytes);
  }
  chunks_.clear();
  next_ = nullptr;
  free_bytes_ = 0;
}

void Arena::throw_too_much(uint64_t count) {
  fail(ErrorKind::Limit, "", "no memory for ", count, " bytes or values at once");
}

}  // namespace heron::inline v0
