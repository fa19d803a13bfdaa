#include "balsa/rows.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "bytes/on_disk.h"
#include "values/cells.h"

namespace heron::inline v0::balsa {
namespace {

// Cells are interleaved in tiles of this size, so that the cache lines of the rows are still cached
// for the next column.
constexpr uint64_t kTileRows = 64;
constexpr uint64_t kTileColumns = 16;

template <class Cell>
Cell stored_cell(const Values& values, uint64_t row) {
  if constexpr (std::is_same_v<Cell, bool>) {
    return values.data.bit(row);
  } else {
    return cell_of<Cell>(values, row);
  }
}

// Converts cells of a type as wide as Cell to Stored.
template <class Cell, class Stored>
void lay_rows(std::span<const Values> columns, uint64_t first, uint64_t rows, std::byte* into) {
  static_assert(alignof(Stored) == 1);
  const uint64_t row_bytes = columns.size() * sizeof(Stored);
  for (uint64_t top = 0; top < rows; top += kTileRows) {
    const uint64_t bottom = std::min(rows, top + kTileRows);
    for (uint64_t left = 0; left < columns.size(); left += kTileColumns) {
      const uint64_t right = std::min<uint64_t>(columns.size(), left + kTileColumns);
      for (uint64_t column = left; column < right; ++column) {
        std::byte* to = into + top * row_bytes + column * sizeof(Stored);
        for (uint64_t row = top; row < bottom; ++row, to += row_bytes) {
          const Stored cell(stored_cell<Cell>(columns[column], first + row));
          std::memcpy(to, &cell, sizeof cell);
        }
      }
    }
  }
}

template <class Cell, class Little, class Big>
LayRows in_order(std::endian order) noexcept {
  return order == std::endian::little ? lay_rows<Cell, Little> : lay_rows<Cell, Big>;
}

}  // namespace

LayRows row_layer(const Scalar& scalar, std::endian order) noexcept {
  if (scalar.type == Type::Bool) return lay_rows<bool, uint8_t>;
  switch (scalar.bytes) {
    case 1: return lay_rows<uint8_t, uint8_t>;
    case 2: return in_order<uint16_t, u16le, u16be>(order);
    case 4: return in_order<uint32_t, u32le, u32be>(order);
    default: return in_order<uint64_t, u64le, u64be>(order);
  }
}

}  // namespace heron::inline v0::balsa
