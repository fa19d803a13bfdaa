// Casts values to other types. Floats become the nearest integer, halves the even one; texts are
// read as the command line prints values.
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <type_traits>

#include "base/fail.h"
#include "expression/functions/function.h"
#include "expression/functions/integer_text.h"
#include "base/utf8.h"
#include "values/decimals.h"
#include "values/hex.h"
#include "values/times.h"

namespace heron::inline v0 {
namespace {

using Text = std::string_view;

Text without_spaces(Text text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::optional<Int128> parse_integer(Text text) {
  text = without_spaces(text);
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || text.size() > 38) return std::nullopt;
  Int128 value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return negative ? -value : value;
}

std::optional<double> parse_float(Text text) {
  text = without_spaces(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<bool> parse_bool(Text text) {
  std::string lower(without_spaces(text));
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  if (lower == "true" || lower == "t" || lower == "1") return true;
  if (lower == "false" || lower == "f" || lower == "0") return false;
  return std::nullopt;
}

// Casts one value to an integer of a range.
struct ToInteger {
  Interval<Int128> range;

  template <class From>
  std::optional<Int128> operator()(const From& from) const {
    if constexpr (std::is_same_v<From, Text>) {
      const auto parsed = parse_integer(from);
      return parsed && *parsed >= range.low && *parsed <= range.high ? parsed : std::nullopt;
    } else if constexpr (std::is_same_v<From, double>) {
      const double rounded = std::nearbyint(from);
      if (!(rounded > -0x1p100 && rounded < 0x1p100)) return std::nullopt;
      return (*this)(static_cast<Int128>(rounded));
    } else {
      const auto value = static_cast<Int128>(from);
      return value >= range.low && value <= range.high ? std::optional(value) : std::nullopt;
    }
  }
};

struct ToFloat {
  bool narrow;  // float32

  template <class From>
  std::optional<double> operator()(const From& from) const {
    double value = 0;
    if constexpr (std::is_same_v<From, Text>) {
      const auto parsed = parse_float(from);
      if (!parsed) return std::nullopt;
      value = *parsed;
    } else {
      value = static_cast<double>(from);
    }
    return narrow ? double{static_cast<float>(value)} : value;
  }
};

struct ToBool {
  template <class From>
  std::optional<bool> operator()(const From& from) const {
    if constexpr (std::is_same_v<From, Text>)
      return parse_bool(from);
    else
      return from != From{};
  }
};

// Casts one value to the units of a decimal.
struct ToDecimal {
  const Type& type;
  uint32_t from_scale;  // of decimals; 0 for integers

  template <class From>
  std::optional<Int128> operator()(const From& from) const {
    if constexpr (std::is_same_v<From, Text>) {
      const auto number = scaled(without_spaces(from), type.scale());
      return number ? number->nearest(type.size()) : std::nullopt;
    } else if constexpr (std::is_same_v<From, double>) {
      if (from != from) return std::nullopt;
      return scaled(from, type.scale()).nearest(type.size());
    } else {
      return scaled(Int128{from}, from_scale, type.scale()).nearest(type.size());
    }
  }
};

// Shows the value that did not fit, for the error.
template <class From>
std::string shown(const Type& type, const From& from) {
  if (type.is(Type::Decimal)) {
    if constexpr (std::is_same_v<From, Int128>) return decimal_text(from, type.scale());
  }
  if constexpr (std::is_same_v<From, Text>) {
    if (type.is_binary()) {
      return concat("the bytes ", hex_text(from.substr(0, 20)), from.size() > 20 ? "..." : "");
    }
  }
  if constexpr (std::is_same_v<From, Text>)
    return concat('"', from.substr(0, 40), from.size() > 40 ? "..." : "", '"');
  else if constexpr (std::is_same_v<From, Int128>)
    return integer_text(from);
  else if constexpr (std::is_same_v<From, bool>)
    return from ? "true" : "false";
  else
    return concat(from);
}

template <class From>
[[noreturn]] void fail_cast(const KernelCall& call, const From& from) {
  call.fail("type ", call.expression.type.name(), " does not hold ", shown(call.expression.parts[0].type, from),
            "; try_cast makes it null");
}

template <class To, class From, class Cast>
void cast_each(const KernelCall& call, const From* from, Cast cast_one) {
  To* to = call.result<To>();
  call.each([&](uint64_t i) {
    const auto value = cast_one(from[i]);
    if (!value) {
      if (call.expression.option == 0) fail_cast(call, from[i]);
      return call.set_null(i);
    }
    to[i] = static_cast<To>(*value);
  });
}

char* put_double(char* out, double value, bool narrow) {
  if (std::isnan(value)) return std::copy_n("NaN", 3, out);
  if (std::isinf(value))
    return value > 0 ? std::copy_n("Infinity", 8, out) : std::copy_n("-Infinity", 9, out);
  if (value == 0 && std::signbit(value)) return std::copy_n("-0.0", 4, out);
  if (narrow) return std::to_chars(out, out + kMaxTimeText, static_cast<float>(value)).ptr;
  return std::to_chars(out, out + kMaxTimeText, value).ptr;
}

template <class From>
char* put_value(char* out, const Type& type, const From& from) {
  if constexpr (std::is_same_v<From, Int128>) return put_decimal(out, from, type.scale());
  if constexpr (std::is_same_v<From, double>) {
    return put_double(out, from, type.is(Type::Float32));
  } else if constexpr (std::is_same_v<From, bool>) {
    return from ? std::copy_n("true", 4, out) : std::copy_n("false", 5, out);
  } else if constexpr (!std::is_same_v<From, Int128>) {
    if (is_time(type)) return put_time(out, type, from);
    return std::to_chars(out, out + kMaxTimeText, from).ptr;
  }
}

// Calls visit(values) with the argument's values, bools as bytes, so that all kinds are read alike.
template <class Visit>
void with_argument(const KernelCall& call, Visit&& visit) {
  switch (call.arguments[0].kind) {
    case ValueKind::Integer: return visit(call.argument<int64_t>(0));
    case ValueKind::Wide: return visit(call.argument<Int128>(0));
    case ValueKind::Float: return visit(call.argument<double>(0));
    case ValueKind::Text: return visit(call.argument<Text>(0));
    case ValueKind::RowId:
    case ValueKind::List: return;
    case ValueKind::Bool: break;
  }
  bool flags[kVectorRows];
  const auto* bits = call.argument<uint64_t>(0);
  for (uint64_t i = 0; i < call.rows; ++i) flags[i] = (bits[i / 64] >> i % 64 & 1) != 0;
  visit(static_cast<const bool*>(flags));
}

void to_text_kernel(const KernelCall& call) {
  const Type& type = call.expression.parts[0].type;
  Text* to = call.result<Text>();
  char* out = call.text_room(call.rows * kMaxTimeText);
  with_argument(call, [&]<class From>(const From* from) {
    if constexpr (!std::is_same_v<From, Text>) {
      call.each([&](uint64_t i) {
        char* end = put_value(out, type, from[i]);
        to[i] = {out, static_cast<size_t>(end - out)};
        out = end;
      });
    }
  });
}

void to_integer_kernel(const KernelCall& call) {
  const ToInteger cast_one{integer_range(call.expression.type)};
  if (const Type& from = call.expression.parts[0].type; from.is(Type::Decimal)) {
    const auto cast_decimal = [&](Int128 units) -> std::optional<Int128> {
      const auto whole = scaled(units, from.scale(), 0).nearest(Type::kMaxPrecision);
      return whole ? cast_one(*whole) : std::nullopt;
    };
    const auto* units = call.argument<Int128>(0);
    return call.expression.value == ValueKind::Wide ? cast_each<Int128>(call, units, cast_decimal)
                                                    : cast_each<int64_t>(call, units, cast_decimal);
  }
  with_argument(call, [&](const auto* from) {
    call.expression.value == ValueKind::Wide ? cast_each<Int128>(call, from, cast_one)
                                             : cast_each<int64_t>(call, from, cast_one);
  });
}

void to_decimal_kernel(const KernelCall& call) {
  const ToDecimal cast_one{call.expression.type, call.expression.parts[0].type.scale()};
  with_argument(call, [&](const auto* from) { cast_each<Int128>(call, from, cast_one); });
}

// Casts between text and binary, whose bytes stay where they are.
void to_bytes_kernel(const KernelCall& call) {
  const Text* from = call.argument<Text>(0);
  Text* to = call.result<Text>();
  std::copy_n(from, call.rows, to);
  call.vector.texts_end = call.arguments[0].texts_end;
  call.vector.are_consecutive = call.arguments[0].are_consecutive;
  if (call.expression.type.is_binary()) return;
  call.each([&](uint64_t i) {
    if (valid_utf8_prefix(from[i]) == from[i].size()) return;
    if (call.expression.option == 0) fail_cast(call, from[i]);
    call.set_null(i);
  });
}

void to_float_kernel(const KernelCall& call) {
  const ToFloat cast_one{call.expression.type.is(Type::Float32)};
  if (const Type& from = call.expression.parts[0].type; from.is(Type::Decimal)) {
    return cast_each<double>(call, call.argument<Int128>(0), [&](Int128 units) {
      return cast_one(as_double(units, from.scale()));
    });
  }
  with_argument(call, [&](const auto* from) { cast_each<double>(call, from, cast_one); });
}

void to_bool_kernel(const KernelCall& call) {
  auto* to = call.result<uint64_t>();
  std::fill_n(to, bit_words(call.rows), uint64_t{0});
  with_argument(call, [&](const auto* from) {
    call.each([&](uint64_t i) {
      const std::optional<bool> value = ToBool()(from[i]);
      if (!value && call.expression.option == 0) fail_cast(call, from[i]);
      if (!value) return call.set_null(i);
      to[i / 64] |= uint64_t{*value} << i % 64;
    });
  });
}

void parse_time_kernel(const KernelCall& call) {
  cast_each<int64_t>(call, call.argument<Text>(0), [&](Text text) {
    return parse_iso_time(call.expression.type, without_spaces(text));
  });
}

// Casts dates and times to each other; units that the type does not count are dropped.
void cast_time_kernel(const KernelCall& call) {
  const Type& type = call.expression.type;
  const Clock from = clock_of(call.expression.parts[0].type), to = clock_of(type);
  const Int128 unit = nanoseconds_since_1970({to.units_a_second, 0}, 1);
  const Int128 zero = nanoseconds_since_1970(to, 0);
  const auto floored = [](Int128 value, Int128 by) { return value / by - (value % by < 0); };
  const Interval<Int128> range =
      type.is(Type::DateTime) ? Interval<Int128>{0, kLastTick} : integer_range(type);
  cast_each<int64_t>(call, call.argument<int64_t>(0), [&](int64_t value) -> std::optional<Int128> {
    const Int128 cast_value = floored(nanoseconds_since_1970(from, value) - zero, unit);
    if (cast_value < range.low || cast_value > range.high) return std::nullopt;
    return cast_value;
  });
}

// Casts a date or time to its time of day.
void time_of_day_kernel(const KernelCall& call) {
  const Clock from = clock_of(call.expression.parts[0].type);
  const int64_t a_day = from.units_a_day();
  const int64_t unit = from.units_a_second == 0 ? 0 : 1'000'000'000 / from.units_a_second;
  cast_each<int64_t>(call, call.argument<int64_t>(0), [&](int64_t value) {
    const int64_t rest = value % a_day;
    return std::optional<Int128>((rest < 0 ? rest + a_day : rest) * unit);
  });
}

// Casts durations to each other; units that the type does not count are dropped.
void cast_duration_kernel(const KernelCall& call) {
  const int64_t from = units_a_second(call.expression.parts[0].type.unit());
  const int64_t to = units_a_second(call.expression.type.unit());
  cast_each<int64_t>(call, call.argument<int64_t>(0), [&](int64_t value) -> std::optional<Int128> {
    const Int128 product = Int128{value} * to;
    const Int128 cast_value = product / from - (product % from < 0);
    if (cast_value < INT64_MIN || cast_value > INT64_MAX) return std::nullopt;
    return cast_value;
  });
}

constexpr Function kToText{"cast", {}, {}, 1, 1, Result::Shaped, to_text_kernel, {}};
constexpr Function kToInteger{"cast", {}, {}, 1, 1, Result::Shaped, to_integer_kernel, {}};
constexpr Function kToFloat{"cast", {}, {}, 1, 1, Result::Shaped, to_float_kernel, {}};
constexpr Function kToDecimal{"cast", {}, {}, 1, 1, Result::Shaped, to_decimal_kernel, {}};
constexpr Function kToBytes{"cast", {}, {}, 1, 1, Result::Shaped, to_bytes_kernel, {}};
constexpr Function kToBool{"cast", {}, {}, 1, 1, Result::Shaped, to_bool_kernel, {}};
constexpr Function kParseTime{"cast", {}, {}, 1, 1, Result::Shaped, parse_time_kernel, {}};
constexpr Function kCastTime{"cast", {}, {}, 1, 1, Result::Shaped, cast_time_kernel, {}};
constexpr Function kTimeOfDay{"cast", {}, {}, 1, 1, Result::Shaped, time_of_day_kernel, {}};
constexpr Function kCastDuration{"cast", {}, {}, 1, 1, Result::Shaped, cast_duration_kernel, {}};

bool is_number(const Type& type) {
  return type.is_integer() || type.is_float() || type.is(Type::Int128) || type.is(Type::Key) ||
         type.is(Type::Decimal);
}

// Returns null if values of `from` are not cast to `to`.
const Function* cast_function(const Type& from, const Type& to) {
  const bool plain = is_number(from) || from.is(Type::Bool);
  if (to.has_bytes() && from.has_bytes()) return &kToBytes;
  if (to.is(Type::Decimal)) return plain || from.is_text() ? &kToDecimal : nullptr;
  const bool from_time = is_time(from) && !from.is(Type::DateTimeOffset);
  const bool to_time = is_time(to) && !to.is(Type::DateTimeOffset);
  if (to.is_text()) return plain || from_time ? &kToText : nullptr;
  if (to.is_integer() && (plain || from.is_text())) return &kToInteger;
  if (to.is_float() && (plain || from.is_text())) return &kToFloat;
  if (to.is(Type::Bool) && (plain || from.is_text())) return &kToBool;
  if (to_time && from.is_text()) return &kParseTime;
  if (!from_time || !to_time) return nullptr;
  if (is_instant(from) && is_instant(to)) return &kCastTime;
  if (is_instant(from) && to.is(Type::Time)) return &kTimeOfDay;
  return from.is(Type::Duration) && to.is(Type::Duration) ? &kCastDuration : nullptr;
}

}  // namespace

bool can_cast(const Type& from, const Type& to) {
  return from == to || (from.is_text() && to.is_text()) || cast_function(from, to) != nullptr;
}

Expression cast(Expression value, const Type& type, bool to_null) {
  const bool is_same = (value.type.is_text() && type.is_text()) ||
                       (value.type.is_binary() && type.is_binary());
  if (value.type == type || is_same) return value;
  Expression call;
  call.kind = Expression::Kind::Call;
  call.function = cast_function(value.type, type);
  call.value = kind_of(type);
  call.type = type;
  call.option = to_null ? 1 : 0;
  call.offset = value.offset;
  const bool is_integer = call.value == ValueKind::Integer || call.value == ValueKind::Wide;
  if (is_integer && !type.is(Type::Decimal)) call.range = integer_range(type);
  call.parts.push_back(std::move(value));
  return call;
}

}  // namespace heron::inline v0
