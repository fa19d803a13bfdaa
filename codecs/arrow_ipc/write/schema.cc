#include "arrow_ipc/write/schema.h"

#include <string>
#include <vector>

#include "arrow/export_schema.h"
#include "arrow/utf8_text.h"
#include "arrow_ipc/write/values.h"
#include "heron/values.h"

namespace heron::inline v0::arrow_ipc {
namespace {

using flatbuffers::FlatBufferBuilder, flatbuffers::Offset;

struct StoredType {
  arrow_fbs::Type tag;
  Offset<void> table;
};

template <class Table>
StoredType as_type(arrow_fbs::Type tag, Offset<Table> table) {
  return {tag, table.Union()};
}

StoredType put_integer(FlatBufferBuilder& out, const Type& type) {
  const bool is_signed = type.id() <= Type::Int64;
  return as_type(arrow_fbs::Type::Int,
                 arrow_fbs::CreateInt(out, static_cast<int32_t>(8 * type.width()), is_signed));
}

arrow_fbs::TimeUnit unit_of(Type::Unit unit) noexcept {
  switch (unit) {
    case Type::Second: return arrow_fbs::TimeUnit::Second;
    case Type::Millisecond: return arrow_fbs::TimeUnit::Millisecond;
    case Type::Microsecond: return arrow_fbs::TimeUnit::Microsecond;
    default: return arrow_fbs::TimeUnit::Nanosecond;
  }
}

StoredType put_type(FlatBufferBuilder& out, const Type& type) {
  using Tag = arrow_fbs::Type;
  if (type.is_integer()) return put_integer(out, type);
  switch (type.id()) {
    case Type::Bool: return as_type(Tag::Bool, arrow_fbs::CreateBool(out));
    case Type::Float32:
      return as_type(Tag::FloatingPoint,
                     arrow_fbs::CreateFloatingPoint(out, arrow_fbs::Precision::Single));
    case Type::Float64:
      return as_type(Tag::FloatingPoint,
                     arrow_fbs::CreateFloatingPoint(out, arrow_fbs::Precision::Double));
    case Type::Text: return as_type(Tag::Utf8, arrow_fbs::CreateUtf8(out));
    case Type::LargeText: return as_type(Tag::LargeUtf8, arrow_fbs::CreateLargeUtf8(out));
    case Type::Binary: return as_type(Tag::Binary, arrow_fbs::CreateBinary(out));
    case Type::LargeBinary: return as_type(Tag::LargeBinary, arrow_fbs::CreateLargeBinary(out));
    case Type::Decimal:
      return as_type(Tag::Decimal, arrow_fbs::CreateDecimal(out, static_cast<int>(type.size()),
                                                            static_cast<int>(type.scale()), 128));
    case Type::Date32:
      return as_type(Tag::Date, arrow_fbs::CreateDate(out, arrow_fbs::DateUnit::Day));
    case Type::Timestamp: {
      const std::string_view zone = type.zone();
      const auto text =
          zone.empty() ? Offset<flatbuffers::String>() : out.CreateString(zone.data(), zone.size());
      return as_type(Tag::Timestamp, arrow_fbs::CreateTimestamp(out, unit_of(type.unit()), text));
    }
    case Type::Duration:
      return as_type(Tag::Duration, arrow_fbs::CreateDuration(out, unit_of(type.unit())));
    case Type::Time:
      return as_type(Tag::Time, arrow_fbs::CreateTime(out, arrow_fbs::TimeUnit::Nanosecond, 64));
    case Type::Key: return put_integer(out, type.item());
    case Type::RowId:
      return as_type(Tag::FixedSizeBinary,
                     arrow_fbs::CreateFixedSizeBinary(out, static_cast<int32_t>(type.width())));
    case Type::DateTimeOffset: return as_type(Tag::Struct_, arrow_fbs::CreateStruct_(out));
    case Type::Vector:
      if (type.size() == 0) return as_type(Tag::LargeList, arrow_fbs::CreateLargeList(out));
      return as_type(Tag::FixedSizeList,
                     arrow_fbs::CreateFixedSizeList(out, static_cast<int32_t>(type.size())));
    case Type::List: return as_type(Tag::List, arrow_fbs::CreateList(out));
    case Type::LargeList: return as_type(Tag::LargeList, arrow_fbs::CreateLargeList(out));
    default: return as_type(Tag::Null, arrow_fbs::CreateNull(out));
  }
}

Offset<flatbuffers::String> put_text(FlatBufferBuilder& out, std::string_view text) {
  return out.CreateString(arrow::as_utf8(text));
}

// Writes the fields of a column.
class FieldPutter {
 public:
  FieldPutter(FlatBufferBuilder& out, const KeyDictionary* keys) : out_(out), keys_(keys) {}

