// What a row view needs for rows that are fetched, taken, coded, in blocks or cold.
#pragma once

#include <optional>

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
  uint64_t index = 0;  // of the column in the projection
  uint64_t block = kNoRow;
  BlockSlots::Pin pin = {};
  std::byte bit = {}, valid = {};  // the current row's, where cells or validity are bits
};

// Asks for all pages of a row together, while rows are cold. A page of a map that nobody asks for
// costs the readahead around it, for each column of a row; but a small file is in memory after a
// few of these. So there, as many rows are asked for as take about as long as reading all of it.
class ColdRows {
 public:
  explicit ColdRows(const Projection& columns);
  // Whether a few rows, a sample, have cold pages.
  static bool found_in(const Projection& columns);

  void reach(const Projection& columns, uint64_t row, const Context& context);
  // Rows are warm again, or as good as: no need to call it any more.
  bool is_over() const noexcept { return warm_rows_ == kWarmRows || rows_left_ == 0; }

 private:
  static constexpr uint64_t kWarmRows = 256;
  uint64_t asked_row_ = kNoRow;  // the row asked for last
  uint64_t warm_rows_ = 0;       // since the last cold one
  uint64_t rows_left_;           // to ask for
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
  std::optional<ColdRows> cold;
  bool pread = false;
  std::vector<FetchedCells> fetched;  // with pread, of each column
  std::vector<uint32_t> codes;        // the current row's, of each coded column
  std::vector<BlockCursor> cursors;   // of each column in blocks

  // For columns without cells.
  Arena arena;
  uint64_t arena_row = kNoRow;  // the row whose values the arena holds
  std::vector<Values> taken;
  std::vector<uint64_t> taken_row;
};

}  // namespace heron::inline v0
