// Zones of columns: their rows, their statistics, of which the first ones set stay, and zones from
// a sidecar.
#include "skip/zone_map.h"

#include <gtest/gtest.h>

#include <numeric>
#include <thread>
#include <vector>

#include "cache/block_column.h"
#include "kit/made_table.h"
#include "kit/number_blocks.h"
#include "skip/sidecar.h"
#include "table/internals.h"

namespace heron {
namespace {

constexpr uint64_t kRows = 3 * kZoneRows + 100;

TableMaker counting(uint64_t rows) {
  TableMaker maker(rows);
  std::vector<int32_t> cells(rows);
  std::iota(cells.begin(), cells.end(), 0);
  maker.fixed<int32_t>("n", Type::Int32, cells);
  maker.null("nothing");
  return maker;
}

std::unique_ptr<BlockColumn> of_blocks(uint64_t rows, uint64_t block_rows) {
  return std::make_unique<BlockColumn>(Type::Int64, rows, ColumnLabel{"b", "made"}, block_rows,
                                       false, std::make_shared<NumberBlocks>(0, block_rows),
                                       std::make_shared<BlockCache>(uint64_t{1} << 20));
}

TEST(ColumnZones, HaveEquallyManyRowsButTheLast) {
  const auto table = counting(kRows).table();
  const ColumnZones zones(internals(*table).column(0));
  ASSERT_EQ(zones.size(), 4);
  EXPECT_EQ(zones.rows_of(1).first, kZoneRows);
  EXPECT_EQ(zones.rows_of(1).rows(), kZoneRows);
  EXPECT_EQ(zones.rows_of(3).rows(), 100);
}

TEST(ColumnZones, OfBlocksAreWholeBlocks) {
  EXPECT_EQ(ColumnZones(*of_blocks(100'000, 1000)).zone_rows(), 5000);
  EXPECT_EQ(ColumnZones(*of_blocks(100'000, 4096)).zone_rows(), 4096);
  EXPECT_EQ(ColumnZones(*of_blocks(300'000, 100'000)).zone_rows(), 100'000);
  EXPECT_EQ(ColumnZones(*of_blocks(100'000, 1)).zone_rows(), 4096);
}

TEST(ColumnZones, AreNotKeptOfNulls) {
  const auto table = counting(10).table();
  EXPECT_EQ(ColumnZones(internals(*table).column(1)).size(), 0);
}

TEST(ColumnZones, AreNotKeptIfTheyWouldBeTooMany) {
  const uint64_t most = ColumnZones::kMaxZones * 4096;
  EXPECT_EQ(ColumnZones(*of_blocks(most, 1)).size(), ColumnZones::kMaxZones);
  EXPECT_EQ(ColumnZones(*of_blocks(most + 1, 1)).size(), 0);
}

TEST(ColumnZones, BelieveTheFirst) {
  const auto table = counting(kRows).table();
  ColumnZones zones(internals(*table).column(0));
  EXPECT_EQ(zones.find(2), nullptr);
  zones.set(2, Zone{1, 2, 0, 0});
  zones.set(2, Zone{3, 4, 0, 0});
  ASSERT_NE(zones.find(2), nullptr);
  EXPECT_EQ(zones.find(2)->low, 1);
  EXPECT_EQ(zones.find(1), nullptr);
}

TEST(ColumnZones, ThreadsSeeWholeZones) {
  const auto table = counting(kRows).table();
  ColumnZones zones(internals(*table).column(0));
  std::vector<std::thread> threads;
  for (uint64_t t = 1; t <= 4; ++t) {
    threads.emplace_back([&zones, t] {
      for (uint64_t zone = 0; zone < zones.size(); ++zone) {
        zones.set(zone, Zone{t, t, static_cast<uint32_t>(t), 0});
        const Zone* found = zones.find(zone);
        if (found != nullptr) {
          EXPECT_EQ(found->low, found->high);
          EXPECT_EQ(found->low, found->null_count);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(whole(zones).has_value());
}

TEST(Whole, IsKnownOnceAllZonesAre) {
  const auto table = counting(kRows).table();
  ColumnZones zones(internals(*table).column(0));
  for (uint64_t i = 0; i < 4; ++i) {
    EXPECT_FALSE(whole(zones).has_value());
    zones.set(i, Zone{10 + i, 20 + i, UINT32_MAX, 1});
  }
  const auto all = whole(zones);
  ASSERT_TRUE(all.has_value());
  EXPECT_EQ(all->low, 10);
  EXPECT_EQ(all->high, 23);
  EXPECT_EQ(all->null_count, 4 * uint64_t{UINT32_MAX});
  EXPECT_EQ(all->nans, 4);
  EXPECT_FALSE(whole(ColumnZones(internals(*table).column(1))).has_value());
}

// A sidecar of one column.
class MadeSidecar final : public Sidecar {
 public:
  explicit MadeSidecar(ColumnIndex index) : index_(std::move(index)) {}
  std::optional<ColumnIndex> column(std::string_view table, std::string_view name,
                                    const Context&) const override {
    if (table != index_.table || name != index_.column) return std::nullopt;
    return index_;
  }
  std::optional<std::vector<std::byte>> format(std::string_view, const Context&) const override {
    return std::nullopt;
  }
  bool belongs() const noexcept override { return true; }
  void compare_checksums(const ByteSource&, const Context&) const override {}
  std::vector<ColumnIndex> columns(const Context&) const override { return {}; }
  const std::string& name() const noexcept override { return nothing_; }
  const std::string& distrust() const noexcept override { return nothing_; }

 private:
  ColumnIndex index_;
  const std::string nothing_;
};

ColumnIndex index_of(const Table& table) {
  const Field field = table.field_without_metadata(0);
  ColumnIndex index;
  index.table = table.name();
  index.column = field.name;
  index.type = field.type.name();
  index.encoding = field.encoding;
  index.rows = table.rows();
  index.order = ZoneOrder::Signed;
  index.zone_rows = kZoneRows;
  for (uint64_t i = 0; i < 4; ++i) index.zones.push_back(Zone{i, i, 0, 0});
  return index;
}

bool is_taken(const Table& table, ColumnIndex index) {
  const ZoneMap map(table, std::make_shared<MadeSidecar>(std::move(index)));
  return whole(map.of_column(0, {})).has_value();
}

TEST(ZoneMap, TakesZonesFromASidecar) {
  const auto table = counting(kRows).table();
  const ZoneMap map(*table, std::make_shared<MadeSidecar>(index_of(*table)));
  const ColumnZones& zones = map.of_column(0, {});
  ASSERT_NE(zones.find(3), nullptr);
  EXPECT_EQ(zones.find(3)->low, 3);
  EXPECT_EQ(zones.distinct(), std::nullopt);
  EXPECT_EQ(map.of_column(1, {}).size(), 0);
}

TEST(ZoneMap, TakesTheNumberOfDistinctValuesFromASidecar) {
  const auto table = counting(kRows).table();
  ColumnIndex index = index_of(*table);
  index.distinct = 7;
  const ZoneMap map(*table, std::make_shared<MadeSidecar>(index));
  EXPECT_EQ(map.of_column(0, {}).distinct(), 7);
}

TEST(ZoneMap, TakesOnlyWhatIsOfTheColumnAsItIs) {
  const auto table = counting(kRows).table();
  const ColumnIndex good = index_of(*table);
  ASSERT_TRUE(is_taken(*table, good));
  const auto changed = [&](auto change) {
    ColumnIndex index = good;
    change(index);
    return is_taken(*table, index);
  };
  EXPECT_FALSE(changed([](ColumnIndex& index) { index.table = "another"; }));
  EXPECT_FALSE(changed([](ColumnIndex& index) { index.column = "another"; }));
  EXPECT_FALSE(changed([](ColumnIndex& index) { index.type = "int64"; }));
  EXPECT_FALSE(changed([](ColumnIndex& index) { index.encoding = "another"; }));
  EXPECT_FALSE(changed([](ColumnIndex& index) { index.order = ZoneOrder::Unsigned; }));
  EXPECT_FALSE(changed([](ColumnIndex& index) { index.zone_rows = 4096; }));
  EXPECT_FALSE(changed([](ColumnIndex& index) { index.zones.pop_back(); }));
  EXPECT_FALSE(changed([](ColumnIndex& index) { index.zones[3].null_count = 101; }));
  EXPECT_FALSE(changed([](ColumnIndex& index) { index.zones[3] = {1, 2, 60, 41}; }));
  EXPECT_TRUE(changed([](ColumnIndex& index) { index.zones[3] = {1, 2, 60, 40}; }));
  EXPECT_FALSE(changed([](ColumnIndex& index) { ++index.rows; }));
  EXPECT_FALSE(changed([](ColumnIndex& index) { index.distinct = kRows + 1; }));
  EXPECT_TRUE(changed([](ColumnIndex& index) { index.distinct = kRows; }));
}

TEST(ZoneMap, IsKeptByItsTable) {
  const auto table = counting(kRows).table();
  const ZoneMap& map = ZoneMap::of(*table, {});
  EXPECT_EQ(&map, &ZoneMap::of(*table, {}));
  EXPECT_EQ(map.sidecar(), nullptr);
  map.of_column(0, {}).set(0, Zone{1, 2, 0, 0});
  EXPECT_NE(ZoneMap::of(*table, {}).of_column(0, {}).find(0), nullptr);
}

}  // namespace
}  // namespace heron