  Offset<arrow_fbs::Field> put(std::string_view name, const Type& type, bool nullable,
                               const std::vector<Metadata>& metadata = {}) const {
    const auto children = put_children(type);
    std::vector<Offset<arrow_fbs::KeyValue>> pairs;
    const auto put_pair = [&](std::string_view key, std::string_view value) {
      const auto stored_key = put_text(out_, key), stored_value = put_text(out_, value);
      pairs.push_back(arrow_fbs::CreateKeyValue(out_, stored_key, stored_value));
    };
    for (const Metadata& one : metadata) put_pair(one.name, arrow::text_of(one));
    if (type.is(Type::DateTimeOffset)) put_pair(arrow::kTypeEntry, type.name());
    const auto stored_name = put_text(out_, name);
    const bool is_coded = type.is(Type::Key) && keys_ != nullptr;
    const StoredType stored = put_type(out_, is_coded ? keys_->values.type : type);
    const auto dictionary =
        is_coded ? put_dictionary(type) : Offset<arrow_fbs::DictionaryEncoding>();
    const auto stored_children = out_.CreateVector(children);  // readers expect one, if empty
    const auto stored_pairs = pairs.empty()
                                  ? Offset<flatbuffers::Vector<Offset<arrow_fbs::KeyValue>>>()
                                  : out_.CreateVector(pairs);
    return arrow_fbs::CreateField(out_, stored_name, nullable, stored.tag, stored.table, dictionary,
                                  stored_children, stored_pairs);
  }

 private:
  std::vector<Offset<arrow_fbs::Field>> put_children(const Type& type) const {
    if (type.is_nested()) return {put("item", type.item(), true)};
    if (!type.is(Type::DateTimeOffset)) return {};
    const auto utc = put(arrow::kUtcName, in_nanoseconds(type), false);
    return {utc, put(arrow::kOffsetName, Type::Int16, false)};
  }

  Offset<arrow_fbs::DictionaryEncoding> put_dictionary(const Type& key) const {
    const Type code = code_type_of(key);
    const auto stored = arrow_fbs::CreateInt(out_, static_cast<int32_t>(8 * code.width()),
                                             code.id() <= Type::Int64);
    return arrow_fbs::CreateDictionaryEncoding(out_, static_cast<int64_t>(keys_->column), stored,
                                               true);
  }

  FlatBufferBuilder& out_;
  const KeyDictionary* keys_;  // null: keys have no values
};

}  // namespace

Offset<arrow_fbs::Schema> put_schema(FlatBufferBuilder& metadata, const Schema& schema,
                                     const KeyDictionaries& keys) {
  std::vector<Offset<arrow_fbs::Field>> fields;
  fields.reserve(schema.size());
  for (uint64_t column = 0; column < schema.size(); ++column) {
    const Field& field = schema[column];
    const bool nullable = field.nullable || field.type.is(Type::Null);
    const FieldPutter putter(metadata, keys.of(column));
    fields.push_back(putter.put(field.name, field.type, nullable, field.metadata));
  }
  const auto stored = metadata.CreateVector(fields);
  return arrow_fbs::CreateSchema(metadata, arrow_fbs::Endianness::Little, stored);
}

}  // namespace heron::inline v0::arrow_ipc
