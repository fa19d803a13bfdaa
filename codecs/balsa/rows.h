// Cells that come by column, put side by side in rows.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "balsa/layout.h"
#include "heron/values.h"

namespace heron::inline v0::balsa {

// Writes rows first .. first + rows of the columns, whose cells must all be there, to `into`: each
// row's cells without gaps, one row behind the other.
using LayRows = void (*)(std::span<const Values> columns, uint64_t first, uint64_t rows,
                         std::byte* into);

// For columns of that type, in that byte order.
LayRows row_layer(const Scalar& scalar, std::endian order) noexcept;

}  // namespace heron::inline v0::balsa
