// A query with its names looked up, for the call that answers it.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "heron/query.h"

namespace heron::inline v0 {

// What a call does with a query; its table and its condition on rows, it always does.
struct QueryUse {
  std::string_view call;  // as errors name it
  bool columns = false;
  bool limit = false;
  bool order = false;
  bool by = false;
};

// Throws Error(Argument) for a query without a table, for a member that is set and not used, and
// for rows that the table does not have.
void check_use(const Query& query, const QueryUse& use);

// Some rows of a table.
struct SelectedBy {
  // As check_use(), and what parsing the condition throws.
  SelectedBy(const Query& query, const QueryUse& use);

  // No rows of the table are out of its range.
  bool is_whole() const noexcept { return range.rows() == table->rows(); }

  std::shared_ptr<const Table> table;
  std::optional<Predicate> where;
  RowRange range;
};

// A column of the table, or of an answer, by its number.
struct OrderColumn {
  uint64_t column = 0;
  bool descending = false;
};
// Throws Error(Argument) for an unknown column.
std::vector<OrderColumn> order_columns(const Table& table, std::span<const OrderBy> order);

}  // namespace heron::inline v0
