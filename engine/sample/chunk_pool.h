// Batches that are read together, and memory for them.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "heron/values.h"

namespace heron::inline v0 {

struct Chunk {
  uint64_t first = 0, last = 0;  // batches of the shard
  std::vector<uint64_t> rows;
  std::span<float> floats;  // the matrix is one of these
  std::span<double> doubles;
  RowBatch columns;

  // Makes the matrix; its elements are still to be written. Throws Error(Limit).
  template <class T>
  std::span<T> make_matrix(uint64_t elements, const std::shared_ptr<MemoryBudget>& budget) {
    if (memory_ && elements * sizeof(T) <= memory_->held_bytes() - Arena::kSlack) {
      memory_->reset();
    } else {  // an arena that grows would keep what it has, and copy nothing
      memory_.emplace(budget, elements * sizeof(T));
    }
    const std::span<T> made(memory_->allocate_array<T>(elements), elements);
    if constexpr (std::is_same_v<T, double>) {
      doubles = made;
    } else {
      floats = made;
    }
    return made;
  }

 private:
  std::optional<Arena> memory_;
};

// Chunks that nobody holds any more, to be used again. Thread-safe.
class ChunkPool {
 public:
  explicit ChunkPool(uint64_t most) : most_(most) {}

  // Returns a chunk whose last owner gives it back to the pool, if that still exists.
  static std::shared_ptr<Chunk> take(const std::shared_ptr<ChunkPool>& pool) {
    std::unique_ptr<Chunk> chunk = pool->found();
    if (chunk == nullptr) chunk = std::make_unique<Chunk>();
    return {chunk.release(), [home = std::weak_ptr(pool)](Chunk* used) {
              std::unique_ptr<Chunk> owned(used);
              if (const auto pool_of_it = home.lock()) pool_of_it->put(std::move(owned));
            }};
  }

 private:
  std::unique_ptr<Chunk> found() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return nullptr;
    std::unique_ptr<Chunk> chunk = std::move(free_.back());
    free_.pop_back();
    return chunk;
  }
  void put(std::unique_ptr<Chunk> chunk) {
    const std::lock_guard lock(mutex_);
    if (free_.size() < most_) free_.push_back(std::move(chunk));
  }

  const uint64_t most_;
  std::mutex mutex_;  // guards the member below
  std::vector<std::unique_ptr<Chunk>> free_;
};

}  // namespace heron::inline v0
