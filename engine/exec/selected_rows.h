// Reads the selected rows of a morsel as values of several columns, some thousand rows at a time.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "columns/column.h"
#include "exec/morsel_reader.h"
#include "heron/values.h"

namespace heron::inline v0 {

// The selected rows, at least one, among consecutive rows of the table. The arena it was read into
// and the reader must outlive it.
struct SelectedRows {
  uint64_t first_row = 0;       // first of the consecutive rows
  std::vector<Values> columns;  // in the requested order
  // For each column, the dictionary of its codes, which lives as long as the table; null: no codes.
  std::vector<const Dictionary*> dictionaries;
  std::span<const uint32_t> rows;     // indices of the selected rows in `columns`
  std::span<const uint32_t> offsets;  // the same rows of the table, counted from first_row
};

// Reads the same columns of many morsels. Thread-safe.
class SelectedRowsReader {
 public:
  // `columns` of the input's table; the `coded` ones among them are read as codes where they are
  // stored as such. All arguments must outlive this.
  SelectedRowsReader(const Input& input, std::span<const uint64_t> columns,
                     std::span<const uint64_t> coded = {});

  // Calls work(rows) for each range of the morsel with selected rows, in order, in the arena.
  // Columns are read, or taken if few rows are selected, from the whole table, so that keys have
  // the same values in all its files. Damaged ranges are left out, if the query allows that.
  void for_each(MorselReader& morsel, Arena& arena,
                const std::function<void(SelectedRows&&)>& work) const;

  std::span<const uint64_t> columns() const noexcept { return columns_; }

  static constexpr uint64_t kMaxRows = 16'384;
  // Returns 0, 1, 2, ..
  std::span<const uint32_t> first_numbers(uint64_t count) const noexcept {
    return std::span(numbers_).first(count);
  }

 private:
  void read(SelectedRows& rows, uint64_t count, const MorselReader& morsel, Arena& arena) const;
  std::optional<ColumnCodes> codes_of(uint64_t column, RowRange rows, const MorselReader& morsel,
                                      Arena& arena) const;

  const Input& input_;
  const std::span<const uint64_t> columns_, coded_;
  std::vector<uint32_t> numbers_;
};

}  // namespace heron::inline v0
