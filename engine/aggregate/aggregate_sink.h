// The consumer of aggregate(): states of columns for each range of morsels, merged in table order.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "aggregate/aggregate_by_row.h"
#include "aggregate/aggregate_rows.h"
#include "exec/sink.h"
#include "heron/aggregate.h"
#include "rows/charge.h"
#include "table/internals.h"

namespace heron::inline v0 {

using AggregateStates = std::vector<std::unique_ptr<AggregateState>>;

// A column and what is wanted of it.
struct Asked {
  uint64_t column;
  AggregateState::Wanted wanted;
};

// Leaves out columns that store nothing, however many rows they claim.
std::vector<Asked> columns_asked(std::span<const Aggregate> all,
                                 const std::function<bool(uint64_t)>& stores_nothing,
                                 const Context& context);

// Where the rows of a query lie in a table that has more: states number rows as that table does.
struct RowsOfPart {
  uint64_t first_row;   // of the query
  uint64_t table_rows;  // of all parts
};

// States and the memory they hold.
struct ChargedStates {
  explicit ChargedStates(const Context& context)
      : charge(std::make_unique<Charge>(context.memory)) {}
  void grow_charge(const Table& table, std::span<const Asked> asked) const {
    uint64_t bytes = 0;
    for (const auto& state : states) bytes += state->bytes();
    if (!charge->try_grow_to(bytes)) fail_beyond_budget(table, asked);
  }

  AggregateStates states;
  std::unique_ptr<Charge> charge;

 private:
  // Names the column that holds the most memory.
  [[noreturn]] void fail_beyond_budget(const Table& table, std::span<const Asked> asked) const {
    uint64_t most = 0;
    for (uint64_t i = 1; i < states.size(); ++i) {
      if (states[i]->bytes() > states[most]->bytes()) most = i;
    }
    const auto& wanted = asked[most].wanted;
    const bool is_quantile = !wanted.quantiles.empty();
    fail_with_hint(ErrorKind::Limit, Hint::Memory, bytes_of(table).name(), "column \"",
                   table.column_name(asked[most].column),
                   "\": ", is_quantile ? "values of a quantile" : "distinct values",
                   " are more than the memory budget of ", charge->limit(), " bytes holds",
                   is_quantile ? "" : "; approx_distinct needs 16 KiB");
  }
};

// Each range of morsels has its own states; they are merged in table order.
class AggregateSink final : public Sink {
 public:
  AggregateSink(const Table& table, std::span<const Asked> asked, RowsOfPart part,
                const Context& context)
      : table_(table), asked_(asked), part_(part), context_(context) {
    for (uint64_t i = 0; i < asked.size(); ++i) {
      const auto state = make_state(asked[i], part.first_row);
      (state->takes_rows() ? by_row_ : by_column_).push_back(i);
    }
    for (const uint64_t i : by_row_) row_columns_.push_back(asked[i].column);
    for (const Asked& one : asked) columns_.push_back(one.column);
  }

  std::unique_ptr<LocalState> local(uint64_t first_row) const override {
    return std::make_unique<Local>(states_from(std::max(first_row, part_.first_row)));
  }
  void consume(uint64_t, MorselReader& morsel, LocalState& state) const override {
    Local& local = static_cast<Local&>(state);
    if (!asked_.empty()) morsel.selected();  // which rows: found once
    if (morsel.count() == 0) return;
    local.rows += morsel.count();
    const auto& states = local.all.states;
    if (!add_by_row(morsel, states)) {
      for (const uint64_t i : by_row_) aggregate_rows(morsel, asked_[i].column, *states[i]);
    }
    for (const uint64_t i : by_column_) aggregate_rows(morsel, asked_[i].column, *states[i]);
    local.all.grow_charge(table_, asked_);
  }
  void combine(uint64_t, LocalState& state) override {
    Local& local = static_cast<Local&>(state);
    rows_ += local.rows;
    if (!all_) {
      all_ = std::move(local.all);
      return;
    }
    for (uint64_t i = 0; i < asked_.size(); ++i) all_->states[i]->append(*local.all.states[i]);
    all_->grow_charge(table_, asked_);
  }
  Pace pace() const override { return {.most_items_a_range = 4, .ranges_a_thread = 4}; }
  std::span<const uint64_t> columns() const override { return columns_; }

  uint64_t rows() const noexcept { return rows_; }
  // The result of each requested column; call it once.
  std::vector<AggregateResult> finish() {
    std::vector<AggregateResult> results;
    for (const auto& state : states()) results.push_back(state->finish(context_));
    return results;
  }
  const AggregateStates& states() {
    if (!all_) all_ = states_from(part_.first_row);
    return all_->states;
  }

 private:
  struct Local final : LocalState {
    explicit Local(ChargedStates states) : all(std::move(states)) {}
    ChargedStates all;
    uint64_t rows = 0;
  };

  bool add_by_row(MorselReader& morsel, const AggregateStates& states) const {
    if (by_row_.size() < 2) return false;
    std::vector<AggregateState*> of_rows;
    for (const uint64_t i : by_row_) of_rows.push_back(states[i].get());
    return aggregate_by_row(morsel, row_columns_, of_rows);
  }
  std::unique_ptr<AggregateState> make_state(const Asked& asked, uint64_t first_row) const {
    return AggregateState::make(internals(table_).column(asked.column), asked.wanted, first_row,
                                part_.table_rows);
  }
  ChargedStates states_from(uint64_t first_row) const {
    ChargedStates states(context_);
    for (const Asked& asked : asked_) states.states.push_back(make_state(asked, first_row));
    return states;
  }

  const Table& table_;
  const std::span<const Asked> asked_;
  const RowsOfPart part_;
  const Context& context_;
  // The requests that allow reading row by row, the others, and the columns of the first.
  std::vector<uint64_t> by_row_, by_column_, row_columns_;
  std::vector<uint64_t> columns_;  // of all requests
  std::optional<ChargedStates> all_;
  uint64_t rows_ = 0;
};

// The type of the values of keys; nullopt: it has none.
std::optional<Type> key_type(const Column& column, const Context& context);
// Of a column of that type; only counts need none.
AggregateValue answer_of(const Aggregate& one, const Type& type,
                         const std::optional<Type>& key_values, const AggregateResult& found);

}  // namespace heron::inline v0
