#include "values/value_words.h"

#include <chrono>
#include <cmath>
#include <limits>
#include <type_traits>

#include "heron/error.h"
#include "values/cells.h"

namespace heron::inline v0 {
namespace {

std::string padded(int64_t number, size_t digits) {
  std::string text = concat(number);
  return text.size() < digits ? std::string(digits - text.size(), '0') + text : text;
}

// Formats days since 1970, for years that std::chrono supports.
std::string date_words(int64_t days) {
  constexpr int64_t kMostDays = 11'000'000;
  if (days < -kMostDays || days > kMostDays) return concat("day ", days);
  const std::chrono::year_month_day date{
      std::chrono::sys_days(std::chrono::days(static_cast<int>(days)))};
  const int year = static_cast<int>(date.year());
  return concat(year < 0 ? "-" : "", padded(std::abs(year), 4), '-',
                padded(static_cast<unsigned>(date.month()), 2), '-',
                padded(static_cast<unsigned>(date.day()), 2));
}

// Formats units since midnight of day_zero, in days since 1970.
std::string instant_words(int64_t units, int64_t units_a_second, int64_t day_zero) {
  const int64_t units_a_day = 86400 * units_a_second;
  int64_t day = units / units_a_day, rest = units % units_a_day;
  if (rest < 0) {
    rest += units_a_day;
    --day;
  }
  const int64_t seconds = rest / units_a_second;
  std::string words = concat(date_words(day + day_zero), 'T', padded(seconds / 3600, 2), ':',
                             padded(seconds / 60 % 60, 2), ':', padded(seconds % 60, 2));
  if (rest % units_a_second == 0) return words;
  std::string fraction = padded(rest % units_a_second + units_a_second, 1);
  fraction.erase(fraction.find_last_not_of('0') + 1);
  return concat(words, '.', fraction.substr(1));
}

std::string datetime_words(int64_t ticks) {
  constexpr int64_t kYearOne = -719'162;
  return instant_words(ticks, 10'000'000, kYearOne);
}

std::string text_words(std::string_view text) {
  constexpr size_t kMost = 40;
  if (text.size() <= kMost) return concat('"', text, '"');
  size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return concat('"', text.substr(0, end), "...\"");
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
  return visit_cell_type(keys.type, [&]<class T>() {
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
    case Type::Timestamp: return instant_words(values.get<int64_t>(row), 1'000'000'000, 0);
    case Type::DateTime: return datetime_words(values.get<int64_t>(row));
    case Type::Duration: return concat(values.get<int64_t>(row), " ticks");
    case Type::DateTimeOffset: {
      const auto time = values.get<DateTimeOffset>(row);
      return concat(datetime_words(time.ticks), time.minutes < 0 ? "" : "+", time.minutes, "min");
    }
    case Type::RowId: {
      const auto id = values.get<RowId>(row);
      return concat("row id ", id.high, ':', id.low);
    }
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
