#include "columns/small_float_column.h"

#include "columns/packed_cells.h"
#include "columns/prefetch.h"
#include "values/bitmap.h"
#include "values/byte_order.h"
#include "values/gather.h"
#include "values/validity.h"

namespace heron::inline v0 {

SmallFloatColumn::SmallFloatColumn(uint64_t rows, ColumnLabel label, SmallFloatCells cells)
    : Column(Type::Float32, rows, std::move(label)), cells_(cells), width_(width_of(cells.kind)) {
  if (cells_.stride == SmallFloatCells::kPacked) cells_.stride = width_;
}

Values SmallFloatColumn::widen(const std::byte* cells, uint64_t rows, Arena& arena) const {
  Values values(type(), rows);
  auto* floats = arena.allocate_array<float>(rows);
  widen_floats(cells_.kind, cells, rows, floats);
  values.data = {reinterpret_cast<const std::byte*>(floats), rows * sizeof *floats};
  return values;
}

Values SmallFloatColumn::read(RowRange rows, Arena& arena, const Context& context) const {
  FlatCells flat;
  flat.kind = FlatCells::Kind::Fixed;
  flat.order = cells_.order;
  flat.cell_bytes = width_;
  flat.stride = cells_.stride;
  flat.cells = cells_.cells;
  Values values = widen(packed_cells(flat, rows, arena, context), rows.rows(), arena);
  if (nullable()) set_validity(values, read_bits(cells_.validity, rows, arena, context));
  return values;
}

Values SmallFloatColumn::take(std::span<const uint64_t> rows, Arena& arena,
                              const Context& context) const {
  std::byte* cells = arena.allocate(rows.size() * width_);
  gather(cells_.cells, width_, cells_.stride, rows, cells, context);
  if (cells_.order != std::endian::native) swap_cells(cells, rows.size(), width_, cells);
  Values values = widen(cells, rows.size(), arena);
  if (nullable()) set_validity(values, take_bits(cells_.validity, rows, arena, context));
  return values;
}

Values SmallFloatColumn::take_vectors(std::span<const uint64_t> rows, uint64_t slots, Arena& arena,
                                      const Context& context) const {
  if (nullable() || cells_.stride != width_) {
    return Column::take_vectors(rows, slots, arena, context);
  }
  const uint64_t items = rows.size() * slots;
  std::byte* cells = arena.allocate(items * width_);
  gather_blocks(cells_.cells, slots * width_, rows, cells, context);
  if (cells_.order != std::endian::native) swap_cells(cells, items, width_, cells);
  return widen(cells, items, arena);
}

void SmallFloatColumn::locate(const RowsToRead& rows, unsigned round, Prefetch& bytes,
                              const Context&) const {
  if (round != 0) return;
  bytes.add_cells(cells_.cells, width_, cells_.stride, rows);
  if (nullable()) bytes.add_bits(cells_.validity, rows);
}

void SmallFloatColumn::prefetch(std::span<const uint64_t> rows) const noexcept {
  prefetch_cells(cells_.cells, cells_.stride, rows);
  if (nullable()) prefetch_bits(cells_.validity, rows);
}

}  // namespace heron::inline v0
