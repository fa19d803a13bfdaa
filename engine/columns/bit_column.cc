#include "columns/bit_column.h"

#include "columns/prefetch.h"
#include "values/bitmap.h"
#include "values/gather.h"
#include "values/validity.h"

namespace heron::inline v0 {

Values BitColumn::read(RowRange rows, Arena& arena, const Context& context) const {
  Values values(type(), rows.rows());
  values.data = {read_bits(bits_, rows, arena, context), bitmap_bytes(rows.rows())};
  if (nullable()) set_validity(values, read_bits(validity_, rows, arena, context));
  return values;
}

Values BitColumn::take(std::span<const uint64_t> rows, Arena& arena, const Context& context) const {
  Values values(type(), rows.size());
  values.data = {take_bits(bits_, rows, arena, context), bitmap_bytes(rows.size())};
  if (nullable()) set_validity(values, take_bits(validity_, rows, arena, context));
  return values;
}

void BitColumn::locate(const RowsToRead& rows, unsigned round, Prefetch& bytes,
                       const Context&) const {
  if (round != 0) return;
  bytes.add_bits(bits_, rows);
  if (nullable()) bytes.add_bits(validity_, rows);
}

void BitColumn::prefetch(std::span<const uint64_t> rows) const noexcept {
  prefetch_bits(bits_, rows);
  if (nullable()) prefetch_bits(validity_, rows);
}

std::optional<FlatCells> BitColumn::flat() const {
  FlatCells flat;
  flat.kind = FlatCells::Kind::Bits;
  flat.nulls = nulls_;
  flat.cells = bits_;
  flat.validity = validity_;
  return flat;
}

}  // namespace heron::inline v0
