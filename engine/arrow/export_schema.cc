#include "arrow/export_schema.h"

#include "arrow/utf8_text.h"
#include "base/fail.h"
#include "heron/text.h"

namespace heron::inline v0::arrow {

std::string text_of(const Metadata& metadata) {
  if (metadata.value == nullptr) return metadata.text;
  const RowBatch& batch = *metadata.value;
  if (batch.columns.empty() || batch.rows == 0) return {};
  const Values& values = batch.columns[0];
  const bool is_text = values.type.is_text() && !values.is_null(0);
  return is_text ? std::string(values.text(0)) : to_json(values, 0);
}

namespace {

char letter_of(Type::Unit unit) noexcept {
  switch (unit) {
    case Type::Second: return 's';
    case Type::Millisecond: return 'm';
    case Type::Microsecond: return 'u';
    default: return 'n';
  }
}

// The format of a type that counts ticks.
std::string time_format(const Type& type, ArrowTimes times, std::string_view zone) {
  if (times == ArrowTimes::Ticks) return "l";
  const char unit = times == ArrowTimes::Nanoseconds ? 'n' : 'u';
  if (type.is(Type::Duration)) return concat("tD", unit);
  return concat("ts", unit, ':', zone);
}

const char* text_format(const Type& type, const ArrowOptions& options) {
  const bool is_binary = options.binary_text || type.is_binary();
  if (options.texts == ArrowTexts::Views) return is_binary ? "vz" : "vu";
  const bool is_large = type.has_large_offsets() || options.texts == ArrowTexts::Large;
  if (is_binary) return is_large ? "Z" : "z";
  return is_large ? "U" : "u";
}

// The format of a type without children.
std::string format_of(const Type& type, const ArrowOptions& options) {
  switch (type.id()) {
    case Type::Null: return "n";
    case Type::Bool: return "b";
    case Type::Int8: return "c";
    case Type::Int16: return "s";
    case Type::Int32: return "i";
    case Type::Int64: return "l";
    case Type::UInt8: return "C";
    case Type::UInt16: return "S";
    case Type::UInt32: return "I";
    case Type::UInt64: return "L";
    case Type::Float32: return "f";
    case Type::Float64: return "g";
    case Type::Text:
    case Type::LargeText:
    case Type::Binary:
    case Type::LargeBinary: return text_format(type, options);
    case Type::Date32: return "tdD";
    case Type::Timestamp: return concat("ts", letter_of(type.unit()), ':', type.zone());
    case Type::Duration:
      if (type.unit() != Type::Tick) return concat("tD", letter_of(type.unit()));
      return time_format(type, options.times, "");
    case Type::DateTime: return time_format(type, options.times, "");
    case Type::Time: return "ttn";
    case Type::Decimal: return concat("d:", type.size(), ',', type.scale());
    case Type::RowId: return "w:16";
    case Type::Int128: return "d:38,0";
    case Type::Key: return format_of(type.item(), options);
    case Type::List: return "+l";
    case Type::LargeList: return "+L";
    case Type::DateTimeOffset: return "+s";
    case Type::Vector: return type.size() == 0 ? "+L" : concat("+w:", type.size());
  }
  return {};
}

// Returns whether Arrow's format alone would be imported as another type.
bool needs_type_entry(const Type& type) {
  switch (type.id()) {
    case Type::Duration: return type.unit() == Type::Tick;
    case Type::DateTime:
    case Type::DateTimeOffset:
    case Type::RowId:
    case Type::Key:
    case Type::Vector: return true;
    default: return false;
  }
}

SchemaParts parts_of(const Type& type, const Values* sample, const ArrowOptions& options);

Owned<ArrowSchema> item_schema(const Type& type, const Values* sample,
                               const ArrowOptions& options) {
  SchemaParts parts = parts_of(type, sample, options);
  parts.name = "item";
  return make_schema(std::move(parts));
}

void add_local_time_children(SchemaParts& parts, const ArrowOptions& options) {
  SchemaParts utc;
  utc.format = time_format(Type::DateTime, options.times, "UTC");
  utc.name = kUtcName;
  utc.nullable = false;
  parts.children.push_back(make_schema(std::move(utc)));
  SchemaParts minutes;
  minutes.format = "s";
  minutes.name = kOffsetName;
  minutes.nullable = false;
  parts.children.push_back(make_schema(std::move(minutes)));
}

SchemaParts parts_of(const Type& type, const Values* sample, const ArrowOptions& options) {
  SchemaParts parts;
  parts.format = format_of(type, options);
  if (needs_type_entry(type) || (type.is_text() && options.binary_text)) parts.metadata.emplace_back(kTypeEntry, type.name());
  if (type.is(Type::DateTimeOffset)) add_local_time_children(parts, options);
  if (type.is_nested()) {
    const Values* lists =
        sample != nullptr && type.is(Type::Vector) ? &sample->children[0] : sample;
    const Values* items = lists == nullptr ? nullptr : &lists->children[0];
    parts.children.push_back(item_schema(type.item(), items, options));
  }
  if (type.is(Type::Key) && sample != nullptr && !sample->children.empty()) {
    // The specification recommends signed codes unless they need all 64 bits.
    if (type.item().is(Type::UInt64)) parts.format = "l";
    ArrowOptions plain = options;
    plain.texts = ArrowTexts::AsStored;
    SchemaParts values = parts_of(sample->children[0].type, &sample->children[0], plain);
    parts.dictionary = make_schema(std::move(values));
  }
  return parts;
}

}  // namespace

Owned<ArrowSchema> schema_of(const Field& field, const Values* sample,
                             const ArrowOptions& options) {
  SchemaParts parts = parts_of(field.type, sample, options);
  parts.name = as_utf8(field.name);
  parts.nullable = field.nullable || field.type.is(Type::Null);
  if (!field.encoding.empty()) parts.metadata.emplace_back(kEncodingEntry, as_utf8(field.encoding));
  for (const Metadata& metadata : field.metadata) {
    const std::string_view entry = metadata.value == nullptr ? kMetadataEntry : kValueEntry;
    parts.metadata.emplace_back(as_utf8(concat(entry, metadata.name)),
                                as_utf8(text_of(metadata)));
  }
  return make_schema(std::move(parts));
}

Owned<ArrowSchema> schema_of(const Schema& fields, const RowBatch* sample,
                             const ArrowOptions& options) {
  SchemaParts parts;
  parts.format = "+s";
  parts.nullable = false;
  for (uint64_t i = 0; i < fields.size(); ++i) {
    parts.children.push_back(
        schema_of(fields[i], sample == nullptr ? nullptr : &sample->columns[i], options));
  }
  return make_schema(std::move(parts));
}

}  // namespace heron::inline v0::arrow
