// Finds rows by key in columns that should ascend: a binary search that checks what it reads.
//
// Among rows that are equal in the columns before, a column's nulls are together at one end, and
// its NaNs at one end of the rest. Between them values ascend: every value that is read must not be
// below that of a row before it or above that of a row after it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "heron/context.h"
#include "heron/find.h"
#include "heron/row_view.h"
#include "heron/table.h"
#include "heron/values.h"
#include "values/scalar.h"

namespace heron::inline v0 {

// One thread at a time.
class KeySearch {
 public:
  // `columns` must outlive it.
  KeySearch(const Projection& columns, const Context& context);

  // Returns the rows equal to the key; the first of them was compared with the whole key. Returns
  // an empty range, at the position where the key would be, if there is none. Throws
  // Error(Argument) if the rows read do not ascend.
  RowRange find(std::span<const Scalar> key);
  // Compares rows found by the last key with that key.
  void check_equal(RowRange rows);

 private:
  // The row ranges of a column's nulls, NaNs and other values, among rows that are equal in the
  // columns before.
  struct Section {
    RowRange nulls, nans, values;
    Scalar least, greatest;  // values of the first and the last row of `values`
  };
  struct Bound {
    uint64_t row;
    Scalar value;
  };
  // The rows still to be searched, and a row not above and a row not below them.
  struct Window {
    RowRange rows;
    Bound low, high;
  };
  enum class Kind : uint8_t { Null, NaN, Value };

  static Kind kind_of(const ScalarView& value);
  // The value is valid until the next call.
  ScalarView value_at(uint64_t column, uint64_t row);
  // Returns a value, after checking it against the bounds of the window.
  ScalarView value_within(uint64_t column, uint64_t row, const Window& window);
  Section section_of(uint64_t column, RowRange rows);
  // Removes rows of that kind from either end of `rows`.
  RowRange take_off(uint64_t column, Kind kind, RowRange& rows);
  RowRange equal_rows(uint64_t column, const Section& section, const ScalarView& key);
  // Returns the first row of the window that is above the key or, if not `above`, not below it.
  uint64_t border(uint64_t column, Window window, const ScalarView& key, bool above);
  // Returns the first row above the key, to which row `first` is equal; fast if few rows are equal.
  uint64_t end_of_equal(uint64_t column, const Section& section, uint64_t first,
                        const ScalarView& key);
  // Names two rows that are out of order by the column, or by one before it.
  [[noreturn]] void fail_disorder(uint64_t column, uint64_t row, uint64_t later);
  // Reports a row that differs from the rows around it, which are equal in the column.
  [[noreturn]] void fail_unequal(uint64_t column, uint64_t row);

  const Projection& columns_;
  const Context& context_;
  RowView row_;
  std::optional<Section> whole_;  // section of the first column in all rows
  std::span<const Scalar> key_;   // the last key
  std::vector<RowRange> equal_;   // rows equal to key_, by each column and those before
};

}  // namespace heron::inline v0
