// Columns of both layouts have the same few parts: a type, rows, an optional validity bitmap, one
// or two buffers, a child. The older layout names its buffers (data, strdata), the typed one
// numbers them.
#include "jay/columns.h"

#include <algorithm>
#include <optional>

#include "base/fail.h"
#include "columns/bit_column.h"
#include "columns/fixed_column.h"
#include "columns/list_column.h"
#include "columns/null_column.h"
#include "columns/text_column.h"
#include "jay/layout.h"
#include "values/bitmap.h"

namespace heron::inline v0::jay {
namespace {

using jay_fbs::SType;

// Returns nullopt if no type has that number.
std::optional<Type> type_of(SType stype) {
  switch (stype) {
    case SType::Bool8: return Type::Bool;
    case SType::Int8: return Type::Int8;
    case SType::Int16: return Type::Int16;
    case SType::Int32: return Type::Int32;
    case SType::Int64: return Type::Int64;
    case SType::Float32: return Type::Float32;
    case SType::Float64: return Type::Float64;
    case SType::Str32: return Type::Text;
    case SType::Str64: return Type::LargeText;
    case SType::Date32: return Type::Date32;
    case SType::Time64: return Type::Timestamp;
    case SType::Void0: return Type::Null;
    case SType::Arr32: return Type::list(Type::Null);
    case SType::Arr64: return Type::list(Type::Null, true);
  }
  return std::nullopt;
}

bool is_same(const jay_fbs::Type& a, const jay_fbs::Type& b) {
  const jay_fbs::Type* items_a = a.extra_as_child();
  const jay_fbs::Type* items_b = b.extra_as_child();
  return a.stype() == b.stype() &&
         (items_a == nullptr || items_b == nullptr || is_same(*items_a, *items_b));
}

// Returns whether a list's child has the item type that the list declares.
bool is_of_type(const jay_fbs::Column& child, const jay_fbs::Type& item_type) {
  return child.type() == nullptr ? child.stype() == item_type.stype()
                                 : is_same(*child.type(), item_type);
}

// The row count of a void child in the older layout, which does not store it: the child has as many
// rows as requested.
constexpr uint64_t kRowsOfAnUncountedVoid = UINT64_MAX - 1;

// The number of buffers of a column that are read.
constexpr uint32_t kBuffers = 3;

class Maker {
 public:
  Maker(const ByteSource& bytes, const jay_fbs::Column& column, uint64_t rows, const Record& record,
        std::string name)
      : bytes_(bytes), column_(column), rows_(rows), record_(record), name_(std::move(name)) {}

  // Throws Error(Corrupt) or Error(Unsupported) for an invalid description of the column.
  ColumnPtr make() const {
    const std::optional<Type> type = type_of(stype_of(column_));
    if (!type || (type->is_list() && column_.type() == nullptr)) {
      damaged_as(ErrorKind::Unsupported, "expected a type from 0 to ", type ? 11 : 13, ", got ",
                 static_cast<int>(stype_of(column_)));
    }
    if (column_.type() != nullptr && column_.nrows() != rows_) {
      damaged("expected ", rows_, " rows as the table has, got ", column_.nrows());
    }
    check_parts(*type);
    switch (type->id()) {
      case Type::Null: return std::make_unique<NullColumn>(rows_, label());
      case Type::Bool: return make_bool();
      case Type::Text:
      case Type::LargeText: return make_text(*type);
      case Type::List:
      case Type::LargeList: return make_list(*type);
      default: return make_fixed(*type);
    }
  }

  ColumnLabel label() const {
    return {name_, concat(stype_name(column_), column_.type() != nullptr ? "" : " (older layout)")};
  }

 private:
  enum BufferNumber : uint32_t { kValidity = 0, kData = 1, kCharacters = 2 };

