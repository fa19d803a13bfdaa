#include "readahead/read_ahead.h"

#include "cache/block_column.h"
#include "columns/row_layout.h"

namespace heron::inline v0 {
namespace {

// What is asked for together: pages that wait in memory until their column is read.
constexpr uint64_t kMostBytes = uint64_t{128} << 20;
// Columns that may share pages, as those of a text file do, are asked for together, up to this many
// ranges, or columns of consecutive rows: each page once.
constexpr uint64_t kRangesTogether = uint64_t{1} << 14, kColumnsTogether = 8;
// Consecutive rows that exceed this are read by the kernel's readahead or, in a scan, by ReadAhead:
// a caller that gets them in place may not touch them all.
constexpr uint64_t kMostRowsInRange = uint64_t{1} << 18;

}  // namespace

uint64_t bytes_of_a_row(std::span<const Column* const> columns) {
  constexpr uint64_t kVaryingBytes = 16;
  uint64_t bytes = 1;
  for (const Column* column : columns) {
    bytes += std::max<uint64_t>(column->type().width(), 1);
    if (column->type().is_text() || column->type().is_nested()) bytes += kVaryingBytes;
  }
  return bytes;
}

uint64_t most_block_rows(std::span<const Column* const> columns) {
  uint64_t rows = 1;
  for (const Column* column : columns) {
    if (column->blocks() != nullptr) rows = std::max(rows, column->blocks()->block_rows());
  }
  return rows;
}

uint64_t rows_of_a_step(std::span<const Column* const> columns) {
  constexpr uint64_t kStepBytes = uint64_t{1} << 20, kMostRows = 65536, kLeastRows = 1024;
  const uint64_t rows = std::clamp(kStepBytes / bytes_of_a_row(columns), kLeastRows, kMostRows);
  const uint64_t block_rows = most_block_rows(columns);
  return (rows + block_rows - 1) / block_rows * block_rows;
}

void RowsAhead::locate(uint64_t i, const RowsToRead& rows, unsigned round, Prefetch& bytes) const {
  if (layout_ == nullptr) {
    columns_[i]->locate(rows, round, bytes, context_);
  } else if (round == 0) {
    locate_rows(*layout_, indices_, rows, bytes);
  }
}

// Looks at the cells of some rows, each in another column or part of one and, if these are warm, at
// what they point to: the offsets of texts may be in memory when the characters are not. nullopt:
// none of the rows needs a page.
std::optional<bool> RowsAhead::sampled_cold(uint64_t places, Coldness* own) const {
  std::optional<bool> found;
  for (const unsigned round : {0U, 1U}) {
    Prefetch sample;
    for (uint64_t k = 0; k < places; ++k) {
      const uint64_t row = rows_[k * rows_.size() / places];
      locate(k * columns_.size() / places, {{&row, 1}, {}}, round, sample);
    }
    if (sample.empty()) continue;
    found = sample.any_cold(own, places);
    if (*found) break;
  }
  return found;
}

// Pages count as cold for some samples after one was. To ask for all pages of many cells that are
// warm takes many times as long as to read them, so these get a closer look: cold pages that it
// misses are fewer than would be worth asking for.
bool RowsAhead::found_cold(const ByteSource& bytes) const {
  constexpr uint64_t kFew = 8, kCellsALook = 256, kMost = 1024;
  if (rows_.list.empty() && rows_.range.rows() > kMostRowsInRange) return false;
  const std::optional<bool> found = sampled_cold(kFew, nullptr);
  // Decoded blocks need no pages: another look is as far away as after a warm page.
  if (!found) return bytes.any_cold({});
  const uint64_t looks = std::min(kMost, rows_.list.size() * columns_.size() / kCellsALook);
  if (!*found || looks <= 4 * kFew) return *found;
  Coldness own;
  return sampled_cold(looks, &own).value_or(false);
}

void RowsAhead::ask_from(uint64_t i) {
  const uint64_t last = columns_.size();
  const uint64_t end = layout_ == nullptr ? last : i + 1;
  const uint64_t together = rows_.list.empty()
                                ? kColumnsTogether
                                : std::max<uint64_t>(1, kRangesTogether / rows_.list.size());
  uint64_t asked = 0;
  for (next_ = i; next_ < end && (next_ == i || asked < kMostBytes);) {
    Prefetch bytes;
    for (const uint64_t some_end = std::min(end, next_ + together); next_ < some_end; ++next_) {
      locate(next_, rows_, 0, bytes);
    }
    asked += bytes.start();
  }
  const uint64_t group_end = next_;
  for (unsigned round = 1;; ++round) {
    Prefetch bytes;
    for (uint64_t k = i; k < group_end; ++k) locate(k, rows_, round, bytes);
    if (bytes.empty()) break;
    asked += bytes.start();
  }
  if (layout_ != nullptr) next_ = last;
  if (context_.metrics != nullptr) context_.metrics->bytes_prefetched += asked;
}

}  // namespace heron::inline v0
