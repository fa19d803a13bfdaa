#include "aggregate/column_profile.h"

#include <algorithm>
#include <cmath>

#include "aggregate/functions/function.h"
#include "base/arena.h"
#include "values/cells.h"
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
  profile.quartile_type = quantile.type(of);
  for (uint64_t i = 0; i < profile.quartiles.size(); ++i) {
    const Aggregate one{.function = Function::Quantile,
                        .quantile = 0.25 * static_cast<double>(i + 1)};
    profile.quartiles[i] = owned(state->result(0, one));
  }
}

// Calls use(value) for each value that is finite.
template <class Use>
void for_finite(const Values& values, Use use) {
  visit_cell_type(values.type, [&]<class T>() {
    for (uint64_t row = 0; row < values.rows; ++row) {
      const auto value = static_cast<double>(cell_of<T>(values, row));
      if (std::isfinite(value)) use(value);
    }
  });
}

// A bin for each integer of a small range, else as many as there may be.
uint64_t bins_of(const Type& type, double least, double greatest) {
  if (type.is_integer()) {
    return static_cast<uint64_t>(
        std::min(greatest - least + 1, static_cast<double>(ColumnHistogram::kMaxBins)));
  }
  return least == greatest ? 1 : ColumnHistogram::kMaxBins;
}

ColumnHistogram histogram_of(const Values& values, double scale) {
  double least = HUGE_VAL, greatest = -HUGE_VAL;
  for_finite(values, [&](double value) {
    least = std::min(least, value);
    greatest = std::max(greatest, value);
  });
  ColumnHistogram histogram;
  if (least > greatest) return histogram;
  const uint64_t bins = bins_of(values.type, least, greatest);
  const bool is_each =
      values.type.is_integer() && static_cast<double>(bins) == greatest - least + 1;
  for (uint64_t i = 0; i <= bins; ++i) {
    const auto number = static_cast<double>(i);
    const double part = number / static_cast<double>(bins);
    histogram.edges.push_back(is_each ? least + number : std::lerp(least, greatest, part));
  }
  histogram.counts.resize(bins);
  for_finite(values, [&](double value) {
    const auto after = std::ranges::upper_bound(histogram.edges, value);
    const auto bin = static_cast<uint64_t>(after - histogram.edges.begin());
    ++histogram.counts[std::min(std::max<uint64_t>(bin, 1), bins) - 1];
  });
  for (uint64_t& count : histogram.counts) {
    count = static_cast<uint64_t>(std::llround(static_cast<double>(count) * scale));
  }
  return histogram;
}

}  // namespace

void describe_sample(const RowSample& sample, uint64_t values, ColumnProfile& profile) {
  if (sample.size() == 0) return;
  const Values some = sample.values();
  find_quartiles(some, profile);
  profile.is_exact = sample.is_whole();
  if (!is_numeric(some.type)) return;
  const double scale = static_cast<double>(values) / static_cast<double>(sample.size());
  profile.histogram = histogram_of(some, sample.is_whole() ? 1 : scale);
}

}  // namespace heron::inline v0