  // Checks that a column has exactly the parts of its type: after damage to the type, some part is
  // left over.
  void check_parts(const Type& type) const {
    if (column_.type() == nullptr) {
      if (type.is(Type::Null) && column_.data() != nullptr) {
        damaged("expected no data, got a buffer");
      }
      if (!type.is_text() && column_.strdata() != nullptr) {
        damaged("expected no characters, got a buffer");
      }
      return;
    }
    const BufferNumber last = type.is(Type::Null) ? kValidity
                              : type.is_text()    ? kCharacters
                                                  : kData;
    const uint64_t most = last + uint64_t{1};
    const uint64_t buffers = column_.buffers() == nullptr ? 0 : column_.buffers()->size();
    if (buffers > most) damaged("expected at most ", most, " buffers, got ", buffers);
    if (type.is_list()) return;
    if (column_.type()->extra() != nullptr) damaged("expected no type of items, got one");
    if (column_.children() != nullptr && column_.children()->size() != 0) {
      damaged("expected no child column, got ", column_.children()->size());
    }
  }

  ColumnPtr make_fixed(const Type& type) const {
    FixedCells cells;
    const uint64_t cell_bytes = type.is(Type::Bool) ? 1 : type.width();
    cells.cells = need(buffer(kData), rows_, cell_bytes, "data");
    cells.validity = validity();
    const bool is_float = type.is_float();
    if (cells.validity.bytes != 0) {
      cells.nulls = is_float ? NullEncoding::BitmapOrNaN : NullEncoding::Bitmap;
    } else {
      cells.nulls = is_float ? NullEncoding::NaN : NullEncoding::Sentinel;
    }
    return std::make_unique<FixedColumn>(type, rows_, label(), cells);
  }

  // Bools from Arrow are bits. Only the buffer's length shows it, and for one row only the bitmap.
  ColumnPtr make_bool() const {
    const ByteView data = buffer(kData);
    const ByteView bitmap = validity();
    const bool has_bitmap = bitmap.bytes != 0;
    if (data.bytes >= rows_ && !(has_bitmap && rows_ == 1 && data.bytes == 1)) {
      return make_fixed(Type::Bool);
    }
    need(data, bitmap_bytes(rows_), 1, "data");
    return std::make_unique<BitColumn>(rows_, label(), data, bitmap,
                                       has_bitmap ? NullEncoding::Bitmap : NullEncoding::Never);
  }

  // Without a bitmap, the length of the offsets' buffer decides their width, whatever the type is.
  ColumnPtr make_text(const Type& type) const {
    OffsetCells offsets;
    offsets.cells = buffer(kData);
    offsets.validity = validity();
    const bool has_bitmap = offsets.validity.bytes != 0;
    offsets.nulls = has_bitmap ? NullEncoding::Bitmap : NullEncoding::OffsetBit;
    const bool narrow = has_bitmap
                            ? type.is(Type::Text)
                            : offsets.cells.bytes % 4 == 0 && offsets.cells.bytes / 4 == rows_ + 1;
    offsets.width = narrow ? 4 : 8;
    need_offsets(offsets);
    return std::make_unique<TextColumn>(rows_, label(), offsets, buffer(kCharacters));
  }

  ColumnPtr make_list(const Type& type) const {
    OffsetCells offsets;
    offsets.cells = buffer(kData);
    offsets.validity = validity();
    offsets.nulls = offsets.validity.bytes != 0 ? NullEncoding::Bitmap : NullEncoding::Never;
    offsets.width = type.is(Type::List) ? 4 : 8;
    need_offsets(offsets);
    if (column_.children() == nullptr || column_.children()->size() == 0) {
      damaged("expected a child column with the items, got none");
    }
    const jay_fbs::Column& child = *column_.children()->Get(0);
    const jay_fbs::Type* item_type = column_.type()->extra_as_child();
    if (item_type != nullptr && !is_of_type(child, *item_type)) {
      damaged("expected a child column of the type of its items, ",
              jay_fbs::EnumNameSType(item_type->stype()), ", got ", stype_name(child));
    }
    const uint64_t child_rows = child.type() != nullptr ? child.nrows() : kRowsOfAnUncountedVoid;
    ColumnPtr items = Maker(bytes_, child, child_rows, record_, name_).make();
    return std::make_unique<ListColumn>(rows_, label(), offsets, std::move(items));
  }

  void need_offsets(const OffsetCells& offsets) const {
    if (rows_ == 0) return;
    if (rows_ == UINT64_MAX) damaged("expected fewer than 2^64 - 1 rows");
    need(offsets.cells, rows_ + 1, offsets.width, "offsets");
  }

