#include "kit/plain_table.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "heron/scan.h"
#include "heron/schema.h"
#include "heron/table.h"
#include "heron/values.h"

namespace heron::inline v0 {
namespace {

constexpr int64_t kTicksOfAMinute = 600'000'000;

std::partial_ordering compare(Int128 integer, double number) {
  if (std::isnan(number)) return std::partial_ordering::unordered;
  if (number >= 0x1p127) return std::partial_ordering::less;
  if (number < -0x1p127) return std::partial_ordering::greater;
  const double whole = std::trunc(number);
  const auto whole_integer = static_cast<Int128>(whole);
  if (integer != whole_integer) {
    return integer < whole_integer ? std::partial_ordering::less : std::partial_ordering::greater;
  }
  return 0.0 <=> number - whole;
}

template <class T>
std::partial_ordering order(const T& a, const T& b) {
  if (a == b) return std::partial_ordering::equivalent;
  return a < b ? std::partial_ordering::less : std::partial_ordering::greater;
}

PlainValue integer(const Values& values, uint64_t row) {
  switch (values.type.id()) {
    case Type::Int8: return Int128{values.get<int8_t>(row)};
    case Type::Int16: return Int128{values.get<int16_t>(row)};
    case Type::Int32:
    case Type::Date32: return Int128{values.get<int32_t>(row)};
    case Type::UInt8: return Int128{values.get<uint8_t>(row)};
    case Type::UInt16: return Int128{values.get<uint16_t>(row)};
    case Type::UInt32: return Int128{values.get<uint32_t>(row)};
    case Type::UInt64: return Int128{values.get<uint64_t>(row)};
    case Type::Int64:
    case Type::Timestamp:
    case Type::DateTime:
    case Type::Duration:
    case Type::Time: return Int128{values.get<int64_t>(row)};
    default: throw std::logic_error("no plain value of " + values.type.name());
  }
}

PlainValue plain_value(const Values& values, uint64_t row);

PlainValue plain_key(const Values& values, uint64_t row) {
  Values numbers = values;
  numbers.type = values.type.item();
  numbers.children.clear();
  PlainValue number = integer(numbers, row);
  if (values.children.empty()) return number;
  return plain_value(values.children[0], static_cast<uint64_t>(std::get<Int128>(number)) - 1);
}

PlainValue plain_value(const Values& values, uint64_t row) {
  if (values.is_null(row)) return {};
  const Type& type = values.type;
  if (type.is_nested()) return Int128{0};
  if (type.has_bytes()) return std::string(values.text(row));
  switch (type.id()) {
    case Type::Bool: return Int128{values.get_bool(row)};
    case Type::Float32: return double{values.get<float>(row)};
    case Type::Float64: return values.get<double>(row);
    case Type::Key: return plain_key(values, row);
    case Type::Decimal: {
      const auto units = values.get<WideInteger>(row);
      return PlainDecimal{
          static_cast<Int128>(UInt128{static_cast<uint64_t>(units.high)} << 64 | units.low),
          type.scale()};
    }
    case Type::RowId: {
      const auto id = values.get<RowId>(row);
      return UInt128{id.high} << 64 | id.low;
    }
    case Type::DateTimeOffset: {
      const auto local = values.get<DateTimeOffset>(row);
      return Int128{local.ticks} - Int128{local.minutes} * kTicksOfAMinute;
    }
    default: return integer(values, row);
  }
}

Type plain_type(const Values& values) {
  if (!values.type.is(Type::Key)) return values.type;
  return values.children.empty() ? values.type.item() : values.children[0].type;
}

}  // namespace

std::string text_of(const PlainDecimal& decimal) {
  std::string digits;
  for (Int128 rest = decimal.units; rest != 0 || digits.size() <= decimal.scale; rest /= 10) {
    const int digit = static_cast<int>(rest % 10);
    digits.insert(0, 1, static_cast<char>('0' + (digit < 0 ? -digit : digit)));
  }
  if (decimal.scale != 0) digits.insert(digits.size() - decimal.scale, 1, '.');
  return (decimal.units < 0 ? "-" : "") + digits;
}

namespace {

// Returns all digits of a number, however many these are.
std::string digits_of(const PlainValue& number) {
  if (const auto* decimal = std::get_if<PlainDecimal>(&number)) return text_of(*decimal);
  if (const auto* integer = std::get_if<Int128>(&number)) return text_of(PlainDecimal{*integer, 0});
  std::string text(1500, ' ');
  const int bytes = std::snprintf(text.data(), text.size(), "%.1100f", std::get<double>(number));
  text.resize(static_cast<size_t>(bytes));
  return text;
}

// Compares the digits of numbers, of which none is NaN or infinite.
std::partial_ordering compare_digits(std::string a, std::string b) {
  const bool minus_a = a.starts_with('-'), minus_b = b.starts_with('-');
  if (minus_a) a.erase(0, 1);
  if (minus_b) b.erase(0, 1);
  for (std::string* one : {&a, &b}) {
    if (one->find('.') == one->npos) *one += '.';
  }
  const size_t whole = std::max(a.find('.'), b.find('.'));
  for (std::string* one : {&a, &b}) one->insert(0, whole - one->find('.'), '0');
  a.resize(std::max(a.size(), b.size()), '0');
  b.resize(a.size(), '0');
  const bool a_is_0 = a.find_first_not_of("0.") == a.npos, b_is_0 = b.find_first_not_of("0.") == b.npos;
  if (a_is_0 && b_is_0) return std::partial_ordering::equivalent;
  const bool below_a = minus_a && !a_is_0, below_b = minus_b && !b_is_0;
  if (below_a != below_b) {
    return below_a ? std::partial_ordering::less : std::partial_ordering::greater;
  }
  return below_a ? order(b, a) : order(a, b);
}

}  // namespace

std::partial_ordering compare(const PlainValue& a, const PlainValue& b) {
  if (std::holds_alternative<PlainDecimal>(a) || std::holds_alternative<PlainDecimal>(b)) {
    for (const auto& [one, sign] : {std::pair(&a, 1.0), std::pair(&b, -1.0)}) {
      const auto* number = std::get_if<double>(one);
      if (number != nullptr && !std::isfinite(*number)) return sign * *number <=> 0.0;
    }
    return compare_digits(digits_of(a), digits_of(b));
  }
  if (const auto* integer = std::get_if<Int128>(&a)) {
    if (const auto* number = std::get_if<double>(&b)) return compare(*integer, *number);
    return order(*integer, std::get<Int128>(b));
  }
  if (const auto* number = std::get_if<double>(&a)) {
    if (const auto* integer = std::get_if<Int128>(&b)) return 0 <=> compare(*integer, *number);
    return *number <=> std::get<double>(b);
  }
  if (const auto* text = std::get_if<std::string>(&a))
    return order(*text, std::get<std::string>(b));
  return order(std::get<UInt128>(a), std::get<UInt128>(b));
}

PlainTable plain_table(const std::shared_ptr<const Table>& table) {
  const Projection columns(table);
  PlainTable plain{table->rows(), {}};
  for (const Field& field : *columns.schema()) {
    plain.columns.push_back({field.name, field.type, field.type.is(Type::Key), {}});
  }
  Scan scan(columns);
  for (RowBatch batch; scan.next(batch);) {
    for (size_t i = 0; i < batch.columns.size(); ++i) {
      const Values& values = batch.columns[i];
      plain.columns[i].type = plain_type(values);
      for (uint64_t row = 0; row < batch.rows; ++row)
        plain.columns[i].values.push_back(plain_value(values, row));
    }
  }
  return plain;
}

}  // namespace heron::inline v0
