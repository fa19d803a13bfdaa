#include "kit/exact_value.h"

#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/utf8.h"

namespace heron::inline v0 {
namespace {

using Kind = ExactValue::Kind;

constexpr Int128 kNanosOfADay = Int128{86'400} * 1'000'000'000;
constexpr int64_t kTicksOfADay = 864'000'000'000;
constexpr int64_t kDaysBefore1970 = 719'162;              // since 0001-01-01
constexpr int64_t kMaxTicks = 3'652'059 * kTicksOfADay;  // the year 10000

ExactValue of(Kind kind, Int128 number) {
  return {kind, number};
}

ExactValue stored_number(const Values& values, const Type& type, uint64_t row) {
  const auto whole = [](auto number) { return of(Kind::Whole, number); };
  switch (type.id()) {
    case Type::Int8: return whole(values.get<int8_t>(row));
    case Type::Int16: return whole(values.get<int16_t>(row));
    case Type::Int32: return whole(values.get<int32_t>(row));
    case Type::Int64: return whole(values.get<int64_t>(row));
    case Type::UInt8: return whole(values.get<uint8_t>(row));
    case Type::UInt16: return whole(values.get<uint16_t>(row));
    case Type::UInt32: return whole(values.get<uint32_t>(row));
    case Type::UInt64: return whole(values.get<uint64_t>(row));
    case Type::Float32: return exact_number(double{values.get<float>(row)});
    default: return exact_number(values.get<double>(row));
  }
}

ExactValue key(const Values& values, uint64_t row) {
  ExactValue number = stored_number(values, values.type.item(), row);
  if (values.children.empty()) return number;
  return exact_value(values.children[0], static_cast<uint64_t>(number.number) - 1);
}

// Returns the nanoseconds of a unit of a timestamp or duration.
Int128 nanoseconds_of(const Type& type) {
  switch (type.unit()) {
    case Type::Second: return 1'000'000'000;
    case Type::Millisecond: return 1'000'000;
    case Type::Microsecond: return 1'000;
    case Type::Tick: return 100;
    default: return 1;
  }
}

ExactValue instant(const Values& values, uint64_t row) {
  if (values.type.is(Type::Date32)) {
    return of(Kind::Instant, values.get<int32_t>(row) * kNanosOfADay);
  }
  const auto count = values.get<int64_t>(row);
  if (values.type.is(Type::Timestamp)) return of(Kind::Instant, count * nanoseconds_of(values.type));
  if (count < 0 || count >= kMaxTicks) return of(Kind::Ticks, count);
  return of(Kind::Instant, Int128{count - kDaysBefore1970 * kTicksOfADay} * 100);
}

// Returns the value of a slot that a vector does not store.
ExactValue unstored(const Type& type) {
  if (type.is_text()) return {Kind::Text};
  if (type.is_binary()) return {Kind::Text};
  if (type.is(Type::Decimal)) return {Kind::Decimal, 0, type.scale()};
  if (type.is(Type::Key)) return {};
  if (type.is(Type::Date32) || type.is(Type::Timestamp)) return of(Kind::Instant, 0);
  if (type.is(Type::DateTime)) {
    return of(Kind::Instant, -Int128{kDaysBefore1970} * kNanosOfADay);
  }
  if (type.is(Type::Duration)) return of(Kind::Duration, 0);
  if (type.is(Type::Time)) return of(Kind::Time, 0);
  if (type.is(Type::DateTimeOffset)) return of(Kind::Local, 0);
  return of(type.is(Type::RowId) ? Kind::RowId : Kind::Whole, 0);
}

std::vector<ExactValue> list_items(const Values& lists, uint64_t row) {
  std::vector<ExactValue> items;
  for (uint64_t i = lists.extent(row); i < lists.extent(row + 1); ++i) {
    items.push_back(exact_value(lists.children[0], i));
  }
  return items;
}

ExactValue vector(const Values& vectors, uint64_t row) {
  ExactValue value{Kind::List};
  std::vector<ExactValue> stored = list_items(vectors.children[0], row);
  const std::vector<ExactValue> positions = list_items(vectors.children[1], row);
  const auto length = static_cast<uint64_t>(vectors.get<int32_t>(row));
  if (positions.empty() && stored.size() == length) {
    value.items = std::move(stored);
    return value;
  }
  value.items.resize(length, unstored(vectors.type.item()));
  for (size_t i = 0; i < stored.size(); ++i) {
    value.items[static_cast<size_t>(positions[i].number)] = stored[i];
  }
  return value;
}

template <class T>
bool in_range(const ExactValue& value) {
  return value.is(Kind::Whole) && value.number >= std::numeric_limits<T>::min() &&
         value.number <= std::numeric_limits<T>::max();
}

// Returns whether a number of nanoseconds is one that the type counts in its unit.
bool are_units(Int128 nanoseconds, const Type& type) {
  const Int128 unit = nanoseconds_of(type);
  return nanoseconds % unit == 0 && in_range<int64_t>(of(Kind::Whole, nanoseconds / unit));
}

template <class Float>
bool is_float(const ExactValue& value) {
  if (value.is_nan()) return true;
  if (!value.is(Kind::Whole) && !value.is(Kind::Real)) return false;
  const auto rounded = static_cast<Float>(as_double(value));
  return exact_number(double{rounded}) == value;
}

bool is_ticks(const ExactValue& value) {
  if (value.is(Kind::Ticks)) return true;
  const Int128 since_1 = value.number + kDaysBefore1970 * kNanosOfADay;
  return value.is(Kind::Instant) && since_1 % 100 == 0 && since_1 >= 0 &&
         since_1 / 100 < kMaxTicks;
}

bool fits_list(const ExactValue& value, const Type& type) {
  if (!value.is(Kind::List)) return false;
  if (type.is(Type::Vector) && type.size() != 0 && value.items.size() != type.size()) return false;
  for (const ExactValue& item : value.items) {
    if (!fits(item, type.item())) return false;
  }
  return true;
}

}  // namespace

bool ExactValue::is_nan() const noexcept {
  return is(Kind::Real) && std::isnan(std::bit_cast<double>(bits));
}

ExactValue exact_number(double number) {
  const bool is_whole = std::abs(number) < 0x1p120 && number == std::trunc(number) &&
                        !(number == 0 && std::signbit(number));
  if (is_whole) return of(Kind::Whole, static_cast<Int128>(number));
  if (std::isnan(number)) number = std::numeric_limits<double>::quiet_NaN();
  return {Kind::Real, 0, std::bit_cast<uint64_t>(number)};
}

double as_double(const ExactValue& number) {
  if (number.is(Kind::Real)) return std::bit_cast<double>(number.bits);
  return static_cast<double>(number.number);
}

ExactValue exact_value(const Values& values, uint64_t row) {
  const Type& type = values.type;
  if (values.is_null(row)) return {};
  if (type.is_text()) return {Kind::Text, 0, 0, std::string(values.text(row))};
  if (type.is_list()) return {Kind::List, 0, 0, {}, list_items(values, row)};
  switch (type.id()) {
    case Type::Bool: return of(Kind::Whole, values.get_bool(row));
    case Type::Date32:
    case Type::Timestamp:
    case Type::DateTime: return instant(values, row);
    case Type::Duration:
      return of(Kind::Duration, values.get<int64_t>(row) * nanoseconds_of(values.type));
    case Type::Time: return of(Kind::Time, values.get<int64_t>(row));
    case Type::DateTimeOffset: {
      const auto local = values.get<DateTimeOffset>(row);
      return {Kind::Local, local.ticks, static_cast<uint64_t>(local.minutes)};
    }
    case Type::RowId: {
      const auto id = values.get<RowId>(row);
      return of(Kind::RowId, static_cast<Int128>(UInt128{id.high} << 64 | id.low));
    }
    case Type::Decimal: {
      const auto units = values.get<WideInteger>(row);
      return {Kind::Decimal,
              static_cast<Int128>(UInt128{static_cast<uint64_t>(units.high)} << 64 | units.low),
              type.scale()};
    }
    case Type::Binary:
    case Type::LargeBinary: {
      const std::string_view bytes = values.text(row);
      const bool is_text = valid_utf8_prefix(bytes) == bytes.size();
      return {is_text ? Kind::Text : Kind::Binary, 0, 0, std::string(bytes)};
    }
    case Type::Key: return key(values, row);
    case Type::Vector: return vector(values, row);
    default: return stored_number(values, type, row);
  }
}

std::string words(const ExactValue& value) {
  switch (value.kind) {
    case Kind::Null: return "null";
    case Kind::Real: return std::to_string(as_double(value));
    case Kind::Text: return '"' + value.text + '"';
    case Kind::Binary: return "binary " + value.text;
    case Kind::List: {
      std::string text;
      for (const ExactValue& item : value.items) {
        if (!text.empty()) text += ' ';
        text += words(item);
      }
      return '[' + text + ']';
    }
    default: break;
  }
  const auto high = static_cast<int64_t>(value.number >> 64);
  const std::string number = (high == 0 || high == -1)
                                 ? std::to_string(static_cast<int64_t>(value.number))
                                 : std::to_string(as_double(value)) + " or so";
  return value.is(Kind::Whole) ? number : "time or id " + number + '/' + std::to_string(value.bits);
}

bool fits(const ExactValue& value, const Type& type) {
  if (value.is(Kind::Null)) return !type.is(Type::Vector);
  if (type.is_nested()) return fits_list(value, type);
  if (type.is_text()) return value.is(Kind::Text);
  if (type.is_binary()) return value.is(Kind::Binary) || value.is(Kind::Text);
  switch (type.id()) {
    case Type::Bool: return in_range<bool>(value);
    case Type::Int8: return in_range<int8_t>(value);
    case Type::Int16: return in_range<int16_t>(value);
    case Type::Int32: return in_range<int32_t>(value);
    case Type::Int64: return in_range<int64_t>(value);
    case Type::UInt8: return in_range<uint8_t>(value);
    case Type::UInt16: return in_range<uint16_t>(value);
    case Type::UInt32: return in_range<uint32_t>(value);
    case Type::UInt64: return in_range<uint64_t>(value);
    case Type::Float32: return is_float<float>(value);
    case Type::Float64: return is_float<double>(value);
    case Type::Date32:
      return value.is(Kind::Instant) && value.number % kNanosOfADay == 0 &&
             in_range<int32_t>(of(Kind::Whole, value.number / kNanosOfADay));
    case Type::Timestamp:
      return value.is(Kind::Instant) && are_units(value.number, type);
    case Type::DateTime: return is_ticks(value);
    case Type::Duration: return value.is(Kind::Duration) && are_units(value.number, type);
    case Type::Time: return value.is(Kind::Time);
    case Type::DateTimeOffset: return value.is(Kind::Local);
    case Type::RowId: return value.is(Kind::RowId);
    case Type::Key: return true;  // a key comes here only with its own type
    default: return false;
  }
}

ExactTable exact_table(const RowSource& source) {
  ExactTable table;
  table.schema = source.schema();
  table.group_column = source.group_column();
  table.columns.resize(table.schema.size());
  std::vector<uint64_t> columns(table.schema.size());
  std::iota(columns.begin(), columns.end(), uint64_t{0});
  const auto stream = source.read(columns, {});
  for (RowBatch batch; stream->next(batch); table.rows += batch.rows) {
    for (size_t i = 0; i < columns.size(); ++i) {
      for (uint64_t row = 0; row < batch.rows; ++row) {
        table.columns[i].push_back(exact_value(batch.columns[i], row));
      }
    }
  }
  return table;
}

}  // namespace heron::inline v0
