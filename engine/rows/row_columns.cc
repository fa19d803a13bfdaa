#include "rows/row_columns.h"

#include "rows/transpose.h"
#include "values/bitmap.h"
#include "values/validity.h"

namespace heron::inline v0 {
namespace {

// fetch(some, room) returns rows some.first up to some.last of `count` as RowReader::Rows.
template <class Fetch>
void fill(const RowReader& reader, const Type& type, uint64_t columns, uint64_t count, Arena& arena,
          std::vector<Values>& values, Fetch fetch) {
  const uint64_t width = reader.width();
  auto** to = arena.allocate_array<std::byte*>(columns);
  for (uint64_t c = 0; c < columns; ++c) to[c] = arena.allocate(count * width);
  const std::span starts(to, columns);
  std::byte* room = arena.allocate(std::min(count, reader.rows_at_once()) * reader.row_bytes());
  for (uint64_t first = 0; first < count; first += reader.rows_at_once()) {
    const RowRange some{first, first + std::min(count - first, reader.rows_at_once())};
    const RowReader::Rows rows = fetch(some, room);
    transpose(rows.cells, rows.stride, some.rows(), reader.width(), starts, first);
  }
  for (const std::byte* cells : starts) {
    Values& column = values.emplace_back(type, count);
    if (type.is(Type::Bool)) {
      column.data = {pack_bools(cells, count, arena), bitmap_bytes(count)};
    } else {
      column.data = {cells, count * width};
    }
  }
}

// Each cell of a single packed row is a column of one row.
void take_one(const RowReader& reader, const Type& type, uint64_t columns,
              std::span<const uint64_t> row, Arena& arena, std::vector<Values>& values) {
  std::byte* cells = arena.allocate(reader.row_bytes());
  for (uint64_t c = 0; c < columns; ++c) {
    values.emplace_back(type, 1).data = {cells + c * reader.width(), reader.width()};
  }
  reader.pack(row, {0, 1}, cells);  // last, because its row may still be on its way from memory
}

}  // namespace

void take_rows(const RowLayout& layout, std::span<const uint64_t> columns,
               std::span<const uint64_t> rows, Arena& arena, const Context& context,
               std::vector<Values>& values) {
  const RowReader reader(layout, columns, arena, context);
  if (rows.size() == 1 && !layout.type.is(Type::Bool)) {
    return take_one(reader, layout.type, columns.size(), rows, arena, values);
  }
  fill(reader, layout.type, columns.size(), rows.size(), arena, values,
       [&](RowRange some, std::byte* room) {
         context.step(some.first, rows.size());
         reader.pack(rows, some, room);
         return RowReader::Rows{room, reader.row_bytes()};
       });
}

void read_rows(const RowLayout& layout, std::span<const uint64_t> columns, RowRange rows,
               Arena& arena, const Context& context, std::vector<Values>& values) {
  if (rows.rows() == 1) return take_rows(layout, columns, {&rows.first, 1}, arena, context, values);
  const RowReader reader(layout, columns, arena, context);
  fill(reader, layout.type, columns.size(), rows.rows(), arena, values,
       [&](RowRange some, std::byte* room) {
         context.check_cancelled();
         return reader.fetch({rows.first + some.first, rows.first + some.last}, room);
       });
}

}  // namespace heron::inline v0
