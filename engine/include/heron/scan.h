// Rows in file order, a batch at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "heron/context.h"
#include "heron/dataset.h"
#include "heron/metrics.h"
#include "heron/predicate.h"
#include "heron/row_range.h"
#include "heron/values.h"

namespace heron::inline v0 {

class FilteredScan;

struct ScanOptions {
  std::optional<RowRange> range = std::nullopt;   // default: all rows
  std::optional<Predicate> where = std::nullopt;  // of the same table; default: no predicate
  uint64_t limit = UINT64_MAX;                    // maximum number of rows
  uint64_t batch_rows = 8192;
  QueryMetrics* metrics = nullptr;  // optional; must outlive the Scan
};

// Rows in file order, a batch at a time, in memory that does not grow with the file. One thread at
// a time may call it; on the Context's threads it decodes blocks ahead, filters rows in parallel
// and fetches the next batches. With a predicate, it first reads the predicate's columns, where
// zone maps leave it open, and the others only for the selection. Without `limit`, a table that
// claims more than 2^32 rows but stores nothing for any of them is Error(Limit).
class Scan {
 public:
  explicit Scan(Projection columns, ScanOptions options = {}, Context context = {});

  // Fills `batch` with the next rows. Returns false at the end, with an empty batch.
  bool next(RowBatch& batch);
  // The row number of the first row of the last batch.
  uint64_t first_row() const noexcept { return first_row_; }
  // With a predicate: the numbers of the last batch's rows, ascending; else empty.
  std::span<const uint64_t> rows() const noexcept { return rows_; }

 private:
  bool next_filtered(RowBatch& batch);
  void finish(RowBatch& batch) const;
  void decode_ahead(RowRange rows);

  Projection columns_;
  ScanOptions options_;
  Context context_;
  RowRange range_;                                  // the rows still to come
  std::vector<std::shared_ptr<const void>> ahead_;  // blocks decoded for the rows before ahead_row_
  uint64_t ahead_row_ = 0;
  uint64_t first_row_ = 0;
  std::shared_ptr<FilteredScan> filtered_;  // null: no predicate
  std::span<const uint64_t> rows_;
  uint64_t total_rows_ = 0;
};

}  // namespace heron::inline v0
