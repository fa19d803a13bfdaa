#include "heron/row_view.h"

#include <algorithm>

#include "bytes/view_reader.h"
#include "columns/bitmap.h"
#include "columns/block_column.h"
#include "columns/byte_order.h"
#include "columns/cells.h"
#include "columns/dictionary.h"
#include "heron/query.h"

namespace heron::inline v0 {
namespace {

bool has_bitmap(MissingRule rule) {
  return rule == MissingRule::Bitmap || rule == MissingRule::BitmapOrNaN;
}

// Of a float that is a NaN or an unsigned integer that is 0.
bool special_is_missing(MissingRule rule) {
  return rule == MissingRule::NaN || rule == MissingRule::BitmapOrNaN || rule == MissingRule::Zero;
}

}  // namespace

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
  std::byte bit = {}, there = {};  // the current row's, where cells or validity are bits
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

RowView::RowView(Projection projection, const Context& context)
    : projection_(std::move(projection)),
      rows_(projection_.table()->rows()),
      lost_(&projection_.table()->bytes()->lost()) {
  const bool mapped = projection_.table()->bytes()->base() != nullptr;
  bool all_plain = mapped;
  cells_.reserve(projection_.size());
  for (const Column* column : projection_.columns()) {
    const std::optional<FlatCells> flat = column->flat();
    if (column->type().is_nested() || column->type().width() > 8) throw_no_cells(*column);
    cells_.push_back(cell_of(column->type(), flat));
    const Shape shape = cells_.back().form.shape;
    all_plain &= shape != Shape::Codes && shape != Shape::Taken;
  }
  if (all_plain) return;
  slow_ = std::make_unique<Slow>(context, cells_.size());
  prepare_blocks();
  if (!mapped && slow_->cursors.empty()) prepare_fetching();
}

// In blocks, the current row's cells are at another place than in the whole column: cells begin
// with the current row's then, as where they are fetched. Columns of another kind beside such ones
// are taken.
void RowView::prepare_blocks() {
  for (uint64_t i = 0; i < cells_.size(); ++i) {
    if (const BlockColumn* column = projection_.columns()[i]->blocks()) {
      slow_->cursors.push_back({column, i});
    }
  }
  if (slow_->cursors.empty()) return;
  for (Cell& cell : cells_) {
    if (cell.form.stored != Stored::Null) cell.form.shape = Shape::Taken;
  }
}

void RowView::prepare_fetching() {
  slow_->pread = true;
  slow_->fetched.resize(cells_.size());
  for (uint64_t i = 0; i < cells_.size(); ++i) {
    FetchedCells& fetched = slow_->fetched[i];
    fetched.flat = projection_.columns()[i]->flat().value_or(FlatCells());
    cells_[i].cells = fetched.cells;
    if (has_bitmap(fetched.flat.missing)) cells_[i].validity = &fetched.validity;
  }
}

RowView::~RowView() = default;
RowView::RowView(RowView&&) noexcept = default;
RowView& RowView::operator=(RowView&&) noexcept = default;

RowView::Cell RowView::cell_of(const Type& type, const std::optional<FlatCells>& flat) {
  Cell cell;
  if (!flat) {
    cell.form = {stored_of(type), MissingRule::Never, Shape::Taken};
    return cell;
  }
  if (flat->kind == FlatCells::Kind::Null) return cell;
  cell.cells = flat->cells.data();
  cell.stride = flat->stride;
  if (flat->dictionary != nullptr) {
    cell.form = {stored_of(type), MissingRule::Never, Shape::Codes};
    cell.code = cell_form(stored_code(*flat), *flat);
    cell.dictionary = flat->dictionary;
    return cell;
  }
  cell.form = cell_form(stored_of(type), *flat);
  if (cell.form.shape == Shape::SwappedCells && flat->missing == MissingRule::Sentinel) {
    cell.form.shape = Shape::Taken;
  }
  if (flat->kind == FlatCells::Kind::Text) {
    cell.form.offset_bytes = static_cast<uint8_t>(flat->cell_bytes);
    cell.characters = flat->characters.data();
    cell.character_bytes = flat->characters.bytes;
  }
  if (has_bitmap(flat->missing)) cell.validity = flat->validity.data();
  return cell;
}

RowView::Form RowView::cell_form(Stored stored, const FlatCells& flat) {
  Form form{stored, flat.missing};
  if (flat.kind == FlatCells::Kind::Bits) form.shape = Shape::Bits;
  const bool fixed = flat.kind == FlatCells::Kind::Fixed || flat.kind == FlatCells::Kind::Bytes;
  if (fixed && flat.stride != flat.cell_bytes) form.shape = Shape::StridedCells;
  if (fixed && flat.cell_bytes > 1 && flat.order != std::endian::native) {
    form.shape = Shape::SwappedCells;
  }
  return form;
}

RowView::Stored RowView::stored_code(const FlatCells& flat) {
  if (flat.kind == FlatCells::Kind::Bits) return Stored::Bool;
  return flat.cell_bytes == 1 ? Stored::U8 : flat.cell_bytes == 2 ? Stored::U16 : Stored::U32;
}

RowView::Stored RowView::stored_of(const Type& type) {
  if (type.is(Type::Null)) return Stored::Null;
  if (type.is(Type::Bool)) return Stored::Bool;
  if (type.is_text()) return Stored::Text;
  return visit_cell_type(type, []<class T>() { return stored_as<T>(); });
}

RowView::TextExtent RowView::text_extent(const Cell& cell) const noexcept {
  const auto extent = [&](auto zero) {
    using Offset = decltype(zero);
    constexpr auto kTopBit = static_cast<Offset>(Offset{1} << (sizeof(Offset) * 8 - 1));
    Offset pair[2];
    std::memcpy(pair, cell.cells + at_ * sizeof(Offset), sizeof pair);
    const Offset bit = cell.form.missing == MissingRule::OffsetBit ? kTopBit : Offset{0};
    return TextExtent{static_cast<Offset>(pair[0] & ~bit), static_cast<Offset>(pair[1] & ~bit),
                      (pair[1] & bit) == 0};
  };
  TextExtent text = cell.form.offset_bytes == 4 ? extent(uint32_t{0}) : extent(uint64_t{0});
  if (cell.validity != nullptr && !bit(cell.validity)) text.there = false;
  return text;
}

std::optional<std::string_view> RowView::unusual_text(uint64_t i) const {
  const Cell& cell = cells_[i];
  if (cell.form.stored != Stored::Text) throw_wrong_type(i);
  if (cell.form.shape == Shape::Taken) {
    const Values& values = taken(i);
    if (lost_->load(std::memory_order_relaxed)) throw_changed();
    return values.is_missing(0) ? std::nullopt : std::optional(values.text(0));
  }
  const TextExtent extent = text_extent(cell);
  if (lost_->load(std::memory_order_relaxed)) throw_changed();
  if (!extent.there) return std::nullopt;
  if (extent.start > extent.end || extent.end > cell.character_bytes) {
    throw_bad_text(i, extent, cell.character_bytes);
  }
  return std::string_view(reinterpret_cast<const char*>(cell.characters) + extent.start,
                          extent.end - extent.start);
}

bool RowView::get_unusual(uint64_t i, Stored stored, void* value) const {
  const Cell& cell = cells_[i];
  if (cell.form.stored != stored) throw_wrong_type(i);
  if (cell.form.shape == Shape::Codes) return get_coded(i, value);
  if (cell.form.shape == Shape::Taken) return get_taken(i, value);
  const bool is_special = get_cell(cell, cell.form, value);
  if (cell.validity != nullptr && !bit(cell.validity)) return false;
  return !is_special || !special_is_missing(cell.form.missing);
}

// Cells, swapped cells or bits, whatever may say that the value is missing; true if it is a NaN or
// the integer 0.
bool RowView::get_cell(const Cell& cell, Form form, void* value) const {
  const bool swapped = form.shape == Shape::SwappedCells;
  const auto get_as = [&]<class T>(T) {
    T loaded = load<T>(cell);
    if (swapped) loaded = byte_reversed(loaded);
    std::memcpy(value, &loaded, sizeof loaded);
    return loaded;
  };
  switch (form.stored) {
    case Stored::Bool: {
      const bool flag = form.shape == Shape::Bits ? bit(cell.cells) : load<int8_t>(cell) != 0;
      std::memcpy(value, &flag, sizeof flag);
      return false;
    }
    case Stored::F32: {
      const auto number = std::bit_cast<float>(get_as(uint32_t{}));
      return number != number;
    }
    case Stored::F64: {
      const auto number = std::bit_cast<double>(get_as(uint64_t{}));
      return number != number;
    }
    case Stored::I8:
    case Stored::U8: return get_as(uint8_t{}) == 0;
    case Stored::I16:
    case Stored::U16: return get_as(uint16_t{}) == 0;
    case Stored::I32:
    case Stored::U32: return get_as(uint32_t{}) == 0;
    default: return get_as(uint64_t{}) == 0;
  }
}

bool RowView::get_coded(uint64_t i, void* value) const {
  const Dictionary& dictionary = *cells_[i].dictionary;
  const uint32_t code = slow_->codes[i];
  if (code >= dictionary.size()) return get_taken(i, value);
  dictionary.decode(code, 1, static_cast<std::byte*>(value), slow_->context);
  return true;
}

uint32_t RowView::code_at(const Cell& cell) const {
  uint32_t code = 0;
  switch (cell.code.stored) {
    case Stored::Bool: return bit(cell.cells);
    case Stored::U8: return load<uint8_t>(cell);
    default: get_cell(cell, cell.code, &code);  // little-endian: two bytes fill the lower half
  }
  return code;
}

bool RowView::get_taken(uint64_t i, void* value) const {
  const Values& values = taken(i);
  if (values.is_missing(0)) return false;
  if (values.type.is(Type::Bool)) {
    const bool flag = values.get_bool(0);
    std::memcpy(value, &flag, sizeof flag);
  } else {
    std::memcpy(value, values.data.data, values.type.width());
  }
  return true;
}

const Values& RowView::taken(uint64_t i) const {
  Slow& slow = *slow_;
  if (slow.taken_row[i] == slow.row) return slow.taken[i];
  if (slow.arena_row != slow.row) {
    slow.arena.reset();
    slow.arena_row = slow.row;
    std::fill(slow.taken_row.begin(), slow.taken_row.end(), kNoRow);
  }
  slow.taken[i] = projection_.columns()[i]->take({&slow.row, 1}, slow.arena, slow.context);
  slow.taken_row[i] = slow.row;
  return slow.taken[i];
}

bool RowView::is_missing(uint64_t i) const {
  const Type& type = projection_.columns()[i]->type();
  if (type.is(Type::Null)) return true;
  if (type.is(Type::Bool)) return !get<bool>(i);
  if (type.is_text()) return !text(i);
  return visit_cell_type(type, [&]<class T>() { return !get<T>(i); });
}

// Codes are asked of memory together, and then what they stand for, so that misses overlap.
void RowView::arrive(uint64_t row) {
  slow_->row = row;
  if (!slow_->cursors.empty()) {
    at_ = 0;
    for (uint64_t k = 0; k < slow_->cursors.size(); ++k) enter_block(k, row);
    return;
  }
  if (slow_->pread) {
    at_ = 0;
    fetch(row);
  } else {
    for (const Cell& cell : cells_) {
      const bool bits = cell.code.shape == Shape::Bits;
      __builtin_prefetch(cell.cells + (bits ? row / 8 : row * cell.stride));
    }
  }
  for (uint64_t i = 0; i < cells_.size(); ++i) {
    const Cell& cell = cells_[i];
    if (cell.form.shape != Shape::Codes) continue;
    slow_->codes[i] = code_at(cell);
    cell.dictionary->prefetch(slow_->codes[i]);
  }
}

// Pins the row's block and lets the column's cell be the row's, unless the block has no cells in
// memory: then the row is taken.
void RowView::enter_block(uint64_t k, uint64_t row) {
  BlockCursor& cursor = slow_->cursors[k];
  const BlockColumn& column = *cursor.column;
  Cell& cell = cells_[cursor.index];
  const uint64_t block = column.block_of(row);
  if (cursor.block != block) {
    cursor.block = kNoRow;
    cursor.pin = {};
    cursor.pin = column.pin(block, BlockUse::Take, slow_->context);
    cursor.block = block;
  }
  const std::optional<FlatCells>& flat = cursor.pin->flat;
  if (!flat || flat->cells.data() == nullptr) {
    cell.form.shape = Shape::Taken;
    return;
  }
  const uint64_t within = column.row_in_block(row);
  cell = cell_of(column.type(), flat);
  if (cell.form.shape == Shape::Bits) {
    cursor.bit = std::byte{get_bit(cell.cells, within)};
    cell.cells = &cursor.bit;
  } else {
    cell.cells += within * cell.stride;
    __builtin_prefetch(cell.cells);
  }
  if (cell.validity != nullptr) {
    cursor.there = std::byte{get_bit(cell.validity, within)};
    cell.validity = &cursor.there;
  }
}

void RowView::fetch(uint64_t row) {
  const Context& context = slow_->context;
  for (uint64_t i = 0; i < cells_.size(); ++i) {
    if (cells_[i].form.shape == Shape::Taken) continue;
    FetchedCells& fetched = slow_->fetched[i];
    const FlatCells& flat = fetched.flat;
    if (cells_[i].validity != nullptr) {
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
        fetch_text(i);
        break;
    }
  }
}

// Reads the characters that the offsets just fetched enclose, and makes those offsets count from
// them.
void RowView::fetch_text(uint64_t i) {
  FetchedCells& fetched = slow_->fetched[i];
  Cell& cell = cells_[i];
  const TextExtent extent = text_extent(cell);
  if (!extent.there) return;
  const uint64_t all = fetched.flat.characters.bytes;
  if (extent.start > extent.end || extent.end > all) throw_bad_text(i, extent, all);
  const uint64_t length = extent.end - extent.start;
  fetched.characters.resize(length);
  fetched.flat.characters.read(extent.start, fetched.characters, slow_->context);
  const auto put = [&](auto offset) {
    decltype(offset) pair[2] = {0, static_cast<decltype(offset)>(length)};
    std::memcpy(fetched.cells, pair, sizeof pair);
  };
  cell.form.offset_bytes == 4 ? put(uint32_t{0}) : put(uint64_t{0});
  cell.characters = fetched.characters.data();
  cell.character_bytes = length;
}

void RowView::check_unchanged() const {
  projection_.table()->check_unchanged();
}

void RowView::throw_no_such_row(uint64_t row) const {
  fail(ErrorKind::Argument, projection_.table()->bytes()->name(), "no row ", row, " in table \"",
       projection_.table()->name(), "\", which has ", rows_);
}

void RowView::throw_wrong_type(uint64_t i) const {
  const Column& column = *projection_.columns()[i];
  fail(ErrorKind::Argument, projection_.table()->bytes()->name(), "column \"", column.name(),
       "\" is of type ", column.type().name(), " and was asked for as another");
}

void RowView::throw_bad_text(uint64_t i, const TextExtent& extent, uint64_t limit) const {
  const Column& column = *projection_.columns()[i];
  fail(ErrorKind::Corrupt, projection_.table()->bytes()->name(), "column \"", column.name(),
       "\": expected start <= end <= ", limit, " characters, got start ", extent.start, " and end ",
       extent.end);
}

void RowView::throw_no_cells(const Column& column) const {
  fail(ErrorKind::Argument, projection_.table()->bytes()->name(), "column \"", column.name(),
       "\": a row view has no cells of type ", column.type().name(), "; take the row instead");
}

void RowView::throw_changed() const {
  projection_.table()->bytes()->throw_changed("was cut short while open");
}

}  // namespace heron::inline v0
