// Queries. Every call is const on what it reads and thread-safe. Common to all:
// - rows are numbered from 0; a row number out of range is Error(Argument) before any work;
// - damage in what is read is Error(Corrupt); a file that changes meanwhile is Error(Changed), and
//   no answer contains bytes of a lost page;
// - a query that reads all rows, and would decode more than OpenOptions::max_decode for that, is
//   Error(Limit) before any work;
// - a batch that is passed in has its memory reused if no other copy of it exists.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "heron/context.h"
#include "heron/dataset.h"
#include "heron/predicate.h"
#include "heron/row_view.h"
#include "heron/values.h"

namespace heron::inline v0 {

// Rows by number: any order, repeats allowed. Cost: the cells of those rows, all fetched at once.
void take(const Projection& columns, std::span<const uint64_t> rows, RowBatch& batch,
          const Context& context = {});
RowBatch take(const Projection& columns, std::span<const uint64_t> rows,
              const Context& context = {});
// The same, but if the Context skips damage, `rows` becomes those that could be read. If columns
// have blocks of their own, no row of a damaged block can be read. Cost: after damage, each of the
// blocks, or else each row, once more by itself.
void take_readable(const Projection& columns, std::vector<uint64_t>& rows, RowBatch& batch,
                   const Context& context = {});

// Consecutive rows. Aligned fixed-width cells and texts of a mapped file are not copied.
void read(const Projection& columns, RowRange rows, RowBatch& batch, const Context& context = {});
RowBatch read(const Projection& columns, RowRange rows, const Context& context = {});

// What a query with a predicate looked at. Its threads add to it while it runs.
struct QueryMetrics {
  // Zones of the predicate's columns in the requested rows, and how many of them were not read,
  // because zone maps, keys or other columns had decided.
  std::atomic<uint64_t> zones{0};
  std::atomic<uint64_t> zones_skipped{0};
  std::atomic<uint64_t> values_tested{0};  // read for the predicate
  std::atomic<uint64_t> bytes_tested{0};   // of their stored form
  std::atomic<uint64_t> bytes_kept{0};     // of the values in the answer
  std::atomic<uint64_t> columns{0};        // read, for the predicate or the answer
  std::atomic<uint64_t> rows_kept{0};
};

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

// What a null becomes in a matrix.
enum class MatrixNull : uint8_t { NaN, Refuse /* Error(Argument) that names row and column */ };

// How many columns the matrix of these columns has: one for each numeric, bool or key column, and
// one per slot of a vector of such items and of fixed size. The number comes from the file: compare
// it with a limit before allocating. Throws Error(Argument) for columns of other types.
uint64_t matrix_width(const Projection& columns);

// Fills a row-major matrix, rows.size() x matrix_width(columns). Bools are 0 and 1, integers
// rounded to T, keys their stored numbers; slots that are not stored are 0, of keys null. T is
// float or double. Throws Error(Argument) unless `out` has exactly that many elements, and for
// columns of other types.
template <class T>
void matrix(const Projection& columns, std::span<const uint64_t> rows, std::span<T> out,
            MatrixNull nulls = MatrixNull::NaN, const Context& context = {});
template <class T>
void matrix(const Projection& columns, RowRange rows, std::span<T> out,
            MatrixNull nulls = MatrixNull::NaN, const Context& context = {});

// How many rows pass a predicate. Zones are filtered in parallel on the Context's threads.
uint64_t count(const Predicate& predicate, const Context& context = {},
               QueryMetrics* metrics = nullptr);

// One value of any type that a key can have; monostate is null. Dates, times and durations are
// their integers, a datetimeoffset the integer of its datetime in UTC.
using Scalar = std::variant<std::monostate, bool, int64_t, uint64_t, double, std::string>;

// Parses a scalar of that type: numbers, true/false, dates and times in ISO form, durations as
// "-1.02:03:04.5", of keys the stored number, "null" for null. Throws Error(Argument) that names
// what was expected.
Scalar parse_scalar(const Type& type, std::string_view text);

// Rows by key, by binary search, for many keys at once. `columns` ascend together in key order:
// false < true, numbers by value with -0.0 before 0.0, texts by bytes, keys by their stored
// numbers. Nulls come first or last in a column, and so do NaNs beside its other values. `keys`
// holds columns.size() scalars per key, one key after the other. The answer has a row number per
// key, that of the first equal row, or kNoRow.
//
// It is not known beforehand whether rows ascend, but every row returned was compared with its key,
// and the rows that the search reads are compared with each other: the first and the last one,
// those of the search, and the neighbours of the answer. If they do not ascend, it throws
// Error(Argument) that names two rows and their values. In rows that do not ascend, an existing key
// can be missed only if none of these comparisons shows it. Throws Error(Argument) for a scalar
// that the column's type cannot hold. Cost: a row for each halving of the table, and a few more per
// call.
inline constexpr uint64_t kNoRow = UINT64_MAX;
std::vector<uint64_t> find(const Projection& columns, std::span<const Scalar> keys,
                           const Context& context = {});
// The same by one integer column, without a Scalar per key.
std::vector<uint64_t> find(const Projection& column, std::span<const int64_t> keys,
                           const Context& context = {});

// Every row equal to the key: neighbours, if `columns` ascend; each is compared with the key. An
// empty range lies where the key would be. Costs and throws as find(), and reads the rows it
// returns.
RowRange find_range(const Projection& columns, std::span<const Scalar> key,
                    const Context& context = {});

// Statistics of a column, as `stats` prints them. Values are counted, never taken from the file's
// claims.
struct ColumnSummary {
  uint64_t rows = 0;
  uint64_t null_count = 0;
  // Null if there is no value. NaN is left out, and -0.0 is 0.0. Of keys the values they stand for,
  // if any. Of lists, vectors and row ids only the nulls are counted.
  Scalar min, max;
  Type type;                   // of min and max
  std::optional<double> sum;   // numbers and bool
  std::optional<double> mean;  // sum / values
  // The number of distinct values; empty for lists, vectors and row ids. Exact where they need at
  // most kDistinctBytes (about a million numbers), texts kDistinctTextBytes, and no more than the
  // column's even share of kDistinctBytesOfAll and of half of the Context's budget; else an
  // estimate with a standard error of kDistinctError. The same on any number of threads.
  std::optional<uint64_t> distinct;
  bool distinct_is_exact = true;
};
inline constexpr uint64_t kDistinctBytes = uint64_t{16} << 20;
inline constexpr uint64_t kDistinctTextBytes = uint64_t{64} << 20;
inline constexpr uint64_t kDistinctBytesOfAll = uint64_t{1} << 30;
inline constexpr double kDistinctError = 0.0081;  // of the estimate, relative: 1.04 / sqrt(2^14)
ColumnSummary summarize(const Projection& columns, uint64_t i, const Context& context = {});
// All columns, in parallel on the Context's threads.
std::vector<ColumnSummary> summarize(const Projection& columns, const Context& context = {});
// Over the rows that pass the predicate, which is of the same table, or over all.
std::vector<ColumnSummary> summarize(const Projection& columns,
                                     const std::optional<Predicate>& where,
                                     const Context& context = {}, QueryMetrics* metrics = nullptr);

// The number of rows with a value.
struct ValueCount {
  Scalar value;
  uint64_t rows = 0;
};
// The distinct values of a column, null among them, each once, ascending in key order (as in
// find(), any NaN first). Of keys the values they stand for, if any. Reads the whole column. Throws
// Error(Limit) for more than kCountedValuesLimit, Error(Argument) for lists, vectors and row ids.
inline constexpr uint64_t kCountedValuesLimit = 65'536;
std::vector<ValueCount> count_values(const Projection& columns, uint64_t i,
                                     const Context& context = {});

// Reads all structure and all values of every table, columns in parallel on the Context's threads.
// Throws the damage of the first damaged column, or Error(Unsupported) if no column of a table with
// columns can be read. Returns the reasons of columns of undefined type, one line each.
std::vector<std::string> verify(const Dataset& dataset, const Context& context = {});

}  // namespace heron::inline v0
