#include "aggregate/aggregate_sink.h"

#include "aggregate/aggregates.h"
#include "aggregate/running_values.h"
#include "columns/key_column.h"
#include "values/scalar.h"

namespace heron::inline v0 {
namespace {

using Function = Aggregate::Function;

// Small enough that several sets, each up to twice as large as it needs, fit the budget.
uint64_t spill_beyond(const Context& context) {
  constexpr uint64_t kMost = uint64_t{128} << 20;
  return context.memory == nullptr ? kMost : std::min(kMost, context.memory->limit() / 16);
}

AggregateValue sum_of(const Type& type, const AggregateResult& found) {
  if (found.values == 0) return {Scalar(), type.is_float() ? Type::Float64 : Type::Int64};
  if (type.is_float()) return {found.floats, Type::Float64};
  const Int128 sum = found.integers;
  if (std::optional<Scalar> scalar = in_64_bits(sum)) {
    return {*scalar, std::holds_alternative<int64_t>(*scalar) ? Type::Int64 : Type::UInt64};
  }
  return {WideInteger{static_cast<int64_t>(sum >> 64), static_cast<uint64_t>(sum)}, Type::Null};
}

AggregateValue mean_of(const Type& type, const AggregateResult& found) {
  if (found.values == 0) return {Scalar(), Type::Float64};
  const double sum = type.is_float() ? found.floats : static_cast<double>(found.integers);
  return {sum / static_cast<double>(found.values), Type::Float64};
}

AggregateValue quantile_of(const Type& type, const AggregateResult& found, double quantile) {
  const auto at = std::find_if(found.quantiles.begin(), found.quantiles.end(),
                               [&](const auto& known) { return known.first == quantile; });
  return {at == found.quantiles.end() ? Scalar() : at->second, quantile_type(type)};
}

}  // namespace

std::optional<Type> key_type(const Column& column, const Context& context) {
  const KeyValues* stood_for = column.key_values();
  return stood_for == nullptr ? std::nullopt : std::optional(stood_for->type(context));
}

AggregateValue answer_of(const Aggregate& one, const Type& type,
                         const std::optional<Type>& key_values, const AggregateResult& found) {
  switch (one.function) {
    case Function::Count: return {found.values, Type::UInt64};
    case Function::Distinct: return {found.distinct, Type::UInt64};
    case Function::ApproxDistinct: return {found.approximate_distinct, Type::UInt64};
    case Function::Sum: return sum_of(type, found);
    case Function::Mean: return mean_of(type, found);
    case Function::Quantile: return quantile_of(type, found, one.quantile);
    default: break;
  }
  return {one.function == Function::Min ? found.min : found.max, key_values.value_or(type)};
}

std::vector<Asked> columns_asked(std::span<const Aggregate> all,
                                 const std::function<bool(uint64_t)>& stores_nothing,
                                 const Context& context) {
  std::vector<Asked> asked;
  for (const Aggregate& aggregate : all) {
    if (!aggregate.column || stores_nothing(*aggregate.column)) continue;
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

}  // namespace heron::inline v0
