#include "csv/infer.h"

#include <array>
#include <bit>
#include <limits>

#include "columns/parse_time.h"
#include "csv/decimal.h"
#include "csv/words.h"

namespace heron::inline v0::csv {
namespace {

enum Held : uint8_t {
  kBool = 1,
  kInt32 = 2,
  kInt64 = 4,
  kFloat64 = 8,
  kDate32 = 16,
  kTimestamp = 32,
  kText = 64,
};
constexpr std::array kTypes{Type::Bool,   Type::Int32,     Type::Int64, Type::Float64,
                            Type::Date32, Type::Timestamp, Type::Text};
constexpr unsigned kNumbers = kInt32 | kInt64 | kFloat64;
constexpr unsigned kTimes = kDate32 | kTimestamp;

HERON_INLINE unsigned held_by_whole(const Decimal& decimal, std::string_view text) {
  constexpr uint64_t kMost32 = std::numeric_limits<int32_t>::max();
  constexpr uint64_t kMost64 = std::numeric_limits<int64_t>::max();
  if (decimal.digits == 0 && decimal.negative) return kFloat64;
  if (!decimal.is_long && decimal.digits <= kMost32 + decimal.negative) return kNumbers;
  const unsigned as_float = double_keeps(decimal, text) ? kFloat64 : 0;
  const bool fits = !decimal.is_long && decimal.digits <= kMost64 + decimal.negative;
  return as_float | (fits ? kInt64 : 0);
}

HERON_INLINE unsigned held_by_number(const Decimal& decimal, std::string_view text) {
  constexpr int64_t kSureExponent = 280;
  if (!decimal.is_plain) return 0;
  if (decimal.is_whole) return held_by_whole(decimal, text);
  const bool is_sure =
      !decimal.is_long && decimal.exponent >= -kSureExponent && decimal.exponent <= kSureExponent;
  return is_sure || to_float<double>(decimal, text) ? kFloat64 : 0;
}

// Whether it looks like a date as programs write it: "12-03-04" may be anything.
bool has_whole_year(std::string_view text) {
  const size_t dash = text.find('-', 1);
  return dash != std::string_view::npos && dash >= 4 + size_t{text.front() == '-'};
}

unsigned held_by_time(std::string_view text) {
  if (!has_whole_year(text)) return 0;
  const unsigned as_date = parse_time(Type::Date32, text) ? kDate32 : 0;
  return as_date | (parse_time(Type::Timestamp, text) ? kTimestamp : 0);
}

// The types that hold a text, of those that are left and are not text.
HERON_INLINE unsigned held_by(std::string_view text, unsigned left) {
  if ((left & kNumbers) != 0) {
    Decimal decimal;
    if (read_decimal(text, decimal)) return held_by_number(decimal, text);
  }
  if ((left & kTimes) != 0) {
    if (const unsigned times = held_by_time(text)) return times;
  }
  if ((left & kBool) != 0 && bool_word(text)) return kBool;
  return number_word(text) ? kFloat64 : 0;
}

}  // namespace

void ColumnTypes::see(const Records& records, uint64_t column, const MissingWords& missing) {
  unsigned left = left_;
  for (uint64_t i = 0; i < records.size(); ++i) {
    std::string_view field = records.field(i, column);
    if (!take_quotes(field) && missing.contain(field)) {
      has_missing_ = true;
      continue;
    }
    has_values_ = true;
    if (left != kText) left &= held_by(field, left) | kText;
  }
  left_ = static_cast<uint8_t>(left);
}

Type ColumnTypes::type() const {
  return has_values_ ? Type(kTypes[static_cast<size_t>(std::countr_zero(left_))]) : Type::Null;
}

}  // namespace heron::inline v0::csv
