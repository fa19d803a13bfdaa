// Rows of a query: all of them a batch at a time, their number, the numbers of rows in an order,
// and rows by their position among those that pass.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

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

// Counts the rows of the query; without a predicate the count is the size of the range, and no row
// is read. Zones are filtered in parallel on the Context's threads.
HERON_EXPORT uint64_t count(const Query& query, const Context& context = {});

class Input;

// Keeps 8 bytes for every ten thousand rows or so of the table, and the zones it read: enough to
// find any selected row again by filtering those around it. Cheap to move; const calls are
// thread-safe.
class HERON_EXPORT Selection {
 public:
  // Filters the rows of the query, on the Context's threads.
  explicit Selection(const Query& query, const Context& context = {});
  ~Selection();
  Selection(Selection&&) noexcept;
  Selection& operator=(Selection&&) noexcept;

  // The number of selected rows.
  uint64_t size() const noexcept { return before_.back(); }

  // Returns the table's numbers of the rows at these positions, 0 being the first selected row: any
  // order, repeats allowed. Filters the ten thousand rows or so around each again, once per call
  // however many positions are among them. Throws Error(Argument) for a position of size() or more.
  std::vector<uint64_t> rows(std::span<const uint64_t> positions,
                             const Context& context = {}) const;
  std::vector<uint64_t> rows(std::initializer_list<uint64_t> positions,
                             const Context& context = {}) const {
    return rows(std::span(positions.begin(), positions.size()), context);
  }

 private:
  std::unique_ptr<const Input> input_;
  std::vector<uint64_t> before_;  // selected rows before each morsel; last, those of all
};

// Returns the numbers of the query's rows, in its order; of equal rows the first comes first. The
// result is the same on any number of threads. Reads each column once and holds the keys of about
// twice `limit` rows for each thread, charged to the Context's budget: Error(Limit) if that is
// exhausted; keys that exceed the memory of Scan are spilled, as in Scan. Throws Error(Argument)
// for columns of types that have no order, and what aggregate() throws.
HERON_EXPORT std::vector<uint64_t> ordered_rows(const Query& query, const Context& context = {});

}  // namespace heron::inline v0
