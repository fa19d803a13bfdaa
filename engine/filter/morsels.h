// Cuts a table into morsels: consecutive rows as units of work.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "heron/file.h"

namespace heron::inline v0 {

// Consecutive rows of one fragment, processed by one thread.
struct Morsel {
  uint64_t fragment = 0;   // index of the fragment
  RowRange rows;           // rows of the fragment
  uint64_t first_row = 0;  // row number in the table of rows.first
};

// Some rows of a table, cut into morsels, in the order of the table. Const calls are thread-safe.
class Morsels {
 public:
  // Adds rows of the next fragment, which begins at `first_row` of the table: cut at multiples of
  // `morsel_rows`, so that morsels have whole zones or blocks.
  void add_fragment(uint64_t first_row, RowRange rows, uint64_t morsel_rows) {
    const uint64_t count =
        rows.rows() == 0 ? 0 : (rows.last - 1) / morsel_rows - rows.first / morsel_rows + 1;
    cuts_.push_back({size(), first_row, rows, morsel_rows});
    size_ += count;
    rows_ += rows.rows();
  }

  uint64_t size() const noexcept { return size_; }
  uint64_t rows() const noexcept { return rows_; }
  Morsel operator[](uint64_t i) const noexcept {
    const auto after = std::upper_bound(cuts_.begin(), cuts_.end(), i,
                                        [](uint64_t at, const Cut& cut) { return at < cut.first; });
    const auto fragment = static_cast<uint64_t>(after - cuts_.begin()) - 1;
    const auto& [first, first_row, rows, morsel_rows] = cuts_[fragment];
    const uint64_t begin = (rows.first / morsel_rows + i - first) * morsel_rows;
    const RowRange cut{std::max(begin, rows.first),
                       begin + std::min(morsel_rows, rows.last - begin)};
    return {fragment, cut, first_row + cut.first};
  }

 private:
  struct Cut {
    uint64_t first;  // index of the fragment's first morsel
    uint64_t first_row;
    RowRange rows;
    uint64_t morsel_rows;
  };

  std::vector<Cut> cuts_;  // one per fragment
  uint64_t size_ = 0, rows_ = 0;
};

}  // namespace heron::inline v0
