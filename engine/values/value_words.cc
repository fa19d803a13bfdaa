#include "values/value_words.h"

#include <array>
#include <chrono>
#include <cmath>
#include <type_traits>

#include "base/fail.h"
#include "base/utf8.h"
#include "heron/error.h"
#include "heron/text.h"
#include "values/cells.h"
#include "values/hex.h"
#include "values/times.h"

namespace heron::inline v0 {
namespace {

// Returns whether a date lies some 30,000 years or more from 1970, so that nobody meant it as a
// date.
bool is_far(int64_t days) {
  constexpr int64_t kMaxDays = 11'000'000;
  return days < -kMaxDays || days > kMaxDays;
}

std::string date_words(int64_t days) {
  if (is_far(days)) return concat("day ", days);
  std::array<char, kMaxTimeText> text;
  return {text.data(), put_date(text.data(), days)};
}

// The text of a time without zeros at the end of its fraction.
std::string time_words(const Type& type, int64_t time) {
  std::array<char, kMaxTimeText> text;
  std::string words(text.data(), put_time(text.data(), type, time));
  if (words.find('.') == words.npos) return words;
  const bool has_zone = words.ends_with('Z');
  if (has_zone) words.pop_back();
  words.erase(words.find_last_not_of('0') + 1);
  return has_zone ? words + 'Z' : words;
}

std::string datetime_words(int64_t ticks) {
  const std::string words = time_words(Type::DateTime, ticks);
  const auto day = std::chrono::floor<std::chrono::days>(TickDuration(ticks)) + kYearOne;
  return is_far(day.count()) ? concat("day ", day.count(), words.substr(words.find('T'))) : words;
}

std::string text_words(std::string_view text) {
  constexpr size_t kMaximum = 40;
  if (text.size() <= kMaximum) return concat('"', text, '"');
  size_t end = kMaximum;
  while (end > 0 && continues_utf8(text[end])) --end;
  return concat('"', text.substr(0, end), "...\"");
}

std::string binary_words(std::string_view bytes) {
  constexpr size_t kMaximum = 16;
  return concat("binary ", hex_text(bytes.substr(0, kMaximum)),
                bytes.size() > kMaximum ? "..." : "");
}

template <class T>
std::string number_words(T number) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(number)) return "NaN";
    if (std::isinf(number)) return number < 0 ? "-Infinity" : "Infinity";
  }
  return concat(number);
}

std::string key_words(const Values& keys, uint64_t row) {
  return visit_unsigned_type(keys.type, [&]<class T>() {
    const T number = keys.get<T>(row);
    if (keys.children.empty()) return number_words(number);
    return value_words(keys.children[0], static_cast<uint64_t>(number) - 1);
  });
}

}  // namespace

std::string value_words(const Values& values, uint64_t row) {
  if (values.is_null(row)) return "null";
  switch (values.type.id()) {
    case Type::Bool: return values.get_bool(row) ? "true" : "false";
    case Type::Text:
    case Type::LargeText: return text_words(values.text(row));
    case Type::Date32: return date_words(values.get<int32_t>(row));
    case Type::Timestamp:
    case Type::Time: return time_words(values.type, values.get<int64_t>(row));
    case Type::DateTime: return datetime_words(values.get<int64_t>(row));
    case Type::Duration:
      if (values.type.unit() != Type::Tick) return time_words(values.type, values.get<int64_t>(row));
      return concat(values.get<int64_t>(row), " ticks");
    case Type::DateTimeOffset: {
      const auto time = values.get<DateTimeOffset>(row);
      return concat(datetime_words(time.ticks), time.minutes < 0 ? "" : "+", time.minutes, "min");
    }
    case Type::RowId: {
      const auto id = values.get<RowId>(row);
      return concat("row id ", id.high, ':', id.low);
    }
    case Type::Int128:
    case Type::Decimal: return to_text(values, row);
    case Type::Binary:
    case Type::LargeBinary: return binary_words(values.text(row));
    case Type::Key: return key_words(values, row);
    case Type::List:
    case Type::LargeList:
      return concat("a list of ", values.extent(row + 1) - values.extent(row), " items");
    case Type::Vector: return concat("a vector of ", values.get<int32_t>(row), " slots");
    default:
      return visit_cell_type(values.type,
                             [&]<class T>() { return number_words(values.get<T>(row)); });
  }
}

}  // namespace heron::inline v0
