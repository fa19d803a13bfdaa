// Set operations work on ascending borders: values from the first border on are in, from the second
// on out, and so on. This serves all types, including texts, which have no predecessor.
#include "expression/value_set.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heron::inline v0 {
namespace {

template <class T>
using Borders = std::vector<T>;

// The order of the values of a set of T: the minimum, and the value next to another.
template <class T>
struct Order {
  Interval<Int128> range;

  T least() const { return static_cast<T>(range.low); }
  bool is_greatest(T value) const { return static_cast<Int128>(value) == range.high; }
  T above(T value) const { return value + 1; }
  T below(T value) const { return value - 1; }
};

template <>
struct Order<UInt128> {
  UInt128 least() const { return 0; }
  bool is_greatest(UInt128 value) const { return value == ~UInt128{0}; }
  UInt128 above(UInt128 value) const { return value + 1; }
  UInt128 below(UInt128 value) const { return value - 1; }
};

template <>
struct Order<Int128> {
  static constexpr Int128 kGreatest = std::numeric_limits<Int128>::max();

  Int128 least() const { return std::numeric_limits<Int128>::min(); }
  bool is_greatest(Int128 value) const { return value == kGreatest; }
  Int128 above(Int128 value) const { return value + 1; }
  Int128 below(Int128 value) const { return value - 1; }
};

template <>
struct Order<double> {
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  bool narrow;  // float32

  double least() const { return -kInfinity; }
  bool is_greatest(double value) const { return value == kInfinity; }
  double above(double value) const { return beside(value, kInfinity); }
  double below(double value) const { return beside(value, -kInfinity); }

