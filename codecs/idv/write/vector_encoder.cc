#include "idv/write/vector_encoder.h"

#include <algorithm>

namespace heron::inline v0::idv {
namespace {

constexpr int32_t kDense = -1;

// Returns the range of items of these rows.
RowRange items_of(const Values& list, RowRange rows) {
  return {list.extent(rows.first), list.extent(rows.last)};
}

}  // namespace

// A row that stores as many items as its length is stored as dense, with or without positions: the
// format has no other form for it.
void VectorEncoder::append(const Values& values, RowRange rows) {
  const Values& items = values.children[0];
  const Values& positions = values.children[1];
  for (uint64_t row = rows.first; row < rows.last; ++row) {
    const auto length = values.get<int32_t>(row);
    const auto stored = static_cast<int32_t>(items_of(items, {row, row + 1}).rows());
    lengths_.emplace_back(length);
    counts_.emplace_back(stored == length ? kDense : stored);
    if (stored == length) continue;
    const RowRange at = items_of(positions, {row, row + 1});
    for (uint64_t i = at.first; i < at.last; ++i) {
      positions_.emplace_back(positions.children[0].get<int32_t>(i));
    }
  }
  items_->append(items.children[0], items_of(items, rows));
}

uint64_t VectorEncoder::bytes_with(const Values& values, RowRange rows) const {
  constexpr uint64_t kHeadCells = 3;
  const uint64_t cells_of_rows = (slots_ == 0 ? 2 : 1) * (counts_.size() + rows.rows()) +
                                 positions_.size() + items_of(values.children[1], rows).rows();
  return sizeof(i32le) * (kHeadCells + cells_of_rows) +
         items_->bytes_with(values.children[0].children[0], items_of(values.children[0], rows));
}

int32_t VectorEncoder::common_length() const {
  if (slots_ != 0) return static_cast<int32_t>(slots_);
  const bool equal = std::equal(lengths_.begin() + 1, lengths_.end(), lengths_.begin());
  return equal ? lengths_.front().value() : 0;
}

void VectorEncoder::encode(Bytes& block) {
  const int32_t length = common_length();
  put_cell<i32le>(block, static_cast<int32_t>(lengths_.size()));
  put_cell<i32le>(block, length);
  if (length == 0) put_cells(block, lengths_);
  put_cells(block, counts_);
  put_cell<i32le>(block, static_cast<int32_t>(positions_.size()));
  put_cells(block, positions_);
  items_->encode(block);
  lengths_.clear();
  counts_.clear();
  positions_.clear();
}

}  // namespace heron::inline v0::idv
