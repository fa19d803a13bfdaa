// The state that a row view needs for rows that are fetched, taken, coded, in blocks or prefetched.
#pragma once

#include <optional>

#include "base/arena.h"
#include "cache/block_column.h"
#include "heron/context.h"
#include "heron/row_view.h"
#include "heron/values.h"
#include "readahead/single_rows.h"

namespace heron::inline v0 {

inline bool has_bitmap(NullEncoding rule) {
  return rule == NullEncoding::Bitmap || rule == NullEncoding::BitmapOrNaN;
}

// With pread: where a flat column's buffers are in the file, and copies of the current row's bytes.
// Copies are at position 0, so that get() and text() need no special case.
struct FetchedCells {
  FlatCells flat;
  alignas(8) std::byte cells[16];
  std::byte validity;
  std::vector<std::byte> characters;
};

// The block of a column that contains the current row. Pinned until the row is in another.
struct BlockCursor {
  const BlockColumn* column = nullptr;
  uint64_t index = 0;  // index of the column in the projection
  uint64_t block = kNoRow;
  BlockSlots::Pin pin = {};
  std::byte bit = {}, valid = {};  // bits of the current row, if cells or validity are bits
};

struct RowView::Slow {
  Slow(const Context& given, uint64_t columns)
      : context(given),
        codes(columns),
        arena(context.memory),
        taken(columns),
        taken_row(columns, kNoRow) {}

  Context context;
  uint64_t row = kNoRow;  // the current row
  std::optional<SingleRows> ahead;  // set while rows need it
  bool pread = false;
  std::vector<FetchedCells> fetched;  // with pread, for each column
  std::vector<uint32_t> codes;        // codes of the current row, for each coded column
  std::vector<BlockCursor> cursors;   // for each column in blocks

  // The current row's values of columns without cells.
  Arena arena;
  uint64_t arena_row = kNoRow;  // the row whose values the arena holds
  std::vector<Values> taken;
  std::vector<uint64_t> taken_row;
};

}  // namespace heron::inline v0
