// The rows that a query reads: those of a table that pass a predicate, or all, as morsels.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "exec/resolved_query.h"
#include "filter/filter.h"

namespace heron::inline v0 {

// Chunks of morsels end at multiples of this many rows of the table, so that sums of chunks do not
// depend on morsels and threads.
inline constexpr uint64_t kChunkRows = 4096;

// Thread-safe.
class Input {
 public:
  // The predicate belongs to the query's table, or to one with the same rows that has computed
  // columns, too. The query's metrics and skipped rows must outlive this. Morsels number rows from
  // `numbered_from` on: the table, of one file, is a part of a larger one.
  Input(const SelectedBy& query, const Context& context, uint64_t numbered_from = 0);

  const std::shared_ptr<const Table>& table() const noexcept { return table_; }
  // Returns null if all rows are selected.
  const Filter* filter() const noexcept { return filter_ ? &*filter_ : nullptr; }
  const Morsels& morsels() const noexcept { return filter_ ? filter_->morsels() : all_; }
  QueryMetrics* metrics() const noexcept { return metrics_; }
  SkippedRows* skip_damaged() const noexcept { return skip_damaged_; }
  // Counts the columns as read by the query, once.
  void mark_read(std::span<const uint64_t> columns) const;

  // The columns that the predicate reads, ascending.
  std::span<const uint64_t> tested() const noexcept { return tested_; }
  bool tests(uint64_t column) const;

  // The table that has the column of a morsel's rows, and the first of these rows in it: the
  // fragment, or the whole table if the column spans files.
  struct Position {
    const Table* table;
    uint64_t first_row;
  };
  Position position(const Morsel& morsel, uint64_t column) const;
  // Locates, as Column::locate() does, what selecting rows of a morsel certainly reads or, without
  // a filter, these columns of all its rows.
  void locate(const Morsel& morsel, std::span<const uint64_t> columns, unsigned round,
              Prefetch& bytes, const Context& context) const;

 private:
  std::shared_ptr<const Table> table_;
  QueryMetrics* metrics_;
  SkippedRows* skip_damaged_;
  std::optional<Filter> filter_;
  const Table* tested_table_ = nullptr;  // the predicate's table
  Morsels all_;                          // used without a filter
  std::vector<uint64_t> tested_;
};

}  // namespace heron::inline v0
