// A sum of floats in the order of sum_order.h by place in the table, of whichever of its rows, put
// together of parts that were added up side by side: bit for bit that of one thread.
//
// A part knows the lanes of a block only from the block's first row on. Values of a block that
// began before it are kept as they are, until the part in front is there.
#pragma once

#include <vector>

#include "query/aggregate_kernels.h"

namespace heron::inline v0 {

class FloatSum {
 public:
  // Of rows from `first_row` on of a table that has so many.
  FloatSum(uint64_t first_row, uint64_t table_rows)
      : table_rows_(table_rows),
        lanes_end_(table_rows - table_rows % kSumLanes),
        first_block_((first_row + kSumBlockRows - 1) / kSumBlockRows) {}

  // Rows must ascend. Those that are never added count as zeros.
  void add(uint64_t row, double value);
  // Cells of T of consecutive rows of one block, zeros where nothing is to be added.
  template <class T>
  void add_cells(uint64_t row, const std::byte* cells, uint64_t rows) {
    if (are_blocks(row, rows)) {
      add_block(dispatch<SumFloats<T, false>>(cells, rows));
    } else {
      for (uint64_t i = 0; i < rows; ++i) add(row + i, double{load_cell<T>(cells, i)});
    }
  }
  // The sum of a whole block, made in the same order.
  void add_block(double sum) {
    if (open_block_ != kNone) close_block();
    blocks_.push_back(sum);
  }
  // Whether consecutive rows are nothing but whole blocks.
  bool are_blocks(uint64_t row, uint64_t rows) const noexcept {
    return row % kSumBlockRows == 0 && (rows % kSumBlockRows == 0 || row + rows == table_rows_);
  }
  // That of the rows behind these.
  void append(const FloatSum& next);
  // Of a sum from row 0 on.
  double total();

 private:
  struct Placed {
    uint64_t row;
    double value;
  };
  static constexpr uint64_t kNone = UINT64_MAX;

  void close_block();

  uint64_t table_rows_;
  uint64_t lanes_end_;        // rows from here on fill no lanes
  uint64_t first_block_;      // that begins here
  std::vector<Placed> head_;  // of the block before
  std::vector<double> blocks_;
  uint64_t open_block_ = kNone;
  double lanes_[kSumLanes] = {};
  std::vector<double> rest_;  // of the open block, in no lanes
};

}  // namespace heron::inline v0
