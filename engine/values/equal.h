// Whether two values are the same, however each is stored.
#pragma once

#include <cstdint>

#include "heron/values.h"

namespace heron::inline v0 {

// Compares values of types of the same name. Nulls equal each other, and so do NaNs; 0 and -0 are
// equal, and floats of the same width with at most `float_ulp` floats between them. Sparse vectors
// equal dense ones with the same slots, keys with values those with the same value. Thread-safe.
bool is_equal(const Values& a, uint64_t row_a, const Values& b, uint64_t row_b, uint64_t float_ulp);

}  // namespace heron::inline v0
