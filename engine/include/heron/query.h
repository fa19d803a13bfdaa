// The questions. Every call is const on what it reads and thread-safe. Common to all:
// - rows are numbered from 0; a row that is not there is Error(Argument) before any work;
// - damage in what is read is Error(Corrupt); a file changed under us is Error(Changed); an answer
// is
//   never made of what a lost page held;
// - what reads all rows of a table whose file is decoded, and would decode more than
//   OpenOptions::max_decode, is Error(Limit) before any work;
// - where a batch is passed in, its memory is used again if nobody else holds a copy of it.
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
// The same, but where the Context says that damage is left out, `rows` becomes those that could be
// read. Where columns have blocks of their own, none of a damaged block can. Cost: where there is
// damage, each of the blocks, or else each row, once more by itself.
void take_readable(const Projection& columns, std::vector<uint64_t>& rows, RowBatch& batch,
                   const Context& context = {});

// Consecutive rows. Fixed-width cells and texts of a mapped file are not copied where they lie
// aligned.
void read(const Projection& columns, RowRange rows, RowBatch& batch, const Context& context = {});
RowBatch read(const Projection& columns, RowRange rows, const Context& context = {});

// What a question with a condition looked at. Its threads add to it while it is answered.
struct QueryMetrics {
  // Zones of the condition's columns: how many there are where rows were asked for, and how many of
  // them were not read, because zone maps, keys or other columns had decided.
  std::atomic<uint64_t> zones{0};
  std::atomic<uint64_t> zones_skipped{0};
  std::atomic<uint64_t> values_tested{0};  // read for the condition
  std::atomic<uint64_t> bytes_tested{0};   // of their stored form
  std::atomic<uint64_t> bytes_kept{0};     // of the values that the answer is made of
  std::atomic<uint64_t> columns{0};        // that were read, for the condition or the answer
  std::atomic<uint64_t> rows_kept{0};
};

class FilteredScan;

struct ScanOptions {
  std::optional<RowRange> range = std::nullopt;   // default: all rows
  std::optional<Predicate> where = std::nullopt;  // of the same table; default: all of them
  uint64_t limit = UINT64_MAX;                    // at most so many rows
  uint64_t batch_rows = 8192;
  QueryMetrics* metrics = nullptr;  // of those who want to know; must outlive the Scan
};

// Rows in file order, a batch at a time, in memory that does not grow with the file. To be called
// by one thread at a time; on the Context's threads it decodes blocks ahead, tests rows side by
// side and fetches the next batches. With a condition, its columns are read first, where zones
// leave it open, and the others only for rows that are kept. Without `limit`, a table that claims
// more than 2^32 rows but stores nothing for any of them is Error(Limit).
class Scan {
 public:
  explicit Scan(Projection columns, ScanOptions options = {}, Context context = {});

  // Fills `batch` with the next rows; false at the end, and then the batch is empty.
  bool next(RowBatch& batch);
  // The row number of the first row of the last batch.
  uint64_t first_row() const noexcept { return first_row_; }
  // With a condition: the numbers of the last batch's rows, ascending; else nothing.
  std::span<const uint64_t> rows() const noexcept { return rows_; }

 private:
  bool next_filtered(RowBatch& batch);
  void finish(RowBatch& batch) const;
  void decode_ahead(RowRange rows);

  Projection columns_;
  ScanOptions options_;
  Context context_;
  RowRange range_;                                  // what is still to come
  std::vector<std::shared_ptr<const void>> ahead_;  // blocks decoded for the rows before ahead_row_
  uint64_t ahead_row_ = 0;
  uint64_t first_row_ = 0;
  std::shared_ptr<FilteredScan> filtered_;  // null: there is no condition
  std::span<const uint64_t> rows_;
  uint64_t total_rows_ = 0;
};

// What a null becomes in a matrix.
enum class MatrixNull : uint8_t { NaN, Refuse /* Error(Argument) that names row and column */ };

// How many columns the matrix of these columns has: one for each that is numeric, bool or of keys,
// and for a vector of such items and of known size one a slot. It comes from the file: hold it
// against a limit before allocating. Throws Error(Argument) for columns of other types.
uint64_t matrix_width(const Projection& columns);

// Fills a row-major matrix, rows.size() x matrix_width(columns). Bools are 0 and 1, integers
// rounded to T, keys their stored numbers; slots that are not stored are 0, of keys null. T is
// float or double. `out` must have exactly that many elements; throws Error(Argument) otherwise,
// and for columns of other types.
template <class T>
void matrix(const Projection& columns, std::span<const uint64_t> rows, std::span<T> out,
            MatrixNull nulls = MatrixNull::NaN, const Context& context = {});
template <class T>
void matrix(const Projection& columns, RowRange rows, std::span<T> out,
            MatrixNull nulls = MatrixNull::NaN, const Context& context = {});

