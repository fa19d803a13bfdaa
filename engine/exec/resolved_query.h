// A query with resolved names, for the call that answers it.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "heron/query.h"

namespace heron::inline v0 {

// The members of a query that a call uses; every call uses its table and its predicate.
struct QueryUse {
  std::string_view call;  // its name in errors
  bool columns = false;
  bool limit = false;
  bool order = false;
  bool by = false;
};

// Throws Error(Argument) for a query without a table, for a member that is set but not used, and
// for rows that the table does not have.
void check_use(const Query& query, const QueryUse& use);

// The query with its names resolved: expressions in `columns`, `by` and, without `by`, in `order`
// are columns of a table that extends the query's. Throws what Columns::of() throws.
Query extended(const Query& query);

// The rows of a table that a query selects.
struct SelectedBy {
  // Throws as check_use() and the parser of the predicate do.
  SelectedBy(const Query& query, const QueryUse& use);

  // Returns whether the range is all rows of the table.
  bool is_whole() const noexcept { return range.rows() == table->rows(); }

  std::shared_ptr<const Table> table;
  std::optional<Predicate> where;
  RowRange range;
  QueryMetrics* metrics;
  SkippedRows* skip_damaged;
};

// A column of a table or a result, by number.
struct OrderColumn {
  uint64_t column = 0;
  bool descending = false;
};
// Throws Error(Argument) for an unknown column.
std::vector<OrderColumn> order_columns(const Table& table, std::span<const OrderBy> order);

}  // namespace heron::inline v0
