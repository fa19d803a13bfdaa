#include "sort/sorted.h"

#include <algorithm>
#include <numeric>

#include "rows/batch.h"
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

RowBatch sorted(const RowBatch& batch, std::span<const OrderBy> order, uint64_t limit,
                const Context& context) {
  std::vector<SortKeys> keys;
  for (const OrderBy& by : order) {
    const uint64_t column = column_named(*batch.schema, by.column);
    const Type& type = batch.columns[column].type;
    if (!has_order(type)) {
      fail(ErrorKind::Argument, {}, "column \"", by.column, "\" is of type ", type.name(),
           ", which has no order");
    }
    keys.emplace_back().assign({&batch.columns[column], 1}, batch.rows);
  }
  if (batch.rows > UINT32_MAX) fail(ErrorKind::Limit, {}, "more than 2^32 rows in memory");
  std::vector<uint32_t> rows(batch.rows);
  std::iota(rows.begin(), rows.end(), uint32_t{0});
  const auto is_before = [&](uint32_t a, uint32_t b) {
    for (uint64_t i = 0; i < keys.size(); ++i) {
      const int compared = keys[i][a].compare(keys[i][b]);
      if (compared != 0) return order[i].direction == Descending ? compared > 0 : compared < 0;
    }
    return a < b;
  };
  const auto last = rows.begin() + static_cast<ptrdiff_t>(std::min(limit, batch.rows));
  std::partial_sort(rows.begin(), last, rows.end(), is_before);
  rows.erase(last, rows.end());

  RowBatch answer = batch_like(batch, context);
  answer.rows = rows.size();
  for (const Values& column : batch.columns) {
    answer.columns.push_back(pick(column, rows, *answer.memory));
  }
  return answer;
}

}  // namespace heron::inline v0
