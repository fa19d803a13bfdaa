#include "columns/packed_cells.h"

#include <algorithm>

#include "values/byte_order.h"
#include "values/gather.h"

namespace heron::inline v0 {

const std::byte* packed_cells(const FlatCells& flat, RowRange rows, Arena& arena,
                              const Context& context, CellUse use) {
  const uint32_t width = flat.cell_bytes;
  const uint64_t count = rows.rows();
  const bool swapped = !flat.in_order();
  if (flat.stride == width) {
    const uint32_t alignment = swapped ? 1 : std::min<uint32_t>(width, 8);
    const auto fetch = use == CellUse::AsIndices && !swapped ? own_window : window;
    const std::byte* cells =
        fetch(flat.cells, rows.first * width, count * width, alignment, arena, context);
    if (!swapped) return cells;
    std::byte* native = arena.allocate(count * width);
    swap_cells(cells, count, width, native);
    return native;
  }
  std::byte* packed = arena.allocate(count * width);
  pack(flat.cells, width, flat.stride, rows, packed, context);
  if (swapped) swap_cells(packed, count, width, packed);
  return packed;
}

}  // namespace heron::inline v0
