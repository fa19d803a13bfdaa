// Sets of values contain exactly the values for which the comparison with the literal is true.
#include "expression/value_set.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "expression/shown_predicate.h"
#include "expression/term.h"

namespace heron {
namespace {

using Operator = CompareOperator;

constexpr Operator kOperators[] = {Operator::Equal,     Operator::NotEqual, Operator::Less,
                                   Operator::LessEqual, Operator::Greater,  Operator::GreaterEqual};

template <class Wide, class T>
bool has(const ValueSet& set, T value) {
  if (value != value) return set.nan;
  const auto& intervals = std::get<std::vector<Interval<Wide>>>(set.intervals);
  for (size_t i = 0; i < intervals.size(); ++i) {
    EXPECT_LE(intervals[i].low, intervals[i].high);
    if (i != 0) {
      EXPECT_LT(intervals[i - 1].high, intervals[i].low);
    }
    if (intervals[i].low <= value && value <= intervals[i].high) return true;
  }
  return false;
}

// Checks the set of each operator with the literal, and its complement, for each value.
template <class Wide, class T>
void check(const Type& type, const std::vector<T>& values, const ExactNumber& number) {
  const auto literal = std::visit([](auto n) { return Literal(n); }, number);
  for (const Operator op : kOperators) {
    const ValueSet set = compared(type, op, literal);
    const ValueSet others = complement(type, set);
    for (const T value : values) {
      ExactNumber exact = 0.0;
      if constexpr (std::is_floating_point_v<T>)
        exact = double{value};
      else
        exact = Int128{value};
      const bool expected = holds(op, compare(exact, number));
      ASSERT_EQ((has<Wide>(set, value)), expected)
          << type.name() << ' ' << test::shown(set) << " op " << static_cast<int>(op) << ' '
          << +value;
      ASSERT_EQ((has<Wide>(others, value)), !expected) << test::shown(others);
    }
  }
}

template <class T>
std::vector<T> all_values() {
  std::vector<T> values;
  for (int i = std::numeric_limits<T>::min(); i <= std::numeric_limits<T>::max(); ++i) {
    values.push_back(static_cast<T>(i));
  }
  return values;
}

std::vector<ExactNumber> small_literals() {
  std::vector<ExactNumber> literals{0.5, -0.0, 1e300, -1e300, Int128{1} << 100};
  for (int i = -300; i <= 300; ++i) {
    literals.emplace_back(Int128{i});
    literals.emplace_back(i + 0.25);
    literals.emplace_back(double(i));
  }
  literals.emplace_back(std::numeric_limits<double>::infinity());
  literals.emplace_back(-std::numeric_limits<double>::infinity());
  return literals;
}

TEST(ValueSet, has_every_small_integer_that_it_should) {
  for (const ExactNumber& literal : small_literals()) {
    check<int64_t>(Type::Int8, all_values<int8_t>(), literal);
    check<uint64_t>(Type::UInt8, all_values<uint8_t>(), literal);
  }
}

// Returns floats of random bits, and floats beside special numbers.
template <class T>
std::vector<T> some_floats(std::mt19937_64& random) {
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  std::vector<T> values{0,
                        T(-0.0),
                        kInfinity,
                        -kInfinity,
                        std::numeric_limits<T>::quiet_NaN(),
                        std::numeric_limits<T>::max(),
                        std::numeric_limits<T>::denorm_min()};
  for (int i = 0; i < 40; ++i) values.push_back(std::bit_cast<T>(static_cast<Bits>(random())));
  for (const T value : {T(0x1p24), T(0x1p53), T(0x1p63), T(0x1p64), T(-0x1p63), T(0.1), T(1)}) {
    values.push_back(value);
    values.push_back(std::nextafter(value, kInfinity));
    values.push_back(std::nextafter(value, -kInfinity));
  }
  return values;
}

std::vector<Int128> some_integers(std::mt19937_64& random) {
  std::vector<Int128> integers;
  for (const unsigned power : {7u, 24u, 31u, 53u, 63u, 64u, 100u}) {
    for (int beside = -2; beside <= 2; ++beside) {
      integers.push_back((Int128{1} << power) + beside);
      integers.push_back(-(Int128{1} << power) + beside);
    }
  }
  for (int i = 0; i < 20; ++i) {
    integers.push_back(static_cast<int64_t>(random()) >> (random() % 64));
  }
  return integers;
}

TEST(ValueSet, is_exact_for_wide_integers_and_floats) {
  std::mt19937_64 random(7);
  const std::vector<Int128> integers = some_integers(random);
  const std::vector<double> doubles = some_floats<double>(random);
  const std::vector<float> floats = some_floats<float>(random);
  std::vector<int64_t> with_sign;
  std::vector<uint64_t> without;
  std::vector<ExactNumber> literals(integers.begin(), integers.end());
  for (const Int128 integer : integers) {
    with_sign.push_back(static_cast<int64_t>(integer));
    without.push_back(static_cast<uint64_t>(integer));
  }
  for (const double number : doubles) {
    if (number == number) literals.emplace_back(number);
  }
  for (const float number : floats) {
    if (number == number) literals.emplace_back(double{number});
  }
  for (const ExactNumber& literal : literals) {
    check<int64_t>(Type::Int64, with_sign, literal);
    check<uint64_t>(Type::UInt64, without, literal);
    check<double>(Type::Float64, doubles, literal);
    check<double>(Type::Float32, floats, literal);
  }
}

TEST(ValueSet, unites_and_intersects) {
  std::mt19937_64 random(8);
  for (int round = 0; round < 500; ++round) {
    std::vector<ValueSet> sets;
    for (int i = 0; i < 3; ++i) {
      const auto literal = Int128{static_cast<int>(random() % 300)} - 150;
      sets.push_back(compared(Type::Int8, kOperators[random() % 6], literal));
    }
    const ValueSet any = united(Type::Int8, sets);
    const ValueSet all = intersected(Type::Int8, sets);
    for (const int8_t value : all_values<int8_t>()) {
      const auto in = [&](const ValueSet& set) { return has<int64_t>(set, value); };
      ASSERT_EQ(in(any), std::any_of(sets.begin(), sets.end(), in));
      ASSERT_EQ(in(all), std::all_of(sets.begin(), sets.end(), in));
    }
  }
}

TEST(ValueSet, of_texts_is_by_bytes) {
  const auto set = [](Operator op, const char* literal) {
    return test::shown(compared(Type::Text, op, std::string(literal)));
  };
  const std::string end(1, '\0');
  EXPECT_EQ(set(Operator::Equal, "b"), "[b, b" + end + ")");
  EXPECT_EQ(set(Operator::NotEqual, "b"), "[, b) [b" + end + ", ..)");
  EXPECT_EQ(set(Operator::Less, "b"), "[, b)");
  EXPECT_EQ(set(Operator::Less, ""), "");
  EXPECT_EQ(set(Operator::GreaterEqual, ""), "[, ..)");
  EXPECT_EQ(test::shown(starting_with("a\xFF\xFF")), "[a\xFF\xFF, b)");
  EXPECT_EQ(test::shown(starting_with("\xFF")), "[\xFF, ..)");
}

}  // namespace
}  // namespace heron
