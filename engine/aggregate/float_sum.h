// Sums floats in the order of sum_order.h, by row number, of any rows of a table. Parts can be
// summed in parallel and merged: the result is bit for bit that of one thread.
//
// A part knows the lanes of a block only from the block's first row on. It stores the values of a
// block that began before it until it is appended to the part before it.
#pragma once

#include <vector>

#include "aggregate/aggregate_kernels.h"
#include "aggregate/state_bytes.h"

namespace heron::inline v0 {

class FloatSum {
 public:
  // Sums rows from `first_row` on of a table with `table_rows` rows.
  FloatSum(uint64_t first_row, uint64_t table_rows)
      : table_rows_(table_rows),
        lanes_end_(table_rows - table_rows % kSumLanes),
        first_block_((first_row + kSumBlockRows - 1) / kSumBlockRows) {}

  // Rows must ascend. Rows that are not added count as zeros.
  void add(uint64_t row, double value);
  // Adds cells of type T of consecutive rows, up to a block; zeros count as rows not added.
  template <class T>
  void add_cells(uint64_t row, const std::byte* cells, uint64_t rows) {
    if (are_blocks(row, rows)) return add_block(dispatch<SumFloats<T, false>>(cells, rows));
    for (uint64_t i = 0; i < rows;) {
      const uint64_t in_lanes = open_lanes(row + i, rows - i);
      if (in_lanes == 0) {
        add(row + i, double{load_cell<T>(cells, i)});
        ++i;
      } else {
        dispatch<AddToLanes<T>>(cells + i * sizeof(T), in_lanes, lanes_);
        i += in_lanes;
      }
    }
  }
  // Adds the sum of a whole block, computed in the same order.
  void add_block(double sum) {
    if (open_block_ != kNone) close_block();
    blocks_.push_back(sum);
  }
  // Returns whether consecutive rows are exactly whole blocks.
  bool are_blocks(uint64_t row, uint64_t rows) const noexcept {
    return row % kSumBlockRows == 0 && (rows % kSumBlockRows == 0 || row + rows == table_rows_);
  }
  // Appends the sum of the rows that follow the rows of this one.
  void append(const FloatSum& next);
  // Returns the sum of all rows; rows that no part has count as zeros. A sum that is NaN has
  // the same bits whatever the values are.
  double total() const;

  void save(StateWriter& to) const;
  void load(StateReader& from);

 private:
  struct RowValue {
    uint64_t row;
    double value;
  };
  static constexpr uint64_t kNone = UINT64_MAX;

  void close_block();
  // Opens the row's block and returns how many rows from this one on fill all lanes, once or
  // several times, within it; 0 if none do, if the row is not in the first lane, or if its block
  // began before this part.
  uint64_t open_lanes(uint64_t row, uint64_t rows);

  uint64_t table_rows_;
  uint64_t lanes_end_;        // rows from here on fill no lanes
  uint64_t first_block_;      // the first block that begins in this part
  std::vector<RowValue> head_;  // values of the block before first_block_
  std::vector<double> blocks_;
  uint64_t open_block_ = kNone;
  double lanes_[kSumLanes] = {};
  std::vector<double> rest_;  // values of the open block that fill no lanes
};

}  // namespace heron::inline v0
