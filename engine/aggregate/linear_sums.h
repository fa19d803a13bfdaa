// Sums and means of factor * x + offset from the sum and the count of x: the results, and the
// errors of rows, are those of computing the expression for each row.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "expression/functions/linear.h"
#include "heron/aggregate.h"

namespace heron::inline v0 {

class LinearSums {
 public:
  // `aggregates` have names. Sums and means with a form aggregate the column x of that form.
  LinearSums(std::span<const Aggregate> aggregates,
             std::span<const std::optional<LinearForm>> forms);

  // Returns whether an aggregate has a form; if not, computed() equals `aggregates`.
  bool any() const noexcept;
  // The aggregates to compute instead, each once. Several may have one name.
  std::span<const Aggregate> computed() const noexcept { return computed_; }
  // Replaces the results of computed(), the last columns of the batch, with those of `aggregates`.
  // Returns nullopt if int64 may not hold the result of a row, for a form that does not always fit.
  std::optional<RowBatch> results(RowBatch batch) const;

 private:
  // The indices in computed() of the aggregates from which a result is computed.
  struct Source {
    uint64_t result = 0;  // the aggregate itself, or the sum of x
    uint64_t count = 0, low = 0, high = 0;
  };
  uint64_t add(Aggregate one);
  Values linear_result(uint64_t i, std::span<const Values> computed, Arena& arena) const;

  const std::vector<Aggregate> aggregates_;
  const std::vector<std::optional<LinearForm>> forms_;
  std::vector<Aggregate> computed_;
  std::vector<Source> sources_;  // one for each of aggregates_
};

}  // namespace heron::inline v0
