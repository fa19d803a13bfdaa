#include "aggregate/group_results.h"

#include <algorithm>

#include "values/validity.h"

namespace heron::inline v0 {
namespace {

// The type of the results of aggregate i, before sums are narrowed.
Type result_type(const AggregatePlan& plan, std::span<const Aggregate> aggregates, uint64_t i) {
  if (!aggregates[i].column) return Type::UInt64;
  const Type type = function_of(aggregates[i].function).type(plan.of(i));
  return type.is(Type::DateTimeOffset) && plan.of(i).grouped ? Type(Type::DateTime) : type;
}

void append_column(const std::string& name, Values column, RowBatch& batch, Schema& schema) {
  if (column.type.is(Type::Int128)) column = narrowed(column, *batch.memory);
  schema.push_back(field_of(name, column));
  batch.columns.push_back(std::move(column));
}

}  // namespace

Values narrowed(const Values& sums, Arena& arena) {
  Int128 low = 0, high = 0;
  for (uint64_t row = 0; row < sums.rows; ++row) {
    const auto sum = cell_of<Int128>(sums, row);  // the cell of a null is 0
    low = std::min(low, sum);
    high = std::max(high, sum);
  }
  const bool is_signed = low >= INT64_MIN && high <= INT64_MAX;
  if (!is_signed && (low < 0 || high > UINT64_MAX)) return sums;
  Values narrow = sums;
  narrow.type = is_signed ? Type::Int64 : Type::UInt64;
  auto* cells = arena.allocate_array<uint64_t>(sums.rows);
  for (uint64_t row = 0; row < sums.rows; ++row) {
    cells[row] = static_cast<uint64_t>(cell_of<Int128>(sums, row));
  }
  narrow.data = {reinterpret_cast<const std::byte*>(cells), sums.rows * sizeof *cells};
  return narrow;
}

GroupResults::GroupResults(std::span<const Aggregate> aggregates, const AggregatePlan& plan,
                           std::span<const GroupRows> parts, uint64_t rows, Arena& arena)
    : aggregates_(aggregates),
      plan_(plan),
      parts_(parts),
      rows_(rows),
      arena_(arena),
      states_(plan.states.size()) {
  for (uint64_t i = 0; i < aggregates.size(); ++i) {
    ResultColumn& column = columns_.emplace_back();
    column.type = result_type(plan, aggregates, i);
    const bool is_fixed = column.type.is(Type::Int128) || column.type.is(Type::Decimal) ||
                          has_number_cells(column.type);
    if (is_fixed) column.cells.emplace(column.type, rows, arena);
  }
}

// A step uses one state alone, because a quantile sorts the values of its state.
void GroupResults::step(uint64_t i) {
  const GroupRows& part = parts_[i / states_];
  const uint64_t state = i % states_;
  for (uint64_t k = 0; k < aggregates_.size(); ++k) {
    if (plan_.state_of[k] != state || !columns_[k].cells) continue;
    part.states[state]->write_results(aggregates_[k], part.groups, *columns_[k].cells);
  }
}

ValuesBuilder GroupResults::values_of(uint64_t i) const {
  struct Group {
    const AggregateState* state;
    uint32_t number;
  };
  std::vector<Group> groups(rows_);
  for (const GroupRows& part : parts_) {
    const AggregateState* const state = part.states[*plan_.state_of[i]].get();
    for (uint64_t k = 0; k < part.groups.size(); ++k) {
      groups[part.groups.rows[k]] = {state, part.groups.group(k)};
    }
  }
  ValuesBuilder all(columns_[i].type);
  for (const Group& group : groups) all.append(group.state->result(group.number, aggregates_[i]));
  return all;
}

void GroupResults::append_to(RowBatch& batch, Schema& schema) {
  for (uint64_t i = 0; i < columns_.size(); ++i) {
    Values values(columns_[i].type, rows_);
    if (const std::optional<ResultCells>& cells = columns_[i].cells) {
      values.data = {cells->cells, rows_ * cells->width};
      set_validity_from_flags(values, cells->valid, arena_);
    } else {
      values = values_of(i).finish(arena_);
    }
    append_column(aggregates_[i].name, std::move(values), batch, schema);
  }
}

RowBatch row_of_results(std::span<const Aggregate> aggregates, const AggregatePlan& plan,
                        const AggregateStates& states, uint64_t rows, const KnownResult& known) {
  RowBatch batch = own_batch(nullptr, std::make_shared<Arena>());
  batch.rows = 1;
  auto schema = std::make_shared<Schema>();
  for (uint64_t i = 0; i < aggregates.size(); ++i) {
    const Aggregate& one = aggregates[i];
    const std::optional<uint64_t> state = plan.state_of[i];
    ValuesBuilder result(result_type(plan, aggregates, i));
    const bool is_read = state && plan.states[*state].is_read;
    std::optional<Scalar> known_one;
    if (state && !is_read && known) known_one = known(one);
    if (known_one) {
      result.append(view_of(*known_one));
    } else if (!state || (!is_read && one.function == Aggregate::Function::CountNull)) {
      result.append(rows);
    } else {
      states[*state]->append_result(0, one, result);
    }
    append_column(one.name, result.finish(*batch.memory), batch, *schema);
  }
  batch.schema = std::move(schema);
  return batch;
}

}  // namespace heron::inline v0