 private:
  // Adding 0.0 turns -0.0 into 0.0.
  double beside(double value, double direction) const {
    if (narrow) {
      return double{std::nextafter(static_cast<float>(value), static_cast<float>(direction))} + 0.0;
    }
    return std::nextafter(value, direction) + 0.0;
  }
};

template <>
struct Order<std::string> {
  std::string least() const { return {}; }
};

// Calls visit(order of T) for the T of a set of this type.
template <class Visit>
auto visit_order(const Type& type, Visit visit) {
  if (type.has_bytes()) return visit(Order<std::string>{});
  if (type.is_float()) return visit(Order<double>{type.is(Type::Float32)});
  if (type.is(Type::RowId)) return visit(Order<UInt128>{});
  if (type.is(Type::Decimal)) return visit(Order<Int128>{});
  const Interval<Int128> range = integer_range(type);
  if (range.low < 0) return visit(Order<int64_t>{range});
  return visit(Order<uint64_t>{range});
}

template <class T>
using Intervals =
    std::vector<std::conditional_t<std::is_same_v<T, std::string>, TextInterval, Interval<T>>>;

template <class T>
Borders<T> borders_of(const Order<T>& order, const ValueSet& set) {
  Borders<T> borders;
  for (const auto& interval : std::get<Intervals<T>>(set.intervals)) {
    borders.push_back(interval.low);
    if constexpr (std::is_same_v<T, std::string>) {
      if (interval.below) borders.push_back(*interval.below);
    } else {
      if (!order.is_greatest(interval.high)) borders.push_back(order.above(interval.high));
    }
  }
  return borders;
}

template <class T>
ValueSet set_of(const Order<T>& order, Borders<T> borders) {
  Intervals<T> intervals;
  for (size_t i = 0; i < borders.size(); i += 2) {
    const bool ends = i + 1 < borders.size();
    if constexpr (std::is_same_v<T, std::string>) {
      intervals.push_back({borders[i], ends ? std::optional(borders[i + 1]) : std::nullopt});
    } else if (ends) {
      intervals.push_back({borders[i], order.below(borders[i + 1])});
    } else if constexpr (std::is_same_v<T, double>) {
      intervals.push_back({borders[i], Order<double>::kInfinity});
    } else if constexpr (std::is_same_v<T, UInt128>) {
      intervals.push_back({borders[i], ~UInt128{0}});
    } else if constexpr (std::is_same_v<T, Int128>) {
      intervals.push_back({borders[i], Order<Int128>::kGreatest});
    } else {
      intervals.push_back({borders[i], static_cast<T>(order.range.high)});
    }
  }
  return {std::move(intervals), false};
}

template <class T>
Borders<T> inverted(const Order<T>& order, Borders<T> borders) {
  if (!borders.empty() && borders.front() == order.least())
    borders.erase(borders.begin());
  else
    borders.insert(borders.begin(), order.least());
  return borders;
}

// Returns the values that at least `min_sets` of the sets contain.
template <class T>
ValueSet in_many(const Order<T>& order, std::span<const ValueSet> sets, size_t min_sets) {
  std::vector<std::pair<T, int>> steps;
  for (const ValueSet& set : sets) {
    int step = 1;
    for (T& border : borders_of(order, set)) {
      steps.emplace_back(std::move(border), step);
      step = -step;
    }
  }
  std::sort(steps.begin(), steps.end());
  Borders<T> borders;
  size_t inside = 0;
  for (size_t i = 0; i < steps.size();) {
    const bool was_in = inside >= min_sets;
    size_t next = i;
    for (; next < steps.size() && steps[next].first == steps[i].first; ++next) {
      inside += static_cast<size_t>(steps[next].second);
    }
    if ((inside >= min_sets) != was_in) borders.push_back(std::move(steps[i].first));
    i = next;
  }
  return set_of(order, std::move(borders));
}

// Returns the first value that is not below the literal or, if `beyond`, is above it; nullopt if
// there is none.
template <class T>
std::optional<T> first_from(const Order<T>& order, const Literal& literal, bool beyond) {
  Int128 first = 0;
  if (const auto* number = std::get_if<double>(&literal)) {
    constexpr double kBeyondAll = 0x1p100;
    const double whole = beyond ? std::floor(*number) : std::ceil(*number);
    first = static_cast<Int128>(std::clamp(whole, -kBeyondAll, kBeyondAll));
  } else {
    first = std::get<Int128>(literal);
  }
  if (first > order.range.high) return std::nullopt;
  first += beyond;
  if (first > order.range.high) return std::nullopt;
  return static_cast<T>(std::max(first, order.range.low));
}

std::optional<double> first_from(const Order<double>& order, const Literal& literal, bool beyond) {
  // A float between -2^127 and 2^127 is compared with an integer as an integer.
  const auto is_below = [](double value, const Literal& other) {
    if (const auto* number = std::get_if<double>(&other)) return value < *number;
    const Int128 whole = std::get<Int128>(other);
    if (value >= 0x1p127 || value < -0x1p127) return value < 0;
    const auto floor = static_cast<Int128>(std::floor(value));
    return floor < whole;
  };
  const auto is_above = [](double value, const Literal& other) {
    if (const auto* number = std::get_if<double>(&other)) return value > *number;
    const Int128 whole = std::get<Int128>(other);
    if (value >= 0x1p127 || value < -0x1p127) return value > 0;
    return static_cast<Int128>(std::ceil(value)) > whole;
  };
  const auto* number = std::get_if<double>(&literal);
  double first = number != nullptr ? *number : static_cast<double>(std::get<Int128>(literal));
  if (order.narrow) first = double{static_cast<float>(first)};
  first += 0.0;
  // Rounding may have gone one value too far, but no more.
  while (is_below(first, literal) || (beyond && !is_above(first, literal))) {
    if (order.is_greatest(first)) return std::nullopt;
    first = order.above(first);
  }
  return first;
}

std::optional<UInt128> first_from(const Order<UInt128>&, const Literal& literal, bool beyond) {
  const UInt128 first = std::get<UInt128>(literal) + beyond;
  if (beyond && first == 0) return std::nullopt;
  return first;
}

std::optional<Int128> first_from(const Order<Int128>& order, const Literal& literal, bool beyond) {
  const ScaledNumber& number = std::get<ScaledNumber>(literal);
  if (!beyond && number.is_exact()) return number.floor;
  if (order.is_greatest(number.floor)) return std::nullopt;
  return order.above(number.floor);
}

std::optional<std::string> first_from(const Order<std::string>&, const Literal& literal,
                                      bool beyond) {
  std::string first = std::get<std::string>(literal);
  if (beyond) first += '\0';
  return first;
}

}  // namespace

