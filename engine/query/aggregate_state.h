// What is gathered of a column's values while rows go by: how many there are, their sum, extremes,
// the distinct ones. Rows that go by side by side are gathered apart and put together in the order
// of the table, which gives what one thread would have.
#pragma once

#include <memory>
#include <span>

#include "base/int128.h"
#include "columns/column_chunk.h"
#include "heron/context.h"
#include "heron/scalar.h"
#include "heron/values.h"

namespace heron::inline v0 {

struct AggregateResult {
  uint64_t values = 0;  // that are there
  // Nothing if no value is there; NaN that is a value is left out, and -0.0 is 0.0. Of keys what
  // they stand for, if for anything.
  Scalar min, max;
  Int128 integers = 0;  // the sum of integers, of bools the true ones
  double floats = 0;    // the sum of floats
  uint64_t distinct = 0;
  bool distinct_is_exact = true;
};

// Which rows of the table values belong to: consecutive ones, all of one block of sum_order.h, or
// any, ascending.
struct RowIds {
  uint64_t first = 0;
  std::span<const uint64_t> rows;  // empty: consecutive from `first` on
};

// One thread at a time.
class AggregateState {
 public:
  struct Wanted {
    bool sum = false, extremes = false, distinct = false;
  };
  // Of the rows from `first_row` on of a table that has so many. Of columns whose values have no
  // scalars only how many are there.
  static std::unique_ptr<AggregateState> make(const Column& column, const Wanted& wanted,
                                              uint64_t first_row, uint64_t table_rows);

  virtual ~AggregateState() = default;
  AggregateState(const AggregateState&) = delete;
  AggregateState& operator=(const AggregateState&) = delete;

  // `selected`, if it is not null, has a bit for each row, in whole words, those behind them clear.
  void add(const Values& values, const RowIds& row_ids, const uint64_t* selected, Arena& arena);
  // Whether add_cells() is worth a try.
  virtual bool takes_cells() const noexcept { return false; }
  // The same of cells as they are stored, of which so many are selected. False, and nothing is
  // added, where values have to be made of them.
  bool add_cells(const CellSpan& cells, const RowIds& row_ids, const uint64_t* selected,
                 uint64_t count) {
    if (!add_stored(cells, row_ids, selected)) return false;
    values_ += count;
    return true;
  }
  // What was gathered of the rows behind these, of the same kind.
  void append(const AggregateState& next) {
    values_ += next.values_;
    append_values(next);
  }
  // Once, at the end, of what was gathered from row 0 on.
  AggregateResult finish(const Context& context);

 protected:
  // A value of which it is asked is there where a bit is set; null: all are.
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

 private:
  // At least one is there.
  virtual void add_values(const ValidRows& valid) = 0;
  // Only if all that are selected are there.
  virtual bool add_stored(const CellSpan&, const RowIds&, const uint64_t* /*selected*/) {
    return false;
  }
  virtual void append_values(const AggregateState& next) = 0;
  virtual void finish_values(AggregateResult& results, const Context& context) = 0;

  uint64_t values_ = 0;
};

}  // namespace heron::inline v0
