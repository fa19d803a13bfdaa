#include "sort/sorted.h"

#include <algorithm>
#include <numeric>

#include "base/fail.h"
#include "sort/sorter.h"
#include "values/assemble.h"
#include "values/batch_like.h"
#include "values/sort_keys.h"

namespace heron::inline v0 {
namespace {

uint64_t column_named(const Schema& schema, const std::string& name) {
  for (uint64_t i = 0; i < schema.size(); ++i) {
    if (schema[i].name == name) return i;
  }
  std::string known;
  for (const Field& field : schema) known += (known.empty() ? "\"" : ", \"") + field.name + '"';
  fail(ErrorKind::Argument, {}, "no column \"", name, "\" among ", known);
}

}  // namespace

std::vector<uint32_t> rows_in_order(const RowBatch& batch, std::span<const OrderBy> order,
                                    uint64_t limit, const Context& context) {
  std::vector<Values> columns;
  std::vector<uint8_t> descending;
  for (const OrderBy& by : order) {
    const uint64_t column = column_named(*batch.schema, by.column);
    const Type& type = batch.columns[column].type;
    if (!has_order(type)) {
      fail(ErrorKind::Argument, {}, "column \"", by.column, "\" is of type ", type.name(),
           ", which has no order");
    }
    columns.push_back(batch.columns[column]);
    descending.push_back(by.direction == Descending);
  }
  if (batch.rows > UINT32_MAX) fail(ErrorKind::Limit, {}, "more than 2^32 rows in memory");
  std::vector<uint32_t> rows, kept;
  if (columns.empty()) {
    rows.resize(std::min(limit, batch.rows));
    std::iota(rows.begin(), rows.end(), 0U);
    return rows;
  }
  // Makes no key for a row that comes after `limit` earlier rows.
  constexpr uint64_t kAtOnce = 4096;
  std::vector<Values> picked(columns.size());
  Arena arena(context.memory);
  SortKeys keys;
  Sorter sorter({.limit = limit}, context);
  for (uint64_t first = 0; first < batch.rows; first += kAtOnce) {
    rows.resize(std::min(kAtOnce, batch.rows - first));
    std::iota(rows.begin(), rows.end(), static_cast<uint32_t>(first));
    if (!sorter.bound().empty()) {
      find_not_behind(sorter.bound(), columns[0], descending[0] != 0, columns.size() > 1, rows,
                      kept);
      for (uint64_t i = 0; i < kept.size(); ++i) rows[i] = rows[kept[i]];
      rows.resize(kept.size());
    }
    arena.reset();
    for (uint64_t i = 0; i < columns.size(); ++i) picked[i] = pick(columns[i], rows, arena);
    keys.assign(picked, rows.size(), descending);
    for (uint64_t i = 0; i < rows.size(); ++i) sorter.add(keys[i], view(sortable(rows[i])));
  }
  sorter.finish();
  rows.clear();
  SortedRecords records(sorter);
  for (std::string_view record; records.next(record);) {
    rows.push_back(static_cast<uint32_t>(number_at_end(record)));
  }
  return rows;
}

RowBatch sorted(RowBatch batch, std::span<const OrderBy> order, uint64_t limit,
                const Context& context) {
  if (order.empty() && limit >= batch.rows) return batch;
  const std::vector<uint32_t> rows = rows_in_order(batch, order, limit, context);
  RowBatch answer = batch_like(batch, context);
  answer.rows = rows.size();
  for (const Values& column : batch.columns) {
    answer.columns.push_back(pick(column, rows, *answer.memory));
  }
  return answer;
}

}  // namespace heron::inline v0
