#include "arrow_ipc/fields.h"

#include <utility>

#include "base/fail.h"
#include "values/small_floats.h"
#include "values/times.h"

namespace heron::inline v0::arrow_ipc {
namespace {

using arrow_fbs::TimeUnit;

constexpr int kMaxDeep = 64;
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

bool is_value(const StoredField& field) noexcept {
  return field.layout != Layout::Struct && field.layout != Layout::Other;
}

void set_other(StoredField& field, std::string words) {
  field.layout = Layout::Other;
  field.reason = concat("Heron has no type for Arrow's ", words);
  field.words = std::move(words);
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

std::optional<Type> integer_type(const arrow_fbs::Int& stored) {
  switch (stored.bit_width()) {
    case 8: return stored.is_signed() ? Type::Int8 : Type::UInt8;
    case 16: return stored.is_signed() ? Type::Int16 : Type::UInt16;
    case 32: return stored.is_signed() ? Type::Int32 : Type::UInt32;
    case 64: return stored.is_signed() ? Type::Int64 : Type::UInt64;
    default: return std::nullopt;
  }
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

// Sets everything but children.
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

class FieldReader {
 public:
  FieldReader(Fields& fields, arrow_fbs::MetadataVersion version, const std::string& file)
      : fields_(fields), version_(version), file_(file) {}

  // `as_values`: the field's own dictionary is ignored, as for the values of that dictionary.
  StoredField read(const arrow_fbs::Field& stored, int depth, bool as_values = false) {
    if (depth > kMaxDeep) {
      fail(ErrorKind::Limit, file_, "schema: types nested more than ", kMaxDeep, " deep");
    }
    StoredField field;
    field.stored = &stored;
    if (stored.name() != nullptr) field.name = stored.name()->string_view();
    field.node = fields_.nodes;
    field.buffer = fields_.buffers;
    field.views_before = fields_.views;
    set_type(field, stored);
    const bool is_coded = stored.dictionary() != nullptr && !as_values;
    const bool is_behind = !fields_.are_counted;
    if (is_unknown(stored.type_type()) && !is_coded) fields_.are_counted = false;
    if (is_coded) {
      read_codes(field, stored, depth);
    } else {
      count(stored.type_type());
      read_children(field, stored, depth);
      finish(field, stored);
    }
    field.buffers = fields_.buffers - field.buffer;
    field.views = fields_.views - field.views_before;
    if (is_behind && field.layout != Layout::Other) {
      field.reason = "behind a field of a type that Heron does not know";
      field.layout = Layout::Other;
    }
    return field;
  }

 private:
  static bool is_unknown(arrow_fbs::Type type) {
    return type == arrow_fbs::Type::NONE || type > arrow_fbs::Type::MAX;
  }

  // Counts the nodes and buffers of the field without its children.
  void count(arrow_fbs::Type type) {
    using arrow_fbs::Type;
    if (!fields_.are_counted) return;
    ++fields_.nodes;
    switch (type) {
      case Type::Null:
      case Type::RunEndEncoded: return;
      case Type::Struct_:
      case Type::FixedSizeList: fields_.buffers += 1; return;
      case Type::Binary:
      case Type::Utf8:
      case Type::LargeBinary:
      case Type::LargeUtf8:
      case Type::ListView:
      case Type::LargeListView: fields_.buffers += 3; return;
      case Type::BinaryView:
      case Type::Utf8View:
        ++fields_.views;
        fields_.buffers += 2;
        return;
      default: fields_.buffers += 2; return;
    }
  }

  // A union's mode decides its buffers; in version 4 it has a validity bitmap as well.
  void count_union(const arrow_fbs::Field& stored) {
    if (!fields_.are_counted) return;
    const arrow_fbs::Union* type = stored.type_as_Union();
    const bool is_sparse = type == nullptr || type->mode() == arrow_fbs::UnionMode::Sparse;
    if (is_sparse) --fields_.buffers;
    if (version_ == arrow_fbs::MetadataVersion::V4) ++fields_.buffers;
  }

  void read_children(StoredField& field, const arrow_fbs::Field& stored, int depth) {
    if (stored.type_type() == arrow_fbs::Type::Union) count_union(stored);
    if (stored.children() == nullptr) return;
    for (const arrow_fbs::Field* child : *stored.children()) {
      field.children.push_back(read(*child, depth + 1));
    }
  }

  // Codes have a node and two buffers. What their values are is read from the same field.
  void read_codes(StoredField& field, const arrow_fbs::Field& stored, int depth) {
    Fields values;
    const StoredField value = FieldReader(values, version_, file_).read(stored, depth, true);
    if (fields_.are_counted) {
      ++fields_.nodes;
      fields_.buffers += 2;
    }
    const arrow_fbs::Int* index = stored.dictionary()->index_type();
    const auto code = index == nullptr ? std::optional<Type>(Type::Int32) : integer_type(*index);
    const uint32_t node = field.node, buffer = field.buffer;
    field = value;
    field.children.clear();
    field.node = node;
    field.buffer = buffer;
    field.views_before = fields_.views;
    if (field.layout == Layout::Struct) set_other(field, "dictionary of structs");
    if (!code) return set_other(field, concat("codes of ", index->bit_width(), " bits"));
    field.dictionary = stored.dictionary()->id();
    field.code_type = *code;
    field.cell_bytes = code->width();
    field.words = concat("dictionary<", code->name(), ", ", value.words, '>');
  }

  // Makes the type of a field with children from theirs.
  void finish(StoredField& field, const arrow_fbs::Field& stored) {
    using arrow_fbs::Type;
    switch (stored.type_type()) {
      case Type::List: return finish_list(field, "list", false);
      case Type::LargeList: return finish_list(field, "large_list", true);
      case Type::ListView: return finish_list(field, "list_view", true);
      case Type::LargeListView: return finish_list(field, "large_list_view", true);
      case Type::FixedSizeList: return finish_list(field, "fixed_size_list", true);
      case Type::RunEndEncoded: return finish_runs(field);
      default: break;
    }
    if (!is_value(field) || field.children.empty()) return;
    set_other(field, concat(field.words, " with children"));
  }

  void finish_list(StoredField& field, std::string_view name, bool is_large) {
    const std::string size = std::exchange(field.words, "");
    if (field.children.size() != 1) {
      return set_other(field, concat("list of ", field.children.size(), " children"));
    }
    const StoredField& item = field.children[0];
    field.words = concat(name, '<', item.words, '>', size);
    if (field.layout == Layout::Other) return;
    if (!is_value(item)) return set_other(field, field.words);
    field.type = heron::Type::list(item.type, is_large);
  }

  void finish_runs(StoredField& field) {
    if (field.children.size() != 2) return set_other(field, "run ends without two children");
    const StoredField& ends = field.children[0];
    const StoredField& values = field.children[1];
    field.words = concat("run_end_encoded<", ends.words, ", ", values.words, '>');
    const heron::Type::Id id = ends.type.id();
    const bool are_ends = ends.layout == Layout::Cells && !ends.dictionary &&
                          id >= heron::Type::Int16 && id <= heron::Type::Int64;
    if (!are_ends || !is_value(values)) return set_other(field, field.words);
    field.type = values.type;
  }

  Fields& fields_;
  const arrow_fbs::MetadataVersion version_;
  const std::string& file_;
};

void add_leaves(const StoredField& field, std::vector<const StoredField*>& parents,
                std::vector<Leaf>& leaves) {
  if (field.layout != Layout::Struct) {
    leaves.push_back({&field, parents});
    return;
  }
  parents.push_back(&field);
  for (const StoredField& child : field.children) add_leaves(child, parents, leaves);
  parents.pop_back();
}

}  // namespace

Fields read_fields(const arrow_fbs::Schema& schema, arrow_fbs::MetadataVersion version,
                   const std::string& file) {
  Fields fields;
  FieldReader reader(fields, version, file);
  if (schema.fields() == nullptr) return fields;
  fields.fields.reserve(schema.fields()->size());
  for (const arrow_fbs::Field* stored : *schema.fields()) {
    fields.fields.push_back(reader.read(*stored, 0));
  }
  std::vector<const StoredField*> parents;
  for (const StoredField& field : fields.fields) add_leaves(field, parents, fields.leaves);
  return fields;
}

Fields dictionary_fields(const StoredField& field, arrow_fbs::MetadataVersion version,
                         const std::string& file) {
  Fields fields;
  fields.fields.push_back(FieldReader(fields, version, file).read(*field.stored, 0, true));
  fields.leaves.push_back({&fields.fields[0], {}});
  return fields;
}

}  // namespace heron::inline v0::arrow_ipc
