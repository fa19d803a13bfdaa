// Numbers that the pass over a file has converted while their text was in memory, so that the first
// read of a block copies them. Each is given out once: what is read again is in the cache of
// decoded blocks, or converted from the text.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "heron/row_range.h"
#include "heron/values.h"

namespace heron::inline v0::csv {

// Thread-safe for different columns while values are added, and for all calls afterwards.
class KeptValues {
 public:
  // Keeps `most_bytes` at most; of them, `memory` is charged with what it has room for.
  KeptValues(uint64_t columns, uint64_t most_bytes, std::shared_ptr<MemoryBudget> memory)
      : columns_(columns), memory_(std::move(memory)), left_(most_bytes) {}

  // Whether the next rows of a column of this type are to be added: numbers, if there is room.
  bool wants(const Type& type, uint64_t rows) const noexcept;
  // Copies the values of rows from `first` on, which follow those added to the column before; there
  // may be rows between that are not kept. Nothing more is kept once the budget has no room.
  void add(uint64_t column, uint64_t first, const Values& values);

  // Copies the cells of these rows, and clears the bits of nulls in `validity`, which is null if
  // there are none. Returns false unless all of the rows are kept as `type`; part of them may be
  // copied by then.
  bool give(uint64_t column, const Type& type, RowRange rows, std::byte* cells,
            std::byte* validity);

 private:
  struct Chunk {
    uint64_t first;  // row
    uint64_t left;   // rows not given yet
    Values values;
    std::shared_ptr<Arena> memory;  // of this chunk and its neighbours; null: all are given
  };
  struct Column {
    std::mutex mutex;
    std::vector<Chunk> chunks;  // by their first rows
    std::shared_ptr<Arena> memory;  // of the last chunk
    uint64_t memory_bytes = 0;
    std::byte* next = nullptr;  // free in it
    uint64_t free_bytes = 0;
  };

  bool make_room(Column& column, uint64_t bytes);

  std::vector<Column> columns_;
  const std::shared_ptr<MemoryBudget> memory_;
  std::atomic<uint64_t> left_;  // bytes that may be kept, of all that are, given out or not
};

}  // namespace heron::inline v0::csv
