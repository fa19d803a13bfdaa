#include "heron/mapped_cells.h"

#include "columns/column.h"
#include "table/internals.h"

namespace heron::inline v0 {

std::optional<MappedCells> mapped_cells(const std::shared_ptr<const Table>& table,
                                        uint64_t column) {
  check_given(table, "a table");
  check_column(*table, column);
  const Column& of = internals(*table).column(column);
  of.check_readable();
  const std::optional<FlatCells> flat = of.flat();
  if (!flat || flat->dictionary != nullptr) return std::nullopt;
  const bool bytes = flat->kind == FlatCells::Kind::Bytes;
  if (!bytes && flat->kind != FlatCells::Kind::Fixed) return std::nullopt;
  if (flat->cells.data() == nullptr) return std::nullopt;
  if (!bytes && of.type().width() != flat->cell_bytes) return std::nullopt;
  MappedCells cells;
  cells.cells = flat->cells.data();
  cells.rows = of.rows();
  cells.stride = flat->stride;
  cells.width = bytes ? 1 : flat->cell_bytes;
  cells.big_endian = flat->order == std::endian::big && cells.width > 1;
  cells.byte_bools = bytes;
  cells.nulls = flat->nulls;
  if (flat->validity.bytes != 0) cells.validity = flat->validity.data();
  cells.source = internals(*table).bytes();
  return cells;
}

}  // namespace heron::inline v0
