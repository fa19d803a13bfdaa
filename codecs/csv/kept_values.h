// Numbers that the pass over a file has converted while their text was in memory, so that the first
// read of a block copies them. Each number is given out once: later reads find it in the cache of
// decoded blocks, or convert it from the text again.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "heron/values.h"

namespace heron::inline v0::csv {

// Thread-safe for different columns while values are added, and for all calls afterwards.
class KeptValues {
 public:
  // Keeps at most `most_bytes`; `memory` is charged with the memory taken for them.
  KeptValues(uint64_t columns, uint64_t most_bytes, std::shared_ptr<MemoryBudget> memory)
      : columns_(columns), memory_(std::move(memory)), left_(most_bytes) {}

  // Returns whether the next rows of a column of this type should be added: if they are numbers and
  // memory is left.
  bool wants(const Type& type, uint64_t rows) const noexcept;
  // Copies the values of rows from `first` on, which is behind the rows added to the column before;
  // rows between may be left out. Nothing more is kept once the budget has no room.
  void add(uint64_t column, uint64_t first, const Values& values);

  // Copies the cells of these rows, and clears the bits of nulls in `validity`, which is null if
  // there are none. Returns false unless all of the rows are kept as `type`; part of them may have
  // been copied by then.
  bool give(uint64_t column, const Type& type, RowRange rows, std::byte* cells,
            std::byte* validity);

 private:
  struct Chunk {
    uint64_t first;  // first row of the chunk
    uint64_t left;   // number of rows not yet given out
    Values values;
    std::shared_ptr<Arena> memory;  // memory of this chunk and its neighbours; null: all given out
  };
  struct Column {
    std::mutex mutex;
    std::vector<Chunk> chunks;  // ordered by first row
    std::shared_ptr<Arena> memory;  // memory of the last chunk
    uint64_t memory_bytes = 0;
    std::byte* next = nullptr;  // first free byte in `memory`
    uint64_t free_bytes = 0;
  };

  bool make_room(Column& column, uint64_t bytes);

  std::vector<Column> columns_;
  const std::shared_ptr<MemoryBudget> memory_;
  std::atomic<uint64_t> left_;  // bytes that may still be kept; bytes given out do not return to it
};

}  // namespace heron::inline v0::csv
