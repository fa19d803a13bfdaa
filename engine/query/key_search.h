// Rows by key, in columns that ought to ascend: by binary search, which compares what it meets.
//
// Within the rows that the columns before make equal, a column's nulls lie together at one end, and
// at one end of the others its NaNs. Between them values ascend: every one that is looked at must
// not be below one of a row before it, nor above one of a row behind it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "heron/context.h"
#include "heron/dataset.h"
#include "heron/find.h"
#include "heron/row_range.h"
#include "heron/row_view.h"
#include "heron/scalar.h"
#include "values/scalar.h"

namespace heron::inline v0 {

// One thread at a time.
class KeySearch {
 public:
  // `columns` must outlive it.
  KeySearch(const Projection& columns, const Context& context);

  // The rows equal to the key, of which the first was compared with all of it; where there is none,
  // an empty range at the place where it would be. Throws Error(Argument) if rows that were looked
  // at do not ascend.
  RowRange find(std::span<const Scalar> key);
  // Compares rows that were found by the last key with it.
  void check_equal(RowRange rows);

 private:
  // Where the nulls, NaNs and other values of a column lie, among rows equal in those before it.
  struct Section {
    RowRange nulls, nans, values;
    Scalar least, greatest;  // of the first and the last row of `values`
  };
  struct Bound {
    uint64_t row;
    Scalar value;
  };
  // Rows that are still to be searched, and two that are not above and not below them.
  struct Window {
    RowRange rows;
    Bound low, high;
  };
  enum class Kind : uint8_t { Null, NaN, Value };

  static Kind kind_of(const ScalarView& value);
  // Lives until the next call.
  ScalarView value_at(uint64_t column, uint64_t row);
  // A value for between the bounds of the window.
  ScalarView value_within(uint64_t column, uint64_t row, const Window& window);
  Section section_of(uint64_t column, RowRange rows);
  // Takes the rows of that kind off the end of `rows` where there are some.
  RowRange take_off(uint64_t column, Kind kind, RowRange& rows);
  RowRange equal_rows(uint64_t column, const Section& section, const ScalarView& key);
  // The first row of the window that is above the key or, if not `above`, not below it.
  uint64_t border(uint64_t column, Window window, const ScalarView& key, bool above);
  // The first row above the key, which `first` is equal to, soon found where few are.
  uint64_t end_of_equal(uint64_t column, const Section& section, uint64_t first,
                        const ScalarView& key);
  // Names two rows that are in no order by the column, or by one before it.
  [[noreturn]] void fail_disorder(uint64_t column, uint64_t row, uint64_t later);
  // The row lies between rows that are equal in the column, and is not.
  [[noreturn]] void fail_unequal(uint64_t column, uint64_t row);

  const Projection& columns_;
  const Context& context_;
  RowView row_;
  std::optional<Section> whole_;  // of the first column in all rows
  std::span<const Scalar> key_;   // the last one
  std::vector<RowRange> equal_;   // to it, by each column and those before it
};

}  // namespace heron::inline v0
