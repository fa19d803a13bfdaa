#include "expression/functions/monotone.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string_view>
#include <type_traits>

#include "values/times.h"

namespace heron::inline v0 {
namespace {

// Computes a call for one value of its only part that is not constant.
class CallAt {
 public:
  CallAt(const Expression& call, size_t part, const SourceText& source)
      : call_(call), part_(part), source_(source), arguments_(call.parts.size()) {
    for (size_t i = 0; i < call.parts.size(); ++i) {
      const Expression& constant = call.parts[i];
      Cell& cell = cells_.emplace_back();
      if (const auto* text = std::get_if<std::string>(&constant.constant)) cell.text = *text;
      if (const auto* number = std::get_if<double>(&constant.constant)) cell.number = *number;
      if (const auto* whole = std::get_if<Int128>(&constant.constant)) {
        cell.wide = *whole;
        cell.integer = static_cast<int64_t>(*whole);
        if (constant.value == ValueKind::Float) cell.number = static_cast<double>(*whole);
      }
    }
    for (size_t i = 0; i < call.parts.size(); ++i) {
      arguments_[i] = {call.parts[i].value, cells_[i].of(call.parts[i].value), &kOne};
    }
  }

  // Throws what the function throws.
  template <class To, class From>
  To at(From value) {
    Cell& cell = cells_[part_];
    if constexpr (std::is_same_v<From, double>) {
      cell.number = value;
    } else {
      cell.wide = value;
      cell.integer = static_cast<int64_t>(value);
    }
    uint64_t valid = 1;
    Cell out;
    Vector result;
    call_.function->kernel({call_, arguments_, 1, &kOne, out.of(call_.value), &valid, texts_,
                            source_, result});
    if constexpr (std::is_same_v<To, double>) return out.number;
    return call_.value == ValueKind::Wide ? static_cast<To>(out.wide)
                                          : static_cast<To>(out.integer);
  }

 private:
  struct Cell {
    int64_t integer = 0;
    Int128 wide = 0;
    double number = 0;
    std::string_view text;

    void* of(ValueKind kind) {
      switch (kind) {
        case ValueKind::Wide: return &wide;
        case ValueKind::Float: return &number;
        case ValueKind::Text: return &text;
        default: return &integer;
      }
    }
  };
  static constexpr uint64_t kOne = 1;

  const Expression& call_;
  const size_t part_;
  const SourceText& source_;
  std::vector<Vector> arguments_;
  std::vector<Cell> cells_;
  Arena texts_;
};

// Returns the ordinal of a float in the order of floats; -0.0 has the ordinal of 0.0.
Int128 ordinal_of(double value) {
  const auto bits = std::bit_cast<int64_t>(value);
  return bits < 0 ? std::numeric_limits<int64_t>::min() - bits : bits;
}
double float_at(Int128 ordinal) {
  const auto bits = static_cast<int64_t>(ordinal);
  return std::bit_cast<double>(bits < 0 ? std::numeric_limits<int64_t>::min() - bits : bits);
}

// Returns the first ordinal in a domain for which `holds` is true, if it is false below some
// ordinal and true from there on; one behind the last if it is false for all.
template <class Holds>
Int128 first_ordinal(Interval<Int128> domain, Holds holds) {
  Int128 low = domain.low, high = domain.high;  // the answer is in low .. high + 1
  while (low <= high) {
    const Int128 middle =
        low + static_cast<Int128>((static_cast<UInt128>(high) - static_cast<UInt128>(low)) / 2);
    if (!holds(middle)) {
      low = middle + 1;
    } else {
      if (middle == low) return low;
      high = middle - 1;
    }
  }
  return low;
}

// A function of one argument that never falls, or never rises, for arguments of a domain.
struct Monotone {
  size_t part;
  bool rises;
  Interval<Int128> domain;  // values of an integer argument
  bool can_fail = false;    // whether the call fails for the first values of the domain
};

// Maps values of a monotone call to values of its part.
template <class To, class From>
class Inversion {
 public:
  Inversion(const Expression& call, const Monotone& monotone, const SourceText& source)
      : at_(call, monotone.part, source), rises_(monotone.rises), domain_(monotone.domain) {
    if constexpr (std::is_same_v<From, double>) {
      constexpr double kInfinity = std::numeric_limits<double>::infinity();
      domain_ = {ordinal_of(-kInfinity), ordinal_of(kInfinity)};
    } else if (monotone.can_fail) {
      domain_.low = first_ordinal(domain_, [&](Int128 ordinal) {
        try {
          value(ordinal);
          return true;
        } catch (const Error&) {
          return false;
        }
      });
    }
  }

