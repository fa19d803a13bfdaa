#include "exec/resolved_query.h"

#include <span>

#include "base/fail.h"
#include "bytes/byte_source.h"
#include "expression/computed_table.h"
#include "table/check_rows.h"
#include "table/internals.h"
#include "table/names.h"

namespace heron::inline v0 {
namespace {

[[noreturn]] void fail_other_table(const Table& table, std::string_view what) {
  fail(ErrorKind::Argument, bytes_of(table).name(), what, " on another table");
}

void check_table(const std::shared_ptr<const Table>& table) {
  if (table == nullptr) fail(ErrorKind::Argument, {}, "a query without a table");
}

}  // namespace

Projection Columns::of(const std::shared_ptr<const Table>& table) const {
  check_table(table);
  if (const auto* names = std::get_if<Names>(&columns_)) return projection_of(table, *names);
  if (const auto* numbers = std::get_if<Numbers>(&columns_)) return Projection(table, *numbers);
  const auto* columns = std::get_if<Projection>(&columns_);
  if (columns == nullptr) return Projection(table);
  if (!have_same_rows(*columns->table(), *table)) fail_other_table(*table, "the columns are");
  return *columns;
}

std::optional<Predicate> Where::on(const std::shared_ptr<const Table>& table) const {
  check_table(table);
  if (const auto* text = std::get_if<std::string>(&where_)) return Predicate(table, *text);
  if (const auto* bound = std::get_if<WithParameters>(&where_)) {
    return Predicate(table, bound->text, bound->values);
  }
  const auto* predicate = std::get_if<Predicate>(&where_);
  if (predicate == nullptr) return std::nullopt;
  if (!have_same_rows(*predicate->table(), *table)) fail_other_table(*table, "the predicate is");
  return *predicate;
}

Query extended(const Query& query) {
  check_table(query.table);
  Query all = query;
  std::optional<Projection> by, columns;
  if (query.by.are_set()) all.table = (by = query.by.of(all.table))->table();
  if (query.columns.are_set()) all.table = (columns = query.columns.of(all.table))->table();
  std::vector<std::string> computed;
  const std::shared_ptr<const Table> named = all.table;
  for (OrderBy& one : query.by.are_set() ? std::span<OrderBy>() : std::span(all.order)) {
    // Leaves words that name no column as they are: a mistyped name is an error of the order.
    if (named->find_column(one.column) || is_word(one.column)) continue;
    const Projection made = projection_of(named, std::span(&one.column, 1));
    if (made.table() == named) {
      one.column = named->column_name(made.indices()[0]);  // without backticks and brackets
    } else {
      computed.push_back(one.column);
    }
  }
  if (!computed.empty()) all.table = with_columns(all.table, computed);
  if (by) all.by = Projection(all.table, by->indices());
  if (columns) all.columns = Projection(all.table, columns->indices());
  return all;
}

void check_use(const Query& query, const QueryUse& use) {
  check_table(query.table);
  const auto check = [&](bool used, bool is_set, std::string_view member) {
    if (used || !is_set) return;
    fail(ErrorKind::Argument, bytes_of(*query.table).name(), use.call, " takes no `", member, "`");
  };
  check(use.columns, query.columns.are_set(), "columns");
  check(use.limit, query.limit != Query::kNoLimit, "limit");
  check(use.order, !query.order.empty(), "order");
  check(use.by, query.by.are_set(), "by");
  if (query.range) check_rows(*query.table, *query.range);
}

SelectedBy::SelectedBy(const Query& query, const QueryUse& use)
    : table(query.table), metrics(query.metrics), skip_damaged(query.skip_damaged) {
  check_use(query, use);
  where = query.where.on(table);
  range = query.range.value_or(RowRange{0, table->rows()});
}

std::vector<OrderColumn> order_columns(const Table& table, std::span<const OrderBy> order) {
  std::vector<OrderColumn> columns;
  for (const OrderBy& by : order) {
    const auto column = table.find_column(by.column);
    if (!column) {
      table.check_unchanged();  // a change would be the cause
      fail(ErrorKind::Argument, bytes_of(table).name(), no_column_text(table, by.column));
    }
    columns.push_back({*column, by.direction == Descending});
  }
  return columns;
}

}  // namespace heron::inline v0
