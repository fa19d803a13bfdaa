#include "csv/infer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "csv/decimal.h"
#include "csv/field.h"
#include "csv/number_parser.h"
#include "heron/csv.h"
#include "values/times.h"

namespace heron::inline v0::csv {
namespace {

enum Held : uint16_t {
  kBool = 1,
  kInt32 = 2,
  kInt64 = 4,
  kFloat64 = 8,
  kDate32 = 16,
  kTimestamp = 32,
  kUtcTimestamp = 64,
  kText = 128,
  // The bits below mark texts that may have another meaning, too.
  kYesNo = 256,
  kAmbiguousDate = 512,
  kCommaNumber = 1024,  // a number with a decimal comma, or a whole number
};
constexpr std::array kTypes{Type::Bool,   Type::Int32,     Type::Int64,     Type::Float64,
                            Type::Date32, Type::Timestamp, Type::Timestamp, Type::Text};
constexpr unsigned kAll = ColumnFacts::kAllHeld;
constexpr unsigned kTyped = kText - 1;
constexpr unsigned kNumbers = kInt32 | kInt64 | kFloat64;
constexpr unsigned kTimes = kDate32 | kTimestamp | kUtcTimestamp;
constexpr unsigned kOdd = kUtcTimestamp | kYesNo | kAmbiguousDate | kCommaNumber;
static_assert(kAll == 2 * kCommaNumber - 1);

HERON_INLINE unsigned held_by_whole(const Decimal& decimal, std::string_view text) {
  constexpr uint64_t kMax32 = std::numeric_limits<int32_t>::max();
  constexpr uint64_t kMax64 = std::numeric_limits<int64_t>::max();
  if (!decimal.is_long && decimal.digits == 0 && decimal.negative) return kFloat64;  // -0
  if (!decimal.is_long && decimal.digits <= kMax32 + decimal.negative)
    return kNumbers | kCommaNumber;
  const unsigned as_float = double_keeps(decimal, text) ? kFloat64 : 0;
  const bool fits = !decimal.is_long && decimal.digits <= kMax64 + decimal.negative;
  return as_float | (fits ? kInt64 : 0) | kCommaNumber;
}

HERON_INLINE unsigned held_by_number(const Decimal& decimal, std::string_view text) {
  constexpr int64_t kSureExponent = 280;
  if (!decimal.is_plain) return 0;
  if (decimal.is_whole) return held_by_whole(decimal, text);
  const bool is_sure =
      !decimal.is_long && decimal.exponent >= -kSureExponent && decimal.exponent <= kSureExponent;
  return is_sure || to_float<double>(decimal, text) ? kFloat64 : 0;
}

// Returns whether a date-like text has a full year: "12-03-04" is ambiguous.
bool has_whole_year(std::string_view text) {
  const size_t dash = text.find('-', 1);
  return dash != std::string_view::npos && dash >= 4 + size_t{text.front() == '-'};
}

unsigned held_by_time(std::string_view text) {
  if (!has_whole_year(text)) return 0;
  const unsigned as_date = parse_time(Type::Date32, text) ? kDate32 : 0;
  const unsigned as_time = as_date | (parse_time(Type::Timestamp, text) ? kTimestamp : 0);
  const bool is_utc = as_time == 0 && parse_utc_timestamp(Type::Nanosecond, text);
  return is_utc ? unsigned{kUtcTimestamp} : as_time;
}

// Returns whether a text has the form "3/4/2024" or "03/04/24", with slashes or points.
bool is_ambiguous_date(std::string_view text) {
  constexpr std::array<size_t, 3> kMaxDigits{2, 2, 4};
  char mark = 0;
  for (size_t part = 0; part < kMaxDigits.size(); ++part) {
    const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    if (digits == 0 || digits > kMaxDigits[part] || digits == 3) return false;
    text.remove_prefix(digits);
    if (part == 2) return text.empty() && (digits == 4 || (digits == 2 && mark == '/'));
    if (text.empty() || (text[0] != '/' && text[0] != '.') || (part == 1 && text[0] != mark))
      return false;
    mark = text[0];
    text.remove_prefix(1);
  }
  return false;
}

bool is_comma_number(std::string_view text) {
  Decimal decimal;
  return read_decimal(CommaNumber(text).text(), decimal) && decimal.is_plain;
}

unsigned held_by_other(std::string_view text, unsigned left, const FieldRules& rules);

// Returns the types, among those left, that hold a text, except text itself.
HERON_INLINE unsigned held_by(std::string_view text, unsigned left, const FieldRules& rules) {
  if ((left & kNumbers) != 0 && !rules.decimal_comma) {
    Decimal decimal;
    if (read_decimal(text, decimal)) return held_by_number(decimal, text);
  }
  return held_by_other(text, left, rules);
}

// Does what held_by() does, for texts that read_decimal() does not read.
unsigned held_by_other(std::string_view text, unsigned left, const FieldRules& rules) {
  if ((left & kTimes) != 0) {
    if (const unsigned times = held_by_time(text)) return times;
  }
  if (rules.decimal_comma && (left & kNumbers) != 0) {
    const CommaNumber number(text);
    Decimal decimal;
    if (read_decimal(number.text(), decimal))
      return held_by_number(decimal, number.text()) & kTyped;
  }
  if ((left & kBool) != 0 && bool_word(text)) return kBool;
  if (number_word(text)) return kFloat64;
  if ((left & kYesNo) != 0 && yes_or_no(text)) return kYesNo;
  if ((left & kAmbiguousDate) != 0 && is_ambiguous_date(text)) return kAmbiguousDate;
  if ((left & kCommaNumber) != 0 && is_comma_number(text)) return kCommaNumber;
  const std::string_view inner = without_blanks(text);
  return inner.size() == text.size() ? 0 : held_by(inner, left, rules) & kTyped;
}

// Returns held_by() of most numbers, without computing their value; 0 if held_by() must be called.
HERON_INLINE unsigned held_by_usual(std::string_view text, digits::Usual& usual) {
  constexpr uint32_t kMaxWhole = 9;
  if (!digits::find_usual(text, usual) || !usual.is_plain) return 0;
  if (usual.has_point) return kFloat64;
  const bool is_short = usual.whole <= kMaxWhole && (usual.minus == 0 || text.data()[1] != '0');
  return is_short ? kNumbers | kCommaNumber : 0;
}

// A policy to which see_fields() passes fields and nulls: this policy keeps nothing.
struct KeepNothing {
  void add_null(uint64_t) {}
  void add_usual(uint64_t, std::string_view, const digits::Usual&) {}
  void add(uint64_t, std::string_view) {}
};

template <class T>
struct KeepNumbers {
  T* cells;
  uint8_t* valid;
  bool fit = true;

