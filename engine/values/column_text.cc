// Writes values as text, one after the other.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <span>

#include "base/fail.h"
#include "base/hints.h"
#include "base/int128.h"
#include "heron/error.h"
#include "heron/text.h"
#include "values/cells.h"
#include "values/decimals.h"
#include "values/hex.h"
#include "values/slots.h"
#include "values/times.h"
#include "values/utf8_values.h"

namespace heron::inline v0 {
namespace {

// Bytes enough for any number.
constexpr size_t kNumberRoom = 48;

struct Style : ValueForm {
  bool json = false;
  bool utf8 = false;
};

template <std::integral T>
void append_integer(TextSink& sink, T value) {
  char* out = sink.room(kNumberRoom);
  sink.advance(std::to_chars(out, out + kNumberRoom, value).ptr);
}

void append_decimal(TextSink& sink, Int128 units, uint32_t scale) {
  sink.advance(put_decimal(sink.room(kMaxDecimalText), units, scale));
}

template <std::floating_point T>
void append_float(TextSink& sink, T value, bool json) {
  if (std::isfinite(value)) {
    char* out = sink.room(kNumberRoom);
    char* end = std::to_chars(out, out + kNumberRoom, value).ptr;
    // JSON readers parse "-0" as an integer and lose the sign.
    if (value == 0 && std::signbit(value)) end = std::copy_n("-0.0", 4, out);
    sink.advance(end);
    return;
  }
  if (json) sink.append('"');
  sink.append(std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity");
  if (json) sink.append('"');
}

template <class Append>
void append_quoted(TextSink& sink, bool json, Append append) {
  if (json) sink.append('"');
  append();
  if (json) sink.append('"');
}

// The type's values are a single integer that counts time.
void append_time(TextSink& sink, const Type& type, int64_t value, const Style& style) {
  if (style.raw) return append_integer(sink, value);
  append_quoted(sink, style.json, [&] {
    sink.advance(put_time(sink.room(kMaxTimeText), type, value));
  });
}

void append_datetimeoffset(TextSink& sink, const DateTimeOffset& value, const Style& style) {
  if (!style.raw) {
    return append_quoted(sink, style.json, [&] {
      sink.advance(put_datetimeoffset(sink.room(kMaxTimeText), value));
    });
  }
  sink.append('[');
  append_integer(sink, value.ticks);
  sink.append(',');
  append_integer(sink, value.minutes);
  sink.append(']');
}

// Appends two hexadecimal digits a byte.
void append_binary(TextSink& sink, std::string_view bytes, const Style& style) {
  constexpr size_t kBytesAtOnce = 1024;
  append_quoted(sink, style.json, [&] {
    for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), kBytesAtOnce))) {
      const std::string_view some = bytes.substr(0, kBytesAtOnce);
      sink.advance(put_hex(sink.room(2 * some.size()), some));
    }
  });
}

void append_row_id(TextSink& sink, const RowId& id, const Style& style) {
  append_quoted(sink, style.json, [&] {
    for (const uint64_t half : {id.high, id.low}) {
      for (int shift = 60; shift >= 0; shift -= 4) sink.append(kHexDigits[half >> shift & 15]);
    }
  });
}

void append_value(TextSink& sink, const Values& values, uint64_t row, const Style& style);

void append_item(TextSink& sink, const Values& values, uint64_t row, const Style& style) {
  if (values.is_null(row)) return sink.append("null");
  append_value(sink, values, row, style);
}

// Calls append(i) for each item up to `most`.
template <class Append>
void append_array(TextSink& sink, uint64_t items, uint64_t most, Append append) {
  sink.append('[');
  for (uint64_t i = 0; i < std::min(items, most); ++i) {
    if (i > 0) sink.append(',');
    append(i);
  }
  if (items > most) sink.append(concat(", ... ", items, " in all"));
  sink.append(']');
}

void append_list(TextSink& sink, const Values& values, uint64_t row, const Style& style) {
  const uint64_t first = values.extent(row);
  append_array(sink, values.extent(row + 1) - first, style.max_items,
               [&](uint64_t i) { append_item(sink, values.children[0], first + i, style); });
}

// The value of a slot that is not stored, as one row.
Values unstored(const Type& item) {
  alignas(16) static constexpr std::array<std::byte, 16> kZeros{};
  Values values(item, 1);
  values.data = values.offsets = {kZeros.data(), kZeros.size()};
  if (item.is(Type::Key)) values.validity = values.data;
  return values;
}

