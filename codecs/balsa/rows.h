// Interleaves cells of columns into rows.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "balsa/layout.h"
#include "heron/values.h"

namespace heron::inline v0::balsa {

// Writes rows first .. first + rows of the columns, which have no nulls, to `into`, row after row
// without gaps.
using LayRows = void (*)(std::span<const Values> columns, uint64_t first, uint64_t rows,
                         std::byte* into);

// Returns the function for columns of that type and byte order.
LayRows row_layer(const Scalar& scalar, std::endian order) noexcept;

}  // namespace heron::inline v0::balsa
