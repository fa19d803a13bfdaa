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

// With pread: where a flat column's buffers are in the file, and copies of the current row's bytes.
// Copies are at position 0, so that get() and text() need no special case.
struct FetchedCells {
  FlatCells flat;
  alignas(8) std::byte cells[16];
  std::byte validity;
  std::vector<std::byte> characters;
};

// The block of a column that contains the current row. Pinned until the row is in another, unless
// it is in place.
struct BlockCursor {
  const BlockColumn* column = nullptr;
  uint64_t index = 0;  // index of the column in the projection
  uint64_t block = kNoRow;
  BlockSlots::Pin pin = {};
  const InPlaceCells* in_place = nullptr;  // not null: the cells of all blocks, without pins
  std::byte bit = {}, valid = {};          // bits of the current row, if cells or validity are bits
};

struct RowView::Slow {
  Slow(const Context& given, uint64_t columns)
      : context(given),
        codes(columns),
        arena(context.memory),
        taken(columns),
        taken_row(columns, kNoRow) {}

  struct TextExtent {
    uint64_t start, end;
    bool valid;
  };

  static Cell cell_of(const Type& type, const std::optional<FlatCells>& flat);
  static Stored stored_of(const Type& type);
  static Stored stored_code(const FlatCells& flat);
  static Form cell_form(Stored stored, const FlatCells& flat);
  static bool bit(const RowView& view, const std::byte* bits) noexcept {
    return (std::to_integer<unsigned>(bits[view.at_ / 8]) >> (view.at_ % 8)) & 1;
  }
  static TextExtent text_extent(const RowView& view, const Cell& cell) noexcept;
  static bool get_cell(const RowView& view, const Cell& cell, Form form, void* value);
  static bool get_coded(const RowView& view, uint64_t i, void* value);
  static uint32_t code_at(const RowView& view, const Cell& cell);
  static bool get_taken(const RowView& view, uint64_t i, void* value);
  static const Values& take_row(const RowView& view, uint64_t i);

  static void prepare_blocks(RowView& view);
  static void prepare_fetching(RowView& view);
  static void reach(RowView& view, uint64_t row);
  static bool place_all(RowView& view, uint64_t row);
  static void enter_block(RowView& view, uint64_t k, uint64_t row);
  static void place_cell(RowView& view, uint64_t k, uint64_t row);
  static void fetch(RowView& view, uint64_t row);
  static void fetch_text(RowView& view, uint64_t i);

  [[noreturn]] static void throw_wrong_type(const RowView& view, uint64_t i);
  [[noreturn]] static void throw_bad_text(const RowView& view, uint64_t i, const TextExtent& extent,
                                          uint64_t limit);
  [[noreturn]] static void throw_no_cells(const RowView& view, const Column& column);

  Context context;
  uint64_t row = kNoRow;            // the current row
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
