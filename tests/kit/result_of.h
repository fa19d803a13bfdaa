// A single result of aggregates.
#pragma once

#include "heron/values.h"
#include "values/scalar.h"

namespace heron {

// Returns the result of aggregate i in a row of results.
inline Scalar result_of(const RowBatch& results, uint64_t i) {
  return owned(scalar_at(results.columns.at(i), 0));
}

}  // namespace heron
