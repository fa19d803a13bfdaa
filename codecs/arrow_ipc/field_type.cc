#include "arrow_ipc/field_type.h"

#include <string_view>
#include <utility>

#include "base/fail.h"
#include "values/small_floats.h"
#include "values/times.h"

namespace heron::inline v0::arrow_ipc {
namespace {

using arrow_fbs::TimeUnit;

constexpr int64_t kMillisecondsADay = 86'400'000;

std::optional<heron::Type::Unit> unit_of(TimeUnit unit) noexcept {
  switch (unit) {
    case TimeUnit::Second: return heron::Type::Second;
    case TimeUnit::Millisecond: return heron::Type::Millisecond;
    case TimeUnit::Microsecond: return heron::Type::Microsecond;
    case TimeUnit::Nanosecond: return heron::Type::Nanosecond;
  }
  return std::nullopt;
}

std::string_view unit_name(TimeUnit unit) noexcept {
  switch (unit) {
    case TimeUnit::Second: return "s";
    case TimeUnit::Millisecond: return "ms";
    case TimeUnit::Microsecond: return "us";
    case TimeUnit::Nanosecond: return "ns";
  }
  return "?";
}

void set_cells(StoredField& field, Type type, std::string words) {
  field.layout = Layout::Cells;
  field.cell_bytes = type.width();
  field.type = std::move(type);
  field.words = std::move(words);
}

void set_numbers(StoredField& field, Type type, uint32_t cell_bytes, int64_t multiply,
                 int64_t divide, std::string words) {
  set_cells(field, std::move(type), std::move(words));
  field.cell_bytes = cell_bytes;
  field.multiply = multiply;
  field.divide = divide;
  if (multiply != 1 || divide != 1) field.layout = Layout::Numbers;
}

void set_bytes(StoredField& field, Type type, std::string_view words) {
  field.layout = Layout::Text;
  field.cell_bytes = type.has_large_offsets() ? 8 : 4;
  field.type = std::move(type);
  field.words = words;
}

void set_views(StoredField& field, Type type, std::string_view words) {
  field.layout = Layout::Views;
  field.type = std::move(type);
  field.words = words;
}

void set_integer(StoredField& field, const arrow_fbs::Int& stored) {
  const auto type = integer_type(stored);
  if (!type) return set_other(field, concat("integer of ", stored.bit_width(), " bits"));
  set_cells(field, *type, type->name());
}

void set_float(StoredField& field, arrow_fbs::Precision precision) {
  switch (precision) {
    case arrow_fbs::Precision::Half:
      set_cells(field, Type::Float32, "float16");
      field.layout = Layout::Halves;
      field.cell_bytes = width_of(SmallFloat::Half);
      return;
    case arrow_fbs::Precision::Single: return set_cells(field, Type::Float32, "float32");
    case arrow_fbs::Precision::Double: return set_cells(field, Type::Float64, "float64");
  }
  set_other(field, concat("float of precision ", static_cast<int>(precision)));
}

void set_date(StoredField& field, arrow_fbs::DateUnit unit) {
  switch (unit) {
    case arrow_fbs::DateUnit::Day: return set_cells(field, Type::Date32, "date32");
    case arrow_fbs::DateUnit::Millisecond:
      return set_numbers(field, Type::Date32, 8, 1, kMillisecondsADay, "date64");
  }
  set_other(field, concat("date of unit ", static_cast<int>(unit)));
}

void set_timestamp(StoredField& field, const arrow_fbs::Timestamp& stored) {
  // Fields may share a long name of a zone, of which each type has a copy.
  constexpr uint32_t kMaxZoneBytes = 64;
  const auto unit = unit_of(stored.unit());
  const flatbuffers::String* zone = stored.timezone();
  const std::string without_zone = concat("timestamp[", unit_name(stored.unit()), ']');
  if (!unit) return set_other(field, without_zone);
  if (zone != nullptr && zone->size() > kMaxZoneBytes) {
    return set_other(field, concat(without_zone, " of a time zone of ", zone->size(), " bytes"));
  }
  Type type = Type::timestamp(*unit, zone == nullptr ? "" : zone->str());
  std::string words = type.name();
  set_cells(field, std::move(type), std::move(words));
}

void set_duration(StoredField& field, TimeUnit stored) {
  const std::string words = concat("duration[", unit_name(stored), ']');
  const auto unit = unit_of(stored);
  if (!unit) return set_other(field, words);
  set_cells(field, Type::duration(*unit), words);
}

void set_time(StoredField& field, const arrow_fbs::Time& stored) {
  const std::string words =
      concat("time", stored.bit_width(), '[', unit_name(stored.unit()), ']');
  const auto unit = unit_of(stored.unit());
  const int32_t bits = unit && *unit <= heron::Type::Millisecond ? 32 : 64;
  if (!unit || stored.bit_width() != bits) return set_other(field, words);
  set_numbers(field, Type::Time, static_cast<uint32_t>(bits / 8),
              units_a_second(heron::Type::Nanosecond) / units_a_second(*unit), 1, words);
}

// Decimals of 128 bits lie in the file as Heron has them; others are narrower or wider.
void set_decimal(StoredField& field, const arrow_fbs::Decimal& stored) {
  const int precision = stored.precision(), scale = stored.scale(), bits = stored.bit_width();
  const std::string words = concat("decimal", bits, '(', precision, ", ", scale, ')');
  const bool has_type = precision >= 1 && precision <= static_cast<int>(Type::kMaxPrecision) &&
                        scale >= 0 && scale <= precision;
  const bool is_narrow = bits == 32 || bits == 64;
  if (!has_type || (bits != 128 && !is_narrow)) return set_other(field, words);
  set_cells(field, Type::decimal(static_cast<uint32_t>(precision), static_cast<uint32_t>(scale)),
            words);
  if (!is_narrow) return;
  field.layout = Layout::NarrowDecimals;
  field.cell_bytes = static_cast<uint32_t>(bits) / 8;
}

void set_fixed(StoredField& field, Layout layout, int64_t size, std::string words) {
  field.layout = layout;
  field.size = size < 0 ? 0 : static_cast<uint64_t>(size);
  field.type = Type::LargeBinary;
  if (size < 0) return set_other(field, std::move(words));
  field.words = std::move(words);
}

void set_lists(StoredField& field, Layout layout, uint32_t offset_bytes) {
  field.layout = layout;
  field.cell_bytes = offset_bytes;
}

// The union of types is verified, but may lack the type that its tag promises.
template <class Stored, class Set>
void with(StoredField& field, const Stored* stored, Set set) {
  if (stored == nullptr) return set_other(field, "type without its table");
  set(*stored);
}

}  // namespace

void set_other(StoredField& field, std::string words) {
  field.layout = Layout::Other;
  field.reason = concat("Heron has no type for Arrow's ", words);
  field.words = std::move(words);
}

std::optional<Type> integer_type(const arrow_fbs::Int& stored) {
  switch (stored.bit_width()) {
    case 8: return stored.is_signed() ? Type::Int8 : Type::UInt8;
    case 16: return stored.is_signed() ? Type::Int16 : Type::UInt16;
    case 32: return stored.is_signed() ? Type::Int32 : Type::UInt32;
    case 64: return stored.is_signed() ? Type::Int64 : Type::UInt64;
    default: return std::nullopt;
  }
}

void set_type(StoredField& field, const arrow_fbs::Field& stored) {
  using arrow_fbs::Type;
  switch (stored.type_type()) {
    case Type::Null:
      field.layout = Layout::Null;
      field.words = "null";
      return;
    case Type::Bool:
      field.layout = Layout::Bits;
      field.type = heron::Type::Bool;
      field.words = "bool";
      return;
    case Type::Int:
      return with(field, stored.type_as_Int(), [&](auto& t) { set_integer(field, t); });
    case Type::FloatingPoint:
      return with(field, stored.type_as_FloatingPoint(),
                  [&](auto& t) { set_float(field, t.precision()); });
    case Type::Date:
      return with(field, stored.type_as_Date(), [&](auto& t) { set_date(field, t.unit()); });
    case Type::Timestamp:
      return with(field, stored.type_as_Timestamp(), [&](auto& t) { set_timestamp(field, t); });
    case Type::Duration:
      return with(field, stored.type_as_Duration(),
                  [&](auto& t) { set_duration(field, t.unit()); });
    case Type::Time:
      return with(field, stored.type_as_Time(), [&](auto& t) { set_time(field, t); });
    case Type::Utf8: return set_bytes(field, heron::Type::Text, "utf8");
    case Type::Binary: return set_bytes(field, heron::Type::Binary, "binary");
    case Type::LargeUtf8: return set_bytes(field, heron::Type::LargeText, "large_utf8");
    case Type::LargeBinary: return set_bytes(field, heron::Type::LargeBinary, "large_binary");
    case Type::Decimal:
      return with(field, stored.type_as_Decimal(), [&](auto& t) { set_decimal(field, t); });
    case Type::Utf8View: return set_views(field, heron::Type::LargeText, "utf8_view");
    case Type::BinaryView: return set_views(field, heron::Type::LargeBinary, "binary_view");
    case Type::FixedSizeBinary:
      return with(field, stored.type_as_FixedSizeBinary(), [&](auto& t) {
        set_fixed(field, Layout::FixedBinary, t.byte_width(),
                  concat("fixed_size_binary[", t.byte_width(), ']'));
      });
    case Type::FixedSizeList:
      return with(field, stored.type_as_FixedSizeList(), [&](auto& t) {
        set_fixed(field, Layout::FixedList, t.list_size(), concat("[", t.list_size(), ']'));
      });
    case Type::List: return set_lists(field, Layout::List, 4);
    case Type::LargeList: return set_lists(field, Layout::List, 8);
    case Type::ListView: return set_lists(field, Layout::ListView, 4);
    case Type::LargeListView: return set_lists(field, Layout::ListView, 8);
    case Type::RunEndEncoded: field.layout = Layout::RunEnds; return;
    case Type::Struct_:
      field.layout = Layout::Struct;
      field.words = "struct";
      return;
    case Type::NONE: return set_other(field, "field without a type");
    default: break;
  }
  const char* name = arrow_fbs::EnumNameType(stored.type_type());
  set_other(field, *name == '\0' ? concat("type ", static_cast<int>(stored.type_type()))
                                 : std::string(name));
}

}  // namespace heron::inline v0::arrow_ipc
