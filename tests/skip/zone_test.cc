// Statistics of a zone against a plain loop over its rows, for every type and null encoding.
#include "skip/zone.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "base/fail.h"
#include "kit/made_table.h"
#include "kit/special_numbers.h"
#include "table/internals.h"
#include "values/bitmap.h"
#include "values/times.h"

namespace heron {
namespace {

// Numbers of rows around the ends of vectors, of words of bits and of batches of the kernels.
constexpr uint64_t kCounts[] = {1, 2, 7, 8, 63, 64, 65, 4095, 4096, 4097, 10'001};

std::vector<std::byte> bits_of(const std::vector<bool>& flags) {
  std::vector<std::byte> bits(bitmap_bytes(flags.size()));
  for (uint64_t i = 0; i < flags.size(); ++i) {
    if (flags[i]) bits[i / 8] |= std::byte{1} << i % 8;
  }
  return bits;
}

ColumnChunk piece_of(Type type, const void* cells, uint64_t rows, NullEncoding rule,
                     const std::byte* validity = nullptr) {
  ColumnChunk piece;
  piece.rows = {0, rows};
  piece.cells = CellSpan{std::move(type), rows,   static_cast<const std::byte*>(cells), rule,
                         validity,        nullptr};
  return piece;
}

ColumnChunk piece_of(Values values) {
  ColumnChunk piece;
  piece.rows = {0, values.rows};
  piece.values = std::move(values);
  return piece;
}

void expect_same(const Zone& got, const Zone& expected, const std::string& what) {
  EXPECT_EQ(got.low, expected.low) << what;
  EXPECT_EQ(got.high, expected.high) << what;
  EXPECT_EQ(got.null_count, expected.null_count) << what;
  EXPECT_EQ(got.nans, expected.nans) << what;
}

template <class T>
Zone expected_zone(const std::vector<T>& cells, NullEncoding rule, const std::vector<bool>& valid) {
  Zone zone;
  for (uint64_t i = 0; i < cells.size(); ++i) {
    const T value = cells[i];
    const bool is_nan = value != value;
    if ((has_bitmap(rule) && !valid[i]) ||
        ((rule == NullEncoding::Sentinel || rule == NullEncoding::Zero) &&
         value == std::numeric_limits<T>::min()) ||
        ((rule == NullEncoding::NaN || rule == NullEncoding::BitmapOrNaN) && is_nan)) {
      ++zone.null_count;
    } else if (is_nan) {
      ++zone.nans;
    } else if constexpr (std::is_floating_point_v<T>) {
      zone.add(in_order(double{value}));
    } else if constexpr (std::is_signed_v<T>) {
      zone.add(in_order(int64_t{value}));
    } else {
      zone.add(in_order(uint64_t{value}));
    }
  }
  return zone;
}

template <class T>
void compare(const Type& type, const std::vector<T>& cells, NullEncoding rule,
             const std::vector<bool>& valid, const std::string& what) {
  const std::vector<std::byte> bits = bits_of(valid);
  const std::byte* validity = has_bitmap(rule) ? bits.data() : nullptr;
  expect_same(zone_of(piece_of(type, cells.data(), cells.size(), rule, validity)),
              expected_zone(cells, rule, valid), what);
}

// Compares zones of values far apart and close, with some of each kind of null, or all, or none.
template <class T>
void compare_rules(const Type& type, const std::vector<NullEncoding>& rules) {
  std::mt19937_64 random(1);
  for (const uint64_t count : kCounts) {
    for (const NullEncoding rule : rules) {
      for (const uint64_t of_ten : {0, 1, 9, 10}) {  // nulls in ten rows
        std::vector<T> cells(count);
        std::vector<bool> valid(count);
        for (uint64_t i = 0; i < count; ++i) {
          const bool out = random() % 10 < of_ten;
          if constexpr (std::is_floating_point_v<T>)
            cells[i] = random() % 10 < of_ten ? static_cast<T>(kNaN)
                                              : static_cast<T>(random()) - static_cast<T>(1e19);
          else
            cells[i] = out ? std::numeric_limits<T>::min()
                           : static_cast<T>(random() >> (i % 2 == 0 ? 0 : 60));
          valid[i] = !out;
        }
        compare(type, cells, rule, valid,
                concat(type.name(), " x ", count, " rule ", static_cast<int>(rule), " null ",
                       of_ten, " of 10"));
      }
    }
  }
}

TEST(Zone, SeesIntegersOfEveryWidth) {
  const std::vector<NullEncoding> rules = {NullEncoding::Never, NullEncoding::Sentinel,
                                           NullEncoding::Bitmap};
  compare_rules<int8_t>(Type::Int8, rules);
  compare_rules<int16_t>(Type::Int16, rules);
  compare_rules<int32_t>(Type::Int32, rules);
  compare_rules<int32_t>(Type::Date32, rules);
  compare_rules<int64_t>(Type::Int64, rules);
  compare_rules<int64_t>(Type::DateTime, rules);
  compare_rules<int64_t>(Type::Duration, rules);
}

TEST(Zone, SeesUnsignedNumbersAndKeys) {
  const std::vector<NullEncoding> rules = {NullEncoding::Never, NullEncoding::Zero,
                                           NullEncoding::Bitmap};
  compare_rules<uint8_t>(Type::UInt8, rules);
  compare_rules<uint16_t>(Type::UInt16, rules);
  compare_rules<uint32_t>(Type::UInt32, rules);
  compare_rules<uint64_t>(Type::UInt64, rules);
  compare_rules<uint16_t>(Type::key(Type::UInt16, 9), {NullEncoding::Zero});
}

TEST(Zone, SeesFloats) {
  const std::vector<NullEncoding> rules = {NullEncoding::Never, NullEncoding::NaN,
                                           NullEncoding::Bitmap, NullEncoding::BitmapOrNaN};
  compare_rules<float>(Type::Float32, rules);
  compare_rules<double>(Type::Float64, rules);
}

TEST(Zone, TakesBothZerosForOne) {
  const std::vector<double> cells = {-0.0, -0.0};
  const Zone zone = zone_of(piece_of(Type::Float64, cells.data(), 2, NullEncoding::Never));
  EXPECT_EQ(zone.low, in_order(0.0));
  EXPECT_EQ(zone.high, in_order(0.0));
}

TEST(Zone, HasInfinities) {
  const std::vector<float> cells = {1, -HUGE_VALF, HUGE_VALF};
  const Zone zone = zone_of(piece_of(Type::Float32, cells.data(), 3, NullEncoding::Never));
  EXPECT_EQ(zone.low, in_order(-HUGE_VAL));
  EXPECT_EQ(zone.high, in_order(HUGE_VAL));
}

TEST(Zone, OfNothingButNaNsHasNoBounds) {
  const std::vector<double> cells(5, kNaN);
  const Zone zone = zone_of(piece_of(Type::Float64, cells.data(), 5, NullEncoding::Never));
  EXPECT_FALSE(zone.has_bounds());
  EXPECT_EQ(zone.nans, 5);
  EXPECT_EQ(zone.null_count, 0);
}

TEST(Zone, SeesBits) {
  std::mt19937_64 random(2);
  for (const uint64_t count : kCounts) {
    for (const uint64_t ones : {0, 1, 9, 10}) {
      std::vector<bool> flags(count), valid(count);
      for (uint64_t i = 0; i < count; ++i) {
        flags[i] = random() % 10 < ones;
        valid[i] = random() % 3 != 0;
      }
      Zone expected, of_all;
      for (uint64_t i = 0; i < count; ++i) {
        of_all.add(flags[i]);
        if (valid[i])
          expected.add(flags[i]);
        else
          ++expected.null_count;
      }
      const auto bits = bits_of(flags), validity = bits_of(valid);
      const std::string what = concat(count, " bits, ", ones, " of 10 set");
      expect_same(
          zone_of(piece_of(Type::Bool, bits.data(), count, NullEncoding::Bitmap, validity.data())),
          expected, what);
      expect_same(zone_of(piece_of(Type::Bool, bits.data(), count, NullEncoding::Never)), of_all,
                  what);
    }
  }
}

TEST(Zone, OrdersTimesWithAnOffsetByTheirInstant) {
  constexpr int64_t kHour = 60 * kTicksPerMinute;
  const std::vector<DateTimeOffset> cells = {
      {20 * kHour, 600}, {INT64_MIN, 0}, {15 * kHour, -60}, {14 * kHour, 0}};
  const Zone zone =
      zone_of(piece_of(Type::DateTimeOffset, cells.data(), cells.size(), NullEncoding::Sentinel));
  EXPECT_EQ(zone.low, in_order(10 * kHour));
  EXPECT_EQ(zone.high, in_order(16 * kHour));
  EXPECT_EQ(zone.null_count, 1);
}

TEST(Zone, KnowsRowIdsByTheirHighHalf) {
  const std::vector<RowId> cells = {{9, 3}, {0, 7}, {5, 4}};
  const Zone zone = zone_of(piece_of(Type::RowId, cells.data(), 3, NullEncoding::Never));
  EXPECT_EQ(zone.low, 3);
  EXPECT_EQ(zone.high, 7);
}

TEST(Zone, OrdersTextsByTheirFirstEightBytes) {
  const std::vector<std::string> ascending = {std::string(), std::string(1, '\1'), "a", "ab",
                                              "abcdefg",     "abcdefgh",           "b", "\xff"};
  for (uint64_t i = 1; i < ascending.size(); ++i) {
    EXPECT_LT(in_order(ascending[i - 1]), in_order(ascending[i])) << ascending[i];
  }
  EXPECT_EQ(in_order(std::string_view("abcdefgh")), in_order(std::string_view("abcdefghi")));
  EXPECT_EQ(in_order(std::string_view("a")), in_order(std::string_view("a\0", 2)));
}

TEST(Zone, SeesTextsThatAreThere) {
  TableMaker maker(4);
  maker.texts("t", {"pear", std::nullopt, "apple and more", "zoo"});
  const auto table = maker.table();
  Arena arena;
  const Zone zone = zone_of(piece_of(internals(*table).column(0).read({0, 4}, arena, {})));
  EXPECT_EQ(zone.low, in_order(std::string_view("apple an")));
  EXPECT_EQ(zone.high, in_order(std::string_view("zoo")));
  EXPECT_EQ(zone.null_count, 1);
}

TEST(Zone, OfValuesIsThatOfTheirCells) {
  const std::vector<double> cells = {3, kNaN, -2, 1e300};
  Arena arena;
  for (const NullEncoding rule : {NullEncoding::Never, NullEncoding::NaN}) {
    TableMaker maker(4);
    maker.fixed<double>("d", Type::Float64, cells, rule);
    const auto table = maker.table();
    expect_same(zone_of(piece_of(internals(*table).column(0).read({0, 4}, arena, {}))),
                expected_zone(cells, rule, {}), "values");
  }
}

TEST(ZoneOrder, FollowsWhatIsStored) {
  TableMaker maker(1);
  maker.fixed<int8_t>("i8", Type::Int8, {1})
      .fixed<int64_t>("timestamp", Type::Timestamp, {1})
      .fixed<uint16_t>("u16", Type::UInt16, {1})
      .fixed<uint8_t>("key", Type::key(Type::UInt8, 3), {1}, NullEncoding::Zero)
      .fixed<float>("f32", Type::Float32, {1})
      .fixed<DateTimeOffset>("dto", Type::DateTimeOffset, {{}})
      .fixed<RowId>("id", Type::RowId, {{}})
      .bits("bits", {true})
      .texts("text", {"a"})
      .lists("list", {0, 0}, {})
      .null("null");
  const auto table = maker.table();
  std::vector<ZoneOrder> orders;
  for (uint64_t i = 0; i < table->column_count(); ++i) {
    orders.push_back(zone_order(internals(*table).column(i)));
  }
  using enum ZoneOrder;
  EXPECT_THAT(orders, testing::ElementsAre(Signed, Signed, Unsigned, Unsigned, Float, Signed, RowId,
                                           Unsigned, Text, None, None));
}

}  // namespace
}  // namespace heron
