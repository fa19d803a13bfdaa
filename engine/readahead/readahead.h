// Starts to read cold pages before they are needed: the pages of the next items of a query, or all
// pages of a batch of rows together. Otherwise queries would wait for each page alone, or for as
// many as the system's readahead guesses. This code decides by samples (bytes/coldness.h) whether
// to prefetch: an operator holds one of these objects and calls before().
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <span>

#include "bytes/coldness.h"
#include "columns/column.h"
#include "columns/prefetch.h"
#include "columns/row_layout.h"
#include "heron/context.h"
#include "readahead/blocks_ahead.h"
#include "table/internals.h"

namespace heron::inline v0 {

// Columns of a table that are read together. The table, or the projection, and the list of columns
// must outlive it.
struct ColumnsToRead {
  ColumnsToRead(const ByteSource& source, std::span<const Column* const> list)
      : bytes(source), columns(list) {}
  explicit ColumnsToRead(const Projection& projection)
      : bytes(bytes_of(projection)),
        columns(internals(projection).columns()),
        layout(row_layout(projection)),
        indices(internals(projection).indices()) {}

  // Locates rows of all columns, as Column::locate() does.
  void locate(const RowsToRead& rows, unsigned round, Prefetch& pages,
              const Context& context) const;

  const ByteSource& bytes;
  const std::span<const Column* const> columns;
  const RowLayout* const layout = nullptr;  // null: columns are read one after the other
  const std::span<const uint64_t> indices;  // column numbers in the table, with a layout
};

// Returns about how many bytes a row of the columns takes in memory.
uint64_t bytes_of_a_row(std::span<const Column* const> columns);
// Returns the rows of the largest block of the columns; 1 if they have no blocks.
uint64_t most_block_rows(std::span<const Column* const> columns);
// Returns the number of rows of the columns that take some hundred KiB: a multiple of their blocks,
// if they have any.
uint64_t rows_of_a_step(std::span<const Column* const> columns);

// Reads ahead of items that are read in turn: morsels, steps of rows, batches. Thread-safe:
// threads walk through neighbouring items or through distant ranges of them, and every range has a
// window of its own.
class Readahead {
 public:
  // Adds what an item needs, as Column::locate() does; nothing if it is pruned. One call at a time.
  using Locate = std::function<void(uint64_t item, unsigned round, Prefetch& pages)>;

  // Keeps about `window_bytes` of every range on their way: enough that the device always has
  // several requests, few enough to stay in memory until they are read. The source and what
  // `locate` refers to must outlive it.
  Readahead(const ByteSource& source, Locate locate,
            uint64_t window_bytes = uint64_t{8} << 20);
  ~Readahead();

  // Call it before reading `item`; items of a thread ascend, and the last is before `end`. Does
  // nothing while another thread prefetches. Throws what reading throws.
  void before(uint64_t item, uint64_t end) {
    if (source_.can_prefetch()) prefetch_from(item, end);
  }

 private:
  friend class RowsAhead;
  class Range;

  void prefetch_from(uint64_t item, uint64_t end);
  // Returns whether items were cold recently: the window of the range before may have prefetched
  // the first item of a range.
  bool is_cold() const noexcept { return cold_items_.load(std::memory_order_relaxed) != 0; }

  const ByteSource& source_;
  const Locate locate_;
  const uint64_t window_bytes_;
  std::mutex mutex_;  // guards ranges_
  std::list<Range> ranges_;
  std::atomic<uint32_t> cold_items_{0};
};

// The relation of some rows to a Readahead.
struct ItemOf {
  const Readahead* readahead = nullptr;  // it reads the rows ahead, in one of its items, or null
  bool is_prefetched = false;            // the Readahead has prefetched all that the columns need
};

// Reads ahead of one batch of rows, column by column. The arguments must outlive it.
class RowsAhead {
 public:
  // Samples some pages once in some milliseconds, unless the item is known; throws what reading
  // throws. A sample of the few rows that are read of an item would find pages that came along with
  // others, and each one missed costs as many: these rows are as cold as the item.
  RowsAhead(const ColumnsToRead& columns, const RowsToRead& rows, const Context& context,
            ItemOf item = {});

  // Returns false if nothing would be prefetched. Costs some nanoseconds.
  static bool may_prefetch(const ByteSource& bytes, const Readahead* readahead) noexcept {
    return (readahead != nullptr && readahead->is_cold()) || bytes.may_be_cold();
  }
  // Call it before reading column i, in order; with a layout, once for 0: prefetches the pages of
  // some columns, and decodes blocks of several ones on the Context's threads. Throws what reading
  // pages throws, and Error(Cancelled).
  void before(uint64_t i) {
    prefetch(i);
    if (blocks_) blocks_->before(i);
  }
  // Prefetches pages as before() does, but decodes no blocks.
  void prefetch(uint64_t i) {
    if (prefetches_ && i == next_) prefetch_from(i);
  }
  // Returns whether before() prefetches pages.
  bool prefetches() const noexcept { return prefetches_; }

 private:
  bool found_cold() const;
  std::optional<bool> sampled_cold(uint64_t samples, Coldness* own) const;
  void prefetch_from(uint64_t i);
  void locate(uint64_t i, const RowsToRead& rows, unsigned round, Prefetch& pages) const;

  const ColumnsToRead columns_;
  const RowsToRead rows_;
  const Context& context_;
  bool prefetches_ = false;
  std::optional<ScatteredReads> scattered_;  // while rows of a list are read
  uint64_t next_ = 0;                        // the first column not yet prefetched
  std::optional<BlocksAhead> blocks_;  // with several threads, without a layout
};

}  // namespace heron::inline v0