void append_all_slots(TextSink& sink, const Slots& slots, const Style& style) {
  if (slots.is_dense()) {
    return append_array(sink, slots.length, style.max_items, [&](uint64_t slot) {
      append_item(sink, slots.items, slots.first + slot, style);
    });
  }
  const Values zero = unstored(slots.items.type);
  uint64_t next = 0;  // next stored item
  append_array(sink, slots.length, style.max_items, [&](uint64_t slot) {
    if (next < slots.stored && slots.slot(next) == slot) {
      append_item(sink, slots.items, slots.first + next++, style);
    } else {
      append_item(sink, zero, 0, style);
    }
  });
}

void append_stored_slots(TextSink& sink, const Slots& slots, const Style& style) {
  sink.append("{\"len\":");
  append_integer(sink, slots.length);
  if (!slots.is_dense()) {
    sink.append(",\"indices\":");
    append_array(sink, slots.stored, UINT64_MAX,
                 [&](uint64_t i) { append_integer(sink, slots.indices[i]); });
  }
  sink.append(",\"values\":");
  append_array(sink, slots.stored, UINT64_MAX,
               [&](uint64_t i) { append_item(sink, slots.items, slots.first + i, style); });
  sink.append('}');
}

// Appends a list or vector.
void append_nested(TextSink& sink, const Values& values, uint64_t row, Style style) {
  style.json = true;
  if (values.type.is_list()) return append_list(sink, values, row, style);
  const Slots slots(values, row);
  if (style.sparse) return append_stored_slots(sink, slots, style);
  append_all_slots(sink, slots, style);
}

// The value must not be null.
uint64_t key_number(const Values& keys, uint64_t row) noexcept {
  switch (keys.type.item().id()) {
    case Type::UInt8: return keys.get<uint8_t>(row);
    case Type::UInt16: return keys.get<uint16_t>(row);
    case Type::UInt32: return keys.get<uint32_t>(row);
    default: return keys.get<uint64_t>(row);
  }
}

void append_key(TextSink& sink, const Values& keys, uint64_t row, const Style& style) {
  const uint64_t number = key_number(keys, row);
  if (keys.children.empty()) return append_integer(sink, number);
  append_item(sink, keys.children[0], number - 1, style);
}

void append_text(TextSink& sink, std::string_view text, const Style& style) {
  if (style.json) return append_json_text(sink, text, style.utf8);
  if (style.utf8) return sink.append(text);
  append_utf8(sink, text);
}

// The value must not be null.
void append_value(TextSink& sink, const Values& values, uint64_t row, const Style& style) {
  switch (values.type.id()) {
    case Type::Null: return sink.append("null");
    case Type::Bool: return sink.append(values.get_bool(row) ? "true" : "false");
    case Type::Int8: return append_integer(sink, values.get<int8_t>(row));
    case Type::Int16: return append_integer(sink, values.get<int16_t>(row));
    case Type::Int32: return append_integer(sink, values.get<int32_t>(row));
    case Type::Int64: return append_integer(sink, values.get<int64_t>(row));
    case Type::UInt8: return append_integer(sink, values.get<uint8_t>(row));
    case Type::UInt16: return append_integer(sink, values.get<uint16_t>(row));
    case Type::UInt32: return append_integer(sink, values.get<uint32_t>(row));
    case Type::UInt64: return append_integer(sink, values.get<uint64_t>(row));
    case Type::Float32: return append_float(sink, values.get<float>(row), style.json);
    case Type::Float64: return append_float(sink, values.get<double>(row), style.json);
    case Type::Text:
    case Type::LargeText: return append_text(sink, values.text(row), style);
    case Type::Date32: return append_time(sink, values.type, values.get<int32_t>(row), style);
    case Type::Timestamp:
    case Type::DateTime:
    case Type::Duration:
    case Type::Time: return append_time(sink, values.type, values.get<int64_t>(row), style);
    case Type::DateTimeOffset:
      return append_datetimeoffset(sink, values.get<DateTimeOffset>(row), style);
    case Type::RowId: return append_row_id(sink, values.get<RowId>(row), style);
    case Type::Int128: return append_decimal(sink, cell_of<Int128>(values, row), 0);
    case Type::Decimal:
      return append_decimal(sink, cell_of<Int128>(values, row), values.type.scale());
    case Type::Binary:
    case Type::LargeBinary: return append_binary(sink, values.text(row), style);
    case Type::Key: return append_key(sink, values, row, style);
    case Type::List:
    case Type::LargeList:
    case Type::Vector: return append_nested(sink, values, row, style);
  }
}

