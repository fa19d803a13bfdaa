#include "aggregate/functions/function.h"
#include "base/fail.h"
#include "heron/error.h"

namespace heron::inline v0 {

extern const AggregateFunction kCount, kSum, kMin, kMax, kMean, kDistinct, kApproxDistinct,
    kQuantile, kVariance, kStddev, kFirst, kLast, kCountNull, kMode, kCountIf, kAnyValue, kBoolAnd,
    kBoolOr;

std::span<const AggregateFunction* const> aggregate_functions() {
  static constexpr const AggregateFunction* kAll[] = {
      &kCount,    &kSum,    &kMin,   &kMax,  &kMean,      &kDistinct, &kApproxDistinct, &kQuantile,
      &kVariance, &kStddev, &kFirst, &kLast, &kCountNull, &kMode,     &kCountIf,        &kAnyValue,
      &kBoolAnd,  &kBoolOr};
  return kAll;
}

std::string aggregates_usage() {
  std::string all;
  for (const AggregateFunction* function : aggregate_functions()) {
    all += all.empty() ? "" : ", ";
    all += function->usage.empty() ? concat(function->name, "(x)") : std::string(function->usage);
  }
  return all;
}

}  // namespace heron::inline v0
