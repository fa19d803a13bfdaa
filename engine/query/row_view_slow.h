// What a row view needs besides cells at a constant stride: rows that are fetched, taken, coded, or
// in blocks.
#pragma once

#include "base/arena.h"
#include "cache/block_column.h"
#include "heron/context.h"
#include "heron/find.h"
#include "heron/row_view.h"
#include "heron/values.h"

namespace heron::inline v0 {

inline bool has_bitmap(NullEncoding rule) {
  return rule == NullEncoding::Bitmap || rule == NullEncoding::BitmapOrNaN;
}

// With pread: a flat column's parts in the file, and where the current row's are copied to. What is
// copied lies at position 0, so that get() and text() need not know.
struct FetchedCells {
  FlatCells flat;
  alignas(8) std::byte cells[16];
  std::byte validity;
  std::vector<std::byte> characters;
};

// The block of a column that the current row lies in. It stays until the row is in another.
struct BlockCursor {
  const BlockColumn* column = nullptr;
  uint64_t index = 0;  // of the column in the projection
  uint64_t block = kNoRow;
  BlockSlots::Pin pin = {};
  std::byte bit = {}, valid = {};  // the current row's, where cells or validity are bits
};

struct RowView::Slow {
  Slow(const Context& given, uint64_t columns)
      : context(given),
        codes(columns),
        arena(context.memory),
        taken(columns),
        taken_row(columns, kNoRow) {}

  Context context;
  uint64_t row = kNoRow;  // the current one
  bool pread = false;
  std::vector<FetchedCells> fetched;  // with pread, of each column
  std::vector<uint32_t> codes;        // the current row's, of each coded column
  std::vector<BlockCursor> cursors;   // of each column in blocks

  // Rows of columns that have no cells.
  Arena arena;
  uint64_t arena_row = kNoRow;  // whose values the arena holds
  std::vector<Values> taken;
  std::vector<uint64_t> taken_row;
};

}  // namespace heron::inline v0
