#include "columns/fixed_column.h"

#include "base/fail.h"
#include "columns/packed_cells.h"
#include "columns/prefetch.h"
#include "values/bitmap.h"
#include "values/byte_order.h"
#include "values/gather.h"
#include "values/times.h"
#include "values/validity.h"

namespace heron::inline v0 {

FixedColumn::FixedColumn(Type type, uint64_t rows, ColumnLabel label, FixedCells cells)
    : Column(std::move(type), rows, std::move(label)),
      cells_(cells),
      width_(this->type().is(Type::Bool) ? 1 : this->type().width()) {
  if (cells_.stride == FixedCells::kPacked) cells_.stride = width_;
}

Values FixedColumn::read(RowRange rows, Arena& arena, const Context& context) const {
  Values values(type(), rows.rows());
  const std::byte* cells = packed_cells(*flat(), rows, arena, context, cells_.use);
  const std::byte* validity =
      has_bitmap(cells_.nulls) ? read_bits(cells_.validity, rows, arena, context) : nullptr;
  finish(values, cells, validity, arena);
  check_times(values, [first = rows.first](uint64_t i) { return first + i; });
  return values;
}

Values FixedColumn::take(std::span<const uint64_t> rows, Arena& arena,
                         const Context& context) const {
  Values values(type(), rows.size());
  std::byte* cells = arena.allocate(rows.size() * width_);
  gather(cells_.cells, width_, cells_.stride, rows, cells, context);
  if (cells_.order != std::endian::native) swap_cells(cells, rows.size(), width_, cells);
  const std::byte* validity =
      has_bitmap(cells_.nulls) ? take_bits(cells_.validity, rows, arena, context) : nullptr;
  finish(values, cells, validity, arena);
  check_times(values, [rows](uint64_t i) { return rows[i]; });
  return values;
}

Values FixedColumn::take_vectors(std::span<const uint64_t> rows, uint64_t slots, Arena& arena,
                                 const Context& context) const {
  if (has_bitmap(cells_.nulls) || cells_.stride != width_) {
    return Column::take_vectors(rows, slots, arena, context);
  }
  Values values(type(), rows.size() * slots);
  std::byte* cells = arena.allocate(values.rows * width_);
  gather_blocks(cells_.cells, slots * width_, rows, cells, context);
  if (cells_.order != std::endian::native) swap_cells(cells, values.rows, width_, cells);
  finish(values, cells, nullptr, arena);
  check_times(values, [&](uint64_t i) { return rows[i / slots] * slots + i % slots; });
  return values;
}

void FixedColumn::finish(Values& values, const std::byte* cells, const std::byte* validity,
                         Arena& arena) const {
  if (type().is(Type::Bool)) {
    values.data = {pack_bools(cells, values.rows, arena), bitmap_bytes(values.rows)};
  } else {
    values.data = {cells, values.rows * width_};
  }
  if (validity != nullptr) {
    set_validity(values, validity);
    if (cells_.nulls == NullEncoding::BitmapOrNaN) drop_nans(values, type(), cells, arena);
  } else {
    set_validity_from_cells(values, type(), cells_.nulls, cells, arena);
  }
}

template <class RowNumber>
void FixedColumn::check_times(const Values& values, RowNumber row_number) const {
  if (!type().is(Type::DateTime) && !type().is(Type::DateTimeOffset)) return;
  const uint64_t i = first_outside_calendar(values);
  if (i == values.rows) return;
  const auto fail_with = [&](const auto&... got) {
    fail(ErrorKind::Corrupt, cells_.cells.source->name(), "column \"", name(), "\" row ",
         row_number(i), ": expected a time from year 1 to 9999, got ", got..., " ticks");
  };
  if (type().is(Type::DateTime)) fail_with(values.get<int64_t>(i));
  const auto time = values.get<DateTimeOffset>(i);
  fail_with(time.minutes, " minutes ahead of UTC and ", time.ticks);
}

void FixedColumn::locate(const RowsToRead& rows, unsigned round, Prefetch& bytes,
                         const Context&) const {
  if (round != 0) return;
  bytes.add_cells(cells_.cells, width_, cells_.stride, rows);
  if (has_bitmap(cells_.nulls)) bytes.add_bits(cells_.validity, rows);
}

void FixedColumn::prefetch(std::span<const uint64_t> rows) const noexcept {
  prefetch_cells(cells_.cells, cells_.stride, rows);
  if (has_bitmap(cells_.nulls)) prefetch_bits(cells_.validity, rows);
}

std::optional<FlatCells> FixedColumn::flat() const {
  FlatCells flat;
  flat.kind = type().is(Type::Bool) ? FlatCells::Kind::Bytes : FlatCells::Kind::Fixed;
  flat.nulls = cells_.nulls;
  flat.order = cells_.order;
  flat.cell_bytes = width_;
  flat.stride = cells_.stride;
  flat.cells = cells_.cells;
  flat.validity = cells_.validity;
  return flat;
}

}  // namespace heron::inline v0
