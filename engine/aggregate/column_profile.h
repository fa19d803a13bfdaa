// More statistics of whole columns than heron/stats.h has, for `heron stats`: how values are
// distributed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "aggregate/functions/row_sample.h"
#include "heron/stats.h"

namespace heron::inline v0 {

// counts[i] values are from edges[i] up to edges[i + 1], the last of which is among the last; edges
// are as far from each other and one more than the counts. Empty without finite values.
struct ColumnHistogram {
  static constexpr uint64_t kMaxBins = 16;

  std::vector<double> edges;
  std::vector<uint64_t> counts;
};

// Exact for up to RowSample::kMaxValues values; else the quartiles and the histogram are those of a
// RowSample, whose counts are scaled to all values.
struct ColumnProfile {
  ColumnSummary summary;
  // Of a sample, as Moments has it; numbers.
  std::optional<double> stddev;
  // The quantiles 0.25, 0.5 and 0.75 as the aggregate has them: of integers and floats float64, of
  // dates, times and durations of their type; null without values and for other types.
  std::array<Scalar, 3> quartiles;
  Type quartile_type;
  bool is_exact = true;  // quartiles and histogram
  ColumnHistogram histogram;   // of integers and floats
};

// Throws as summarize() does. Reads each column once.
std::vector<ColumnProfile> profile(const Query& query, const Context& context);

// The quartiles, their type and the histogram of a sample from that many values, NaNs among them.
void describe_sample(const RowSample& sample, uint64_t values, ColumnProfile& profile);

}  // namespace heron::inline v0
