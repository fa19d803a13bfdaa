#include "output/values_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <concepts>

#include "output/utf8.h"

namespace heron::cli {
namespace {

// More than any number, date or timestamp needs.
constexpr size_t kScalarRoom = 48;

struct Style {
  bool json;
  bool raw;
  bool utf8;
};

template <std::integral T>
void append_integer(Sink& sink, T value) {
  char* out = sink.room(kScalarRoom);
  sink.advance(std::to_chars(out, out + kScalarRoom, value).ptr);
}

template <std::floating_point T>
void append_float(Sink& sink, T value, bool json) {
  if (std::isfinite(value)) {
    char* out = sink.room(kScalarRoom);
    char* end = std::to_chars(out, out + kScalarRoom, value).ptr;
    // A reader of JSON takes "-0" for the integer, which has no sign.
    if (value == 0 && std::signbit(value)) end = std::copy_n("-0.0", 4, out);
    sink.advance(end);
    return;
  }
  if (json) sink.append('"');
  sink.append(std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity");
  if (json) sink.append('"');
}

char* put_digits(char* out, uint64_t number, int digits) {
  for (int i = digits - 1; i >= 0; --i, number /= 10) out[i] = static_cast<char>('0' + number % 10);
  return out + digits;
}

int64_t floor_divide(int64_t a, int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

// The proleptic Gregorian calendar, counted in eras of 400 years that begin on a first of March, so
// that the leap day comes last.
char* put_date(char* out, int64_t days) {
  const int64_t from_march_0000 = days + 719468;
  const int64_t era = floor_divide(from_march_0000, 146097);
  const int64_t day_of_era = from_march_0000 - era * 146097;
  const int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t month_from_march = (5 * day_of_year + 2) / 153;
  const int64_t day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
  const int64_t month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
  const int64_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);

  if (year < 0) *out++ = '-';
  const auto magnitude = static_cast<uint64_t>(year < 0 ? -year : year);
  out = magnitude < 10000 ? put_digits(out, magnitude, 4)
                          : std::to_chars(out, out + 20, magnitude).ptr;
  *out++ = '-';
  out = put_digits(out, static_cast<uint64_t>(month), 2);
  *out++ = '-';
  return put_digits(out, static_cast<uint64_t>(day), 2);
}

char* put_timestamp(char* out, int64_t nanoseconds) {
  constexpr int64_t kSecond = 1'000'000'000, kDay = 86'400 * kSecond;
  const int64_t days = floor_divide(nanoseconds, kDay);
  // Not nanoseconds - days * kDay: the product is below the smallest integer on the first day there
  // is.
  const int64_t remainder = nanoseconds % kDay;
  const auto of_day = static_cast<uint64_t>(remainder < 0 ? remainder + kDay : remainder);
  const uint64_t seconds = of_day / kSecond, fraction = of_day % kSecond;
  out = put_date(out, days);
  *out++ = 'T';
  out = put_digits(out, seconds / 3600, 2);
  *out++ = ':';
  out = put_digits(out, seconds / 60 % 60, 2);
  *out++ = ':';
  out = put_digits(out, seconds % 60, 2);
  if (fraction != 0) {
    *out++ = '.';
    out = put_digits(out, fraction, 9);
  }
  return out;
}

template <class Put>
void append_time(Sink& sink, const Style& style, int64_t value, Put put) {
  if (style.raw) return append_integer(sink, value);
  char* out = sink.room(kScalarRoom);
  if (style.json) *out++ = '"';
  out = put(out, value);
  if (style.json) *out++ = '"';
  sink.advance(out);
}

// For each byte: 0 if it stands for itself in JSON, 'u' for \u00XX, else what follows the
// backslash.
constexpr std::array<char, 256> kEscapes = [] {
  std::array<char, 256> escapes{};
  for (int i = 0; i < 0x20; ++i) escapes[static_cast<size_t>(i)] = 'u';
  escapes['\b'] = 'b';
  escapes['\f'] = 'f';
  escapes['\n'] = 'n';
  escapes['\r'] = 'r';
  escapes['\t'] = 't';
  escapes['"'] = '"';
  escapes['\\'] = '\\';
  return escapes;
}();

void append_escape(Sink& sink, unsigned char byte) {
  const char escape = kEscapes[byte];
  sink.append('\\');
  sink.append(escape);
  if (escape == 'u') {
    constexpr std::string_view kHex = "0123456789abcdef";
    sink.append("00");
    sink.append(kHex[byte / 16]);
    sink.append(kHex[byte % 16]);
  }
}

void append_value(Sink& sink, const Values& values, uint64_t row, const Style& style);

void append_list(Sink& sink, const Values& values, uint64_t row, Style style) {
  style.json = true;
  sink.append('[');
  const uint64_t first = values.extent(row), last = values.extent(row + 1);
  const Values& items = values.children[0];
  for (uint64_t i = first; i < last; ++i) {
    if (i > first) sink.append(',');
    if (items.is_missing(i)) {
      sink.append("null");
    } else {
      append_value(sink, items, i, style);
    }
  }
  sink.append(']');
}

void append_text(Sink& sink, std::string_view text, const Style& style) {
  if (style.json) return append_json_text(sink, text, style.utf8);
  if (style.utf8) return sink.append(text);
  append_repaired(sink, text);
}

// Of a value that is there.
void append_value(Sink& sink, const Values& values, uint64_t row, const Style& style) {
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
    case Type::Date32: return append_time(sink, style, values.get<int32_t>(row), put_date);
    case Type::Timestamp: return append_time(sink, style, values.get<int64_t>(row), put_timestamp);
    case Type::List:
    case Type::LargeList: return append_list(sink, values, row, style);
    case Type::DateTime:
    case Type::Duration:
    case Type::DateTimeOffset:
    case Type::RowId:
    case Type::Key:
    case Type::Vector: return;
  }
}

}  // namespace

void append_number(Sink& sink, int64_t value) {
  append_integer(sink, value);
}
void append_number(Sink& sink, uint64_t value) {
  append_integer(sink, value);
}
void append_number(Sink& sink, float value, bool json) {
  append_float(sink, value, json);
}
void append_number(Sink& sink, double value, bool json) {
  append_float(sink, value, json);
}

void append_date(Sink& sink, int64_t days) {
  sink.advance(put_date(sink.room(kScalarRoom), days));
}

void append_timestamp(Sink& sink, int64_t nanoseconds) {
  sink.advance(put_timestamp(sink.room(kScalarRoom), nanoseconds));
}

void append_json_text(Sink& sink, std::string_view text, bool utf8) {
  sink.append('"');
  size_t start = 0;  // of what stands for itself
  for (size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (kEscapes[byte] == 0 && (utf8 || byte < 0x80)) {
      ++at;
      continue;
    }
    const CodePoint next = decode(text, at);
    if (!next.valid || byte < 0x80) {
      sink.append(text.substr(start, at - start));
      if (byte < 0x80) {
        append_escape(sink, byte);
      } else {
        sink.append(kReplacement);
      }
      start = at + next.bytes;
    }
    at += next.bytes;
  }
  sink.append(text.substr(start));
  sink.append('"');
}

ColumnText::ColumnText(const Values& values, bool raw)
    : values_(&values), raw_(raw), utf8_(is_utf8(values)) {}

void ColumnText::append_json(Sink& sink, uint64_t row) const {
  if (values_->is_missing(row)) return sink.append("null");
  append_value(sink, *values_, row, {true, raw_, utf8_});
}

void ColumnText::append_plain(Sink& sink, uint64_t row) const {
  append_value(sink, *values_, row, {false, raw_, utf8_});
}

}  // namespace heron::cli