// Throws Error(Limit) if one of the lengths of vectors is more than the slots that are shown.
void check_slots(std::span<const int32_t> lengths, const ValueForm& form) {
  if (form.sparse || form.max_items != UINT64_MAX || lengths.empty()) return;
  const int32_t longest = *std::ranges::max_element(lengths);
  if (static_cast<uint64_t>(longest) <= ColumnText::kMaxSlots) return;
  fail_with_hint(ErrorKind::Limit, hint::kSparse, {}, "a vector of ", longest,
                 " slots is more than the ", ColumnText::kMaxSlots, " that are shown");
}

std::string text_of(const Values& values, uint64_t row, const Style& style) {
  const bool is_null = values.is_null(row);
  if (values.type.is(Type::Vector) && !is_null) {
    check_slots({values.data.as<int32_t>() + row, 1}, style);
  }
  StringSink sink;
  append_item(sink, values, row, style);
  return std::string(sink.text());
}

// The text of a value of fixed width.
template <class T>
std::string text_of_cell(const Type& type, const T& cell, const Style& style) {
  Values values(type, 1);
  values.data = {reinterpret_cast<const std::byte*>(&cell), sizeof cell};
  return text_of(values, 0, style);
}

std::string text_of(const Type& type, const Scalar& value, const Style& style) {
  if (const auto* number = std::get_if<int64_t>(&value)) {
    if (type.is(Type::DateTimeOffset)) {
      return text_of_cell(type, DateTimeOffset{.ticks = *number}, style);
    }
    StringSink sink;
    if (is_time(type)) {
      append_time(sink, type, *number, style);
    } else {
      append_integer(sink, *number);
    }
    return std::string(sink.text());
  }
  if (const auto* number = std::get_if<double>(&value)) {
    if (!type.is(Type::Float32)) return text_of_cell(Type::Float64, *number, style);
    return text_of_cell(type, static_cast<float>(*number), style);
  }
  if (const auto* number = std::get_if<uint64_t>(&value)) {
    return text_of_cell(Type::UInt64, *number, style);
  }
  if (const auto* units = std::get_if<WideInteger>(&value)) {
    return text_of_cell(type, *units, style);
  }
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return "null";
  StringSink sink;
  type.is_binary() ? append_binary(sink, *text, style) : append_text(sink, *text, style);
  return std::string(sink.text());
}

}  // namespace

void append_number(TextSink& sink, int64_t value) {
  append_integer(sink, value);
}
void append_number(TextSink& sink, uint64_t value) {
  append_integer(sink, value);
}
void append_number(TextSink& sink, float value, bool json) {
  append_float(sink, value, json);
}
void append_number(TextSink& sink, double value, bool json) {
  append_float(sink, value, json);
}

std::string to_text(const Values& values, uint64_t row, ValueForm form) {
  return text_of(values, row, {form, false, false});
}
std::string to_json(const Values& values, uint64_t row, ValueForm form) {
  return text_of(values, row, {form, true, false});
}
std::string to_text(const Type& type, const Scalar& value, ValueForm form) {
  return text_of(type, value, {form, false, false});
}
std::string to_json(const Type& type, const Scalar& value, ValueForm form) {
  return text_of(type, value, {form, true, false});
}

ColumnText::ColumnText(const Values& values, ValueForm form)
    : values_(&values),
      shown_(values.type.is(Type::Key) && !values.children.empty() ? values.children.data()
                                                                   : values_),
      form_(form),
      utf8_(are_utf8(values)) {
  if (values.type.is(Type::Vector)) check_slots({values.data.as<int32_t>(), values.rows}, form);
}

void ColumnText::append_json(TextSink& sink, uint64_t row) const {
  append_item(sink, *values_, row, {form_, true, utf8_});
}

void ColumnText::append_plain(TextSink& sink, uint64_t row) const {
  append_value(sink, *values_, row, {form_, false, utf8_});
}

bool ColumnText::is_json() const noexcept {
  return shown_->type.is_nested() || (form_.raw && shown_->type.is(Type::DateTimeOffset));
}

uint64_t ColumnText::shown_row(uint64_t row) const {
  return key_number(*values_, row) - 1;
}

}  // namespace heron::inline v0
