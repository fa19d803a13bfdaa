#include "arrow_ipc/write_schema.h"

#include <string>
#include <vector>

#include "arrow/utf8_text.h"
#include "heron/text.h"
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

// Values other than texts become JSON.
std::string text_of(const Metadata& metadata) {
  if (metadata.value == nullptr) return metadata.text;
  const RowBatch& batch = *metadata.value;
  if (batch.columns.empty() || batch.rows == 0) return {};
  const Values& values = batch.columns[0];
  const bool is_text = values.type.is_text() && !values.is_null(0);
  return is_text ? std::string(values.text(0)) : to_json(values, 0);
}

Offset<arrow_fbs::Field> put_field(FlatBufferBuilder& out, std::string_view name, const Type& type,
                                   bool nullable, const std::vector<Metadata>& metadata) {
  std::vector<Offset<arrow_fbs::Field>> children;
  if (type.is_nested()) {
    children.push_back(put_field(out, "item", type.item(), true, {}));
  }
  std::vector<Offset<arrow_fbs::KeyValue>> pairs;
  for (const Metadata& one : metadata) {
    const auto key = put_text(out, one.name);
    const auto value = put_text(out, text_of(one));
    pairs.push_back(arrow_fbs::CreateKeyValue(out, key, value));
  }
  const auto stored_name = put_text(out, name);
  const StoredType stored = put_type(out, type);
  const auto stored_children = out.CreateVector(children);  // readers expect one, if empty
  const auto stored_pairs = pairs.empty()
                                ? Offset<flatbuffers::Vector<Offset<arrow_fbs::KeyValue>>>()
                                : out.CreateVector(pairs);
  return arrow_fbs::CreateField(out, stored_name, nullable, stored.tag, stored.table, 0,
                                stored_children, stored_pairs);
}

}  // namespace

Offset<arrow_fbs::Schema> put_schema(FlatBufferBuilder& metadata, const Schema& schema) {
  std::vector<Offset<arrow_fbs::Field>> fields;
  fields.reserve(schema.size());
  for (const Field& field : schema) {
    const bool nullable = field.nullable || field.type.is(Type::Null);
    fields.push_back(put_field(metadata, field.name, field.type, nullable, field.metadata));
  }
  const auto stored = metadata.CreateVector(fields);
  return arrow_fbs::CreateSchema(metadata, arrow_fbs::Endianness::Little, stored);
}

}  // namespace heron::inline v0::arrow_ipc