// How many rows fulfil a condition. Zones are tested side by side on the Context's threads.
uint64_t count(const Predicate& predicate, const Context& context = {},
               QueryMetrics* metrics = nullptr);

// One value of any type that a key can have. Nothing: null. Dates, times and durations are their
// integers, a datetimeoffset that of its datetime in UTC.
using Scalar = std::variant<std::monostate, bool, int64_t, uint64_t, double, std::string>;

// Reads a scalar of that type from text: numbers, true/false, dates and times in ISO form,
// durations as "-1.02:03:04.5", of keys the stored number, "null" for null. Throws
// Error(Argument) that says what was expected.
Scalar parse_scalar(const Type& type, std::string_view text);

// Rows by key, by binary search, for many keys at once. `columns` ascend together in the order of
// keys: false < true, numbers by value with -0.0 before 0.0, texts by bytes, keys by their stored
// numbers. Nulls come first or last in a column, and so do NaNs beside its other values. `keys`
// holds columns.size() scalars per key, one key after the other. The answer has a row number per
// key, that of the first row that is equal, or kNoRow.
//
// Whether rows ascend is not known before, but no row is given that was not compared with the key,
// and rows that are looked at are held against each other: the first and the last one, those of the
// search, and those next to the answer. Where they do not ascend it is Error(Argument) that names
// two rows and their values. In rows that do not ascend, a key that is there may go unfound only if
// none of this shows it. Throws Error(Argument) for a scalar that the column's type cannot hold.
// Cost: a row for each halving of the table, and per call a few more.
inline constexpr uint64_t kNoRow = UINT64_MAX;
std::vector<uint64_t> find(const Projection& columns, std::span<const Scalar> keys,
                           const Context& context = {});
// The same by one integer column, without a Scalar per key.
std::vector<uint64_t> find(const Projection& column, std::span<const int64_t> keys,
                           const Context& context = {});

// Every row equal to the key: neighbours, where `columns` ascend, and each is compared with it. An
// empty range lies where the key would be. Costs and throws as find(), and reads what it gives.
RowRange find_range(const Projection& columns, std::span<const Scalar> key,
                    const Context& context = {});

// What `stats` tells of a column. Values are counted, never taken from what the file claims.
struct ColumnSummary {
  uint64_t rows = 0;
  uint64_t null_count = 0;
  // Nothing if no value is there; NaN that is a value is left out, and -0.0 is 0.0. Of keys what
  // they stand for, if for anything. Of lists, vectors and row ids only the nulls are
  // counted.
  Scalar min, max;
  Type type;                   // of min and max
  std::optional<double> sum;   // numbers and bool
  std::optional<double> mean;  // sum / values
  // How many values differ, counted exactly. Nothing of lists, vectors and row ids, and where there
  // are too many to be counted: more than kDistinctLimit, or texts of more than 64 MiB.
  std::optional<uint64_t> distinct;
  bool distinct_is_exact = true;  // false: there are too many
};
inline constexpr uint64_t kDistinctLimit = 1'000'000;
ColumnSummary summarize(const Projection& columns, uint64_t i, const Context& context = {});
// Of all of them, columns side by side on the Context's threads.
std::vector<ColumnSummary> summarize(const Projection& columns, const Context& context = {});
// Of the rows of the predicate, which is of the same table, or of all.
std::vector<ColumnSummary> summarize(const Projection& columns,
                                     const std::optional<Predicate>& where,
                                     const Context& context = {},
                                     QueryMetrics* metrics = nullptr);

// How many rows have a value.
struct ValueCount {
  Scalar value;
  uint64_t rows = 0;
};
// The distinct values of a column, null among them, each once, ascending in the order of keys
// (as in find(), any NaN first). Of keys those that they stand for, if for any. Reads the whole
// column. Throws Error(Limit) if there are more than kCountedValuesLimit, Error(Argument) for
// lists, vectors and row ids.
inline constexpr uint64_t kCountedValuesLimit = 65'536;
std::vector<ValueCount> count_values(const Projection& columns, uint64_t i,
                                     const Context& context = {});

// The sum of a numeric or bool column, null left out; of floats in float64, always in the same
// order, so that it is the same on every machine. Integers are summed in 128 bits and then rounded.
double sum(const Projection& columns, uint64_t i, const Context& context = {});
// Of all of them, each the same number. Columns that lie side by side in the file are read once.
std::vector<double> sums(const Projection& columns, const Context& context = {});

// Reads all structure and all values of every table, columns side by side on the Context's threads.
// Throws the damage of the first column that has any, or Error(Unsupported) if no column of a table
// with columns can be read. The reasons of columns of undefined type come back, one line each.
std::vector<std::string> verify(const Dataset& dataset, const Context& context = {});

}  // namespace heron::inline v0
