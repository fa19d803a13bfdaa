#include "sort/sorted.h"

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

RowBatch sorted(RowBatch batch, std::span<const OrderBy> order, uint64_t limit,
                const Context& context) {
  if (order.empty() && limit >= batch.rows) return batch;
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
  SortKeys keys;
  keys.assign(columns, batch.rows, descending);
  Sorter sorter({.limit = limit}, context);
  for (uint64_t row = 0; row < batch.rows; ++row) sorter.add(keys[row], view(sortable(row)));
  sorter.finish();
  std::vector<uint32_t> rows;
  SortedRecords records(sorter);
  for (std::string_view record; records.next(record);) {
    rows.push_back(static_cast<uint32_t>(number_at_end(record)));
  }

  RowBatch answer = batch_like(batch, context);
  answer.rows = rows.size();
  for (const Values& column : batch.columns) {
    answer.columns.push_back(pick(column, rows, *answer.memory));
  }
  return answer;
}

}  // namespace heron::inline v0
