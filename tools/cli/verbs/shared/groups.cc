#include "verbs/shared/groups.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/fail.h"
#include "heron/error.h"
#include "output/row_writer.h"
#include "parsing/arguments.h"
#include "parsing/options.h"

namespace heron::cli {
namespace {

void print(Session& session, const RowBatch& batch) {
  const auto writer = make_row_writer(session.form(), session.out(), *batch.schema, batch.rows);
  if (batch.rows != 0) writer->write(batch);
  writer->finish();
}

// Returns the name, or the next free one if a column has it.
std::string free_name(const std::string& name, const std::vector<std::string>& taken) {
  std::string free = name;
  for (uint64_t i = 1; std::ranges::find(taken, free) != taken.end(); ++i) {
    free = concat(name, '.', i);
  }
  return free;
}

}  // namespace

void print_groups(Session& session, Query query, std::span<const Aggregate> aggregates) {
  query.by = parse_columns(session.get<GroupOptions>().by);
  print(session, group_by(query, aggregates, session.context()));
}

void print_counts(Session& session, Query query, std::optional<uint64_t> top) {
  Aggregate count;
  count.name = free_name("count", parse_columns(session.get<GroupOptions>().by));
  query.order = {{count.name, Descending}};
  if (top) {
    const Projection by = Columns(parse_columns(session.get<GroupOptions>().by)).of(query.table);
    for (const Field& field : *by.schema()) query.order.push_back({field.name, Ascending});
    query.limit = *top;
  }
  print_groups(session, std::move(query), {&count, 1});
}

}  // namespace heron::cli
