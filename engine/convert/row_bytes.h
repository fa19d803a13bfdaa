// Rows of any columns as byte strings, from which the same values can be made again.
//
// A row has its columns one after the other, each as a run of one value. A run of values is
//   null          nothing
//   other types   a byte for each value, 0 if it is null; then
//   bool          a byte each
//   fixed width   the cells
//   text          the lengths, as wide as offsets of the type; all characters
//   list          the lengths, as for text; the run of all items
//   vector        the lengths, int32; the runs of both children
// Key values are not stored.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "heron/values.h"

namespace heron::inline v0 {

// The bytes of the rows of a batch. Reuses its memory for the next one.
class RowBytes {
 public:
  // Sizes depend on offsets, lengths and bitmaps alone: other bytes of a mapped file may change
  // meanwhile.
  void assign(const RowBatch& batch);
  std::string_view operator[](uint64_t row) const noexcept {
    return {bytes_.data() + starts_[row], starts_[row + 1] - starts_[row]};
  }

 private:
  std::vector<uint64_t> starts_;  // start of each row, and the end of the last
  std::vector<char> bytes_;
};

// Reads the values of a column at rows[i], and moves rows[i] behind them. They have the type of
// `model`, values of the same column, and share its key values; else they live in the arena. Throws
// Error(Limit) for more characters or items than offsets of the type can count.
Values read_column(const Values& model, std::span<const char*> rows, Arena& arena);

}  // namespace heron::inline v0
