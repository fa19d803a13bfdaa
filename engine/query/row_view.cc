#include "heron/row_view.h"

#include "bytes/view_reader.h"
#include "columns/bitmap.h"
#include "columns/cells.h"
#include "columns/column.h"

namespace heron::inline v0 {

// A flat column's parts in the file, and where the current row's are copied to. What is copied lies
// at position 0, so that get() and text() need not know.
struct RowView::Fetched {
  struct Source {
    FlatCells flat;
    alignas(8) std::byte cells[16];
    std::byte validity;
    std::vector<std::byte> characters;
  };
  std::vector<Source> sources;
  Context context;
};

RowView::RowView(Projection projection, const Context& context)
    : projection_(std::move(projection)),
      rows_(projection_.table()->rows()),
      lost_(&projection_.table()->bytes()->lost()) {
  const bool mapped = projection_.table()->bytes()->base() != nullptr;
  if (!mapped) {
    fetched_ = std::make_unique<Fetched>();
    fetched_->context = context;
    fetched_->sources.resize(projection_.size());
  }
  cells_.reserve(projection_.size());
  for (uint64_t i = 0; i < projection_.size(); ++i) {
    const Column& column = *projection_.columns()[i];
    const std::optional<FlatCells> flat = column.flat();
    if (!flat) {
      fail(ErrorKind::Argument, projection_.table()->bytes()->name(), "column \"", column.name(),
           "\": a row view has no cells of type ", column.type().name(), "; take the row instead");
    }
    cells_.push_back(cell_of(column.type(), *flat));
    if (!mapped) {
      Fetched::Source& source = fetched_->sources[i];
      source.flat = *flat;
      cells_[i].cells = source.cells;
      if (flat->missing == MissingRule::Bitmap || flat->missing == MissingRule::BitmapOrNaN) {
        cells_[i].validity = &source.validity;
      }
    }
  }
}

RowView::~RowView() = default;
RowView::RowView(RowView&&) noexcept = default;
RowView& RowView::operator=(RowView&&) noexcept = default;

RowView::Cell RowView::cell_of(const Type& type, const FlatCells& flat) {
  Cell cell;
  cell.form.missing = flat.missing;
  cell.form.stored = stored_of(type);
  cell.form.bits = flat.kind == FlatCells::Kind::Bits;
  if (flat.kind == FlatCells::Kind::Null) return cell;
  if (flat.kind == FlatCells::Kind::Text) {
    cell.form.offset_bytes = static_cast<uint8_t>(flat.cell_bytes);
    cell.characters = flat.characters.data();
    cell.character_bytes = flat.characters.bytes;
  }
  cell.cells = flat.cells.data();
  if (flat.missing == MissingRule::Bitmap || flat.missing == MissingRule::BitmapOrNaN) {
    cell.validity = flat.validity.data();
  }
  return cell;
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
  const auto get_as = [&](auto zero) {
    const auto loaded = load<decltype(zero)>(cell.cells);
    std::memcpy(value, &loaded, sizeof loaded);
    return loaded;
  };
  bool is_nan = false;
  switch (stored) {
    case Stored::Bool: {
      const bool flag = cell.form.bits ? bit(cell.cells) : load<int8_t>(cell.cells) != 0;
      std::memcpy(value, &flag, sizeof flag);
      break;
    }
    case Stored::F32: {
      const float number = get_as(float{});
      is_nan = number != number;
      break;
    }
    case Stored::F64: {
      const double number = get_as(double{});
      is_nan = number != number;
      break;
    }
    case Stored::I8:
    case Stored::U8: get_as(uint8_t{}); break;
    case Stored::I16:
    case Stored::U16: get_as(uint16_t{}); break;
    case Stored::I32:
    case Stored::U32: get_as(uint32_t{}); break;
    default: get_as(uint64_t{}); break;
  }
  if (cell.validity != nullptr && !bit(cell.validity)) return false;
  return !is_nan || cell.form.missing != MissingRule::BitmapOrNaN;
}

bool RowView::is_missing(uint64_t i) const {
  const Type& type = projection_.columns()[i]->type();
  if (type.is(Type::Null)) return true;
  if (type.is(Type::Bool)) return !get<bool>(i);
  if (type.is_text()) return !text(i);
  return visit_cell_type(type, [&]<class T>() { return !get<T>(i); });
}

void RowView::fetch(uint64_t row) {
  const Context& context = fetched_->context;
  at_ = 0;
  for (uint64_t i = 0; i < cells_.size(); ++i) {
    Fetched::Source& source = fetched_->sources[i];
    const FlatCells& flat = source.flat;
    if (cells_[i].validity != nullptr) {
      flat.validity.read(row / 8, {&source.validity, 1}, context);
      source.validity = std::byte{get_bit(&source.validity, row % 8)};
    }
    switch (flat.kind) {
      case FlatCells::Kind::Null: break;
      case FlatCells::Kind::Bits:
        flat.cells.read(row / 8, {source.cells, 1}, context);
        source.cells[0] = std::byte{get_bit(source.cells, row % 8)};
        break;
      case FlatCells::Kind::Fixed:
      case FlatCells::Kind::Bytes:
        flat.cells.read(row * flat.cell_bytes, {source.cells, flat.cell_bytes}, context);
        break;
      case FlatCells::Kind::Text:
        flat.cells.read(row * flat.cell_bytes, {source.cells, uint64_t{flat.cell_bytes} * 2},
                        context);
        fetch_text(i);
        break;
    }
  }
}

// Reads the characters that the offsets just fetched enclose, and makes those offsets count from
// them.
void RowView::fetch_text(uint64_t i) {
  Fetched::Source& source = fetched_->sources[i];
  Cell& cell = cells_[i];
  const TextExtent extent = text_extent(cell);
  if (!extent.there) return;
  const uint64_t all = source.flat.characters.bytes;
  if (extent.start > extent.end || extent.end > all) throw_bad_text(i, extent, all);
  const uint64_t length = extent.end - extent.start;
  source.characters.resize(length);
  source.flat.characters.read(extent.start, source.characters, fetched_->context);
  const auto put = [&](auto offset) {
    decltype(offset) pair[2] = {0, static_cast<decltype(offset)>(length)};
    std::memcpy(source.cells, pair, sizeof pair);
  };
  cell.form.offset_bytes == 4 ? put(uint32_t{0}) : put(uint64_t{0});
  cell.characters = source.characters.data();
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

void RowView::throw_changed() const {
  projection_.table()->bytes()->throw_changed("was cut short while open");
}

}  // namespace heron::inline v0
