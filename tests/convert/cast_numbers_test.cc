// Casts of every kind of number to every other, against a slow form of the rule: in long doubles,
// which hold all of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "convert/cast.h"
#include "convert/made_values.h"
#include "convert/number_types.h"

namespace heron {
namespace {

static_assert(std::numeric_limits<long double>::digits >= 64);

const Type::Id kNumbers[] = {Type::Bool,   Type::Int8,    Type::Int16,  Type::Int32,
                             Type::Int64,  Type::UInt8,   Type::UInt16, Type::UInt32,
                             Type::UInt64, Type::Float32, Type::Float64};

// Returns the values of T at which numbers of some width overflow or round.
template <class T>
std::vector<T> hard_values() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values;
  if constexpr (std::is_floating_point_v<T>) {
    for (const double value :
         {0.5, 1.5, 0x1p-149, 0x1p-150, 0x1p-1074, 0x1p-126, 0x1.fffffep127, 0x1.fffffe8p127,
          0x1p128, 0x1.ffffff8p30, 1e300, 0x1.000001p0, 0x1.000002p0, 0.1}) {
      values.push_back(static_cast<T>(value));
      values.push_back(static_cast<T>(-value));
    }
    for (const T value : {T{-0.0}, Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(),
                          -Limits::quiet_NaN(), Limits::denorm_min(), Limits::min()}) {
      values.push_back(value);
    }
  }
  for (int power = 0; power <= 64; ++power) {
    for (const int step : {-2, -1, 0, 1, 2}) {
      const long double value = std::ldexp(1.0L, power) + step;
      for (const long double one : {value, -value}) {
        const bool fits = one >= static_cast<long double>(Limits::lowest()) &&
                          one <= static_cast<long double>(Limits::max());
        if (fits) values.push_back(static_cast<T>(one));
        if (fits && std::is_floating_point_v<T>) {
          values.push_back(std::nextafter(static_cast<T>(one), Limits::infinity()));
          values.push_back(std::nextafter(static_cast<T>(one), -Limits::infinity()));
        }
      }
    }
  }
  values.insert(values.end(), {Limits::lowest(), Limits::max(), T{0}, T{1}});
  return values;
}

// Returns, by the rule, whether type To has a number equal to `value`.
template <class To>
bool has_equal(long double value) {
  if constexpr (std::is_floating_point_v<To>) {
    return std::isnan(value) || static_cast<long double>(static_cast<To>(value)) == value;
  } else {
    return value >= static_cast<long double>(std::numeric_limits<To>::min()) &&
           value <= static_cast<long double>(std::numeric_limits<To>::max()) &&
           std::trunc(value) == value && !(value == 0 && std::signbit(value));
  }
}

template <class T>
Values made(MadeValues& maker, Type::Id type, const std::vector<T>& cells) {
  if constexpr (std::is_same_v<T, bool>) {
    return maker.bools(cells);
  } else {
    return maker.cells(type, cells);
  }
}

std::vector<long double> numbers_of(const Values& values) {
  std::vector<long double> numbers(values.rows);
  visit_number_type(values.type, [&]<class T>() {
    for (uint64_t row = 0; row < values.rows; ++row) {
      if constexpr (std::is_same_v<T, bool>) {
        numbers[row] = values.get_bool(row) ? 1 : 0;
      } else {
        numbers[row] = static_cast<long double>(values.get<T>(row));
      }
    }
  });
  return numbers;
}

bool are_equal(long double a, long double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

// Returns the rule of a type, so that its users are compiled for each type and not for each pair.
using HasEqual = bool (*)(long double);
HasEqual rule_of(Type::Id to) {
  return visit_number_type(to, []<class To>() -> HasEqual { return has_equal<To>; });
}

// Casts all values at once, and then from each faulty row on, so that it is the first.
void expect_by_the_rule(MadeValues& maker, const Values& values, Type::Id to) {
  const HasEqual has_equal_of_type = rule_of(to);
  const std::vector<long double> numbers = numbers_of(values);
  std::vector<uint64_t> faulty;
  for (uint64_t row = 0; row < values.rows; ++row) {
    if (!has_equal_of_type(numbers[row])) faulty.push_back(row);
  }
  for (uint64_t i = 0; i < faulty.size(); ++i) {
    const Values rest = maker.with_nulls(
        values, std::vector<uint64_t>(faulty.begin(), faulty.begin() + static_cast<ptrdiff_t>(i)));
    Values cast_values;
    const auto fault = cast(rest, to, NullFloat::Keep, maker.arena, cast_values);
    ASSERT_TRUE(fault) << "row " << faulty[i];
    ASSERT_EQ(fault->row, faulty[i]);
  }
  const Values rest = maker.with_nulls(values, faulty);
  Values cast_values;
  const auto fault = cast(rest, to, NullFloat::Keep, maker.arena, cast_values);
  ASSERT_FALSE(fault) << "row " << fault->row << ": " << fault->value;
  ASSERT_EQ(cast_values.type, to);
  ASSERT_EQ(cast_values.rows, values.rows);
  ASSERT_EQ(cast_values.null_count, faulty.size());
  ASSERT_EQ(cast_values.validity.data, rest.validity.data);
  const std::vector<long double> became = numbers_of(cast_values);
  for (uint64_t row = 0; row < values.rows; ++row) {
    if (rest.is_null(row)) continue;
    ASSERT_TRUE(are_equal(numbers[row], became[row]))
        << "row " << row << ": " << numbers[row] << " became " << became[row];
  }
}

template <class Check>
void for_all_pairs(Check check) {
  for (const Type::Id from : kNumbers) {
    for (const Type::Id to : kNumbers) {
      SCOPED_TRACE(Type(from).name() + " as " + Type(to).name());
      visit_number_type(from, [&]<class From>() { check.template operator()<From>(from, to); });
    }
  }
}

TEST(CastNumbers, WhatIsHardIsCastByTheRule) {
  for_all_pairs([]<class From>(Type::Id from, Type::Id to) {
    MadeValues maker;
    expect_by_the_rule(maker, made(maker, from, hard_values<From>()), to);
  });
}

TEST(CastNumbers, RandomBitsAreCastByTheRule) {
  std::mt19937_64 random(7);
  for_all_pairs([&]<class From>(Type::Id from, Type::Id to) {
    std::vector<From> cells;
    for (int i = 0; i < 300; ++i) {
      // Draws numbers of all magnitudes.
      const uint64_t bits = random() >> (random() % 64);
      const auto number = static_cast<int64_t>(bits) * (random() % 2 == 0 ? 1 : -1);
      cells.push_back(static_cast<From>(number));
    }
    MadeValues maker;
    expect_by_the_rule(maker, made(maker, from, cells), to);
  });
}

// All values of a batch fit but one, at any index of a vector's lanes.
TEST(CastNumbers, OneThatDoesNotFitIsFound) {
  for_all_pairs([]<class From>(Type::Id from, Type::Id to) {
    const auto hard = hard_values<From>();
    const HasEqual has_equal_of_type = rule_of(to);
    const auto bad = std::find_if(hard.begin(), hard.end(), [&](From value) {
      return !has_equal_of_type(static_cast<long double>(value));
    });
    const bool holds_every =
        visit_number_type(to, []<class To>() { return kHoldsEvery<From, To>; });
    ASSERT_EQ(bad == hard.end(), holds_every);
    if (bad == hard.end()) return;
    for (uint64_t row = 0; row < 100; ++row) {
      std::vector<From> cells(100, From{1});
      cells[row] = *bad;
      MadeValues maker;
      Values cast_values;
      const auto fault =
          cast(made(maker, from, cells), to, NullFloat::Keep, maker.arena, cast_values);
      ASSERT_TRUE(fault);
      EXPECT_EQ(fault->row, row);
    }
  });
}

TEST(CastNumbers, ToItselfIsNotCopied) {
  MadeValues maker;
  const Values values =
      maker.with_nulls(maker.cells<double>(Type::Float64, {1.5, -0.0, NAN}), {1});
  Values same;
  ASSERT_FALSE(cast(values, Type::Float64, NullFloat::Keep, maker.arena, same));
  EXPECT_EQ(same.data.data, values.data.data);
  EXPECT_EQ(same.validity.data, values.validity.data);
  EXPECT_EQ(same.null_count, 1u);
}

TEST(CastNumbers, NullsBecomeNaNOnRequest) {
  MadeValues maker;
  for (const Values& values : {maker.cells<int16_t>(Type::Int16, {7, 0, -9, 3}),
                               maker.cells<double>(Type::Float64, {7, 1e300, -9, 3}),
                               maker.cells<float>(Type::Float32, {7, INFINITY, -9, 3})}) {
    for (const Type::Id to : {Type::Float32, Type::Float64}) {
      Values with_nan;
      ASSERT_FALSE(
          cast(maker.with_nulls(values, {1, 3}), to, NullFloat::AsNaN, maker.arena, with_nan));
      EXPECT_EQ(with_nan.null_count, 0u);
      EXPECT_EQ(with_nan.validity.data, nullptr);
      Values wide;
      ASSERT_FALSE(cast(with_nan, Type::Float64, NullFloat::Keep, maker.arena, wide));
      EXPECT_EQ(wide.get<double>(0), 7);
      EXPECT_TRUE(std::isnan(wide.get<double>(1)));
      EXPECT_EQ(wide.get<double>(2), -9);
      EXPECT_TRUE(std::isnan(wide.get<double>(3)));
    }
    Values still_null;
    ASSERT_FALSE(cast(maker.with_nulls(values, {1, 3}), Type::Int8, NullFloat::AsNaN,
                      maker.arena, still_null));
    EXPECT_EQ(still_null.null_count, 2u);
  }
}

TEST(CastNumbers, FaultsSayTheValue) {
  MadeValues maker;
  const auto value = [&](const Values& values, const Type& to) {
    Values cast_values;
    const auto fault = cast(values, to, NullFloat::Keep, maker.arena, cast_values);
    return fault ? fault->value : "no fault";
  };
  EXPECT_EQ(value(maker.cells<int32_t>(Type::Int32, {300}), Type::Int8), "300");
  EXPECT_EQ(value(maker.cells<double>(Type::Float64, {-0.0}), Type::Int8), "-0");
  EXPECT_EQ(value(maker.cells<float>(Type::Float32, {NAN}), Type::Int64), "NaN");
  EXPECT_EQ(value(maker.cells<float>(Type::Float32, {-INFINITY}), Type::Bool), "-Infinity");
  EXPECT_EQ(value(maker.cells<double>(Type::Float64, {0.1}), Type::Float32), "0.1");
}

}  // namespace
}  // namespace heron
