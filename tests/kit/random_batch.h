// Batches of any schema with made-up values, to write files from.
#pragma once

#include <cstdint>
#include <memory>

#include "heron/values.h"

namespace heron::inline v0 {

// Values are missing with that probability; behind missing texts and lists lies something all the
// same, and the first one does not begin at 0. No value is a NaN or an integer type's minimum.
RowBatch random_batch(std::shared_ptr<const Schema> schema, uint64_t rows, double missing,
                      uint64_t seed);

}  // namespace heron::inline v0
