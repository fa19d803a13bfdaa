// Zones of decimals: what filters skip, what is known without reading, and decimals beyond the 64
// bits of a zone's bounds.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "heron/heron.h"
#include "kit/made_table.h"
#include "skip/zone_map.h"
#include "table/internals.h"
#include "values/decimals.h"
#include "values/scalar.h"

namespace heron {
namespace {

constexpr uint64_t kDecimalRows = 5 * kZoneRows - 101;  // the last one is not null

// Returns a table of one column of decimals with two digits behind the point: `first`, then each
// `step` more than the one before it. Every seventh is null.
std::shared_ptr<const Table> ascending(Int128 first, Int128 step) {
  std::vector<WideInteger> cells(kDecimalRows);
  std::vector<bool> valid(kDecimalRows);
  for (uint64_t row = 0; row < kDecimalRows; ++row) {
    cells[row] = wide_of(first + step * row);
    valid[row] = row % 7 != 0;
  }
  TableMaker maker(kDecimalRows);
  maker.fixed("price", Type::decimal(38, 2), cells, NullEncoding::Bitmap, valid);
  return maker.table();
}

// Returns how many zones a second count skips, whose zones the first one has made known.
uint64_t skipped_of_five(const std::shared_ptr<const Table>& table, const std::string& where,
                         uint64_t expected) {
  Query query(table, where);
  EXPECT_EQ(count(query), expected) << where;
  QueryMetrics metrics;
  query.metrics = &metrics;
  EXPECT_EQ(count(query), expected) << where;
  EXPECT_EQ(metrics.zones, 5u);
  return metrics.zones_skipped;
}

TEST(DecimalZones, LetFiltersSkip) {
  const auto table = ascending(-1'000'000, 10);  // -10000.00, -9999.90, ..
  EXPECT_EQ(skipped_of_five(table, "price = -9999.90", 1), 4u);
  EXPECT_EQ(skipped_of_five(table, "price >= -9999.9 and price < -9999.5", 4), 4u);
  EXPECT_EQ(skipped_of_five(table, "price in (-9999.9, 22757.8)", 2), 3u);
  EXPECT_EQ(skipped_of_five(table, "price > 100000", 0), 5u);
  EXPECT_EQ(skipped_of_five(table, "price is null", (kDecimalRows + 6) / 7), 5u);
}

TEST(DecimalZones, DecideForValuesBeyondTheirBounds) {
  const Int128 beyond = Int128{1} << 70;
  const auto table = ascending(beyond, 10);
  EXPECT_EQ(skipped_of_five(table, "price > 0 and price < 1", 0), 5u);
  EXPECT_EQ(skipped_of_five(table, "price = " + decimal_text(beyond + 10, 2), 1), 0u);
  const Int128 last_but_one = beyond + 10 * (kDecimalRows - 2);
  EXPECT_EQ(skipped_of_five(table, "price > " + decimal_text(last_but_one, 2), 1), 0u);
  const auto below = ascending(-beyond, 10);
  EXPECT_EQ(skipped_of_five(below, "price >= 0", 0), 5u);
  EXPECT_EQ(skipped_of_five(below, "price <= " + decimal_text(10 - beyond, 2), 1), 0u);
  // From below 64 bits to above: each zone spans a quarter of their range.
  const auto around = ascending(-(Int128{1} << 64), Int128{1} << 47);
  const Int128 second = (Int128{1} << 47) - (Int128{1} << 64);
  EXPECT_EQ(skipped_of_five(around, "price = " + decimal_text(second, 2), 1), 3u);
}

std::string extremes_of(const std::shared_ptr<const Table>& table) {
  Query query(table);
  const RowBatch row =
      aggregate(query, parse_aggregates(*table, "min(price), max(price), count(price)"));
  return to_text(row.columns[0], 0) + ' ' + to_text(row.columns[1], 0) + ' ' +
         to_text(row.columns[2], 0);
}

TEST(DecimalZones, KnowExtremesOf64BitsOnly) {
  const std::string count = std::to_string(kDecimalRows - (kDecimalRows + 6) / 7);
  EXPECT_EQ(extremes_of(ascending(-1'000'000, 10)), "-9999.90 22757.80 " + count);
  for (const int sign : {-1, 1}) {
    const Int128 first = sign * (Int128{1} << 63) - sign * 100;
    EXPECT_EQ(extremes_of(ascending(first, sign * 100)),
              sign < 0 ? decimal_text(first - 100 * Int128{kDecimalRows - 1}, 2) + ' ' +
                             decimal_text(first - 100, 2) + ' ' + count
                       : decimal_text(first + 100, 2) + ' ' +
                             decimal_text(first + 100 * Int128{kDecimalRows - 1}, 2) + ' ' + count);
  }
}

TEST(DecimalZones, OfAllAndNoRowsAreKnown) {
  const Zone zone = [] {
    Arena arena;
    const auto table = ascending(5, 0);
    return zone_of(internals(*table).column(0).chunk({1, 7}, arena, {}));
  }();
  EXPECT_EQ(zone.low, in_order(int64_t{5}));
  EXPECT_EQ(zone.high, in_order(int64_t{5}));
  EXPECT_EQ(zone.null_count, 0u);
  Arena arena;
  const auto table = ascending(5, 0);
  const Zone none = zone_of(internals(*table).column(0).chunk({7, 8}, arena, {}));
  EXPECT_FALSE(none.has_bounds());
  EXPECT_EQ(none.null_count, 1u);
}

}  // namespace
}  // namespace heron
