// Sums: exact for integers, in the documented order for floats, the same mapped and copied.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "base/fail.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/made_table.h"
#include "kit/special_numbers.h"
#include "kit/sums.h"
#include "kit/values_column.h"

namespace heron {
namespace {

double sum_of(const TableMaker& maker) {
  const double mapped = sum(Projection(maker.table(true)), 0);
  const double copied = sum(Projection(maker.table(false)), 0);
  EXPECT_TRUE(mapped == copied || (mapped != mapped && copied != copied));
  return mapped;
}
template <class T>
double sum_of(Type type, const std::vector<T>& cells, NullEncoding nulls = NullEncoding::Never,
              const std::vector<bool>& there = {}) {
  return sum_of(TableMaker(cells.size()).fixed("c", type, cells, nulls, there));
}

// Sums values in the documented order: blocks of 4,096 rows, 16 lanes in each, then the rows that
// do not fill all lanes.
template <class T>
double in_documented_order(const std::vector<T>& cells) {
  double total = 0;
  for (size_t first = 0; first < cells.size(); first += 4096) {
    const size_t rows = std::min<size_t>(4096, cells.size() - first);
    double lanes[16] = {};
    size_t i = 0;
    for (; i + 16 <= rows; i += 16) {
      for (size_t lane = 0; lane < 16; ++lane) {
        const double value = cells[first + i + lane];
        if (value == value) lanes[lane] += value;
      }
    }
    double block = 0;
    for (const double lane : lanes) block += lane;
    for (; i < rows; ++i) {
      const double value = cells[first + i];
      if (value == value) block += value;
    }
    total += block;
  }
  return total;
}

template <class T>
std::vector<T> random_floats(size_t rows, unsigned nan_every) {
  std::mt19937_64 random(11);
  std::vector<T> cells(rows);
  for (T& cell : cells) {
    const int exponent = static_cast<int>(random() % 60) - 30;
    cell = static_cast<T>(
        std::ldexp(static_cast<double>(static_cast<int64_t>(random())), exponent - 64));
    if (nan_every != 0 && random() % nan_every == 0) cell = std::numeric_limits<T>::quiet_NaN();
  }
  return cells;
}

TEST(Sum, OfFloatsIsInTheDocumentedOrder) {
  for (const size_t rows : {0, 1, 15, 16, 17, 4095, 4096, 4097, 65536, 100'001}) {
    for (const unsigned nan_every : {0, 5000, 3}) {
      const auto doubles = random_floats<double>(rows, nan_every);
      EXPECT_EQ(sum_of(Type::Float64, doubles, NullEncoding::NaN), in_documented_order(doubles))
          << rows;
      const auto floats = random_floats<float>(rows, nan_every);
      EXPECT_EQ(sum_of(Type::Float32, floats, NullEncoding::NaN), in_documented_order(floats))
          << rows;
    }
  }
}

TEST(Sum, LeavesOutNaNsOnlyWhereTheyAreNull) {
  const std::vector<double> cells = {1, kNaN, 2};
  EXPECT_EQ(sum_of(Type::Float64, cells, NullEncoding::NaN), 3);
  EXPECT_TRUE(std::isnan(sum_of(Type::Float64, cells)));
  const std::vector<bool> there = {true, true, false};
  EXPECT_EQ(sum_of(Type::Float64, cells, NullEncoding::BitmapOrNaN, there), 1);
  EXPECT_TRUE(std::isnan(sum_of(Type::Float64, cells, NullEncoding::Bitmap, there)));
  EXPECT_EQ(sum_of(Type::Float64, cells, NullEncoding::Bitmap, {true, false, true}), 3);
}

TEST(Sum, OfInfinities) {
  EXPECT_EQ(sum_of<double>(Type::Float64, {1, kInfinity, kNaN, 2}, NullEncoding::NaN), kInfinity);
  EXPECT_TRUE(
      std::isnan(sum_of<double>(Type::Float64, {kInfinity, -kInfinity}, NullEncoding::NaN)));
}

TEST(Sum, OfIntegersGoesBeyond64Bits) {
  const std::vector<int64_t> highest(5000, INT64_MAX);
  EXPECT_EQ(sum_of(Type::Int64, highest, NullEncoding::Sentinel), 5000 * 0x1p63);
  const std::vector<int64_t> lowest(5000, INT64_MIN + 1);
  EXPECT_EQ(sum_of(Type::Int64, lowest, NullEncoding::Sentinel), -5000 * 0x1p63);
  EXPECT_EQ(sum_of(Type::UInt64, std::vector<uint64_t>(5000, UINT64_MAX)), 5000 * 0x1p64);
}

TEST(Sum, OfIntegersIsRoundedOnlyAtTheEnd) {
  EXPECT_EQ(sum_of<int64_t>(Type::Int64, {INT64_MAX, 1, 1, -INT64_MAX}, NullEncoding::Sentinel), 2);
  EXPECT_EQ(sum_of<int64_t>(Type::Int64, {INT64_MIN, INT64_MAX, 3}), 2);
}

TEST(Sum, TakesOffNullIntegersOfEveryWidth) {
  EXPECT_EQ(sum_of<int8_t>(Type::Int8, {INT8_MIN, 5, INT8_MIN, -7}, NullEncoding::Sentinel), -2);
  EXPECT_EQ(sum_of<int16_t>(Type::Int16, {INT16_MIN, 5, INT16_MAX}, NullEncoding::Sentinel), 32772);
  EXPECT_EQ(sum_of<int32_t>(Type::Int32, {INT32_MIN, 5, INT32_MAX}, NullEncoding::Sentinel),
            2147483652);
  EXPECT_EQ(sum_of<int64_t>(Type::Int64, {INT64_MIN, 5, INT64_MIN}, NullEncoding::Sentinel), 5);
  EXPECT_EQ(sum_of<int8_t>(Type::Int8, {INT8_MIN, 5}), -123);
}

TEST(Sum, OfUnsignedIntegersTakesTheirFullRange) {
  EXPECT_EQ(sum_of(Type::UInt8, std::vector<uint8_t>(10'000, 255)), 2'550'000);
  EXPECT_EQ(sum_of(Type::UInt16, std::vector<uint16_t>(10'000, 65535)), 655'350'000);
  EXPECT_EQ(sum_of(Type::UInt32, std::vector<uint32_t>(10'000, UINT32_MAX)), 10'000.0 * UINT32_MAX);
}

TEST(Sum, OfIntegersWithABitmap) {
  std::vector<int32_t> cells(70'000);
  std::vector<bool> there(cells.size());
  int64_t expected = 0;
  for (size_t i = 0; i < cells.size(); ++i) {
    cells[i] = static_cast<int32_t>(i * 2654435761);
    there[i] = i % 7 != 3;
    if (there[i]) expected += cells[i];
  }
  EXPECT_EQ(sum_of(Type::Int32, cells, NullEncoding::Bitmap, there), static_cast<double>(expected));
}

TEST(Sum, OfBoolsCountsTheTrueOnes) {
  EXPECT_EQ(sum_of<int8_t>(Type::Bool, {1, 0, INT8_MIN, 1}, NullEncoding::Sentinel), 2);
  std::vector<bool> flags(70'000), there(flags.size());
  double expected = 0, with_bitmap = 0;
  for (size_t i = 0; i < flags.size(); ++i) {
    flags[i] = i % 3 == 0;
    there[i] = i % 5 != 0;
    expected += flags[i];
    with_bitmap += flags[i] && there[i];
  }
  EXPECT_EQ(sum_of(TableMaker(flags.size()).bits("c", flags)), expected);
  EXPECT_EQ(sum_of(TableMaker(flags.size()).bits("c", flags, there)), with_bitmap);
}

TEST(Sum, IsRefusedForOtherTypes) {
  const Projection texts(TableMaker(1).texts("t", {"x"}).table());
  const Error error = test::error_of([&] { sum(texts, 0); });
  EXPECT_EQ(error.kind(), ErrorKind::Argument);
  EXPECT_STREQ(error.what(), "made.file: column \"t\": values of type text have no sum");
  for (const Type& type : types_of_vectors_and_ticks()) {
    const Projection columns(table_of_random(type, 1));
    EXPECT_EQ(test::error_of([&] { sums(columns); }).what(),
              concat("made.file: column \"c\": values of type ", type.name(), " have no sum"));
  }
}

}  // namespace
}  // namespace heron
