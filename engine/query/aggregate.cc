#include "heron/aggregate.h"

#include <algorithm>
#include <map>

#include "columns/key_column.h"
#include "dataset/internals.h"
#include "dataset/whole_read.h"
#include "exec/sink.h"
#include "heron/stats.h"
#include "query/aggregate_by_row.h"
#include "query/aggregate_rows.h"
#include "query/aggregates.h"
#include "query/charge.h"
#include "query/metadata_aggregate.h"
#include "query/resolved_query.h"
#include "query/running_values.h"
#include "values/scalar.h"

namespace heron::inline v0 {
namespace {

using Function = Aggregate::Function;
using States = std::vector<std::unique_ptr<AggregateState>>;

// A column and what is wanted of it.
struct Asked {
  uint64_t column;
  AggregateState::Wanted wanted;
};

// Small enough that several sets, each up to twice as large as it needs, fit the budget.
uint64_t spill_beyond(const Context& context) {
  constexpr uint64_t kMost = uint64_t{128} << 20;
  return context.memory == nullptr ? kMost : std::min(kMost, context.memory->limit() / 16);
}

// Leaves out columns that store nothing, however many rows they claim.
std::vector<Asked> columns_asked(const Table& table, std::span<const Aggregate> all,
                                 const Context& context) {
  std::vector<Asked> asked;
  for (const Aggregate& aggregate : all) {
    if (!aggregate.column || internals(table).column(*aggregate.column).type().is(Type::Null))
      continue;
    auto at = std::find_if(asked.begin(), asked.end(),
                           [&](const Asked& a) { return a.column == *aggregate.column; });
    if (at == asked.end()) at = asked.insert(at, {*aggregate.column, {}});
    const Function function = aggregate.function;
    at->wanted.sum |= function == Function::Sum || function == Function::Mean;
    at->wanted.extremes |= function == Function::Min || function == Function::Max;
    at->wanted.distinct |= function == Function::Distinct;
    at->wanted.approximate_distinct |= function == Function::ApproxDistinct;
    at->wanted.distinct_limits.spill_beyond = spill_beyond(context);
    if (function == Function::Quantile) at->wanted.quantiles.push_back(aggregate.quantile);
  }
  return asked;
}

// States and the memory they hold.
struct ChargedStates {
  explicit ChargedStates(const Context& context)
      : charge(std::make_unique<Charge>(context.memory)) {}
  void grow_charge(const Table& table, std::span<const Asked> asked) const {
    uint64_t bytes = 0;
    for (const auto& state : states) bytes += state->bytes();
    if (!charge->try_grow_to(bytes)) fail_beyond_budget(table, asked);
  }

  States states;
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
  AggregateSink(const Table& table, std::span<const Asked> asked, const Context& context)
      : table_(table), asked_(asked), context_(context) {
    for (uint64_t i = 0; i < asked.size(); ++i) {
      const auto state = make_state(asked[i], 0);
      (state->takes_rows() ? by_row_ : by_column_).push_back(i);
    }
    for (const uint64_t i : by_row_) row_columns_.push_back(asked[i].column);
    for (const Asked& one : asked) columns_.push_back(one.column);
  }

  std::unique_ptr<LocalState> local(uint64_t first_row) const override {
    return std::make_unique<Local>(states_from(first_row));
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
    if (!all_) all_ = states_from(0);
    std::vector<AggregateResult> results;
    for (const auto& state : all_->states) results.push_back(state->finish(context_));
    return results;
  }

 private:
  struct Local final : LocalState {
    explicit Local(ChargedStates states) : all(std::move(states)) {}
    ChargedStates all;
    uint64_t rows = 0;
  };

  bool add_by_row(MorselReader& morsel, const States& states) const {
    if (by_row_.size() < 2) return false;
    std::vector<AggregateState*> of_rows;
    for (const uint64_t i : by_row_) of_rows.push_back(states[i].get());
    return aggregate_by_row(morsel, row_columns_, of_rows);
  }
  std::unique_ptr<AggregateState> make_state(const Asked& asked, uint64_t first_row) const {
    return AggregateState::make(internals(table_).column(asked.column), asked.wanted, first_row,
                                table_.rows());
  }
  ChargedStates states_from(uint64_t first_row) const {
    ChargedStates states(context_);
    for (const Asked& asked : asked_) states.states.push_back(make_state(asked, first_row));
    return states;
  }

