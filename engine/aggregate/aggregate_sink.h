// The consumer of aggregate(): states of columns for each range of morsels, merged in table order.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "aggregate/aggregate_rows.h"
#include "base/fail.h"
#include "base/hints.h"
#include "exec/sink.h"
#include "rows/charge.h"
#include "table/internals.h"

namespace heron::inline v0 {

// The position of a query's rows in a larger table, whose row numbers the states use.
struct RowsOfPart {
  uint64_t first_row;   // the number of the query's first row
  uint64_t table_rows;  // rows in all parts
};

// Each range of morsels has its own states; they are merged in table order. All arguments must
// outlive this.
class AggregateSink final : public Sink {
 public:
  AggregateSink(const Table& table, const AggregatePlan& plan, RowsOfPart part,
                const Context& context)
      : table_(table), plan_(plan), part_(part), context_(context), columns_(plan.columns()) {
    const AggregateStates states = plan.make();
    merges_fast_ = std::all_of(states.begin(), states.end(),
                               [](const auto& state) { return state->merges_fast(); });
    for (const uint64_t column : columns_) {
      StatesOfColumn one{column, {}};
      for (uint64_t i = 0; i < states.size(); ++i) {
        if (plan.states[i].column == column) one.states.push_back(i);
      }
      const bool takes_rows = one.states.size() == 1 && states[one.states[0]]->takes_cells();
      if (takes_rows) row_columns_.push_back(column);
      (takes_rows ? by_row_ : by_column_).push_back(std::move(one));
    }
  }

  std::unique_ptr<LocalState> local(uint64_t first_row) const override {
    return std::make_unique<Local>(
        plan_.make(std::max(first_row, part_.first_row), part_.table_rows), context_);
  }
  void consume(uint64_t, MorselReader& morsel, LocalState& state) const override {
    Local& local = static_cast<Local&>(state);
    if (!columns_.empty()) morsel.selected();  // finds the selected rows once
    if (morsel.count() == 0) return;
    local.rows += morsel.count();
    if (!add_by_row(morsel, local.states)) add_columns(morsel, by_row_, local.states);
    add_columns(morsel, by_column_, local.states);
    grow_charge(local);
  }
  void combine(uint64_t, LocalState& state) override {
    constexpr uint32_t kGroup = 0;
    Local& local = static_cast<Local&>(state);
    if (!all_) {
      all_.emplace(std::move(local));
      return;
    }
    all_->rows += local.rows;
    for (uint64_t i = 0; i < local.states.size(); ++i) {
      all_->states[i]->merge(*local.states[i], {&kGroup, 1});
    }
    grow_charge(*all_);
  }
  // If merging states costs as much as making them, there is one range for each thread.
  Pace pace() const override {
    if (merges_fast_) return {.most_items_a_range = 4, .ranges_a_thread = 4};
    return {.ranges_a_thread = 1};
  }
  std::span<const uint64_t> columns() const override { return columns_; }

  uint64_t rows() const noexcept { return all_ ? all_->rows : 0; }
  // Moves the states out: call it once.
  AggregateStates states() && {
    return all_ ? std::move(all_->states) : plan_.make(part_.first_row, part_.table_rows);
  }

 private:
  struct StatesOfColumn {
    uint64_t column;
    std::vector<uint64_t> states;  // indices in plan.states
  };
  struct Local final : LocalState {
    Local(AggregateStates own, const Context& context)
        : states(std::move(own)), charge(std::make_unique<Charge>(context.memory)) {}
    AggregateStates states;
    std::unique_ptr<Charge> charge;
    uint64_t rows = 0;
  };

  bool add_by_row(MorselReader& morsel, const AggregateStates& states) const {
    if (by_row_.size() < 2) return false;
    std::vector<AggregateState*> of_rows;
    for (const StatesOfColumn& one : by_row_) of_rows.push_back(states[one.states[0]].get());
    return aggregate_by_row(morsel, row_columns_, of_rows);
  }
  static void add_columns(MorselReader& morsel, std::span<const StatesOfColumn> columns,
                          const AggregateStates& states) {
    for (const StatesOfColumn& one : columns) {
      std::vector<AggregateState*> of_column;
      for (const uint64_t i : one.states) of_column.push_back(states[i].get());
      aggregate_rows(morsel, one.column, of_column);
    }
  }
  // Charges the memory of the states. Throws Error(Limit) that names the column whose state holds
  // the most.
  void grow_charge(const Local& local) const {
    uint64_t bytes = 0, most = 0;
    for (uint64_t i = 0; i < local.states.size(); ++i) {
      bytes += local.states[i]->bytes();
      if (local.states[i]->bytes() > local.states[most]->bytes()) most = i;
    }
    if (local.charge->try_grow_to(bytes)) return;
    const AggregatePlan::Planned& planned = plan_.states[most];
    const bool is_quantile = planned.of.wants(Aggregate::Function::Quantile);
    fail_with_hint(ErrorKind::Limit, hint::kMemory, bytes_of(table_).name(), "column \"",
                   table_.column_name(*planned.column),
                   "\": ", is_quantile ? "values of a quantile" : "distinct values",
                   " are more than the memory budget of ", local.charge->limit(), " bytes holds",
                   is_quantile ? "" : "; approx_distinct needs 16 KiB");
  }

  const Table& table_;
  const AggregatePlan& plan_;
  const RowsOfPart part_;
  const Context& context_;
  const std::vector<uint64_t> columns_;
  bool merges_fast_ = true;
  std::vector<StatesOfColumn> by_row_, by_column_;  // columns read row by row, or not
  std::vector<uint64_t> row_columns_;               // columns of by_row_
  std::optional<Local> all_;
};

}  // namespace heron::inline v0