bool holds(CompareOperator op, std::partial_ordering order) noexcept {
  switch (op) {
    case CompareOperator::Equal: return order == 0;
    case CompareOperator::NotEqual: return order < 0 || order > 0;
    case CompareOperator::Less: return order < 0;
    case CompareOperator::LessEqual: return order <= 0;
    case CompareOperator::Greater: return order > 0;
    default: return order >= 0;
  }
}

CompareOperator mirrored(CompareOperator op) {
  using Operator = CompareOperator;
  switch (op) {
    case Operator::Less: return Operator::Greater;
    case Operator::LessEqual: return Operator::GreaterEqual;
    case Operator::Greater: return Operator::Less;
    case Operator::GreaterEqual: return Operator::LessEqual;
    default: return op;
  }
}

Interval<Int128> integer_range(const Type& type) {
  const auto range = []<class T>(T) {
    return Interval<Int128>{std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
  };
  switch (type.id()) {
    case Type::Bool: return {0, 1};
    case Type::Int8: return range(int8_t{});
    case Type::Int16: return range(int16_t{});
    case Type::Int32:
    case Type::Date32: return range(int32_t{});
    case Type::UInt8: return range(uint8_t{});
    case Type::UInt16: return range(uint16_t{});
    case Type::UInt32: return range(uint32_t{});
    case Type::UInt64: return range(uint64_t{});
    case Type::Key: return integer_range(type.item());
    default: return range(int64_t{});
  }
}

double nearest(const Type& type, double number) {
  return type.is(Type::Float32) ? double{static_cast<float>(number)} : number;
}

ValueSet compared(const Type& type, CompareOperator op, const Literal& literal) {
  return visit_order(type, [&]<class T>(const Order<T>& order) {
    using Operator = CompareOperator;
    // The set begins with the first value that is equal or greater, and ends before the first that
    // is greater.
    Borders<T> borders;
    const auto add = [&](bool beyond) {
      const std::optional<T> border = first_from(order, literal, beyond);
      if (border && (borders.empty() || borders.back() != *border))
        borders.push_back(*border);
      else if (border)
        borders.pop_back();
    };
    const bool inverse =
        op == Operator::NotEqual || op == Operator::Less || op == Operator::LessEqual;
    if (op != Operator::Greater && op != Operator::LessEqual) add(false);
    if (op != Operator::GreaterEqual && op != Operator::Less) add(true);
    return set_of(order, inverse ? inverted(order, std::move(borders)) : std::move(borders));
  });
}

ValueSet starting_with(std::string_view start) {
  std::string below(start);
  while (!below.empty() && below.back() == '\xFF') below.pop_back();
  if (!below.empty())
    below.back() = static_cast<char>(static_cast<unsigned char>(below.back()) + 1);
  TextInterval texts{std::string(start), std::nullopt};
  if (!below.empty()) texts.below = std::move(below);
  return {std::vector{std::move(texts)}, false};
}

bool is_empty(const ValueSet& set) {
  return !set.nan &&
         std::visit([](const auto& intervals) { return intervals.empty(); }, set.intervals);
}

ValueSet empty_set(const Type& type) {
  return visit_order(type, []<class T>(const Order<T>& order) { return set_of<T>(order, {}); });
}

ValueSet complement(const Type& type, const ValueSet& set) {
  ValueSet others = visit_order(type, [&]<class T>(const Order<T>& order) {
    return set_of(order, inverted(order, borders_of(order, set)));
  });
  others.nan = type.is_float() && !set.nan;
  return others;
}

ValueSet united(const Type& type, std::span<const ValueSet> sets) {
  ValueSet all =
      visit_order(type, [&]<class T>(const Order<T>& order) { return in_many(order, sets, 1); });
  all.nan = std::any_of(sets.begin(), sets.end(), [](const ValueSet& set) { return set.nan; });
  return all;
}

ValueSet intersected(const Type& type, std::span<const ValueSet> sets) {
  ValueSet common = visit_order(
      type, [&]<class T>(const Order<T>& order) { return in_many(order, sets, sets.size()); });
  common.nan = std::all_of(sets.begin(), sets.end(), [](const ValueSet& set) { return set.nan; });
  return common;
}

}  // namespace heron::inline v0
