// More statistics of whole columns than heron/stats.h has, for `heron stats`: how values are
// distributed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "aggregate/functions/row_sample.h"
#include "heron/stats.h"

namespace heron::inline v0 {

// How many values of a sample are in each of some bins, which are equally wide. Small: a table may
// have a hundred thousand columns.
struct ColumnHistogram {
  static constexpr uint64_t kMaxBins = 16;

  uint32_t bins = 0;     // 0: there are no finite values
  uint32_t sampled = 0;  // values, those that are not finite among them
  double least = 0, last = 0;  // the ends of the bins
  std::array<uint32_t, kMaxBins> counts = {};

  // One more than bins: bin i is from edge i up to edge i + 1, which is in it only if it is the last.
  std::vector<double> edges() const;
  // How many of the `values` values that were sampled are in each bin: rounded.
  std::vector<uint64_t> scaled_to(uint64_t values) const;
};

// Exact for up to RowSample::kMaxValues values; else the quartiles and the histogram are those of a
// RowSample.
struct ColumnProfile {
  ColumnSummary summary;
  std::optional<double> stddev;  // as the aggregate has it; of numbers, of at least two
  // The quantiles 0.25, 0.5 and 0.75 as the aggregate has them: of integers and floats float64, of
  // dates, times and durations of the type of the minimum; null without values and for other types.
  std::array<std::variant<std::monostate, int64_t, double>, 3> quartiles;
  bool is_exact = true;       // quartiles and histogram
  ColumnHistogram histogram;  // of integers and floats
};

// Throws as summarize() does. Reads each column once.
std::vector<ColumnProfile> profile(const Query& query, const Context& context);

// Sets the quartiles and the histogram.
void describe_sample(const RowSample& sample, ColumnProfile& profile);

}  // namespace heron::inline v0
