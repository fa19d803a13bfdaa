// Moves a row view to rows whose cells are not simply in the map.
#include "rows/row_view_slow.h"

#include <algorithm>

#include "columns/dictionaries/dictionary.h"
#include "table/internals.h"
#include "values/bitmap.h"

namespace heron::inline v0 {

// Columns in blocks have other cells in each block: their cells begin with the current row's, as
// fetched ones do. Columns of other kinds beside them are taken.
void RowView::Slow::prepare_blocks(RowView& view) {
  for (uint64_t i = 0; i < view.cells_.size(); ++i) {
    if (const BlockColumn* column = internals(view.projection_).columns()[i]->blocks()) {
      view.slow_->cursors.push_back({column, i});
    }
  }
  if (view.slow_->cursors.empty()) return;
  for (Cell& cell : view.cells_) {
    if (cell.form.stored != Stored::Null) cell.form.shape = Shape::Taken;
  }
}

void RowView::Slow::prepare_fetching(RowView& view) {
  view.slow_->pread = true;
  view.slow_->fetched.resize(view.cells_.size());
  for (uint64_t i = 0; i < view.cells_.size(); ++i) {
    FetchedCells& fetched = view.slow_->fetched[i];
    fetched.flat = internals(view.projection_).columns()[i]->flat().value_or(FlatCells());
    view.cells_[i].cells = fetched.cells;
    if (has_bitmap(fetched.flat.nulls)) view.cells_[i].validity = &fetched.validity;
  }
}

void RowView::arrive(uint64_t row) {
  unless_changed(bytes_of(*projection_.table()), [&] {
    if (slow_->ahead && !slow_->ahead->before(projection_, row)) slow_->ahead.reset();
    Slow::reach(*this, row);
  });
}

// Prefetches all codes, then all their values, so that misses overlap.
void RowView::Slow::reach(RowView& view, uint64_t row) {
  view.slow_->row = row;
  if (!view.slow_->cursors.empty()) {
    view.at_ = 0;
    if (place_all(view, row)) return;
    // Pins are atomic and wait for earlier loads; after them, loads may overlap.
    for (uint64_t k = 0; k < view.slow_->cursors.size(); ++k) enter_block(view, k, row);
    for (uint64_t k = 0; k < view.slow_->cursors.size(); ++k) place_cell(view, k, row);
    return;
  }
  if (view.slow_->pread) {
    view.at_ = 0;
    fetch(view, row);
  } else {
    for (const Cell& cell : view.cells_) {
      const bool bits = cell.code.shape == Shape::Bits;
      __builtin_prefetch(cell.cells + (bits ? row / 8 : row * cell.stride));
    }
  }
  for (uint64_t i = 0; i < view.cells_.size(); ++i) {
    const Cell& cell = view.cells_[i];
    if (cell.form.shape != Shape::Codes) continue;
    view.slow_->codes[i] = code_at(view, cell);
    cell.dictionary->prefetch(view.slow_->codes[i]);
  }
}

// Points all cells to the row, if each column is in place and its block was opened before. Bits are
// read last, when all other cells are on their way.
bool RowView::Slow::place_all(RowView& view, uint64_t row) {
  bool any_bits = false;
  for (BlockCursor& cursor : view.slow_->cursors) {
    if (cursor.in_place == nullptr) return false;
    const InPlaceCells::Block& block = cursor.in_place->block_of(row);
    const std::byte* cells = block.cells.load(std::memory_order_acquire);
    if (cells == nullptr) return false;
    const uint64_t within = cursor.column->row_in_block(row);
    Cell& cell = view.cells_[cursor.index];
    if (cell.form.shape == Shape::Bits) {
      any_bits = true;
      __builtin_prefetch(cells + within / 8);
      continue;
    }
    cell.cells = cells + within * cell.stride;
    cell.characters = block.characters;
    cell.character_bytes = block.character_bytes;
    __builtin_prefetch(cell.cells);
  }
  for (uint64_t k = 0; any_bits && k < view.slow_->cursors.size(); ++k) {
    BlockCursor& cursor = view.slow_->cursors[k];
    if (view.cells_[cursor.index].form.shape != Shape::Bits) continue;
    const std::byte* cells = cursor.in_place->block_of(row).cells.load(std::memory_order_relaxed);
    cursor.bit = std::byte{get_bit(cells, cursor.column->row_in_block(row))};
  }
  return true;
}

// Pins the row's block, or finds that its cells are in place.
void RowView::Slow::enter_block(RowView& view, uint64_t k, uint64_t row) {
  BlockCursor& cursor = view.slow_->cursors[k];
  cursor.in_place = cursor.column->in_place({&row, 1}, view.slow_->context);
  if (cursor.in_place != nullptr) return;
  const uint64_t block = cursor.column->block_of(row);
  if (cursor.block == block) return;
  cursor.block = kNoRow;
  cursor.pin = cursor.column->pin(block, BlockUse::Take, view.slow_->context);
  cursor.block = block;
}

// Points the column's cell to the row; if the block has no cells in memory, the row is taken.
void RowView::Slow::place_cell(RowView& view, uint64_t k, uint64_t row) {
  BlockCursor& cursor = view.slow_->cursors[k];
  Cell& cell = view.cells_[cursor.index];
  const bool is_taken = cell.form.shape == Shape::Taken;
  const Type& type = cursor.column->type();
  const uint64_t within = cursor.column->row_in_block(row);
  const auto place = [&](const std::byte* cells, const auto& block) {
    if (cell.form.shape == Shape::Bits) {
      cursor.bit = std::byte{get_bit(cells, within)};
      cell.cells = &cursor.bit;
      return;
    }
    cell.cells = cells + within * cell.stride;
    cell.characters = block.characters;
    cell.character_bytes = block.character_bytes;
    __builtin_prefetch(cell.cells);
  };
  if (cursor.in_place != nullptr) {
    if (is_taken) cell = cell_of(type, cursor.in_place->form());
    const InPlaceCells::Block& block = cursor.in_place->block_of(row);
    return place(block.cells.load(std::memory_order_relaxed), block);
  }
  const DecodedBlock& block = *cursor.pin;
  if (block.cells == nullptr) {
    cell.form.shape = Shape::Taken;
    return;
  }
  if (is_taken) cell = cell_of(type, block.flat);
  place(block.cells, block);
  if (block.validity != nullptr) {
    cursor.valid = std::byte{get_bit(block.validity, within)};
    cell.validity = &cursor.valid;
  }
}

void RowView::Slow::fetch(RowView& view, uint64_t row) {
  const Context& context = view.slow_->context;
  for (uint64_t i = 0; i < view.cells_.size(); ++i) {
    if (view.cells_[i].form.shape == Shape::Taken) continue;
    FetchedCells& fetched = view.slow_->fetched[i];
    const FlatCells& flat = fetched.flat;
    if (view.cells_[i].validity != nullptr) {
      flat.validity.read(row / 8, {&fetched.validity, 1}, context);
      fetched.validity = std::byte{get_bit(&fetched.validity, row % 8)};
    }
    switch (flat.kind) {
      case FlatCells::Kind::Null: break;
      case FlatCells::Kind::Bits:
        flat.cells.read(row / 8, {fetched.cells, 1}, context);
        fetched.cells[0] = std::byte{get_bit(fetched.cells, row % 8)};
        break;
      case FlatCells::Kind::Fixed:
      case FlatCells::Kind::Bytes:
        flat.cells.read(row * flat.stride, {fetched.cells, flat.cell_bytes}, context);
        break;
      case FlatCells::Kind::Text:
        flat.cells.read(row * flat.stride, {fetched.cells, uint64_t{flat.cell_bytes} * 2}, context);
        fetch_text(view, i);
        break;
    }
  }
}

// Reads the characters of the offsets just fetched, and rebases those offsets to 0.
void RowView::Slow::fetch_text(RowView& view, uint64_t i) {
  FetchedCells& fetched = view.slow_->fetched[i];
  Cell& cell = view.cells_[i];
  const TextExtent extent = text_extent(view, cell);
  if (!extent.valid) return;
  const uint64_t all = fetched.flat.characters.bytes;
  if (extent.start > extent.end || extent.end > all) throw_bad_text(view, i, extent, all);
  const uint64_t length = extent.end - extent.start;
  fetched.characters.resize(length);
  fetched.flat.characters.read(extent.start, fetched.characters, view.slow_->context);
  const auto put = [&](auto offset) {
    decltype(offset) pair[2] = {0, static_cast<decltype(offset)>(length)};
    std::memcpy(fetched.cells, pair, sizeof pair);
  };
  cell.form.offset_bytes == 4 ? put(uint32_t{0}) : put(uint64_t{0});
  cell.characters = fetched.characters.data();
  cell.character_bytes = length;
}

uint32_t RowView::Slow::code_at(const RowView& view, const Cell& cell) {
  uint32_t code = 0;
  switch (cell.code.stored) {
    case Stored::Bool: return bit(view, cell.cells);
    case Stored::U8: return view.load<uint8_t>(cell);
    default:
      get_cell(view, cell, cell.code, &code);  // little-endian: two bytes fill the lower half
  }
  return code;
}

bool RowView::Slow::get_taken(const RowView& view, uint64_t i, void* value) {
  const Values& values = take_row(view, i);
  if (values.is_null(0)) return false;
  if (values.type.is(Type::Bool)) {
    const bool flag = values.get_bool(0);
    std::memcpy(value, &flag, sizeof flag);
  } else {
    std::memcpy(value, values.data.data, values.type.width());
  }
  return true;
}

const Values& RowView::Slow::take_row(const RowView& view, uint64_t i) {
  Slow& slow = *view.slow_;
  if (slow.taken_row[i] == slow.row) return slow.taken[i];
  if (slow.arena_row != slow.row) {
    slow.arena.reset();
    slow.arena_row = slow.row;
    std::fill(slow.taken_row.begin(), slow.taken_row.end(), kNoRow);
  }
  const ByteSource& bytes = bytes_of(*view.projection_.table());
  slow.taken[i] = unless_changed(bytes, [&] {
    return internals(view.projection_).columns()[i]->take({&slow.row, 1}, slow.arena, slow.context);
  });
  bytes.check_lost();
  slow.taken_row[i] = slow.row;
  return slow.taken[i];
}

}  // namespace heron::inline v0
