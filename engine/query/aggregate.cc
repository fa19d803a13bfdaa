#include "heron/aggregate.h"

#include <algorithm>
#include <map>

#include "columns/key_column.h"
#include "dataset/whole_read.h"
#include "exec/sink.h"
#include "heron/stats.h"
#include "query/aggregate_rows.h"
#include "query/aggregates.h"
#include "query/batch.h"
#include "query/metadata_aggregate.h"
#include "query/resolved_query.h"
#include "values/scalar.h"

namespace heron::inline v0 {
namespace {

using Function = Aggregate::Function;
using States = std::vector<std::unique_ptr<AggregateState>>;

// A column that something is asked of.
struct Asked {
  uint64_t column;
  AggregateState::Wanted wanted;
};

// Not those that store nothing, however many rows they claim.
std::vector<Asked> columns_asked(const Table& table, std::span<const Aggregate> all) {
  std::vector<Asked> asked;
  for (const Aggregate& aggregate : all) {
    if (!aggregate.column || table.column(*aggregate.column).type().is(Type::Null)) continue;
    auto at = std::find_if(asked.begin(), asked.end(),
                           [&](const Asked& a) { return a.column == *aggregate.column; });
    if (at == asked.end()) at = asked.insert(at, {*aggregate.column, {}});
    const Function function = aggregate.function;
    at->wanted.sum |= function == Function::Sum || function == Function::Mean;
    at->wanted.extremes |= function == Function::Min || function == Function::Max;
    at->wanted.distinct |= function == Function::Distinct;
  }
  return asked;
}

// Each stretch of morsels has states of its own; they come together in the order of the table.
class AggregateSink final : public Sink {
 public:
  AggregateSink(const Table& table, std::span<const Asked> asked) : table_(table), asked_(asked) {}

  std::unique_ptr<LocalState> local(uint64_t first_row) const override {
    auto local = std::make_unique<Local>();
    local->states = states_from(first_row);
    return local;
  }
  void consume(uint64_t, MorselReader& morsel, LocalState& state) const override {
    Local& local = static_cast<Local&>(state);
    if (!asked_.empty()) morsel.selected();  // which rows: once
    if (morsel.count() == 0) return;
    local.rows += morsel.count();
    for (uint64_t i = 0; i < asked_.size(); ++i) {
      aggregate_rows(morsel, asked_[i].column, *local.states[i]);
    }
  }
  void combine(uint64_t, LocalState& state) override {
    Local& local = static_cast<Local&>(state);
    rows_ += local.rows;
    if (all_.empty()) {
      all_ = std::move(local.states);
      return;
    }
    for (uint64_t i = 0; i < all_.size(); ++i) all_[i]->append(*local.states[i]);
  }
  Pace pace() const override { return {.most_items_a_stretch = 4, .stretches_a_thread = 4}; }

  uint64_t rows() const noexcept { return rows_; }
  // Of each column that was asked for; once.
  std::vector<AggregateResult> finish(const Context& context) {
    if (all_.empty()) all_ = states_from(0);
    std::vector<AggregateResult> results;
    for (const auto& state : all_) results.push_back(state->finish(context));
    return results;
  }

 private:
  struct Local final : LocalState {
    States states;
    uint64_t rows = 0;
  };

  States states_from(uint64_t first_row) const {
    States states;
    for (const Asked& asked : asked_) {
      states.push_back(AggregateState::make(table_.column(asked.column), asked.wanted, first_row,
                                            table_.rows()));
    }
    return states;
  }

  const Table& table_;
  const std::span<const Asked> asked_;
  States all_;
  uint64_t rows_ = 0;
};

AggregateValue sum_of(const Column& column, const AggregateResult& found) {
  if (found.values == 0) return {Scalar(), column.type().is_float() ? Type::Float64 : Type::Int64};
  if (column.type().is_float()) return {found.floats, Type::Float64};
  const Int128 sum = found.integers;
  if (sum >= INT64_MIN && sum <= INT64_MAX) return {static_cast<int64_t>(sum), Type::Int64};
  if (sum >= 0 && sum <= UINT64_MAX) return {static_cast<uint64_t>(sum), Type::UInt64};
  return {WideInteger{static_cast<int64_t>(sum >> 64), static_cast<uint64_t>(sum)}, Type::Null};
}

AggregateValue mean_of(const Column& column, const AggregateResult& found) {
  if (found.values == 0) return {Scalar(), Type::Float64};
  const double sum = column.type().is_float() ? found.floats : static_cast<double>(found.integers);
  return {sum / static_cast<double>(found.values), Type::Float64};
}

// Only counts need no column.
AggregateValue answer(Function function, const Column* column, const AggregateResult& found,
                      const Context& context) {
  if (function == Function::Count) return {found.values, Type::UInt64};
  if (function == Function::Distinct) return {found.distinct, Type::UInt64};
  if (function == Function::Sum) return sum_of(*column, found);
  if (function == Function::Mean) return mean_of(*column, found);
  const KeyValues* stood_for = column->key_values();
  const Type& type = stood_for == nullptr ? column->type() : stood_for->type(context);
  return {function == Function::Min ? found.min : found.max, type};
}

[[noreturn]] void fail_too_many(const Table& table, const Column& column) {
  fail(ErrorKind::Limit, table.bytes()->name(), "too many distinct values in column \"",
       column.name(), "\": at most ", kDistinctLimit, " are counted",
       column.type().is_text() ? ", and 64 MiB of them" : "");
}

std::vector<AggregateValue> aggregate_checked(const SelectedBy& selected,
                                              std::span<const Aggregate> wanted,
                                              const Context& context) {
  const auto& [table, where, range] = selected;
  std::map<uint64_t, AggregateResult> found;  // of columns
  std::vector<Asked> asked;
  std::vector<uint64_t> columns;
  for (const Asked& one : columns_asked(*table, wanted)) {
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
    AggregateSink sink(*table, asked);
    run(input, sink, context);
    rows = sink.rows();
    const std::vector<AggregateResult> results = sink.finish(context);
    for (uint64_t i = 0; i < columns.size(); ++i) found[columns[i]] = results[i];
  }
  table->bytes()->check_unchanged();

  std::vector<AggregateValue> answers;
  for (const Aggregate& one : wanted) {
    const Column* column = one.column ? &table->column(*one.column) : nullptr;
    AggregateResult of_rows;
    of_rows.values = rows;
    const AggregateResult& results = one.column ? found[*one.column] : of_rows;
    if (one.function == Function::Distinct && !results.distinct_is_exact) {
      fail_too_many(*table, *column);
    }
    answers.push_back(answer(one.function, column, results, context));
  }
  return answers;
}

}  // namespace

void check_functions(const Table& table, std::span<const Aggregate> wanted) {
  for (const Aggregate& one : wanted) {
    if (!one.column) continue;
    const Column& column = table.column(*one.column);
    column.check_readable();
    if (const std::string why = why_not(one.function, column.type()); !why.empty()) {
      fail(ErrorKind::Argument, table.bytes()->name(), "column \"", column.name(), "\": ", why);
    }
  }
}

std::vector<AggregateValue> aggregate(const Query& query, std::span<const Aggregate> wanted,
                                      const Context& context) {
  const SelectedBy selected(query, {.call = "aggregate"});
  return unless_changed(*selected.table->bytes(), [&] {
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
