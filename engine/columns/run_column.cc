#include "columns/run_column.h"

#include <algorithm>
#include <numeric>

namespace heron::inline v0 {
namespace {

Values values_of(const uint32_t* cells, uint64_t rows) {
  Values values(Type::UInt32, rows);
  values.data = {reinterpret_cast<const std::byte*>(cells), rows * sizeof *cells};
  return values;
}

}  // namespace

Values RunColumn::read(RowRange rows, Arena& arena, const Context&) const {
  auto* cells = arena.allocate_array<uint32_t>(rows.rows());
  uint32_t* next = cells;
  uint64_t run = rows.rows() == 0 ? 0 : runs_->run_of(rows.first);
  for (uint64_t row = rows.first; row < rows.last; ++run) {
    const RowRange covered = (*runs_)[run];
    const uint64_t end = std::min(covered.last, rows.last);
    if (value_ == RunValue::Run) {
      std::fill_n(next, end - row, static_cast<uint32_t>(run));
    } else {
      std::iota(next, next + (end - row), static_cast<uint32_t>(row - covered.first));
    }
    next += end - row;
    row = end;
  }
  return values_of(cells, rows.rows());
}

Values RunColumn::take(std::span<const uint64_t> rows, Arena& arena, const Context&) const {
  auto* cells = arena.allocate_array<uint32_t>(rows.size());
  for (uint64_t i = 0; i < rows.size(); ++i) {
    const uint64_t run = runs_->run_of(rows[i]);
    cells[i] = static_cast<uint32_t>(value_ == RunValue::Run ? run : rows[i] - (*runs_)[run].first);
  }
  return values_of(cells, rows.size());
}

}  // namespace heron::inline v0