  const Table& table_;
  const std::span<const Asked> asked_;
  const Context& context_;
  // The requests that allow reading row by row, the others, and the columns of the first.
  std::vector<uint64_t> by_row_, by_column_, row_columns_;
  std::vector<uint64_t> columns_;  // of all requests
  std::optional<ChargedStates> all_;
  uint64_t rows_ = 0;
};

AggregateValue sum_of(const Column& column, const AggregateResult& found) {
  if (found.values == 0) return {Scalar(), column.type().is_float() ? Type::Float64 : Type::Int64};
  if (column.type().is_float()) return {found.floats, Type::Float64};
  const Int128 sum = found.integers;
  if (std::optional<Scalar> scalar = in_64_bits(sum)) {
    return {*scalar, std::holds_alternative<int64_t>(*scalar) ? Type::Int64 : Type::UInt64};
  }
  return {WideInteger{static_cast<int64_t>(sum >> 64), static_cast<uint64_t>(sum)}, Type::Null};
}

AggregateValue mean_of(const Column& column, const AggregateResult& found) {
  if (found.values == 0) return {Scalar(), Type::Float64};
  const double sum = column.type().is_float() ? found.floats : static_cast<double>(found.integers);
  return {sum / static_cast<double>(found.values), Type::Float64};
}

AggregateValue quantile_of(const Column& column, const AggregateResult& found, double quantile) {
  const auto at = std::find_if(found.quantiles.begin(), found.quantiles.end(),
                               [&](const auto& known) { return known.first == quantile; });
  return {at == found.quantiles.end() ? Scalar() : at->second, quantile_type(column.type())};
}

// Only counts need no column.
AggregateValue answer(const Aggregate& one, const Column* column, const AggregateResult& found,
                      const Context& context) {
  switch (one.function) {
    case Function::Count: return {found.values, Type::UInt64};
    case Function::Distinct: return {found.distinct, Type::UInt64};
    case Function::ApproxDistinct: return {found.approximate_distinct, Type::UInt64};
    case Function::Sum: return sum_of(*column, found);
    case Function::Mean: return mean_of(*column, found);
    case Function::Quantile: return quantile_of(*column, found, one.quantile);
    default: break;
  }
  const KeyValues* stood_for = column->key_values();
  const Type& type = stood_for == nullptr ? column->type() : stood_for->type(context);
  return {one.function == Function::Min ? found.min : found.max, type};
}

std::vector<AggregateValue> aggregate_checked(const SelectedBy& selected,
                                              std::span<const Aggregate> wanted,
                                              const Context& context) {
  const auto& [table, where, range] = selected;
  std::map<uint64_t, AggregateResult> found;  // of columns
  std::vector<Asked> asked;
  std::vector<uint64_t> columns;
  for (const Asked& one : columns_asked(*table, wanted, context)) {
    const bool may_be_known = !where && selected.is_whole() && context.skip_damaged == nullptr;
    const auto known =
        !may_be_known ? std::nullopt : metadata_aggregate(*table, one.column, one.wanted, context);
    if (known) {
      found[one.column] = *known;
    } else {
      asked.push_back(one);
      columns.push_back(one.column);
    }
  }
  uint64_t rows = range.rows();
  if (where || !columns.empty()) {
    if (selected.is_whole()) check_whole_read(*table, columns, context);
    const Input input(table, where, range, context);
    input.mark_read(columns);
    AggregateSink sink(*table, asked, context);
    run(input, sink, context);
    rows = sink.rows();
    const std::vector<AggregateResult> results = sink.finish();
    for (uint64_t i = 0; i < columns.size(); ++i) found[columns[i]] = results[i];
  }
  bytes_of(*table).check_unchanged();

  std::vector<AggregateValue> answers;
  for (const Aggregate& one : wanted) {
    const Column* column = one.column ? &internals(*table).column(*one.column) : nullptr;
    AggregateResult of_rows;
    of_rows.values = rows;
    const AggregateResult& results = one.column ? found[*one.column] : of_rows;
    answers.push_back(answer(one, column, results, context));
  }
  return answers;
}

}  // namespace

void check_functions(const Table& table, std::span<const Aggregate> wanted) {
  for (const Aggregate& one : wanted) {
    if (!one.column) continue;
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

std::vector<AggregateValue> aggregate(const Query& query, std::span<const Aggregate> wanted,
                                      const Context& context) {
  const SelectedBy selected(query, {.call = "aggregate"});
  return unless_changed(bytes_of(*selected.table), [&] {
    check_functions(*selected.table, wanted);
    return aggregate_checked(selected, wanted, context);
  });
}

std::string to_string(const WideInteger& value) {
  const bool negative = value.high < 0;
  auto rest = static_cast<UInt128>(static_cast<uint64_t>(value.high)) << 64 | value.low;
  if (negative) rest = 0 - rest;
  std::string digits;
  do {
    digits += static_cast<char>('0' + static_cast<int>(rest % 10));
    rest /= 10;
  } while (rest != 0);
  if (negative) digits += '-';
  return {digits.rbegin(), digits.rend()};
}

}  // namespace heron::inline v0
