// More statistics of whole columns than heron/stats.h has, for `heron stats`: how values are
// distributed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "aggregate/functions/row_sample.h"
#include "heron/aggregate.h"

namespace heron::inline v0 {

// Counts the values of a sample in bins of equal width. The struct is small: a table may have a
// hundred thousand columns.
struct ColumnHistogram {
  static constexpr uint64_t kMaxBins = 16;

  uint32_t bins = 0;           // 0: there are no finite values
  uint32_t sampled = 0;        // values in the sample, finite or not
  double least = 0, last = 0;  // the ends of the bins
  std::array<uint32_t, kMaxBins> counts = {};

  // Returns bins + 1 edges: bin i has the values from edge i up to edge i + 1, which only the last
  // bin includes.
  std::vector<double> edges() const;
  // The counts scaled from the sample to a column of `values` values, rounded.
  std::vector<uint64_t> scaled_to(uint64_t values) const;
};

// The profile of a column. Exact for up to RowSample::kMaxValues values; else the quartiles and the
// histogram are those of a RowSample.
struct ColumnProfile {
  ColumnStats summary;
  std::optional<double> stddev;  // the aggregate's result, for at least two numbers
  // The quantiles 0.25, 0.5 and 0.75 as the aggregate gives them: float64 for integers and floats,
  // the type of the minimum for dates, times and durations; null without values and for other
  // types.
  std::array<std::variant<std::monostate, int64_t, double>, 3> quartiles;
  bool is_exact = true;       // whether quartiles and histogram are exact
  ColumnHistogram histogram;  // only for integers and floats
};

// Throws as stats() does. Reads each column once.
std::vector<ColumnProfile> profile(const Query& query, const Context& context);

// Sets the quartiles, the histogram and is_exact.
void describe_sample(const RowSample& sample, ColumnProfile& profile);

}  // namespace heron::inline v0
