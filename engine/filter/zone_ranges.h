// Prunes by zones: the intervals of a test in the order of zones.
#pragma once

#include <string>
#include <vector>

#include "expression/bound_predicate.h"
#include "filter/column_predicate.h"

namespace heron::inline v0 {

// Immutable, thread-safe.
class ZoneRanges {
 public:
  explicit ZoneRanges(const ValueSet& set);

  PruneResult prune(const Zone& zone, uint64_t zone_rows) const;

 private:
  bool meets(const Zone& zone) const;
  bool covers(const Zone& zone) const;

  // Every value with a number in `inside_` is in the set; no value with a number outside `around_`
  // is. They differ if values with the same number do. Both ascend.
  std::vector<Interval<uint64_t>> inside_, around_;
  bool nan_;
};

}  // namespace heron::inline v0