  HERON_INLINE void add_null(uint64_t i) {
    cells[i] = T{};
    valid[i] = 0;
  }
  HERON_INLINE void add_usual(uint64_t i, std::string_view field, const digits::Usual& usual) {
    Decimal decimal;
    if (!digits::read_usual(field, usual, decimal)) return add(i, field);
    valid[i] = 1;
    fit &= NumberParser<T>().convert(decimal, field, cells[i]);
  }
  [[gnu::noinline]] void add(uint64_t i, std::string_view field) {
    valid[i] = 1;
    fit = fit && NumberParser<T>().parse(without_blanks(field), cells[i]);
  }
};

// The kinds of text that may begin with a given character.
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

// Returns whether a text is a number, a date or a time.
bool is_number_like(std::string_view text) {
  constexpr size_t kMaximum = 128;
  if (text.size() > kMaximum) return text.find_first_not_of("0123456789+-.eE") == text.npos;
  std::array<char, kMaximum + digits::kReadBehind> copy{};
  text.copy(copy.data(), text.size());
  static const FieldRules kDefault{CsvOptions()};
  return (held_by({copy.data(), text.size()}, kAll, kDefault) & kTyped) != 0;
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

SeenField SeenRecords::field(uint64_t record, uint64_t index, const FieldRules& rules) const {
  const std::string_view written = records.field(record, index);
  return {file, reader.offset_of(written.data()), shown(unquoted(rules.trimmed(written)))};
}

bool ColumnFacts::are_possible() const noexcept {
  return (held & kText) != 0 && held <= kAllHeld;
}

void ColumnFacts::merge(const ColumnFacts& other) noexcept {
  held &= other.held;
  has_nulls |= other.has_nulls;
  has_plain |= other.has_plain;
  has_quoted |= other.has_quoted;
}

Type ColumnFacts::type(bool quotes_are_text) const {
  if (!has_values()) return Type::Null;
  if (quotes_are_text && has_quoted) return Type::Text;
  if (are_utc_times()) return Type::timestamp(Type::Nanosecond, "UTC");
  return kTypes[static_cast<size_t>(std::countr_zero(unsigned{held}))];
}

bool ColumnFacts::are_utc_times() const noexcept {
  return has_values() && (held & kTyped) == kUtcTimestamp;
}
bool ColumnFacts::are_yes_and_no() const noexcept {
  return has_values() && (held & kYesNo) != 0;
}
bool ColumnFacts::are_ambiguous_dates() const noexcept {
  return has_values() && (held & kAmbiguousDate) != 0;
}
bool ColumnFacts::are_comma_numbers() const noexcept {
  return has_values() && (held & (kTyped | kCommaNumber)) == kCommaNumber;
}

template <class Keep>
void ColumnTypes::see_fields(const SeenRecords& seen, uint64_t index, const FieldRules& rules,
                             Keep& keep) {
  const Records& records = seen.records;
  const bool was_typed = typed_before_ != 0 || facts_.has_values();
  unsigned left = facts_.held;
  uint64_t nulls = 0, in_quotes = 0;
  for (uint64_t i = 0; i < records.size(); ++i) {
    std::string_view field = rules.trimmed(records.field(i, index));
    const bool quoted = take_quotes(field);
    if (!quoted && rules.nulls.contain(field)) {
      ++nulls;
      keep.add_null(i);
      continue;
    }
    if (quoted && in_quotes++ == 0 && !in_quotes_) in_quotes_ = seen.field(i, index, rules);
    if (left == kText) {
      if (others_ != 0) count_unfit(field, rules);
      continue;
    }
    const unsigned before = left;
    digits::Usual usual;
    unsigned held =
        (left & kNumbers) != 0 && !rules.decimal_comma ? held_by_usual(field, usual) : 0;
    if (held != 0) {
      keep.add_usual(i, field, usual);
    } else {
      held = held_by(field, left, rules);
      keep.add(i, field);
    }
    left &= held | kText;
    if (left == before) continue;
    if (left == kText) become_text(seen, index, i, rules, was_typed, before);
    if (!odd_ && (left & kOdd) != 0 && (left & ~(kOdd | kText)) == 0)
      odd_ = seen.field(i, index, rules);
  }
  values_ += records.size() - nulls;
  quoted_ += in_quotes;
  facts_.held = static_cast<uint16_t>(left);
  facts_.has_nulls |= nulls != 0;
  facts_.has_plain |= nulls + in_quotes != records.size();
  facts_.has_quoted |= in_quotes != 0;
  if (2 * unfit_ > typed_before_ + values_) {  // the unfit values are more than half
    others_ = 0;
    made_text_.reset();
  }
}

void ColumnTypes::see(const SeenRecords& seen, uint64_t index, const FieldRules& rules) {
  KeepNothing nothing;
  see_fields(seen, index, rules, nothing);
}

bool ColumnTypes::see_numbers(const SeenRecords& seen, uint64_t index, const FieldRules& rules,
                              const SeenNumbers& numbers) {
  const auto see_as = [&]<class T>(T* cells) {
    KeepNumbers<T> keep{cells, numbers.valid};
    see_fields(seen, index, rules, keep);
    return keep.fit && facts_.type(false) == numbers.type;
  };
  if (numbers.type.is(Type::Int32)) return see_as(reinterpret_cast<int32_t*>(numbers.cells));
  if (numbers.type.is(Type::Int64)) return see_as(reinterpret_cast<int64_t*>(numbers.cells));
  return see_as(reinterpret_cast<double*>(numbers.cells));
}

uint64_t ColumnTypes::typed_values() const noexcept {
  return (facts_.held & kTyped) != 0 ? values_ : 0;
}

// Does nothing for columns that only have texts.
void ColumnTypes::become_text(const SeenRecords& seen, uint64_t index, uint64_t record,
                              const FieldRules& rules, bool was_typed, unsigned before) {
  constexpr uint64_t kMaxExamined = 256;
  uint64_t values = 0, typed = 0;
  for (uint64_t i = 0; !was_typed && i < std::min(kMaxExamined, seen.records.size()); ++i) {
    std::string_view field = rules.trimmed(seen.records.field(i, index));
    if (!take_quotes(field) && rules.nulls.contain(field)) continue;
    ++values;
    typed += (held_by(field, kAll, rules) & kTyped) != 0;
  }
  if (!was_typed && 2 * typed <= values) return;
  others_ = before & kTyped;
  if (others_ == 0) return;
  made_text_ = seen.field(record, index, rules);
  unfit_ = 1;
}

void ColumnTypes::count_unfit(std::string_view field, const FieldRules& rules) {
  const unsigned both = held_by(field, others_, rules) & others_;
  if (both == 0) {
    ++unfit_;
  } else {
    others_ = both;
  }
}

void ColumnTypes::merge(ColumnTypes&& later) {
  const auto others = [](const ColumnTypes& types) {
    return types.made_text_ ? types.others_ : types.facts_.held & kTyped;
  };
  others_ = others(*this) & others(later);
  unfit_ += later.unfit_;
  if (!made_text_) made_text_ = std::move(later.made_text_);
  if (others_ == 0) made_text_.reset();
  if (!made_text_) others_ = 0;
  facts_.merge(later.facts_);
  values_ += later.values_;
  quoted_ += later.quoted_;
  if (!in_quotes_) in_quotes_ = std::move(later.in_quotes_);
  if (!odd_) odd_ = std::move(later.odd_);
}

std::optional<ColumnTypes::Fallback> ColumnTypes::fallback(bool quotes_are_text) const {
  if (made_text_) {
    const size_t other = static_cast<size_t>(std::countr_zero(others_));
    std::string name = Type(kTypes[other]).name();
    if (kUtcTimestamp == 1U << other) name += " with an offset";
    if (kTimestamp == 1U << other &&
        parse_utc_timestamp(Type::Nanosecond, made_text_->text))
      name += " without an offset";
    return Fallback{*made_text_, unfit_, values_, std::move(name), false};
  }
  if (!quotes_are_text || !in_quotes_ || (facts_.held & kTyped) == 0) return std::nullopt;
  return Fallback{*in_quotes_, quoted_, values_, facts_.type(false).name(), true};
}

}  // namespace heron::inline v0::csv
