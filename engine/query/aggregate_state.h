// What aggregates carry while the rows of a column go by, and their results. Parts of a column have
// states of their own, put together in the order of the table, which gives what one thread would
// have.
#pragma once

#include <bit>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/arena.h"
#include "base/int128.h"
#include "columns/column_chunk.h"
#include "heron/context.h"
#include "heron/scalar.h"
#include "heron/values.h"
#include "query/distinct_set.h"

namespace heron::inline v0 {

// What is asked of a column.
struct WantedOfColumn {
  bool sum = false, extremes = false, distinct = false, approximate_distinct = false;
  DistinctLimits distinct_limits = {};
  std::vector<double> quantiles = {};

  // Whether sums and extremes, if anything, are all.
  bool only_arithmetic() const noexcept {
    return !distinct && !approximate_distinct && quantiles.empty();
  }
};

struct AggregateResult {
  uint64_t values = 0;  // that are not null
  // Null without a value; NaN that is a value is left out, and -0.0 is 0.0. Of keys what they stand
  // for, if for anything.
  Scalar min, max;
  Int128 integers = 0;  // the sum of integers, of bools the true ones
  double floats = 0;    // the sum of floats
  uint64_t distinct = 0;
  bool distinct_is_exact = true;
  uint64_t approximate_distinct = 0;
  std::vector<std::pair<double, Scalar>> quantiles;  // those wanted
};

// Which rows of the table values belong to: consecutive ones, all of one block of sum_order.h, or
// any, ascending.
struct RowIds {
  uint64_t first = 0;
  std::span<const uint64_t> rows;  // empty: consecutive from `first` on
};

// Cells as they are stored, of consecutive rows from `first_row` of the table on. Those whose bit
// is set are selected, `count` of them; no bits: all.
struct StoredCells {
  const CellSpan& cells;
  uint64_t first_row;
  const uint64_t* selected;
  uint64_t count;
  Arena& arena;
  const Context& context;
};

// One thread at a time.
class AggregateState {
 public:
  using Wanted = WantedOfColumn;

  // Of the rows from `first_row` on of a table that has so many. Of columns whose values have no
  // scalars only the number of values.
  static std::unique_ptr<AggregateState> make(const Column& column, const Wanted& wanted,
                                              uint64_t first_row, uint64_t table_rows);

  virtual ~AggregateState() = default;
  AggregateState(const AggregateState&) = delete;
  AggregateState& operator=(const AggregateState&) = delete;

  // `selected`, if it is not null, has a bit for each row, in whole words, those behind them clear.
  void add(const Values& values, const RowIds& row_ids, const uint64_t* selected, Arena& arena);
  // Whether add_cells() is worth a try.
  virtual bool takes_cells() const noexcept { return false; }
  // The same of cells as they are stored. False, and nothing is added, where they have to become
  // values.
  bool add_cells(const StoredCells& stored) {
    const std::optional<uint64_t> values = add_stored(stored);
    if (values) values_ += *values;
    return values.has_value();
  }
  // Whole rows of a table that is stored row by row; nothing is null.
  virtual bool takes_rows() const noexcept { return false; }
  // What was found in the rows behind these, of the same kind.
  void append(const AggregateState& next) {
    values_ += next.values_;
    append_values(next);
  }
  // Once, at the end, of rows from row 0 on.
  AggregateResult finish(const Context& context);
  // Memory that grows with the values.
  virtual uint64_t bytes() const { return 0; }

 protected:
  // Values that are selected and not null: those whose bit is set; null: all are.
  struct ValidRows {
    const Values& values;
    const RowIds& row_ids;
    const uint64_t* bits;
    Arena& arena;

    const std::byte* bytes() const noexcept { return reinterpret_cast<const std::byte*>(bits); }
    template <class Use>
    void for_each(Use use) const {
      if (bits == nullptr) {
        for (uint64_t row = 0; row < values.rows; ++row) use(row);
        return;
      }
      for (uint64_t first = 0; first < values.rows; first += 64) {
        for (uint64_t word = bits[first / 64]; word != 0; word &= word - 1) {
          use(first + static_cast<uint64_t>(std::countr_zero(word)));
        }
      }
    }
  };

  AggregateState() = default;
  uint64_t values() const noexcept { return values_; }
  void add_count(uint64_t values) noexcept { values_ += values; }

 private:
  // At least one.
  virtual void add_values(const ValidRows& valid) = 0;
  // Gives how many values were added.
  virtual std::optional<uint64_t> add_stored(const StoredCells&) { return std::nullopt; }
  virtual void append_values(const AggregateState& next) = 0;
  virtual void finish_values(AggregateResult& results, const Context& context) = 0;

  uint64_t values_ = 0;
};

}  // namespace heron::inline v0
