// Aggregate functions. A function is a file here with its descriptor and states, a line in list.cc
// and an enumerator: the parser, the help and the tests find it in the list.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "aggregate/aggregate_state.h"
#include "values/cells.h"

namespace heron::inline v0 {

// The type of the column, or of the values of its keys.
inline Type value_type(const StateOf& of) {
  return of.key_values.value_or(of.type);
}

struct AggregateFunction {
  std::string_view name;        // the function's name in queries
  std::string_view usage = {};  // the form that the help shows, if not name(x)
  bool (*accepts)(const Type& type) = has_scalars;
  std::string_view lacks = {};  // what values of other types lack, for error texts
  // The type of the results; sums of integers are narrowed to 64 bits where these hold all of them.
  Type (*type)(const StateOf& of) = value_type;
  StateMaker (*state)(const StateOf& of);
  std::string_view alias = {};
};

// All functions, indexed by Aggregate::Function.
std::span<const AggregateFunction* const> aggregate_functions();
inline const AggregateFunction& function_of(Aggregate::Function function) {
  return *aggregate_functions()[static_cast<size_t>(function)];
}

// Counts rows of groups, whose values are not read.
std::unique_ptr<AggregateState> make_row_counts(const StateOf& of);

// States that several functions share. totals: count, sum and extremes of a column of numbers,
// dates or times, without groups; bools: all that follows from how many are true.
std::unique_ptr<AggregateState> make_totals(const StateOf& of);
std::unique_ptr<AggregateState> make_bools(const StateOf& of);
std::unique_ptr<AggregateState> make_sums(const StateOf& of);
std::unique_ptr<AggregateState> make_variances(const StateOf& of);
std::unique_ptr<AggregateState> make_distinct(const StateOf& of);

inline bool is_numeric(const Type& type) {
  return type.is_integer() || type.is_float() || type.is(Type::Decimal);
}
// The shared state that suits the column, else the function's own.
inline StateMaker shared_or(const StateOf& of, StateMaker own) {
  if (of.type.is(Type::Bool)) return make_bools;
  const bool has_totals = has_number_cells(of.type) || of.type.is(Type::DateTimeOffset);
  return has_totals && has_scalars(of.type) && !of.grouped && !of.key_values ? make_totals : own;
}

// Shared by the functions of bools.
inline bool is_bool(const Type& type) {
  return type.is(Type::Bool);
}
inline StateMaker bools_state(const StateOf&) {
  return make_bools;
}

inline Type count_type(const StateOf&) {
  return Type::UInt64;
}
inline Type float_type(const StateOf&) {
  return Type::Float64;
}
}  // namespace heron::inline v0