  // Returns the bitmap; empty if there is none.
  ByteView validity() const {
    if (column_.type() == nullptr || column_.buffers() == nullptr ||
        column_.buffers()->size() == 0 || column_.buffers()->Get(kValidity)->length() == 0) {
      return {&bytes_, 0, 0};
    }
    return need(checked(*column_.buffers()->Get(kValidity), "validity"), bitmap_bytes(rows_), 1,
                "validity");
  }

  ByteView buffer(BufferNumber number) const {
    const char* what = number == kData ? "data" : "characters";
    if (column_.type() == nullptr) {
      const jay_fbs::Buffer* stored = number == kData ? column_.data() : column_.strdata();
      if (stored == nullptr) damaged("expected a buffer for ", what, ", got none");
      return checked(*stored, what);
    }
    if (column_.buffers() == nullptr || column_.buffers()->size() <= number) {
      damaged("expected a buffer ", static_cast<uint32_t>(number), " for ", what, ", got ",
              column_.buffers() == nullptr ? 0 : column_.buffers()->size(), " buffers");
    }
    return checked(*column_.buffers()->Get(number), what);
  }

  // Returns a buffer, checked to be between the head and the record.
  ByteView checked(const jay_fbs::Buffer& buffer, const char* what) const {
    const uint64_t room = record_.offset() - kHeadBytes;
    if (buffer.offset() > room || buffer.length() > room - buffer.offset()) {
      damaged("buffer of ", what, " at byte ", kHeadBytes, " + ", buffer.offset(), ": expected ",
              buffer.length(), " bytes before the record at byte ", record_.offset());
    }
    return {&bytes_, kHeadBytes + buffer.offset(), buffer.length()};
  }

  ByteView need(ByteView view, uint64_t cells, uint64_t cell_bytes, const char* what) const {
    if (view.bytes / cell_bytes < cells) {
      damaged("buffer of ", what, " at byte ", view.offset, ": expected ", cells, " x ", cell_bytes,
              " bytes for ", rows_, " rows, got ", view.bytes);
    }
    return view;
  }

  template <class... Parts>
  [[noreturn]] void damaged_as(ErrorKind kind, const Parts&... parts) const {
    fail(kind, bytes_.name(), "column \"", name_, "\": ", parts...);
  }
  template <class... Parts>
  [[noreturn]] void damaged(const Parts&... parts) const {
    damaged_as(ErrorKind::Corrupt, parts...);
  }

  const ByteSource& bytes_;
  const jay_fbs::Column& column_;
  uint64_t rows_;
  const Record& record_;
  std::string name_;
};

}  // namespace

jay_fbs::SType stype_of(const jay_fbs::Column& column) {
  return column.type() != nullptr ? column.type()->stype() : column.stype();
}

std::string stype_name(const jay_fbs::Column& column) {
  const SType stype = stype_of(column);
  if (!type_of(stype)) return concat("type ", static_cast<int>(stype));
  const std::string name = jay_fbs::EnumNameSType(stype);
  const bool has_child = column.children() != nullptr && column.children()->size() != 0;
  return has_child ? concat(name, '(', stype_name(*column.children()->Get(0)), ')') : name;
}

uint64_t buffer_bytes(const jay_fbs::Column& column, uint64_t file_bytes) {
  uint64_t bytes = 0;
  const auto add = [&](const jay_fbs::Buffer* one) {
    if (one != nullptr && one->length() <= file_bytes) bytes += one->length();
  };
  add(column.data());
  add(column.strdata());
  const auto* buffers = column.buffers();
  for (uint32_t i = 0; buffers != nullptr && i < std::min(buffers->size(), kBuffers); ++i) {
    add(buffers->Get(i));
  }
  const auto* children = column.children();
  const bool has_items = children != nullptr && children->size() != 0;
  return bytes + (has_items ? buffer_bytes(*children->Get(0), file_bytes) : 0);
}

ColumnPtr make_column(const ByteSource& bytes, const jay_fbs::Column& column, uint64_t frame_rows,
                      const Record& record, const std::string& name) {
  const Maker maker(bytes, column, frame_rows, record, name);
  try {
    return maker.make();
  } catch (const Error& error) {
    return std::make_unique<UnreadableColumn>(type_of(stype_of(column)).value_or(Type::Null),
                                              frame_rows, maker.label(), error);
  }
}

}  // namespace heron::inline v0::jay
