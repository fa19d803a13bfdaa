#include "groups.h"

#include <algorithm>
#include <string>
#include <vector>

#include "arguments.h"
#include "heron/error.h"
#include "options.h"
#include "output/row_writer.h"

namespace heron::cli {
namespace {

Projection key_columns(Session& session) {
  return Projection(session.table(), parse_names(session.get<GroupOptions>().by));
}

// The columns of the answer by their names.
std::vector<OrderBy> order_of(const Schema& schema, std::string_view list) {
  std::vector<OrderBy> order;
  for (const OrderTerm& term : parse_order(list)) {
    const auto at = std::find_if(schema.begin(), schema.end(),
                                 [&](const Field& field) { return field.name == term.name; });
    if (at == schema.end()) {
      std::string known;
      for (const Field& field : schema) known += (known.empty() ? "\"" : ", \"") + field.name + '"';
      fail(ErrorKind::Argument, {}, "--order-by: no column \"", term.name, "\" among ", known);
    }
    order.push_back({static_cast<uint64_t>(at - schema.begin()), term.descending});
  }
  return order;
}

void print(Session& session, const RowBatch& batch) {
  const auto writer = make_row_writer(session.form(), session.out(), *batch.schema, batch.rows);
  if (batch.rows != 0) writer->write(batch);
  writer->finish();
}

}  // namespace

void print_groups(Session& session, std::span<const Aggregate> wanted,
                  const std::optional<Predicate>& where, const std::string& order_by,
                  std::optional<uint64_t> limit) {
  RowBatch groups =
      group_by(key_columns(session), wanted, where, session.context(), session.metrics());
  if (!order_by.empty() || limit) {
    const auto order =
        order_by.empty() ? std::vector<OrderBy>() : order_of(*groups.schema, order_by);
    groups = sorted(groups, order, limit.value_or(UINT64_MAX), session.context());
  }
  print(session, groups);
}

void print_counts(Session& session, const std::optional<Predicate>& where) {
  const Projection keys = key_columns(session);
  Aggregate count;
  count.name = "count";
  const RowBatch groups = group_by(keys, {&count, 1}, where, session.context(), session.metrics());
  const OrderBy most_first{keys.size(), true};
  print(session, sorted(groups, {&most_first, 1}, UINT64_MAX, session.context()));
}

}  // namespace heron::cli
