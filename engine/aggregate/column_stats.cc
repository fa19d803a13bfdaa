#include <algorithm>
#include <memory>

#include "aggregate/aggregate_rows.h"
#include "aggregate/aggregates.h"
#include "aggregate/column_profile.h"
#include "exec/resolved_query.h"
#include "exec/sink.h"
#include "exec/whole_read.h"
#include "heron/aggregate.h"
#include "table/internals.h"
#include "values/scalar.h"

namespace heron::inline v0 {
namespace {

class SummarySink final : public ColumnSink {
 public:
  // `profiled`: computes whole ColumnProfiles, not only their summaries.
  SummarySink(const Projection& columns, bool profiled, const Context& context)
      : columns_(columns),
        profiled_(profiled),
        share_(share_of_bytes(columns, context)),
        summarized_(columns.size()),
        profiles_(columns.size()) {
    for (const Column* column : internals(columns).columns()) column->check_readable();
  }

  uint64_t column_count() const override { return columns_.size(); }
  uint64_t column(uint64_t i) const override { return columns_.indices()[i]; }
  // Returns false for a column that stores nothing, which may claim any number of rows.
  bool begin(uint64_t i, const Context& context) override {
    const Column& column = *internals(columns_).columns()[i];
    const uint64_t limit = std::min(exact_bytes(column.type()), share_);
    const auto describe = [&](uint64_t) {
      StateOf of = state_of(column, context);
      of.distinct_limits.estimate_beyond = limit;
      return of;
    };
    Summarized& one = summarized_[i];
    one.plan = AggregatePlan(aggregates_of(column, profiled_), false, describe);
    one.states = one.plan.make(0, columns_.table()->rows());
    if (profiled_ && why_not(Function::Quantile, column.type()).empty()) {
      one.sample = std::make_unique<RowSample>();
    }
    return !column.type().is(Type::Null);
  }
  void consume(uint64_t i, MorselReader& morsel) override {
    std::vector<AggregateState*> states;
    for (const auto& state : summarized_[i].states) states.push_back(state.get());
    if (summarized_[i].sample) states.push_back(summarized_[i].sample.get());
    summarized_[i].skipped += aggregate_rows(morsel, columns_.indices()[i], states);
  }
  // The memory of a column's states is released before the next column begins.
  void finish(uint64_t i, const Context&) override {
    stats(*internals(columns_).columns()[i], summarized_[i], profiles_[i]);
    summarized_[i].states = AggregateStates();
    summarized_[i].plan = AggregatePlan();
    summarized_[i].sample.reset();
  }

  // Moves the profiles out; `rows` is the number of selected rows. Call it once.
  std::vector<ColumnProfile> profiles(uint64_t rows) {
    for (uint64_t i = 0; i < profiles_.size(); ++i) {
      ColumnStats& summary = profiles_[i].summary;
      summary.rows = rows - summarized_[i].skipped;
      summary.null_count = summary.rows - summary.null_count;
    }
    return std::move(profiles_);
  }

 private:
  using Function = Aggregate::Function;
  struct Summarized {
    // The members below are set while the column is read.
    AggregatePlan plan;
    AggregateStates states;
    std::unique_ptr<RowSample> sample;  // null: there are no quartiles

    uint64_t skipped = 0;  // damaged rows
  };

  // The share depends only on the table and the Context, so that threads do not decide what is
  // exact.
  static uint64_t share_of_bytes(const Projection& columns, const Context& context) {
    const uint64_t all = std::min(
        kDistinctBytesOfAll, context.memory == nullptr ? UINT64_MAX : context.memory->limit() / 2);
    return all / std::max<uint64_t>(columns.size(), 1);
  }

  // Returns the summarized functions that apply to the column.
  static std::vector<Aggregate> aggregates_of(const Column& column, bool profiled) {
    std::vector<Aggregate> aggregates;
    for (const Function function :
         {Function::Count, Function::Min, Function::Max, Function::Distinct, Function::Sum,
          Function::Mean, Function::Stddev}) {
      if (function == Function::Stddev && !profiled) continue;
      // The sum of decimals is no float64, and may have too many digits.
      if (function == Function::Sum && column.type().is(Type::Decimal)) continue;
      if (why_not(function, column.type()).empty()) aggregates.push_back({function, 0});
    }
    return aggregates;
  }

  // Sets all members except the rows; null_count becomes the number of values that are not null.
  void stats(const Column& column, Summarized& one, ColumnProfile& profile) const {
    const std::vector<Aggregate> aggregates = aggregates_of(column, profiled_);
    ColumnStats& summary = profile.summary;
    summary.type = one.plan.states[0].of.key_values.value_or(column.type());
    for (uint64_t i = 0; i < aggregates.size(); ++i) {
      const ScalarView result = one.states[*one.plan.state_of[i]]->result(0, aggregates[i]);
      switch (aggregates[i].function) {
        case Function::Count: summary.null_count = std::get<uint64_t>(result); break;
        case Function::Min: summary.min = owned(result); break;
        case Function::Max: summary.max = owned(result); break;
        case Function::Distinct: summary.distinct = std::get<uint64_t>(result); break;
        default:
          if (const auto* number = std::get_if<double>(&result)) {
            if (aggregates[i].function == Function::Stddev)
              profile.stddev = *number;
            else
              (aggregates[i].function == Function::Sum ? summary.sum : summary.mean) = *number;
          }
      }
    }
    if (one.sample) describe_sample(*one.sample, profile);
    for (const auto& state : one.states) summary.distinct_is_exact &= state->is_exact();
  }

  const Projection& columns_;
  const bool profiled_;
  const uint64_t share_;  // bytes for the distinct values of each column
  std::vector<Summarized> summarized_;
  std::vector<ColumnProfile> profiles_;
};

std::vector<ColumnProfile> profiles_of(const Query& original, bool profiles,
                                       const Context& context) {
  const Query query = extended(original);
  const SelectedBy selected(query, {.call = "stats", .columns = true});
  const Projection columns = query.columns.of(query.table);
  const Table& table = *selected.table;
  if (selected.is_whole()) check_whole_read(table, columns.indices(), context);
  return unless_changed(bytes_of(table), [&] {
    const Input input(selected, context);
    input.mark_read(columns.indices());
    SummarySink sink(columns, profiles, context);
    const uint64_t rows = run(input, sink, context);
    table.check_unchanged();
    return sink.profiles(rows);
  });
}

}  // namespace

std::vector<ColumnStats> stats(const Query& query, const Context& context) {
  std::vector<ColumnStats> summaries;
  for (ColumnProfile& one : profiles_of(query, false, context)) {
    summaries.push_back(std::move(one.summary));
  }
  return summaries;
}

std::vector<ColumnProfile> profile(const Query& query, const Context& context) {
  return profiles_of(query, true, context);
}

}  // namespace heron::inline v0
