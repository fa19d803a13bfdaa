#include "heron/aggregate.h"

#include <algorithm>
#include <map>

#include "aggregate/aggregate_sink.h"
#include "aggregate/aggregates.h"
#include "aggregate/functions/function.h"
#include "aggregate/group_results.h"
#include "aggregate/linear_sums.h"
#include "aggregate/metadata_aggregate.h"
#include "base/fail.h"
#include "exec/resolved_query.h"
#include "exec/whole_read.h"
#include "table/internals.h"

namespace heron::inline v0 {
namespace {

// The limit is small enough that several counters, each up to twice as large as it needs, fit the
// budget.
uint64_t spill_beyond(const Context& context) {
  constexpr uint64_t kMaximum = uint64_t{128} << 20;
  return context.memory == nullptr ? kMaximum : std::min(kMaximum, context.memory->limit() / 16);
}

Scalar result_of(const KnownResults& known, const Aggregate& one, uint64_t rows) {
  using Function = Aggregate::Function;
  switch (one.function) {
    case Function::Min: return known.min;
    case Function::Max: return known.max;
    case Function::Distinct: return known.distinct;
    case Function::Count: return known.values;
    default: return rows - known.values;
  }
}

RowBatch aggregate_checked(const SelectedBy& selected, std::span<const Aggregate> aggregates,
                           const Context& context) {
  const std::shared_ptr<const Table>& table = selected.table;
  AggregatePlan plan(aggregates, false, [&](uint64_t column) {
    StateOf of = state_of(internals(*table).column(column), context);
    of.distinct_limits.spill_beyond = spill_beyond(context);
    return of;
  });
  std::map<uint64_t, KnownResults> known;  // the results by column
  if (!selected.where && selected.is_whole() && selected.skip_damaged == nullptr) {
    for (const uint64_t column : plan.columns()) {
      const auto results = metadata_aggregate(*table, column, aggregates, context);
      if (results) known[column] = *results;
    }
  }
  for (AggregatePlan::Planned& planned : plan.states) {
    planned.is_read &= !known.contains(*planned.column);
  }
  const std::vector<uint64_t> columns = plan.columns();
  uint64_t rows = selected.range.rows();
  AggregateSink sink(*table, plan, {0, table->rows()}, context);
  if (selected.where || !columns.empty()) {
    if (selected.is_whole()) check_whole_read(*table, columns, context);
    const Input input(selected, context);
    input.mark_read(columns);
    run(input, sink, context);
    rows = sink.rows();
  }
  const AggregateStates states = std::move(sink).states();
  const auto known_result = [&](const Aggregate& one) -> std::optional<Scalar> {
    const auto found = known.find(*one.column);
    if (found == known.end()) return std::nullopt;
    return result_of(found->second, one, rows);
  };
  RowBatch results = row_of_results(aggregates, plan, states, rows, known_result);
  bytes_of(*table).check_unchanged();
  return results;
}

// Returns nullopt if linear sums do not have the results.
std::optional<RowBatch> aggregate_of(const ComputedAggregates& computed, const Context& context) {
  const SelectedBy selected(computed.query, {.call = "aggregate"});
  return unless_changed(bytes_of(*selected.table), [&] {
    check_functions(*selected.table, computed.aggregates);
    const LinearSums sums(with_names(*selected.table, {}, computed.aggregates), computed.forms);
    return sums.results(aggregate_checked(selected, sums.computed(), context));
  });
}

}  // namespace

void check_functions(const Table& table, std::span<const Aggregate> aggregates) {
  for (const Aggregate& one : aggregates) {
    const uint64_t functions = aggregate_functions().size();
    if (static_cast<uint64_t>(one.function) >= functions) {
      fail(ErrorKind::Argument, bytes_of(table).name(), "no aggregate function ",
           static_cast<uint8_t>(one.function), ": expected 0 to ", functions - 1);
    }
    if (!one.column && one.function == Aggregate::Function::Count) continue;
    if (!one.column) {
      fail(ErrorKind::Argument, bytes_of(table).name(), "the aggregate \"", one.name,
           "\" has no column: expected one, which only a count of rows does without");
    }
    check_column(table, *one.column);
    if (!(one.quantile >= 0 && one.quantile <= 1)) {
      fail(ErrorKind::Argument, bytes_of(table).name(), "quantile ", one.quantile,
           " is not from 0 to 1");
    }
    const Column& column = internals(table).column(*one.column);
    column.check_readable();
    if (const std::string why = why_not(one.function, column.type()); !why.empty()) {
      fail(ErrorKind::Argument, bytes_of(table).name(), "column \"", column.name(), "\": ", why);
    }
  }
}

RowBatch aggregate(const Query& query, std::span<const Aggregate> aggregates,
                   const Context& context) {
  check_use(query, {.call = "aggregate"});
  // Damaged rows that are left out would be counted twice if aggregation is tried twice.
  const auto linear =
      query.skip_damaged == nullptr ? LinearSumsOf::All : LinearSumsOf::AlwaysFitting;
  if (auto results = aggregate_of(computed_aggregates(query, aggregates, linear), context)) {
    return *std::move(results);
  }
  return *aggregate_of(computed_aggregates(query, aggregates, LinearSumsOf::None), context);
}

}  // namespace heron::inline v0
