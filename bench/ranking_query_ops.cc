// The ops on learning-to-rank files with a predicate.
#include <algorithm>

#include "base/fail.h"
#include "bench.h"

namespace heron::bench {
namespace {

using Codes = RankingFeature::Codes;

struct HeronCount {
  Predicate predicate;
  uint64_t rows = 0;

  void run(uint64_t) { rows = count(predicate); }
  double check() const { return static_cast<double>(rows); }
};

struct BoundCount {
  const Ranking& ranking;
  uint64_t feature;
  uint32_t low, high;
  uint64_t rows = 0;

  void run(uint64_t) { rows = count_codes(ranking, feature, low, high); }
  double check() const { return static_cast<double>(rows); }
};

// Counts rows of the first feature with codes of this kind, whose values are from the first quarter
// to the last, inclusive.
bool count_where(Bench<RankingFile>& bench, const Op& op, Codes kind) {
  const RankingFile& file = bench.file;
  const auto& features = file.ranking.features;
  const auto found = std::find_if(features.begin(), features.end(),
                                  [kind](const auto& feature) { return feature.kind == kind; });
  if (found == features.end()) {
    std::fprintf(stderr, "%-24s skipped: no feature of such codes\n", op.name);
    return true;
  }
  const auto feature = static_cast<uint64_t>(found - features.begin());
  const std::vector<double>& values = file.decoded.originals[feature];
  if (!std::is_sorted(values.begin(), values.end(), std::less_equal())) {
    fail(ErrorKind::Argument, file.path, "feature ", feature, ": expected ascending values");
  }
  const uint32_t low = found->values / 4, high = found->values - 1 - found->values / 4;
  const auto& table = file.opened->table();
  const std::string predicate_text = concat('`', table->column_name(kFirstFeature + feature),
                                             "` between ", values[low], " and ", values[high]);
  return bench.measure(op, HeronCount{Predicate(table, predicate_text)},
                       BoundCount{file.ranking, feature, low, high});
}

}  // namespace

bool count_where_16(Bench<RankingFile>& bench) {
  return count_where(bench, {.name = "count_where_16", .max_ratio = 1.2}, Codes::Shorts);
}

bool count_where_8(Bench<RankingFile>& bench) {
  return count_where(bench, {.name = "count_where_8", .max_ratio = 1.2}, Codes::Bytes);
}

}  // namespace heron::bench
