#include "columns/column_chunk.h"

#include <algorithm>
#include <numeric>

#include "columns/dictionaries/dictionary.h"
#include "columns/packed_cells.h"
#include "values/bitmap.h"
#include "values/validity.h"

namespace heron::inline v0 {
namespace {

uint64_t bytes_of(const Values& values) {
  uint64_t bytes = values.validity.data == nullptr ? 0 : bitmap_bytes(values.rows);
  if (values.type.is(Type::Bool)) return bytes + bitmap_bytes(values.rows);
  if (values.offsets.data != nullptr) {
    const bool large = values.type.has_large_offsets();
    bytes += (values.rows + 1) * (large ? sizeof(int64_t) : sizeof(int32_t));
  }
  if (values.type.has_bytes()) return bytes + values.extent(values.rows) - values.extent(0);
  bytes += values.rows * values.type.width();
  if (values.type.is(Type::Key)) return bytes;  // key values are read only once
  for (const Values& child : values.children) bytes += bytes_of(child);
  return bytes;
}

// The type of the cells of flat columns that are used without conversion.
std::optional<Type> cell_type(const Column& column, const FlatCells& flat) {
  if (flat.kind == FlatCells::Kind::Bits) return Type::Bool;
  if (flat.kind != FlatCells::Kind::Fixed) return std::nullopt;
  return flat.dictionary == nullptr ? column.type() : code_type(flat);
}

// Predicates swap codes as they read them, which costs less than a copy.
bool can_stay_swapped(const FlatCells& flat) {
  return flat.dictionary != nullptr && !flat.in_order() && flat.stride == flat.cell_bytes &&
         flat.cells.data() != nullptr;
}

ColumnChunk read_flat(const Column& column, const std::optional<FlatCells>& flat, RowRange rows,
                      Arena& arena, const Context& context) {
  ColumnChunk chunk;
  const std::optional<Type> type = flat ? cell_type(column, *flat) : std::nullopt;
  if (!type) {
    chunk.values = column.read(rows, arena, context);
    chunk.bytes = bytes_of(chunk.values);
    return chunk;
  }
  CellSpan& span = chunk.cells.emplace();
  span.type = *type;
  span.rows = rows.rows();
  if (flat->kind == FlatCells::Kind::Bits) {
    span.cells = read_bits(flat->cells, rows, arena, context);
    chunk.bytes = bitmap_bytes(span.rows);
  } else {
    span.swapped = can_stay_swapped(*flat);
    span.cells = span.swapped ? flat->cells.data() + rows.first * flat->stride
                              : packed_cells(*flat, rows, arena, context);
    chunk.bytes = span.rows * flat->cell_bytes;
  }
  span.nulls = flat->nulls;
  span.dictionary = flat->dictionary;
  if (has_bitmap(span.nulls)) {
    span.validity = read_bits(flat->validity, rows, arena, context);
    chunk.bytes += bitmap_bytes(span.rows);
  }
  return chunk;
}

}  // namespace

ColumnChunk Column::chunk(RowRange rows, Arena& arena, const Context& context) const {
  ColumnChunk chunk = read_flat(*this, flat(), rows, arena, context);
  chunk.rows = rows;
  return chunk;
}

Values Column::take_vectors(std::span<const uint64_t> rows, uint64_t slots, Arena& arena,
                            const Context& context) const {
  uint64_t* items = arena.allocate_array<uint64_t>(rows.size() * slots);
  for (uint64_t i = 0; i < rows.size(); ++i) {
    std::iota(items + i * slots, items + (i + 1) * slots, rows[i] * slots);
  }
  return take({items, rows.size() * slots}, arena, context);
}

void Column::read_blocks(RowRange rows, uint64_t first_rows, uint64_t block_rows,
                         const Context& context, const UseBlock& use) const {
  Arena arena(context.memory);
  for (uint64_t next = first_rows; rows.first < rows.last; next = block_rows) {
    const RowRange block{rows.first, rows.first + std::min(next, rows.rows())};
    arena.reset();
    use(block, read(block, arena, context), arena);
    rows.first = block.last;
  }
}

}  // namespace heron::inline v0
