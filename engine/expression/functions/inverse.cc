#include "expression/functions/inverse.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/utf8.h"

namespace heron::inline v0 {
namespace {

constexpr Int128 kLeast = std::numeric_limits<Int128>::min();
constexpr Int128 kMost = std::numeric_limits<Int128>::max();

// The values of an expression that are wanted, in the list of its kind.
struct Wanted {
  std::vector<Interval<Int128>> integers{};
  std::vector<Interval<double>> floats{};
  std::vector<TextInterval> texts{};
  bool nan = false;
  bool is_exact = true;
};

bool is_integer(ValueKind kind) {
  return kind == ValueKind::Integer || kind == ValueKind::Wide;
}

std::optional<Wanted> wanted_of(const ValueSet& set) {
  Wanted wanted;
  wanted.nan = set.nan;
  return std::visit(
      [&]<class Of>(const std::vector<Of>& intervals) -> std::optional<Wanted> {
        if constexpr (std::is_same_v<Of, TextInterval>)
          wanted.texts = intervals;
        else if constexpr (std::is_same_v<Of, Interval<double>>)
          wanted.floats = intervals;
        else if constexpr (std::is_same_v<Of, Interval<UInt128>>)
          return std::nullopt;
        else
          for (const Of& one : intervals) wanted.integers.push_back({one.low, one.high});
        return wanted;
      },
      set.intervals);
}

// Integers for which `value op number` is true.
std::vector<Interval<Int128>> integers_that(CompareOperator op, Int128 number) {
  std::vector<Interval<Int128>> all;
  const auto below = [&] {
    if (number != kLeast) all.push_back({kLeast, number - 1});
  };
  const auto above = [&] {
    if (number != kMost) all.push_back({number + 1, kMost});
  };
  switch (op) {
    case CompareOperator::Equal: all.push_back({number, number}); break;
    case CompareOperator::NotEqual: below(), above(); break;
    case CompareOperator::Less: below(); break;
    case CompareOperator::LessEqual: all.push_back({kLeast, number}); break;
    case CompareOperator::Greater: above(); break;
    case CompareOperator::GreaterEqual: all.push_back({number, kMost}); break;
  }
  return all;
}

CompareOperator opposite(CompareOperator op) {
  using Operator = CompareOperator;
  switch (op) {
    case Operator::Equal: return Operator::NotEqual;
    case Operator::NotEqual: return Operator::Equal;
    case Operator::Less: return Operator::GreaterEqual;
    case Operator::LessEqual: return Operator::Greater;
    case Operator::Greater: return Operator::LessEqual;
    default: return Operator::Less;
  }
}

// A call computed for one value of its only part that is not constant.
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

// Positions of floats in their order, -0.0 that of 0.0.
Int128 place_of(double value) {
  const auto bits = std::bit_cast<int64_t>(value);
  return bits < 0 ? std::numeric_limits<int64_t>::min() - bits : bits;
}
double float_at(Int128 place) {
  const auto bits = static_cast<int64_t>(place);
  return std::bit_cast<double>(bits < 0 ? std::numeric_limits<int64_t>::min() - bits : bits);
}

// The first of the places of a domain for which `holds`, which is false up to one and true from it
// on; one behind the last if it is false for all.
template <class Holds>
Int128 first_place(Interval<Int128> domain, Holds holds) {
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
  Interval<Int128> domain;  // of integers
  bool can_fail = false;    // for the first values of the domain
};

// Wanted values of a monotone call become those of its part.
template <class To, class From>
class Inversion {
 public:
  Inversion(const Expression& call, const Monotone& monotone, const SourceText& source)
      : at_(call, monotone.part, source), rises_(monotone.rises), domain_(monotone.domain) {
    if constexpr (std::is_same_v<From, double>) {
      constexpr double kInfinity = std::numeric_limits<double>::infinity();
      domain_ = {place_of(-kInfinity), place_of(kInfinity)};
    } else if (monotone.can_fail) {
      domain_.low = first_place(domain_, [&](Int128 place) {
        try {
          value(place);
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
    Interval<Int128> places{};
    if (rises_) {
      places.low = first_place(domain_, [&](Int128 place) { return value(place) >= to.low; });
      places.high = first_place(domain_, [&](Int128 place) { return value(place) > to.high; }) - 1;
    } else {
      places.low = first_place(domain_, [&](Int128 place) { return value(place) <= to.high; });
      places.high = first_place(domain_, [&](Int128 place) { return value(place) < to.low; }) - 1;
    }
    if (places.low > places.high) return std::nullopt;
    return Interval<From>{argument(places.low), argument(places.high)};
  }

 private:
  static From argument(Int128 place) {
    if constexpr (std::is_same_v<From, double>) return float_at(place);
    return static_cast<From>(place);
  }
  To value(Int128 place) { return at_.template at<To, From>(argument(place)); }

  CallAt at_;
  bool rises_;
  Interval<Int128> domain_;
};

template <class T>
std::vector<Interval<T>>& list_of(Wanted& wanted) {
  if constexpr (std::is_same_v<T, double>)
    return wanted.floats;
  else
    return wanted.integers;
}

template <class To, class From>
Wanted inverted(const Expression& call, const Monotone& monotone, Wanted to,
                const SourceText& source) {
  Wanted from;
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

bool has_days(const Type& type) {
  return type.is(Type::Date32) || type.is(Type::Timestamp) || type.is(Type::DateTime);
}

// The sign of a number that does not turn another one into 0 or NaN; else 0.
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

// The only part that is not constant; nullopt if there are several, or nulls.
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

std::optional<Monotone> monotone_cast(const Expression& call) {
  const Expression& from = call.parts[0];
  Monotone monotone{0, true, from.range};
  if (call.type.is(Type::Date32) && has_days(from.type)) return monotone;
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

template <class T>
std::vector<Interval<T>> at_distance(const std::vector<Interval<T>>& distances) {
  std::vector<Interval<T>> all;
  for (const auto& [low, high] : distances) {
    if (high < 0) continue;
    const T least = low < 0 ? T{} : low;
    all.push_back({least, high});
    if (high == std::numeric_limits<T>::max() && !std::is_same_v<T, double>)
      all.push_back({std::numeric_limits<T>::min(), -least});
    else
      all.push_back({-high, -least});
  }
  return all;
}

// How many characters from the first on a call keeps of a text; nullopt: it is another call.
std::optional<uint64_t> characters_kept(const Expression& call) {
  const std::string_view name = call.function->name;
  const auto number = [&](size_t i) {
    const auto* whole = std::get_if<Int128>(&call.parts[i].constant);
    return whole == nullptr || *whole < 1 || *whole > INT32_MAX ? 0 : static_cast<uint64_t>(*whole);
  };
  uint64_t kept = 0;
  if (name == "left") kept = number(1);
  if ((name == "substr" || name == "substring") && call.parts.size() == 3 && number(1) == 1) {
    kept = number(2);
  }
  return kept != 0 ? std::optional(kept) : std::nullopt;
}

// Texts whose first `kept` characters are in the intervals. A text is not below its beginning, and
// below all texts that begin with what a larger beginning has.
Wanted texts_with_beginnings(const Wanted& wanted, uint64_t kept) {
  Wanted texts;
  texts.is_exact = wanted.is_exact;
  for (const TextInterval& one : wanted.texts) {
    if (one.below == one.low + '\0' && is_ascii(one.low)) {  // a single text
      if (one.low.size() < kept) texts.texts.push_back(one);
      if (one.low.size() != kept) continue;
      const ValueSet all = starting_with(one.low);
      texts.texts.push_back(std::get<std::vector<TextInterval>>(all.intervals).front());
      continue;
    }
    texts.is_exact = false;
    TextInterval wider{one.low, std::nullopt};
    if (one.below && is_ascii(*one.below)) {
      const ValueSet all = starting_with(one.below->substr(0, kept));
      wider.below = std::get<std::vector<TextInterval>>(all.intervals).front().below;
    }
    texts.texts.push_back(std::move(wider));
  }
  return texts;
}

// The wanted values of a part of the call, for those of the call; nullopt: not known.
std::optional<std::pair<const Expression*, Wanted>> of_part(const Expression& call, Wanted wanted,
                                                            const SourceText& source) {
  if (call.kind != Expression::Kind::Call || call.parts.empty()) return std::nullopt;
  const Expression& first = call.parts[0];
  if (call.value == ValueKind::Text) {
    const std::optional<uint64_t> kept = characters_kept(call);
    if (!kept || only_part(call) != size_t{0}) return std::nullopt;
    return std::pair(&first, texts_with_beginnings(wanted, *kept));
  }
  if (call.function->name == "abs") {
    wanted.floats = at_distance(wanted.floats);
    wanted.integers = at_distance(wanted.integers);
    return std::pair(&first, std::move(wanted));
  }
  const std::optional<Monotone> monotone = monotone_of(call);
  if (!monotone) return std::nullopt;
  const Expression& part = call.parts[monotone->part];
  const bool to_float = call.value == ValueKind::Float;
  const bool from_float = part.value == ValueKind::Float;
  if ((!to_float && !is_integer(call.value)) || (!from_float && !is_integer(part.value))) {
    return std::nullopt;
  }
  if (to_float) {
    return std::pair(&part, from_float ? inverted<double, double>(call, *monotone, wanted, source)
                                       : inverted<double, Int128>(call, *monotone, wanted, source));
  }
  if (from_float) return std::nullopt;
  return std::pair(&part, inverted<Int128, Int128>(call, *monotone, wanted, source));
}

// The test of a value that a bool is, and the values that pass.
std::optional<std::pair<const Expression*, Wanted>> test_of(const Expression& truth, bool wanted) {
  if (truth.kind != Expression::Kind::Call) return std::nullopt;
  const std::string_view name = truth.function->name;
  if (name == "in") {
    const Expression& value = truth.parts[0];
    auto values = wanted_of(wanted ? *truth.set : complement(value.type, *truth.set));
    if (!values) return std::nullopt;
    return std::pair(&value, *std::move(values));
  }
  if (name == "starts_with") {
    const auto* start = std::get_if<std::string>(&truth.parts[1].constant);
    if (start == nullptr || !truth.parts[1].is_constant()) return std::nullopt;
    const ValueSet set = starting_with(*start);
    return std::pair(&truth.parts[0], *wanted_of(wanted ? set : complement(Type::Text, set)));
  }
  if (name != "compare") return std::nullopt;
  const size_t constant = truth.parts[0].is_constant() ? 0 : 1;
  const Expression& value = truth.parts[1 - constant];
  const auto* number = std::get_if<Int128>(&truth.parts[constant].constant);
  if (number == nullptr || !is_integer(truth.parts[constant].value) || !is_integer(value.value)) {
    return std::nullopt;
  }
  auto op = static_cast<CompareOperator>(truth.option);
  if (constant == 0) op = mirrored(op);
  Wanted values;
  values.integers = integers_that(wanted ? op : opposite(op), *number);
  return std::pair(&value, std::move(values));
}

// The values as a set of the type. Intervals may overlap.
ValueSet set_of(const Type& type, const Wanted& wanted) {
  std::vector<ValueSet> sets{empty_set(type)};
  for (const TextInterval& one : wanted.texts) sets.push_back({std::vector{one}, false});
  const auto add = [&](const Literal& low, const Literal& high) {
    const ValueSet ends[] = {compared(type, CompareOperator::GreaterEqual, low),
                             compared(type, CompareOperator::LessEqual, high)};
    sets.push_back(intersected(type, ends));
  };
  for (const auto& [low, high] : wanted.integers) add(low, high);
  for (const auto& [low, high] : wanted.floats) add(low + 0.0, high + 0.0);
  ValueSet all = united(type, sets);
  all.nan = type.is_float() && wanted.nan;
  return all;
}

}  // namespace

std::optional<ColumnValues> column_values(const Expression& truth, bool wanted,
                                          const NamedColumns& columns, const SourceText& source) {
  auto step = test_of(truth, wanted);
  while (step && step->first->kind != Expression::Kind::Column) {
    step = of_part(*step->first, std::move(step->second), source);
  }
  if (!step) return std::nullopt;
  const auto& [column, values] = *step;
  const Type& type = columns.type(column->column);
  const bool has_sets = is_integer(column->value) || column->value == ValueKind::Float ||
                        column->value == ValueKind::Text;
  if (!has_sets || type.is_nested() || type.is(Type::Key) || type.is(Type::Int128)) {
    return std::nullopt;
  }
  return ColumnValues{column->column, set_of(type, values), values.is_exact};
}

}  // namespace heron::inline v0
