#include <algorithm>

#include "aggregate/aggregate_rows.h"
#include "columns/key_column.h"
#include "exec/sink.h"
#include "heron/stats.h"
#include "rows/resolved_query.h"
#include "table/internals.h"
#include "table/whole_read.h"
#include "values/scalar.h"

namespace heron::inline v0 {
namespace {

class SummarySink final : public ColumnSink {
 public:
  SummarySink(const Projection& columns, const Context& context)
      : columns_(columns),
        context_(context),
        share_(share_of_bytes(columns, context)),
        states_(columns.size()),
        summaries_(columns.size()),
        skipped_(columns.size()) {
    for (const Column* column : internals(columns).columns()) column->check_readable();
  }

  uint64_t column_count() const override { return columns_.size(); }
  uint64_t column(uint64_t i) const override { return columns_.indices()[i]; }
  // A column that stores nothing may claim any number of rows.
  bool begin(uint64_t i, const Context&) override {
    const Column& column = *internals(columns_).columns()[i];
    const uint64_t limit = std::min(exact_bytes(column.type()), share_);
    states_[i] = AggregateState::make(column,
                                      {.sum = has_sum(column),
                                       .extremes = true,
                                       .distinct = true,
                                       .distinct_limits = {.estimate_beyond = limit}},
                                      0, columns_.table()->rows());
    return !column.type().is(Type::Null);
  }
  void consume(uint64_t i, MorselReader& morsel) override {
    skipped_[i] += aggregate_rows(morsel, columns_.indices()[i], *states_[i]);
  }
  // The memory of a column's state is released before the next column begins.
  void finish(uint64_t i, const Context& context) override {
    summarize(*internals(columns_).columns()[i], states_[i]->finish(context), summaries_[i]);
    states_[i] = nullptr;
  }
  void add_rows(uint64_t rows) override { rows_ += rows; }

  std::vector<ColumnSummary> summaries() {
    for (uint64_t i = 0; i < summaries_.size(); ++i) {
      ColumnSummary& summary = summaries_[i];
      summary.rows = rows_ - skipped_[i];
      summary.null_count = summary.rows - summary.null_count;
    }
    return std::move(summaries_);
  }

 private:
  // Depends only on the table and the Context, so that threads do not decide what is exact.
  static uint64_t share_of_bytes(const Projection& columns, const Context& context) {
    const uint64_t all = std::min(
        kDistinctBytesOfAll, context.memory == nullptr ? UINT64_MAX : context.memory->limit() / 2);
    return all / std::max<uint64_t>(columns.size(), 1);
  }
  static bool has_sum(const Column& column) {
    const Type& type = column.type();
    return type.is(Type::Bool) || type.is_integer() || type.is_float();
  }

  // All but the rows; null_count is how many are not null.
  void summarize(const Column& column, AggregateResult found, ColumnSummary& summary) const {
    summary.null_count = found.values;
    summary.min = std::move(found.min);
    summary.max = std::move(found.max);
    const KeyValues* stood_for = column.key_values();
    summary.type = stood_for == nullptr ? column.type() : stood_for->type(context_);
    summary.distinct_is_exact = found.distinct_is_exact;
    if (has_scalars(column.type())) summary.distinct = found.distinct;
    if (has_sum(column) && found.values != 0) {
      summary.sum = column.type().is_float() ? found.floats : static_cast<double>(found.integers);
      summary.mean = *summary.sum / static_cast<double>(found.values);
    }
  }

  const Projection& columns_;
  const Context& context_;
  const uint64_t share_;  // of the bytes of distinct values, for each column
  std::vector<std::unique_ptr<AggregateState>> states_;  // of columns that are being read
  std::vector<ColumnSummary> summaries_;
  std::vector<uint64_t> skipped_;  // damaged rows of each column
  uint64_t rows_ = 0;
};

}  // namespace

std::vector<ColumnSummary> summarize(const Query& query, const Context& context) {
  const SelectedBy selected(query, {.call = "summarize", .columns = true});
  const Projection columns = query.columns.of(query.table);
  const auto& [table, where, range] = selected;
  if (selected.is_whole()) check_whole_read(*table, columns.indices(), context);
  return unless_changed(bytes_of(*table), [&, &table = table, &where = where, &range = range] {
    const Input input(table, where, range, context);
    input.mark_read(columns.indices());
    SummarySink sink(columns, context);
    run(input, sink, context);
    table->check_unchanged();
    return sink.summaries();
  });
}

}  // namespace heron::inline v0
