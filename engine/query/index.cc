#include "query/index.h"

#include <utility>

#include "base/parallel.h"
#include "columns/scalar.h"
#include "query/gathered.h"
#include "skip/zone_map.h"

namespace heron::inline v0 {
namespace {

ColumnIndex index_column(const Table& table, uint64_t index, const Context& context) {
  const Column& column = table.column(index);
  const ColumnZones geometry(column);
  ColumnIndex told;
  told.table = table.name();
  told.column = table.column_name(index);
  told.type = column.type().name();
  told.encoding = column.encoding();
  told.rows = column.rows();
  told.order = geometry.order();
  told.zone_rows = geometry.zone_rows();
  told.zones.reserve(geometry.size());
  const bool counts = has_scalars(column.type());
  const auto values = Gathered::make(column, {.distinct = counts}, 0, column.rows());
  Arena arena(context.memory);
  for (uint64_t zone = 0; zone < geometry.size(); ++zone) {
    const RowRange rows = geometry.rows_of(zone);
    context.step(rows.first, column.rows());
    arena.reset();
    told.zones.push_back(zone_of(read_chunk(column, rows, arena, context)));
    if (counts) values->add(column.read(rows, arena, context), {rows.first, {}}, nullptr, arena);
  }
  if (!counts || told.zones.empty()) return told;
  const Findings findings = values->finish(context);
  if (findings.distinct_is_exact) told.distinct = findings.distinct;
  return told;
}

}  // namespace

std::vector<ColumnIndex> index_columns(const Dataset& dataset, const Context& context) {
  std::vector<ColumnIndex> all;
  for (const auto& table : dataset.tables()) {
    table->bytes()->check_whole_read();
    std::vector<ColumnIndex> columns(table->column_count());
    unless_changed(*table->bytes(), [&] {
      parallel_for(columns.size(), context, [&](uint64_t i, const Context& one_thread) {
        if (table->column(i).unreadable() == nullptr) {
          columns[i] = index_column(*table, i, one_thread);
        }
      });
      table->bytes()->check_unchanged();
    });
    for (ColumnIndex& column : columns) {
      if (!column.zones.empty() || column.distinct) all.push_back(std::move(column));
    }
  }
  return all;
}

}  // namespace heron::inline v0
