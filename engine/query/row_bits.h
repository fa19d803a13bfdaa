// Bitmaps of rows as filters have them, in whole words, of which tests clear bits.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "columns/bitmap.h"
#include "columns/column_piece.h"

namespace heron::inline v0 {

constexpr uint64_t bitmap_words(uint64_t rows) noexcept {
  return rows / 64 + (rows % 64 != 0);
}

inline void keep_none(uint64_t count, uint64_t* rows) noexcept {
  std::memset(rows, 0, bitmap_words(count) * sizeof *rows);
}

// Keeps the bits of rows whose bit in a bitmap of `count` is `wanted`.
inline void keep_bits(const std::byte* bits, bool wanted, uint64_t count, uint64_t* rows) noexcept {
  const uint64_t turned = wanted ? 0 : UINT64_MAX;
  for (uint64_t first = 0; first < count; first += 64) {
    uint64_t word = 0;
    std::memcpy(&word, bits + first / 8, count - first < 64 ? bitmap_bytes(count - first) : 8);
    rows[first / 64] &= word ^ turned;
  }
}

// Keeps the bits of those rows that is_true(row) says so of; asks for rows whose bit is set.
template <class IsTrue>
void keep_rows(uint64_t count, uint64_t* rows, IsTrue&& is_true) {
  for (uint64_t first = 0; first < count; first += 64) {
    uint64_t& word = rows[first / 64];
    for (uint64_t left = word; left != 0; left &= left - 1) {
      const auto bit = static_cast<unsigned>(std::countr_zero(left));
      if (!is_true(first + bit)) word &= ~(uint64_t{1} << bit);
    }
  }
}

inline bool has_bitmap(const CellSpan& cells) noexcept {
  return cells.missing == MissingRule::Bitmap || cells.missing == MissingRule::BitmapOrNaN;
}

// A piece's cells, or of values of a fixed width, or of bools, the same.
inline CellSpan cells_of(const ColumnPiece& piece) {
  if (piece.cells) return *piece.cells;
  const Values& values = piece.values;
  const auto missing = values.validity.data ? MissingRule::Bitmap : MissingRule::Never;
  return {values.type, values.rows, values.data.data, missing, values.validity.data, nullptr};
}

// Keeps the rows that a piece's bitmap, if it has one, says are there.
inline void keep_there(const CellSpan& cells, uint64_t* rows) noexcept {
  if (has_bitmap(cells)) keep_bits(cells.validity, true, cells.rows, rows);
}

}  // namespace heron::inline v0
