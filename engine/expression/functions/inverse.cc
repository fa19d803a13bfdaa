#include "expression/functions/inverse.h"

#include <algorithm>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "expression/functions/monotone.h"

namespace heron::inline v0 {
namespace {

constexpr Int128 kMinimum = std::numeric_limits<Int128>::min();
constexpr Int128 kMaximum = std::numeric_limits<Int128>::max();

std::optional<ValueIntervals> intervals_of(const ValueSet& set) {
  ValueIntervals values;
  values.nan = set.nan;
  return std::visit(
      [&]<class Of>(const std::vector<Of>& intervals) -> std::optional<ValueIntervals> {
        if constexpr (std::is_same_v<Of, TextInterval>)
          values.texts = intervals;
        else if constexpr (std::is_same_v<Of, Interval<double>>)
          values.floats = intervals;
        else if constexpr (std::is_same_v<Of, Interval<UInt128>> ||
                           std::is_same_v<Of, Interval<Int128>>)
          return std::nullopt;
        else
          for (const Of& one : intervals) values.integers.push_back({one.low, one.high});
        return values;
      },
      set.intervals);
}

// Returns the integers for which `value op number` is true.
std::vector<Interval<Int128>> integers_that(CompareOperator op, Int128 number) {
  std::vector<Interval<Int128>> all;
  const auto below = [&] {
    if (number != kMinimum) all.push_back({kMinimum, number - 1});
  };
  const auto above = [&] {
    if (number != kMaximum) all.push_back({number + 1, kMaximum});
  };
  switch (op) {
    case CompareOperator::Equal: all.push_back({number, number}); break;
    case CompareOperator::NotEqual: below(), above(); break;
    case CompareOperator::Less: below(); break;
    case CompareOperator::LessEqual: all.push_back({kMinimum, number}); break;
    case CompareOperator::Greater: above(); break;
    case CompareOperator::GreaterEqual: all.push_back({number, kMaximum}); break;
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

// Returns how many characters from the first on a call keeps of a text; nullopt for other calls.
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

// Returns the texts whose first `kept` characters are in the intervals. A text is not below its
// beginning, and is below all texts with a larger beginning.
ValueIntervals texts_with_beginnings(const ValueIntervals& values, uint64_t kept) {
  ValueIntervals texts;
  texts.is_exact = values.is_exact;
  for (const TextInterval& one : values.texts) {
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

// Returns the values of a part of the call for which the result is among `values`; nullopt if they
// are not known.
std::optional<std::pair<const Expression*, ValueIntervals>> of_part(const Expression& call,
                                                                    ValueIntervals values,
                                                                    const SourceText& source) {
  if (call.kind != Expression::Kind::Call || call.parts.empty()) return std::nullopt;
  for (const Expression& part : call.parts) {
    if (part.type.is(Type::Decimal)) return std::nullopt;  // their sets are in units
  }
  const Expression& first = call.parts[0];
  if (call.value == ValueKind::Text) {
    const std::optional<uint64_t> kept = characters_kept(call);
    if (!kept || only_part(call) != size_t{0}) return std::nullopt;
    return std::pair(&first, texts_with_beginnings(values, *kept));
  }
  if (call.function->name == "abs") {
    values.floats = at_distance(values.floats);
    values.integers = at_distance(values.integers);
    return std::pair(&first, std::move(values));
  }
  auto argument = monotone_argument(call, values, source);
  if (!argument) return std::nullopt;
  return std::pair(&call.parts[argument->part], std::move(argument->values));
}

// Returns the value that a bool tests, and the values that pass the test; nullopt if the bool is no
// test of one value.
std::optional<std::pair<const Expression*, ValueIntervals>> test_of(const Expression& truth,
                                                                    bool expected) {
  if (truth.kind != Expression::Kind::Call) return std::nullopt;
  const std::string_view name = truth.function->name;
  if (name == "in") {
    const Expression& value = truth.parts[0];
    auto values = intervals_of(expected ? *truth.set : complement(value.type, *truth.set));
    if (!values) return std::nullopt;
    return std::pair(&value, *std::move(values));
  }
  if (name == "starts_with") {
    const auto* start = std::get_if<std::string>(&truth.parts[1].constant);
    if (start == nullptr || !truth.parts[1].is_constant()) return std::nullopt;
    const ValueSet set = starting_with(*start);
    return std::pair(&truth.parts[0], *intervals_of(expected ? set : complement(Type::Text, set)));
  }
  if (name != "compare") return std::nullopt;
  const size_t constant = truth.parts[0].is_constant() ? 0 : 1;
  const Expression& value = truth.parts[1 - constant];
  const auto* number = std::get_if<Int128>(&truth.parts[constant].constant);
  if (number == nullptr || value.type.is(Type::Decimal) || !is_integer(truth.parts[constant].value) || !is_integer(value.value)) {
    return std::nullopt;
  }
  auto op = static_cast<CompareOperator>(truth.option);
  if (constant == 0) op = mirrored(op);
  ValueIntervals values;
  values.integers = integers_that(expected ? op : opposite(op), *number);
  return std::pair(&value, std::move(values));
}

// Returns the values as a set of the type. Intervals may overlap.
ValueSet set_of(const Type& type, const ValueIntervals& values) {
  std::vector<ValueSet> sets{empty_set(type)};
  for (const TextInterval& one : values.texts) sets.push_back({std::vector{one}, false});
  const auto add = [&](const Literal& low, const Literal& high) {
    const ValueSet ends[] = {compared(type, CompareOperator::GreaterEqual, low),
                             compared(type, CompareOperator::LessEqual, high)};
    sets.push_back(intersected(type, ends));
  };
  for (const auto& [low, high] : values.integers) add(low, high);
  for (const auto& [low, high] : values.floats) add(low + 0.0, high + 0.0);
  ValueSet all = united(type, sets);
  all.nan = type.is_float() && values.nan;
  return all;
}

}  // namespace

std::optional<ColumnValues> column_values(const Expression& truth, bool expected,
                                          const NamedColumns& columns, const SourceText& source) {
  auto step = test_of(truth, expected);
  while (step && step->first->kind != Expression::Kind::Column) {
    step = of_part(*step->first, std::move(step->second), source);
  }
  if (!step) return std::nullopt;
  const auto& [column, values] = *step;
  const Type& type = columns.type(column->column);
  const bool has_sets = is_integer(column->value) || column->value == ValueKind::Float ||
                        column->value == ValueKind::Text;
  if (!has_sets || type.is_nested() || type.is(Type::Key) || type.is(Type::Int128) ||
      type.is(Type::Decimal)) {
    return std::nullopt;
  }
  return ColumnValues{column->column, set_of(type, values), values.is_exact};
}

}  // namespace heron::inline v0
