// Groups as bytes: their keys, then the states of their aggregates; and columns of results.
#pragma once

#include <string>

#include "aggregate/state_bytes.h"
#include "heron/aggregate.h"
#include "heron/error.h"
#include "rows/resolved_query.h"
#include "values/values_builder.h"

namespace heron::inline v0 {

// Number of groups, the key of each as a text, and each aggregate's state. Keys are in the order of
// their first rows.
void save_groups(const SelectedBy& selected, const Projection& keys,
                 std::span<const Aggregate> wanted, const Context& context, StateWriter& to);

// A column of results, of a type that holds all of them: result(i) of group i.
template <class Result>
Values group_results(uint64_t groups, Type type, Arena& arena, Result result) {
  if (type.is(Type::Int64)) {
    for (uint64_t i = 0; i < groups; ++i) {
      const ScalarView value = result(i);
      const auto* number = std::get_if<uint64_t>(&value);
      if (number == nullptr || *number <= INT64_MAX) continue;
      type = Type::UInt64;
      break;
    }
  }
  ValuesBuilder builder(type);
  for (uint64_t i = 0; i < groups; ++i) {
    const ScalarView value = result(i);
    const auto* negative = std::get_if<int64_t>(&value);
    if (type.is(Type::UInt64) && negative != nullptr && *negative < 0) {
      fail(ErrorKind::Limit, {}, "sums of groups do not fit one type of 64 bits");
    }
    builder.append(value);
  }
  return builder.finish(arena);
}

inline Field field_of(std::string name, const Values& values) {
  Field field;
  field.name = std::move(name);
  field.type = values.type;
  field.nullable = values.null_count != 0;
  return field;
}

}  // namespace heron::inline v0
