// Rows in file order, or in another, a batch at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "heron/context.h"
#include "heron/export.h"
#include "heron/query.h"
#include "heron/values.h"

namespace heron::inline v0 {

// The rows of a query, a batch at a time, in memory that does not grow with the file. One thread at
// a time may call it; on the Context's threads it decodes blocks ahead, filters rows in parallel
// and fetches the next batches. With a predicate, it first reads the predicate's columns, where
// zone maps leave it open, and the others only for the selection. Without a limit, a table that
// claims more than 2^32 rows but stores nothing for any of them is Error(Limit).
//
// With an order, the constructor reads the columns of the order and sorts row numbers by them: keys
// beyond a quarter of the Context's budget go to an unnamed file in TMPDIR (Error(Write) where that
// has no room); without a budget, beyond a 16th of the machine's memory, from 256 MiB to 1 GiB.
// Batches are then taken by row number.
class HERON_EXPORT Scan {
 public:
  static constexpr uint64_t kBatchRows = 8192;

  // Throws Error(Argument) for a batch of no rows and for what Query says.
  explicit Scan(const Query& query, const Context& context = {}, uint64_t batch_rows = kBatchRows);
  ~Scan();
  Scan(Scan&&) noexcept;
  Scan& operator=(Scan&&) noexcept;

  // Fills `batch` with the next rows. Returns false at the end, with an empty batch.
  bool next(RowBatch& batch);
  // The row number of the first row of the last batch.
  uint64_t first_row() const noexcept;
  // With a predicate or an order: the numbers of the last batch's rows; else empty.
  std::span<const uint64_t> rows() const noexcept;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace heron::inline v0
