#include "values/scalar.h"

#include <cmath>
#include <limits>

#include "base/fail.h"
#include "heron/error.h"
#include "values/cells.h"
#include "values/decimals.h"
#include "values/hex.h"
#include "values/parse_whole.h"
#include "values/times.h"

namespace heron::inline v0 {
namespace {

std::strong_ordering compare_floats(double a, double b) {
  if (a != a || b != b) return (b != b) <=> (a != a);
  if (a == b) return std::strong_ordering::equal;
  return a < b ? std::strong_ordering::less : std::strong_ordering::greater;
}

// Compares integers of either sign, exactly.
std::strong_ordering compare_integers(const ScalarView& a, const ScalarView& b) {
  const auto* signed_a = std::get_if<int64_t>(&a);
  const auto* signed_b = std::get_if<int64_t>(&b);
  if (signed_a != nullptr && signed_b != nullptr) return *signed_a <=> *signed_b;
  if (signed_a != nullptr && *signed_a < 0) return std::strong_ordering::less;
  if (signed_b != nullptr && *signed_b < 0) return std::strong_ordering::greater;
  const auto magnitude = [](const int64_t* value, const ScalarView& scalar) {
    return value != nullptr ? static_cast<uint64_t>(*value) : std::get<uint64_t>(scalar);
  };
  return magnitude(signed_a, a) <=> magnitude(signed_b, b);
}

// Compares an integer with a float: NaN is before all numbers.
std::strong_ordering compare_mixed(const ScalarView& integer, double number) {
  const auto* with_sign = std::get_if<int64_t>(&integer);
  const auto order = compare_exactly(
      with_sign != nullptr ? Int128{*with_sign} : Int128{std::get<uint64_t>(integer)}, number);
  if (order < 0) return std::strong_ordering::less;
  return order == 0 ? std::strong_ordering::equal : std::strong_ordering::greater;
}

}  // namespace

ScalarView view_of(const Scalar& scalar) {
  return std::visit(
      [](const auto& value) -> ScalarView {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, WideInteger>)
          return wide_of(value);
        else
          return value;
      },
      scalar);
}

Scalar owned(const ScalarView& view) {
  return std::visit(
      [](const auto& value) -> Scalar {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string_view>)
          return std::string(value);
        else if constexpr (std::is_same_v<std::decay_t<decltype(value)>, Int128>)
          return wide_of(value);
        else
          return value;
      },
      view);
}

bool has_scalars(const Type& type) {
  return !type.is_nested() && !type.is(Type::RowId) && !type.is(Type::Int128);
}

bool is_scalar_of(const Type& type, const ScalarView& value) {
  if (std::holds_alternative<std::monostate>(value)) return true;
  if (type.is(Type::Null) || !has_scalars(type)) return false;
  if (type.is(Type::Bool)) return std::holds_alternative<bool>(value);
  if (type.has_bytes()) return std::holds_alternative<std::string_view>(value);
  if (type.is(Type::DateTimeOffset)) return std::holds_alternative<int64_t>(value);
  if (type.is(Type::Decimal)) return std::holds_alternative<Int128>(value);
  return visit_cell_type(
      type, [&]<class T>() { return scalar_of(T{}).index() == value.index(); });
}

ScalarView scalar_at(const Values& values, uint64_t row) {
  const Type& type = values.type;
  if (values.is_null(row) || !has_scalars(type)) return {};
  if (type.is(Type::DateTimeOffset)) return instant_of(cell_of<DateTimeOffset>(values, row));
  if (type.is(Type::Key) && !values.children.empty()) {
    const uint64_t number = visit_cell_type(
        type, [&]<class T>() { return static_cast<uint64_t>(cell_of<T>(values, row)); });
    return scalar_at(values.children[0], number - 1);
  }
  if (type.is(Type::Bool)) return values.get_bool(row);
  if (type.has_bytes()) return values.text(row);
  if (type.is(Type::Decimal)) return cell_of<Int128>(values, row);
  return visit_cell_type(type, [&]<class T>() { return scalar_of(cell_of<T>(values, row)); });
}

std::partial_ordering compare_exactly(Int128 integer, double number) {
  if (number != number) return std::partial_ordering::unordered;
  if (number < -0x1p127) return std::partial_ordering::greater;
  if (number >= 0x1p127) return std::partial_ordering::less;
  const double floor = std::floor(number);
  const auto whole = static_cast<Int128>(floor);
  if (integer != whole) {
    return integer < whole ? std::partial_ordering::less : std::partial_ordering::greater;
  }
  return floor <=> number;
}

std::strong_ordering compare(const ScalarView& a, const ScalarView& b) {
  const auto is_null = [](const ScalarView& s) {
    return std::holds_alternative<std::monostate>(s);
  };
  if (is_null(a) || is_null(b)) return is_null(b) <=> is_null(a);
  if (const auto* text = std::get_if<std::string_view>(&a)) {
    return text->compare(std::get<std::string_view>(b)) <=> 0;
  }
  if (const auto* units = std::get_if<Int128>(&a)) return *units <=> std::get<Int128>(b);
  if (const auto* flag = std::get_if<bool>(&a)) return *flag <=> std::get<bool>(b);
  const auto* float_a = std::get_if<double>(&a);
  const auto* float_b = std::get_if<double>(&b);
  if (float_a != nullptr && float_b != nullptr) return compare_floats(*float_a, *float_b);
  if (float_a != nullptr) return 0 <=> compare_mixed(b, *float_a);
  if (float_b != nullptr) return compare_mixed(a, *float_b);
  return compare_integers(a, b);
}

Scalar parse_scalar(const Type& type, std::string_view text) {
  if (text == "null") return {};
  const auto expect = [&](bool parsed, std::string_view what) {
    if (!parsed) fail(ErrorKind::Argument, {}, "expected ", what, ", got \"", text, '"');
  };
  int64_t integer = 0;
  switch (type.id()) {
    case Type::Null: return {};
    case Type::Bool:
      expect(text == "true" || text == "false", "true or false");
      return text == "true";
    case Type::Float32:
    case Type::Float64: {
      double number = 0;
      expect(parse_whole(text, number), "a number");
      return number;
    }
    case Type::Text:
    case Type::LargeText: return std::string(text);
    case Type::Binary:
    case Type::LargeBinary: {
      std::string bytes;
      expect(parse_hex(text, bytes), "hexadecimal digits, two a byte");
      return bytes;
    }
    case Type::Decimal: {
      const auto number = scaled(text, type.scale());
      expect(number && number->is_exact() && has_digits(number->floor, type.size()),
             concat("a number that ", type.name(), " holds"));
      return wide_of(number->floor);
    }
    case Type::Date32:
    case Type::Timestamp:
    case Type::DateTime:
    case Type::Duration:
    case Type::Time: {
      const auto time = parse_iso_time(type, text);
      expect(time.has_value(), expected_time(type));
      return *time;
    }
    case Type::Key:
    case Type::UInt64: {
      uint64_t number = 0;
      expect(parse_whole(text, number), "a whole number that is not negative");
      return number;
    }
    default:
      if (!type.is_integer()) {
        fail(ErrorKind::Argument, {}, "a value of type ", type.name(), " cannot be given");
      }
      expect(parse_whole(text, integer), "a whole number");
      return integer;
  }
}

}  // namespace heron::inline v0
