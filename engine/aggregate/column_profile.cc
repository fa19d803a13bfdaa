#include "aggregate/column_profile.h"

#include <algorithm>
#include <cmath>

#include "aggregate/functions/function.h"
#include "base/arena.h"
#include "values/cells.h"
#include "values/decimals.h"
#include "values/scalar.h"

namespace heron::inline v0 {
namespace {

using Function = Aggregate::Function;

void find_quartiles(const Values& values, ColumnProfile& profile) {
  const StateOf of{.type = values.type};
  const AggregateFunction& quantile = function_of(Function::Quantile);
  const auto state = quantile.state(of)(of);
  state->resize(1);
  Arena arena;
  const RowIds row_ids;
  state->update_block({values, row_ids, nullptr, arena});
  for (uint64_t i = 0; i < profile.quartiles.size(); ++i) {
    const Aggregate one{.function = Function::Quantile,
                        .quantile = 0.25 * static_cast<double>(i + 1)};
    const ScalarView result = state->result(0, one);
    if (const auto* number = std::get_if<double>(&result)) profile.quartiles[i] = *number;
    if (const auto* time = std::get_if<int64_t>(&result)) profile.quartiles[i] = *time;
  }
}

// Calls use(value) for each value that is finite; -0.0 is 0.0.
template <class Use>
void for_finite(const Values& values, Use use) {
  if (values.type.is(Type::Decimal)) {
    for (uint64_t row = 0; row < values.rows; ++row) {
      use(as_double(cell_of<Int128>(values, row), values.type.scale()) + 0.0);
    }
    return;
  }
  visit_cell_type(values.type, [&]<class T>() {
    for (uint64_t row = 0; row < values.rows; ++row) {
      const double value = static_cast<double>(cell_of<T>(values, row)) + 0.0;
      if (std::isfinite(value)) use(value);
    }
  });
}

ColumnHistogram histogram_of(const Values& values) {
  double least = HUGE_VAL, greatest = -HUGE_VAL;
  for_finite(values, [&](double value) {
    least = std::min(least, value);
    greatest = std::max(greatest, value);
  });
  ColumnHistogram histogram{.sampled = static_cast<uint32_t>(values.rows)};
  if (least > greatest) return histogram;
  // Integers of a small range have a bin each; other values have kMaxBins bins.
  const bool is_each =
      values.type.is_integer() && greatest - least < static_cast<double>(histogram.kMaxBins);
  histogram.least = least;
  histogram.last = is_each ? greatest + 1 : greatest;
  histogram.bins = ColumnHistogram::kMaxBins;
  if (is_each) histogram.bins = static_cast<uint32_t>(greatest - least) + 1;
  if (least == greatest) histogram.bins = 1;
  const std::vector<double> edges = histogram.edges();
  for_finite(values, [&](double value) {
    const auto after = std::ranges::upper_bound(edges, value);
    const auto bin = static_cast<uint32_t>(after - edges.begin());
    ++histogram.counts[std::clamp(bin, 1U, histogram.bins) - 1];
  });
  return histogram;
}

}  // namespace

std::vector<double> ColumnHistogram::edges() const {
  std::vector<double> all;
  for (uint32_t i = 0; bins != 0 && i <= bins; ++i) {
    all.push_back(std::lerp(least, last, static_cast<double>(i) / bins));
  }
  return all;
}

std::vector<uint64_t> ColumnHistogram::scaled_to(uint64_t values) const {
  const double scale = sampled == 0 ? 0 : static_cast<double>(values) / sampled;
  std::vector<uint64_t> all;
  for (uint32_t i = 0; i < bins; ++i) {
    all.push_back(static_cast<uint64_t>(std::llround(counts[i] * scale)));
  }
  return all;
}

void describe_sample(const RowSample& sample, ColumnProfile& profile) {
  if (sample.size() == 0) return;
  const Values some = sample.values();
  find_quartiles(some, profile);
  profile.is_exact = sample.is_whole();
  if (is_numeric(some.type)) profile.histogram = histogram_of(some);
}

}  // namespace heron::inline v0
