// Cells in the form of results: consecutive, aligned, in the machine's byte order.
#pragma once

#include "columns/column.h"

namespace heron::inline v0 {

// The cells of consecutive rows of flat fixed cells: in place if they are in that form, else in the
// arena. AsIndices copies cells that may change.
const std::byte* packed_cells(const FlatCells& flat, RowRange rows, Arena& arena,
                              const Context& context, CellUse use = CellUse::AsValues);

}  // namespace heron::inline v0
