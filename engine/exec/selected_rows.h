// The selected rows of a morsel as values of several columns, some thousand rows at a time.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "exec/morsel_reader.h"
#include "heron/values.h"

namespace heron::inline v0 {

// What is selected of consecutive rows of the table, at least one row. Lives as long as the arena
// that it was read with and the reader.
struct SelectedRows {
  uint64_t first_row = 0;             // of the table
  std::vector<Values> columns;        // as asked for
  std::span<const uint32_t> rows;     // of those in `columns` that are selected
  std::span<const uint32_t> offsets;  // of the same rows in the table, from first_row
};

// Reads the same columns of many morsels. Thread-safe.
class SelectedRowsReader {
 public:
  // `columns` of the input's table. All must outlive it.
  SelectedRowsReader(const Input& input, std::span<const uint64_t> columns);

  // work(rows) for each stretch of the morsel with selected rows, in order, in memory of the arena.
  // Columns are read, or, where few rows are selected, taken, from the whole table: so keys stand
  // for the same values in all of its files. Stretches with damage are left out, where the Context
  // says so.
  void for_each(MorselReader& morsel, Arena& arena,
                const std::function<void(SelectedRows&&)>& work) const;

  static constexpr uint64_t kMostRows = 16'384;
  // 0, 1, 2, ..
  std::span<const uint32_t> first_numbers(uint64_t count) const noexcept {
    return std::span(numbers_).first(count);
  }

 private:
  void read(SelectedRows& rows, uint64_t count, Arena& arena, const Context& context) const;

  const Input& input_;
  const std::span<const uint64_t> columns_;
  std::vector<uint32_t> numbers_;
};

}  // namespace heron::inline v0
