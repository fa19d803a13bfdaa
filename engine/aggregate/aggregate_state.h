// Aggregate states of a column, and their results. Parts of a column have their own states; merged
// in table order, they give the result of a single thread.
#pragma once

#include <bit>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "aggregate/distinct_set.h"
#include "aggregate/state_bytes.h"
#include "base/arena.h"
#include "base/int128.h"
#include "columns/column_chunk.h"
#include "heron/context.h"
#include "heron/scalar.h"
#include "heron/values.h"

namespace heron::inline v0 {

// The aggregates wanted of a column.
struct WantedOfColumn {
  bool sum = false, extremes = false, distinct = false, approximate_distinct = false;
  DistinctLimits distinct_limits = {};
  std::vector<double> quantiles = {};

  // Whether nothing but sums and extremes is wanted.
  bool only_arithmetic() const noexcept {
    return !distinct && !approximate_distinct && quantiles.empty();
  }
};

struct AggregateResult {
  uint64_t values = 0;  // that are not null
  // Null if there is no value; NaNs are left out, and -0.0 is 0.0. Of keys their values, if any.
  Scalar min, max;
  Int128 integers = 0;  // the sum of integers; of bools the number of true ones
  double floats = 0;    // the sum of floats
  uint64_t distinct = 0;
  bool distinct_is_exact = true;
  uint64_t approximate_distinct = 0;
  std::vector<std::pair<double, Scalar>> quantiles;  // those wanted
};

// The rows of the table that values belong to: consecutive rows of one block of sum_order.h, or any
// rows in ascending order.
struct RowIds {
  uint64_t first = 0;
  std::span<const uint64_t> rows;  // empty: consecutive from `first` on
};

// Stored cells of consecutive rows, from `first_row` of the table on. A set bit selects a row,
// `count` in all; null bits select all rows.
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

  // For the rows from `first_row` on of a table with `table_rows` rows. Columns without scalars get
  // only the number of values.
  static std::unique_ptr<AggregateState> make(const Column& column, const Wanted& wanted,
                                              uint64_t first_row, uint64_t table_rows);

  // The same for what save() wrote in another process: of the column there is only its type. The
  // values of keys with values are saved, not their numbers; `key_values` is their type.
  static std::unique_ptr<AggregateState> make_saved(const Type& type,
                                                    const std::optional<Type>& key_values,
                                                    const Wanted& wanted, uint64_t table_rows,
                                                    uint64_t first_row = 0);

  virtual ~AggregateState() = default;
  AggregateState(const AggregateState&) = delete;
  AggregateState& operator=(const AggregateState&) = delete;

  // `selected` is null or has a bit per row, in whole words; bits after the last row are clear.
  void add(const Values& values, const RowIds& row_ids, const uint64_t* selected, Arena& arena);
  // Whether add_cells() may succeed.
  virtual bool takes_cells() const noexcept { return false; }
  // The same for stored cells. Returns false, and adds nothing, if they must be read as values
  // first.
  bool add_cells(const StoredCells& stored) {
    const std::optional<uint64_t> values = add_stored(stored);
    if (values) values_ += *values;
    return values.has_value();
  }
  // Whole rows of a table that is stored row by row; no value is null.
  virtual bool takes_rows() const noexcept { return false; }
  // Adds the state of the rows after these, of the same kind.
  void append(const AggregateState& next) {
    values_ += next.values_;
    append_values(next);
  }
  // Call it once, at the end, when the state covers the table from row 0 on.
  AggregateResult finish(const Context& context);
  // Of states whose distinct values neither spill nor become estimates.
  void save(StateWriter& to, const Context& context) const {
    to.put(values_);
    save_values(to, context);
  }
  // Into a new state. Throws Error(Corrupt).
  void load(StateReader& from) {
    values_ = from.take<uint64_t>();
    load_values(from);
  }
  // Bytes of memory that grow with the values.
  virtual uint64_t bytes() const { return 0; }

 protected:
  // Selected values that are not null: those whose bit is set; null `bits`: all.
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
  // Gets at least one value.
  virtual void add_values(const ValidRows& valid) = 0;
  // Returns how many values it added.
  virtual std::optional<uint64_t> add_stored(const StoredCells&) { return std::nullopt; }
  virtual void append_values(const AggregateState& next) = 0;
  virtual void finish_values(AggregateResult& results, const Context& context) = 0;
  virtual void save_values(StateWriter& to, const Context& context) const = 0;
  virtual void load_values(StateReader& from) = 0;

  uint64_t values_ = 0;
};

}  // namespace heron::inline v0
