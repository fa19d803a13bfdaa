#include "csv/infer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "csv/decimal.h"
#include "csv/field.h"
#include "heron/csv.h"
#include "values/times.h"

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

// Whether it looks like a date with a full year: "12-03-04" is ambiguous.
bool has_whole_year(std::string_view text) {
  const size_t dash = text.find('-', 1);
  return dash != std::string_view::npos && dash >= 4 + size_t{text.front() == '-'};
}

unsigned held_by_time(std::string_view text) {
  if (!has_whole_year(text)) return 0;
  const unsigned as_date = parse_time(Type::Date32, text) ? kDate32 : 0;
  return as_date | (parse_time(Type::Timestamp, text) ? kTimestamp : 0);
}

// The types, of those left except text, that hold a text.
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

constexpr unsigned kAll = 0xFF;

// What texts with a given first character may be.
enum class Perhaps : uint8_t { Text, Word, Number };

constexpr std::array<Perhaps, 256> kPerhaps = [] {
  std::array<Perhaps, 256> all{};
  for (const char c : std::string_view("0123456789-+."))
    all[static_cast<unsigned char>(c)] = Perhaps::Number;
  for (const char c : std::string_view("tTfFnNiI"))
    all[static_cast<unsigned char>(c)] = Perhaps::Word;
  return all;
}();

bool is_word(std::string_view text) {
  return bool_word(text) || number_word(text) ||
         std::ranges::find(kCsvNullWords, text) != kCsvNullWords.end();
}

// A number, a date or a time.
bool is_number_like(std::string_view text) {
  constexpr size_t kMost = 128;
  if (text.size() > kMost) return text.find_first_not_of("0123456789+-.eE") == text.npos;
  std::array<char, kMost + 8> copy{};  // read_decimal() may read past the text
  text.copy(copy.data(), text.size());
  return held_by({copy.data(), text.size()}, kAll) != 0;
}

}  // namespace

bool looks_typed(std::string_view text) {
  if (text.empty()) return true;
  switch (kPerhaps[static_cast<unsigned char>(text.front())]) {
    case Perhaps::Text: return false;
    case Perhaps::Word: return is_word(text);
    case Perhaps::Number: break;
  }
  return is_number_like(text);
}

SeenField SeenRecords::field(uint64_t record, uint64_t column) const {
  const std::string_view written = records.field(record, column);
  return {file, reader.offset_of(written.data()), shown(unquoted(written))};
}

void ColumnTypes::see(const SeenRecords& seen, uint64_t column, const NullWords& nulls) {
  const Records& records = seen.records;
  const bool was_typed = has_values();
  unsigned left = left_;
  for (uint64_t i = 0; i < records.size(); ++i) {
    std::string_view field = records.field(i, column);
    const bool quoted = take_quotes(field);
    if (!quoted && nulls.contain(field)) {
      has_nulls_ = true;
      continue;
    }
    has_plain_ |= !quoted;
    if (quoted && !in_quotes_) in_quotes_ = seen.field(i, column);
    if (left == kText) continue;
    left &= held_by(field, left) | kText;
    if (left == kText) become_text(seen, column, i, nulls, was_typed);
  }
  left_ = static_cast<uint8_t>(left);
}

// Does nothing for columns that only have texts.
void ColumnTypes::become_text(const SeenRecords& seen, uint64_t column, uint64_t record,
                              const NullWords& nulls, bool was_typed) {
  constexpr uint64_t kMostLookedAt = 256;
  uint64_t values = 0, typed = 0;
  for (uint64_t i = 0; !was_typed && i < std::min(kMostLookedAt, seen.records.size()); ++i) {
    std::string_view field = seen.records.field(i, column);
    if (!take_quotes(field) && nulls.contain(field)) continue;
    ++values;
    typed += held_by(field, kAll) != 0;
  }
  if (was_typed || 2 * typed > values) made_text_ = seen.field(record, column);
}

Type ColumnTypes::type(bool quotes_are_text) const {
  if (!has_values()) return Type::Null;
  if (quotes_are_text && in_quotes_) return Type::Text;
  return kTypes[static_cast<size_t>(std::countr_zero(left_))];
}

const SeenField* ColumnTypes::made_text(bool quotes_are_text) const noexcept {
  if (made_text_) return &*made_text_;
  return quotes_are_text && in_quotes_ && left_ != kText ? &*in_quotes_ : nullptr;
}

}  // namespace heron::inline v0::csv
