#include "kit/plain_literals.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace heron::inline v0 {
namespace {

PlainOperand literal(PlainValue value, std::string spelling) {
  PlainOperand operand;
  operand.value = std::move(value);
  operand.spelling = std::move(spelling);
  return operand;
}

std::string digits(Int128 value, size_t width) {
  std::string text = decimal(value);
  return std::string(width - std::min(width, text.size()), '0') + text;
}

Int128 floor_divided(Int128 a, Int128 b) {
  return a / b - (a % b < 0);
}

// Returns text such as "2026-11-21" for days since 1970, in years with four digits.
std::optional<std::string> date_text(Int128 days) {
  if (days < -719'162 || days > 2'932'896) return {};
  const std::chrono::year_month_day date{
      std::chrono::sys_days(std::chrono::days(static_cast<int>(days)))};
  return digits(int{date.year()}, 4) + '-' + digits(unsigned{date.month()}, 2) + '-' +
         digits(unsigned{date.day()}, 2);
}

// Returns the time of day of units within a day.
std::string clock_text(Int128 units, Int128 second, size_t fraction_digits) {
  const Int128 seconds = units / second;
  std::string text = digits(seconds / 3600, 2) + ':' + digits(seconds / 60 % 60, 2) + ':' +
                     digits(seconds % 60, 2);
  if (units % second != 0) text += '.' + digits(units % second, fraction_digits);
  return text;
}

std::optional<std::string> time_text(Int128 units, Int128 second, size_t fraction_digits,
                                     Int128 day_zero) {
  const Int128 day = second * 86'400;
  const Int128 days = floor_divided(units, day);
  const auto date = date_text(days + day_zero);
  if (!date) return {};
  return *date + 'T' + clock_text(units - days * day, second, fraction_digits);
}

constexpr Int128 kTicksOfASecond = 10'000'000;
constexpr size_t kTickDigits = 7;
constexpr Int128 kYearOne = -719'162;  // in days since 1970

struct Second {
  Int128 units;
  size_t digits;  // of a fraction
};
Second second_of(const Type& type) {
  switch (type.unit()) {
    case Type::Second: return {1, 0};
    case Type::Millisecond: return {1'000, 3};
    case Type::Microsecond: return {1'000'000, 6};
    case Type::Tick: return {kTicksOfASecond, kTickDigits};
    default: return {1'000'000'000, 9};
  }
}

std::string duration_text(Int128 units, const Second& second) {
  const Int128 size = units < 0 ? -units : units;
  const Int128 day = second.units * 86'400;
  std::string text = units < 0 ? "-" : "";
  if (size >= day) text += decimal(size / day) + '.';
  return text + clock_text(size % day, second.units, second.digits);
}

std::optional<std::string> local_text(Int128 instant, int minutes) {
  const auto text = time_text(instant + Int128{minutes} * 60 * kTicksOfASecond, kTicksOfASecond,
                              kTickDigits, kYearOne);
  if (!text) return {};
  const int size = std::abs(minutes);
  return *text + (minutes < 0 ? '-' : '+') + digits(size / 60, 2) + ':' + digits(size % 60, 2);
}

std::string row_id_text(UInt128 id) {
  char text[33];
  std::snprintf(text, sizeof text, "%016llx%016llx",
                static_cast<unsigned long long>(id >> 64),  // NOLINT: what printf wants
                static_cast<unsigned long long>(id));       // NOLINT
  return text;
}

std::optional<std::string> iso_text(const Type& type, Int128 value, int minutes) {
  switch (type.id()) {
    case Type::Date32: return date_text(value);
    case Type::Timestamp: {
      const Second second = second_of(type);
      auto text = time_text(value, second.units, second.digits, 0);
      if (text && !type.zone().empty()) *text += 'Z';
      return text;
    }
    case Type::DateTime: return time_text(value, kTicksOfASecond, kTickDigits, kYearOne);
    case Type::Duration: return duration_text(value, second_of(type));
    case Type::Time: return clock_text(value, 1'000'000'000, 9);
    case Type::DateTimeOffset: return local_text(value, minutes);
    default: return {};
  }
}

}  // namespace

std::string decimal(Int128 value) {
  if (value < 0) return '-' + (value < -9 ? decimal(-(value / 10)) : "") + decimal(-(value % 10));
  std::string text(1, static_cast<char>('0' + static_cast<int>(value % 10)));
  return value < 10 ? text : decimal(value / 10) + text;
}

PlainOperand number_literal(const std::string& spelling) {
  if (spelling.find_first_of(".eE") != std::string::npos)
    return literal(std::strtod(spelling.c_str(), nullptr), spelling);
  Int128 value = 0;
  const bool negative = spelling.starts_with('-');
  for (const char digit : spelling.substr(negative ? 1 : 0))
    value = value * 10 + (negative ? -(digit - '0') : digit - '0');
  return literal(value, spelling);
}
PlainOperand number_literal(Int128 value) {
  return literal(value, decimal(value));
}
PlainOperand number_literal(double value) {
  char text[64];
  std::string spelling(text, std::to_chars(text, text + sizeof text, value).ptr);
  if (spelling.find_first_of(".e") == std::string::npos) spelling += ".0";
  return literal(value, spelling);
}
PlainOperand decimal_literal(const PlainDecimal& value) {
  return literal(value, text_of(value));
}
PlainOperand text_literal(const std::string& value) {
  return literal(value, quoted(value));
}
PlainOperand bool_literal(bool value) {
  return literal(Int128{value}, value ? "true" : "false");
}
PlainOperand null_literal() {
  return literal({}, "null");
}

std::optional<PlainOperand> quoted_literal(const Type& type, const PlainValue& value, int minutes) {
  if (const auto* id = std::get_if<UInt128>(&value)) return literal(*id, quoted(row_id_text(*id)));
  const auto text = iso_text(type, std::get<Int128>(value), minutes);
  if (!text) return {};
  return literal(value, quoted(*text));
}

}  // namespace heron::inline v0
