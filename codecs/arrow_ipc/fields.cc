#include "arrow_ipc/fields.h"

#include <utility>

#include "base/fail.h"
#include "values/small_floats.h"

namespace heron::inline v0::arrow_ipc {
namespace {

using arrow_fbs::TimeUnit;

constexpr int kMaxDeep = 64;
constexpr int64_t kMillisecondsADay = 86'400'000;

// Returns 0 for an unknown unit.
int64_t units_a_second(TimeUnit unit) noexcept {
  switch (unit) {
    case TimeUnit::Second: return 1;
    case TimeUnit::Millisecond: return 1'000;
    case TimeUnit::Microsecond: return 1'000'000;
    case TimeUnit::Nanosecond: return 1'000'000'000;
  }
  return 0;
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
  const int64_t units = units_a_second(stored.unit());
  // Fields may share a long one, which is in the metadata anyway.
  constexpr uint32_t kMaxZoneBytes = 64;
  const flatbuffers::String* zone = stored.timezone();
  const std::string words =
      zone == nullptr || zone->size() == 0 || zone->size() > kMaxZoneBytes
          ? concat("timestamp[", unit_name(stored.unit()), ']')
          : concat("timestamp[", unit_name(stored.unit()), ", ", zone->string_view(), ']');
  if (units == 0) return set_other(field, words);
  set_numbers(field, Type::Timestamp, 8, 1'000'000'000 / units, 1, words);
}

// Durations have ticks of 100 ns.
void set_duration(StoredField& field, TimeUnit unit) {
  constexpr int64_t kTicksASecond = 10'000'000;
  const int64_t units = units_a_second(unit);
  const std::string words = concat("duration[", unit_name(unit), ']');
  if (units == 0) return set_other(field, words);
  const bool is_finer = units > kTicksASecond;
  set_numbers(field, Type::Duration, 8, is_finer ? 1 : kTicksASecond / units,
              is_finer ? units / kTicksASecond : 1, words);
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
    case Type::List:
    case Type::LargeList:
      field.layout = Layout::List;
      field.cell_bytes = stored.type_type() == Type::List ? 4 : 8;
      return;
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

  // Makes the type of a list from its child's.
  void finish(StoredField& field, const arrow_fbs::Field& stored) {
    const bool is_list = stored.type_type() == arrow_fbs::Type::List ||
                         stored.type_type() == arrow_fbs::Type::LargeList;
    const bool is_fixed = stored.type_type() == arrow_fbs::Type::FixedSizeList;
    if (!is_list && !is_fixed) {
      if (field.layout == Layout::Struct || field.layout == Layout::Other) return;
      if (!field.children.empty()) set_other(field, concat(field.words, " with children"));
      return;
    }
    const std::string size = std::exchange(field.words, "");
    if (field.children.size() != 1) {
      return set_other(field, concat("list of ", field.children.size(), " children"));
    }
    const StoredField& item = field.children[0];
    const bool is_large = stored.type_type() == arrow_fbs::Type::LargeList;
    field.words = concat(is_fixed   ? "fixed_size_list<"
                         : is_large ? "large_list<"
                                    : "list<",
                         item.words, '>', size);
    if (field.layout == Layout::Other) return;
    if (item.layout == Layout::Struct || item.layout == Layout::Other) {
      return set_other(field, field.words);
    }
    field.type = Type::list(item.type, is_large || is_fixed);
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
