// Asks for cold pages before they are read: all those of a batch of rows together, or some MB
// before a reader that goes through a table in order. Otherwise each page would be waited for
// alone, or with as many others as the system's readahead guesses.
#pragma once

#include <algorithm>
#include <deque>
#include <optional>
#include <span>
#include <utility>

#include "bytes/coldness.h"
#include "columns/column.h"
#include "columns/prefetch.h"
#include "heron/context.h"
#include "heron/dataset.h"

namespace heron::inline v0 {

struct RowLayout;

// For one batch of rows, column by column. The arguments must outlive it.
class RowsAhead {
 public:
  // `layout`: the columns are read together, row by row; null: they are not. Looks at some pages
  // once in some milliseconds, unless the rows `are_cold`; throws what reading throws.
  RowsAhead(const ByteSource& bytes, std::span<const Column* const> columns,
            const RowLayout* layout, std::span<const uint64_t> indices, RowsToRead rows,
            const Context& context, bool are_cold = false)
      : columns_(columns), layout_(layout), indices_(indices), rows_(rows), context_(context) {
    if (columns.empty() || rows.size() == 0) return;
    is_cold_ = are_cold || (bytes.may_be_cold() && found_cold(bytes));
    if (is_cold_ && !rows.list.empty()) scattered_.emplace(bytes);
  }

  bool is_cold() const noexcept { return is_cold_; }
  // Call it before reading column i, in order; with a layout, once for 0. Throws what reading
  // throws.
  void reach(uint64_t i) {
    if (is_cold_ && i == next_) ask_from(i);
  }

 private:
  bool found_cold(const ByteSource& bytes) const;
  std::optional<bool> sampled_cold(uint64_t places, Coldness* own) const;
  void ask_from(uint64_t i);
  void locate(uint64_t i, const RowsToRead& rows, unsigned round, Prefetch& bytes) const;

  const std::span<const Column* const> columns_;
  const RowLayout* const layout_;
  const std::span<const uint64_t> indices_;  // of the columns in the table
  const RowsToRead rows_;
  const Context& context_;
  bool is_cold_ = false;
  std::optional<ScatteredReads> scattered_;  // as long as rows of a list are read
  uint64_t next_ = 0;                        // the first column not yet asked for
};

// About how many bytes a row of the columns has in memory.
uint64_t bytes_of_a_row(std::span<const Column* const> columns);
// The rows of the largest block of the columns; 1: they have none.
uint64_t most_block_rows(std::span<const Column* const> columns);
// How many rows of the columns are some hundred KiB: a multiple of their blocks, if they have any.
uint64_t rows_of_a_step(std::span<const Column* const> columns);

// For items that are read one after the other: morsels, or steps of rows. One thread at a time.
class ReadAhead {
 public:
  // Keeps about this many bytes on their way: enough that the device always has several requests,
  // few enough to stay in memory until they are read.
  explicit ReadAhead(uint64_t window_bytes = uint64_t{8} << 20) : window_bytes_(window_bytes) {}

  // Call it before reading `item`; items ascend, but for those of other threads, and the last is
  // before `end`.
  // locate(item, round, bytes) adds what an item needs, as Column::locate() does; nothing if it is
  // pruned.
  template <class Locate>
  void reach(uint64_t item, uint64_t end, const ByteSource& source, const Context& context,
             Locate locate) {
    at_ = item;
    if (!source.can_prefetch() || !coldness_.may_be_cold()) return;
    const bool is_first = std::exchange(is_first_, false);
    if (is_first && !source.may_be_cold()) return void(coldness_.sampled(false));
    for (; !asked_.empty() && asked_.front().item < item; asked_.pop_front()) {
      ahead_ -= asked_.front().bytes;
      if (source.releases()) read_.push_back(asked_.front().item);
    }
    for (; !read_.empty() && read_.front() + kBehind < item; read_.pop_front()) {
      release(read_.front(), locate);
    }
    std::optional<ScatteredReads> scattered;
    const uint64_t last = item + std::min(end - item, kMostItems);
    for (next_ = std::max(next_, item); next_ < last && ahead_ < window_bytes_; ++next_) {
      Prefetch bytes;
      locate(next_, 0U, bytes);
      if (!bytes.empty() && !bytes.any_cold(is_first ? nullptr : &coldness_)) {
        if (is_first) coldness_.sampled(false);
        break;
      }
      const bool is_far = next_ > item;
      uint64_t asked = bytes.start(is_far);
      // What is found in the bytes of the item before, which are on their way longer, but may not
      // even have been asked for by the kernel's threads.
      if (!scattered) scattered.emplace(source);
      if (is_far) locate(next_ - 1, 1U, bytes);
      asked += bytes.start(is_far && next_ - 1 > item);
      ahead_ += asked;
      asked_.push_back({next_, asked});
      if (context.metrics != nullptr) context.metrics->bytes_prefetched += asked;
    }
    // What comes in behind the reader would not leave memory any more.
    if (!is_cold()) {
      spared_.reset();
    } else if (source.releases() && !spared_) {
      spared_.emplace(source);
    }
  }

  // Whether the item reached last, or one after it, was cold.
  bool is_cold() const noexcept { return ahead_ != 0; }
  // Whether an item is next to the one reached last.
  bool is_near(uint64_t item) const noexcept {
    return item < at_ ? at_ - item <= kNear : item - at_ <= kNear;
  }

 private:
  static constexpr uint64_t kMostItems = 256;  // pruned ones cost no bytes
  static constexpr uint64_t kBehind = 4;
  static constexpr uint64_t kNear = 8;  // threads that share items
  struct Asked {
    uint64_t item;
    uint64_t bytes;
  };

  template <class Locate>
  static void release(uint64_t item, Locate locate) {
    Prefetch bytes;
    for (const unsigned round : {0U, 1U}) locate(item, round, bytes);
    bytes.release();
  }

  uint64_t window_bytes_;
  std::optional<ScatteredReads> spared_;
  Coldness coldness_;          // of the next items
  std::deque<Asked> asked_;    // not yet read
  uint64_t ahead_ = 0;         // bytes of these
  std::deque<uint64_t> read_;  // not yet released: other threads may still read them
  uint64_t at_ = 0;            // the item reached last
  bool is_first_ = true;       // what others have found of the source counts at first
  uint64_t next_ = 0;          // the first item not yet asked for
};

}  // namespace heron::inline v0
