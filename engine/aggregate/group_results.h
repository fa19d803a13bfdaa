// Groups as columns of results, and as states.
#pragma once

#include <string>

#include "aggregate/aggregate_state.h"
#include "aggregate/functions/function.h"
#include "heron/error.h"
#include "rows/resolved_query.h"
#include "values/values_builder.h"

namespace heron::inline v0 {

// Groups in the order of their first rows, and their states.
struct GroupParts {
  RowBatch keys;
  AggregateStates states;
};
// On the caller's thread.
GroupParts grouped_parts(const SelectedBy& selected, const Projection& keys,
                         const AggregatePlan& plan, const Context& context);

inline Field field_of(std::string name, const Values& values) {
  Field field;
  field.name = std::move(name);
  field.type = values.type;
  field.nullable = values.null_count != 0;
  return field;
}

// Appends a column of results for each aggregate: place(row) is the states of a group and its
// number.
template <class Place>
void append_results(std::span<const Aggregate> wanted, const AggregatePlan& plan, RowBatch& batch,
                    Schema& schema, Place place) {
  for (uint64_t i = 0; i < wanted.size(); ++i) {
    const uint64_t state = *plan.state_of[i];
    const auto result = [&](uint64_t row) {
      const auto [states, number] = place(row);
      return (*states)[state]->result(number, wanted[i]);
    };
    Type type =
        wanted[i].column ? function_of(wanted[i].function).type(plan.of(i)) : Type(Type::UInt64);
    if (type.is(Type::DateTimeOffset)) type = Type::DateTime;
    const bool is_sum = wanted[i].function == Aggregate::Function::Sum && type.is(Type::Int64);
    for (uint64_t row = 0; is_sum && row < batch.rows; ++row) {
      if (std::holds_alternative<uint64_t>(result(row))) type = Type::UInt64;
    }
    ValuesBuilder builder(type);
    for (uint64_t row = 0; row < batch.rows; ++row) {
      const ScalarView value = result(row);
      const auto* negative = std::get_if<int64_t>(&value);
      if (is_sum && type.is(Type::UInt64) && negative != nullptr && *negative < 0) {
        fail(ErrorKind::Limit, {}, "sums of groups do not fit one type of 64 bits");
      }
      builder.append(value);
    }
    batch.columns.push_back(builder.finish(*batch.memory));
    schema.push_back(field_of(wanted[i].name, batch.columns.back()));
  }
}

}  // namespace heron::inline v0