  Interval<Int128> domain() const { return domain_; }

  std::optional<Interval<From>> invert(const Interval<To>& to) {
    if (domain_.low > domain_.high) return std::nullopt;
    Interval<Int128> ordinals{};
    if (rises_) {
      ordinals.low =
          first_ordinal(domain_, [&](Int128 ordinal) { return value(ordinal) >= to.low; });
      ordinals.high =
          first_ordinal(domain_, [&](Int128 ordinal) { return value(ordinal) > to.high; }) - 1;
    } else {
      ordinals.low =
          first_ordinal(domain_, [&](Int128 ordinal) { return value(ordinal) <= to.high; });
      ordinals.high =
          first_ordinal(domain_, [&](Int128 ordinal) { return value(ordinal) < to.low; }) - 1;
    }
    if (ordinals.low > ordinals.high) return std::nullopt;
    return Interval<From>{argument(ordinals.low), argument(ordinals.high)};
  }

 private:
  static From argument(Int128 ordinal) {
    if constexpr (std::is_same_v<From, double>) return float_at(ordinal);
    return static_cast<From>(ordinal);
  }
  To value(Int128 ordinal) { return at_.template at<To, From>(argument(ordinal)); }

  CallAt at_;
  bool rises_;
  Interval<Int128> domain_;
};

template <class T>
std::vector<Interval<T>>& list_of(ValueIntervals& values) {
  if constexpr (std::is_same_v<T, double>)
    return values.floats;
  else
    return values.integers;
}

template <class To, class From>
ValueIntervals inverted(const Expression& call, const Monotone& monotone, ValueIntervals to,
                        const SourceText& source) {
  ValueIntervals from;
  from.nan = to.nan && std::is_same_v<From, double>;
  from.is_exact = to.is_exact;
  Inversion<To, From> inversion(call, monotone, source);
  for (const Interval<To>& one : list_of<To>(to)) {
    std::optional<Interval<From>> inverse = inversion.invert(one);
    if constexpr (!std::is_same_v<From, double>) {
      // Values for which the function fails must be computed to fail.
      if (monotone.can_fail && inverse && inverse->low == inversion.domain().low) {
        inverse->low = monotone.domain.low;
        from.is_exact = false;
      }
    }
    if (inverse) list_of<From>(from).push_back(*inverse);
  }
  if (!monotone.rises) std::reverse(list_of<From>(from).begin(), list_of<From>(from).end());
  return from;
}

// Returns the sign of a number that does not turn another one into 0 or NaN; else 0.
int sign_of(const Expression& constant) {
  const auto* whole = std::get_if<Int128>(&constant.constant);
  if (whole != nullptr) return *whole > 0 ? 1 : *whole < 0 ? -1 : 0;
  const auto* number = std::get_if<double>(&constant.constant);
  if (number == nullptr || !std::isfinite(*number)) return 0;
  return *number > 0 ? 1 : *number < 0 ? -1 : 0;
}
bool is_finite(const Expression& constant) {
  const auto* number = std::get_if<double>(&constant.constant);
  return number == nullptr || std::isfinite(*number);
}

std::optional<bool> arithmetic_rises(const Expression& call, size_t part) {
  const auto op = static_cast<Arithmetic>(call.option);
  if (op == Arithmetic::Negate) return false;
  const Expression& other = call.parts[1 - part];
  const int sign = sign_of(other);
  switch (op) {
    case Arithmetic::Add: return is_finite(other) ? std::optional(true) : std::nullopt;
    case Arithmetic::Subtract: return is_finite(other) ? std::optional(part == 0) : std::nullopt;
    case Arithmetic::Multiply: return sign != 0 ? std::optional(sign > 0) : std::nullopt;
    case Arithmetic::Divide:
      return sign != 0 && part == 0 ? std::optional(sign > 0) : std::nullopt;
    default: return std::nullopt;
  }
}

// The cast of a time to its day; timestamps of coarse units can have days that a date32 has not.
std::optional<Monotone> monotone_days(const Expression& call, Monotone monotone) {
  const Int128 units = clock_of(call.parts[0].type).units_a_day();
  const Interval<Int128> days = integer_range(Type::Date32), range = monotone.domain;
  if (call.parts[0].type.is(Type::DateTime)) return monotone;
  const Interval<Int128> held{days.low * units, (days.high + 1) * units - 1};
  const bool fits = range.low >= held.low && range.high <= held.high;
  if (!fits && call.option == 0) return std::nullopt;
  monotone.domain = {std::max(range.low, held.low), std::min(range.high, held.high)};
  return monotone;
}

std::optional<Monotone> monotone_cast(const Expression& call) {
  const Expression& from = call.parts[0];
  if (from.type.is(Type::Decimal) || call.type.is(Type::Decimal)) return std::nullopt;
  Monotone monotone{0, true, from.range};
  if (call.type.is(Type::Date32) && is_instant(from.type) && !from.type.is(Type::DateTimeOffset)) {
    return monotone_days(call, monotone);
  }
  if (!is_integer(from.value)) return std::nullopt;
  if (call.type.is(Type::Float64)) return monotone;
  if (!call.type.is_integer()) return std::nullopt;
  const Interval<Int128> held = integer_range(call.type);
  const bool fits = from.range.low >= held.low && from.range.high <= held.high;
  if (!fits && call.option == 0) return std::nullopt;
  monotone.domain = {std::max(from.range.low, held.low), std::min(from.range.high, held.high)};
  return monotone;
}

std::optional<Monotone> monotone_of(const Expression& call) {
  const std::optional<size_t> part = only_part(call);
  if (!part) return std::nullopt;
  const std::string_view name = call.function->name;
  Monotone monotone{*part, true, call.parts[*part].range};
  if (name == "convert" || name == "year" || name == "epoch") return monotone;
  if (name == "cast") return monotone_cast(call);
  if (name == "negate") {
    monotone.rises = false;
    return monotone;
  }
  if (name == "arithmetic") {
    const std::optional<bool> rises = arithmetic_rises(call, *part);
    if (!rises) return std::nullopt;
    monotone.rises = *rises;
    return monotone;
  }
  if (name == "date_trunc") {
    monotone.can_fail = true;
    return monotone;
  }
  if (name != "floor" && name != "ceil" && name != "trunc" && name != "round") return std::nullopt;
  if (call.parts.size() == 1) return monotone;
  const auto* digits = std::get_if<Int128>(&call.parts[1].constant);
  return *part == 0 && digits != nullptr && *digits >= 0 ? std::optional(monotone) : std::nullopt;
}

}  // namespace

std::optional<size_t> only_part(const Expression& call) {
  std::optional<size_t> only;
  for (size_t i = 0; i < call.parts.size(); ++i) {
    if (call.parts[i].is_null()) return std::nullopt;
    if (call.parts[i].is_constant()) continue;
    if (only) return std::nullopt;
    only = i;
  }
  return only;
}

std::optional<Argument> monotone_argument(const Expression& call, const ValueIntervals& results,
                                          const SourceText& source) {
  const std::optional<Monotone> monotone = monotone_of(call);
  if (!monotone) return std::nullopt;
  const Expression& part = call.parts[monotone->part];
  const bool to_float = call.value == ValueKind::Float;
  const bool from_float = part.value == ValueKind::Float;
  if ((!to_float && !is_integer(call.value)) || (!from_float && !is_integer(part.value)) ||
      (from_float && !to_float)) {
    return std::nullopt;
  }
  const auto values = [&] {
    if (!to_float) return inverted<Int128, Int128>(call, *monotone, results, source);
    return from_float ? inverted<double, double>(call, *monotone, results, source)
                      : inverted<double, Int128>(call, *monotone, results, source);
  };
  return Argument{monotone->part, values()};
}

}  // namespace heron::inline v0
