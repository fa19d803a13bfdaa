#include "heron/row_view.h"

#include "base/fail.h"
#include "bytes/view_reader.h"
#include "columns/dictionaries/dictionary.h"
#include "rows/row_view_slow.h"
#include "table/internals.h"
#include "values/byte_order.h"
#include "values/cells.h"

namespace heron::inline v0 {
namespace {

// Returns whether a float that is a NaN, an unsigned integer that is 0, or a signed one that is its
// type's minimum, is null.
bool special_is_null(NullEncoding rule) {
  return rule == NullEncoding::NaN || rule == NullEncoding::BitmapOrNaN ||
         rule == NullEncoding::Zero || rule == NullEncoding::Sentinel;
}

bool has_no_cells(const Type& type) {
  return type.width() > sizeof(int64_t) && !type.is(Type::Decimal);
}

}  // namespace

RowView::RowView(Projection projection, const Context& context)
    : projection_(std::move(projection)),
      rows_(projection_.table()->rows()),
      lost_(&bytes_of(*projection_.table()).lost()) {
  if (rows_ != 0) columns_ = projection_.size();
  const bool mapped = bytes_of(*projection_.table()).base() != nullptr;
  bool all_plain = mapped;
  cells_.reserve(projection_.size());
  for (const Column* column : internals(projection_).columns()) {
    const std::optional<FlatCells> flat =
        unless_changed(bytes_of(*projection_.table()), [&] { return column->flat(); });
    if (column->type().is_nested() || has_no_cells(column->type()))
      Slow::throw_no_cells(*this, *column);
    cells_.push_back(Slow::cell_of(column->type(), flat));
    const Shape shape = cells_.back().form.shape;
    all_plain &= shape != Shape::Codes && shape != Shape::Taken;
  }
  const auto ahead = SingleRows::of(projection_, context);
  if (all_plain && !ahead) return;
  slow_ = std::make_unique<Slow>(context, cells_.size());
  slow_->ahead = ahead;
  Slow::prepare_blocks(*this);
  if (!mapped && slow_->cursors.empty()) Slow::prepare_fetching(*this);
}

RowView::~RowView() = default;
RowView::RowView(RowView&&) noexcept = default;

RowView& RowView::operator=(RowView&& other) noexcept {
  slow_ = std::move(other.slow_);  // first: the old one may pin blocks of the old table
  projection_ = std::move(other.projection_);
  rows_ = other.rows_;
  at_ = other.at_;
  cells_ = std::move(other.cells_);
  lost_ = other.lost_;
  columns_ = other.columns_;
  return *this;
}

RowView::Cell RowView::Slow::cell_of(const Type& type, const std::optional<FlatCells>& flat) {
  Cell cell;
  if (!flat) {
    cell.form = {stored_of(type), NullEncoding::Never, Shape::Taken};
    return cell;
  }
  if (flat->kind == FlatCells::Kind::Null) return cell;
  cell.cells = flat->cells.data();
  cell.stride = flat->stride;
  if (flat->dictionary != nullptr) {
    cell.form = {stored_of(type), NullEncoding::Never, Shape::Codes};
    cell.code = cell_form(stored_code(*flat), *flat);
    cell.dictionary = flat->dictionary;
    return cell;
  }
  cell.form = cell_form(stored_of(type), *flat);
  if (flat->kind == FlatCells::Kind::Text) {
    cell.form.offset_bytes = static_cast<uint8_t>(flat->cell_bytes);
    cell.characters = flat->characters.data();
    cell.character_bytes = flat->characters.bytes;
  }
  if (has_bitmap(flat->nulls)) cell.validity = flat->validity.data();
  return cell;
}

RowView::Form RowView::Slow::cell_form(Stored stored, const FlatCells& flat) {
  Form form{stored, flat.nulls};
  if (flat.kind == FlatCells::Kind::Bits) form.shape = Shape::Bits;
  const bool fixed = flat.kind == FlatCells::Kind::Fixed || flat.kind == FlatCells::Kind::Bytes;
  if (fixed && flat.stride != flat.cell_bytes) form.shape = Shape::StridedCells;
  if (fixed && flat.cell_bytes > 1 && flat.order != std::endian::native) {
    form.shape = Shape::SwappedCells;
  }
  return form;
}

RowView::Stored RowView::Slow::stored_code(const FlatCells& flat) {
  if (flat.kind == FlatCells::Kind::Bits) return Stored::Bool;
  return flat.cell_bytes == 1 ? Stored::U8 : flat.cell_bytes == 2 ? Stored::U16 : Stored::U32;
}

RowView::Stored RowView::Slow::stored_of(const Type& type) {
  if (type.is(Type::Null)) return Stored::Null;
  if (type.is(Type::Bool)) return Stored::Bool;
  if (type.has_bytes()) return Stored::Text;
  if (type.is(Type::Decimal)) return Stored::Wide;
  return visit_cell_type(type, []<class T>() { return stored_as<T>(); });
}

RowView::Slow::TextExtent RowView::Slow::text_extent(const RowView& view,
                                                     const Cell& cell) noexcept {
  const auto extent = [&](auto zero) {
    using Offset = decltype(zero);
    constexpr auto kTopBit = static_cast<Offset>(Offset{1} << (sizeof(Offset) * 8 - 1));
    Offset pair[2];
    std::memcpy(pair, cell.cells + view.at_ * sizeof(Offset), sizeof pair);
    for (Offset& offset : pair) offset = loaded_once(offset);
    const Offset bit = cell.form.nulls == NullEncoding::OffsetBit ? kTopBit : Offset{0};
    return TextExtent{static_cast<Offset>(pair[0] & ~bit), static_cast<Offset>(pair[1] & ~bit),
                      (pair[1] & bit) == 0};
  };
  TextExtent text = cell.form.offset_bytes == 4 ? extent(uint32_t{0}) : extent(uint64_t{0});
  if (cell.validity != nullptr && !bit(view, cell.validity)) text.valid = false;
  return text;
}

std::optional<std::string_view> RowView::unusual_text(uint64_t i) const {
  const Cell& cell = cells_[i];
  if (cell.form.stored != Stored::Text) Slow::throw_wrong_type(*this, i);
  if (cell.form.shape == Shape::Taken) {
    const Values& values = Slow::take_row(*this, i);
    if (lost_->load(std::memory_order_relaxed)) throw_changed();
    return values.is_null(0) ? std::nullopt : std::optional(values.text(0));
  }
  const Slow::TextExtent extent = Slow::text_extent(*this, cell);
  if (lost_->load(std::memory_order_relaxed)) throw_changed();
  if (!extent.valid) return std::nullopt;
  if (extent.start > extent.end || extent.end > cell.character_bytes) {
    Slow::throw_bad_text(*this, i, extent, cell.character_bytes);
  }
  return std::string_view(reinterpret_cast<const char*>(cell.characters) + extent.start,
                          extent.end - extent.start);
}

bool RowView::get_unusual(uint64_t i, Stored stored, void* value) const {
  const Cell& cell = cells_[i];
  if (cell.form.stored != stored) Slow::throw_wrong_type(*this, i);
  if (cell.form.shape == Shape::Codes) return Slow::get_coded(*this, i, value);
  if (cell.form.shape == Shape::Taken) return Slow::get_taken(*this, i, value);
  const bool is_special = Slow::get_cell(*this, cell, cell.form, value);
  if (cell.validity != nullptr && !Slow::bit(*this, cell.validity)) return false;
  return !is_special || !special_is_null(cell.form.nulls);
}

// Reads a cell, a swapped cell or a bit, even a null one; returns true for a NaN, the unsigned
// integer 0, a signed integer's minimum, and a bool of a byte that has that.
bool RowView::Slow::get_cell(const RowView& view, const Cell& cell, Form form, void* value) {
  const bool swapped = form.shape == Shape::SwappedCells;
  const auto get_as = [&]<class T>(T) {
    T loaded = view.load<T>(cell);
    if (swapped) loaded = byte_reversed(loaded);
    std::memcpy(value, &loaded, sizeof loaded);
    return loaded;
  };
  switch (form.stored) {
    case Stored::Bool: {
      const bool is_bit = form.shape == Shape::Bits;
      const auto stored = is_bit ? int8_t{bit(view, cell.cells)} : view.load<int8_t>(cell);
      const bool flag = stored != 0;
      std::memcpy(value, &flag, sizeof flag);
      return stored == INT8_MIN;
    }
    case Stored::F32: {
      const auto number = std::bit_cast<float>(get_as(uint32_t{}));
      return number != number;
    }
    case Stored::F64: {
      const auto number = std::bit_cast<double>(get_as(uint64_t{}));
      return number != number;
    }
    case Stored::Wide: {
      const auto cell_bytes = view.load<WideInteger>(cell);
      std::memcpy(value, &cell_bytes, sizeof cell_bytes);
      return false;
    }
    case Stored::I8: return get_as(uint8_t{}) == uint8_t{1} << 7;
    case Stored::U8: return get_as(uint8_t{}) == 0;
    case Stored::I16: return get_as(uint16_t{}) == uint16_t{1} << 15;
    case Stored::U16: return get_as(uint16_t{}) == 0;
    case Stored::I32: return get_as(uint32_t{}) == uint32_t{1} << 31;
    case Stored::U32: return get_as(uint32_t{}) == 0;
    case Stored::I64: return get_as(uint64_t{}) == uint64_t{1} << 63;
    default: return get_as(uint64_t{}) == 0;
  }
}

bool RowView::Slow::get_coded(const RowView& view, uint64_t i, void* value) {
  const Dictionary& dictionary = *view.cells_[i].dictionary;
  const uint32_t code = view.slow_->codes[i];
  if (code >= dictionary.size()) return get_taken(view, i, value);
  dictionary.decode(code, 1, static_cast<std::byte*>(value), view.slow_->context);
  return true;
}

bool RowView::is_null(uint64_t i) const {
  checked_cell(i);
  const Type& type = internals(projection_).columns()[i]->type();
  if (type.is(Type::Null)) return true;
  if (type.is(Type::Bool)) return !get<bool>(i);
  if (type.has_bytes()) return !text(i);
  if (type.is(Type::Decimal)) return !get<WideInteger>(i);
  return visit_cell_type(type, [&]<class T>() { return !get<T>(i); });
}

void RowView::check_unchanged() const {
  projection_.table()->check_unchanged();
}

void RowView::check_recently() const {
  bytes_of(*projection_.table()).check_recently();
}

void RowView::throw_no_such_row(uint64_t row) const {
  fail_no_such(*projection_.table(), "row", row, rows_);
}

void RowView::throw_no_such_column(uint64_t i) const {
  if (i < cells_.size()) throw_no_such_row(at_);
  fail_no_such(bytes_of(*projection_.table()).name(), "column", i, "the row view", cells_.size());
}

void RowView::Slow::throw_wrong_type(const RowView& view, uint64_t i) {
  const Column& column = *internals(view.projection_).columns()[i];
  fail(ErrorKind::Argument, bytes_of(*view.projection_.table()).name(), "column \"", column.name(),
       "\" is of type ", column.type().name(), " and was requested as another");
}

void RowView::Slow::throw_bad_text(const RowView& view, uint64_t i, const TextExtent& extent,
                                   uint64_t limit) {
  view.check_unchanged();
  const Column& column = *internals(view.projection_).columns()[i];
  fail(ErrorKind::Corrupt, bytes_of(*view.projection_.table()).name(), "column \"", column.name(),
       "\": expected start <= end <= ", limit, " characters, got start ", extent.start, " and end ",
       extent.end);
}

void RowView::Slow::throw_no_cells(const RowView& view, const Column& column) {
  fail(ErrorKind::Argument, bytes_of(*view.projection_.table()).name(), "column \"", column.name(),
       "\": a row view has no cells of type ", column.type().name(), "; take the row instead");
}

void RowView::throw_changed() const {
  bytes_of(*projection_.table()).throw_changed("was cut short while open");
}

}  // namespace heron::inline v0
