// Cells as an answer has them: one after the other, aligned, in the machine's byte order.
#pragma once

#include "columns/column.h"

namespace heron::inline v0 {

// Those of consecutive rows of flat fixed cells: in place where they lie so, else in the arena. As
// places, never where they may change.
const std::byte* packed_cells(const FlatCells& flat, RowRange rows, Arena& arena,
                              const Context& context, CellUse use = CellUse::AsValues);

}  // namespace heron::inline v0
