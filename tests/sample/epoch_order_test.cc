// Orders of epochs: golden rows of each, shards that together have each row once, errors.
// tests/python/plain_sampler.py has the orders once more, a row at a time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <vector>

#include "error_of.h"
#include "heron/heron.h"
#include "kit/on_threads.h"
#include "kit/real_files.h"

namespace heron {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using Drawn = std::vector<uint64_t>;

std::shared_ptr<const Table> table_in_blocks() {
  static const auto file = open((data_dir() / "idv/blocks_out_of_order.idv").string());
  return file->table();
}

std::shared_ptr<const Table> table_in_groups() {
  static const auto file = open((data_dir() / "jforests/letor_like_medium.bin").string());
  return file->table();
}

Shuffle shuffle_of(const json& golden) {
  if (!golden.contains("shuffle")) return Shuffle::Rows;
  if (golden["shuffle"].is_null()) return Shuffle::None;
  return golden["shuffle"] == "blocks" ? Shuffle::Blocks : Shuffle::Groups;
}

EpochOrder order_of(const json& golden, const std::shared_ptr<const Table>& table) {
  Query query(table);
  if (golden.contains("where")) query.where = golden["where"].get<std::string>();
  if (golden.contains("range")) query.range = RowRange{golden["range"][0], golden["range"][1]};
  ShuffleOptions options{.shuffle = shuffle_of(golden),
                         .locality = golden.value("locality", uint64_t{1})};
  if (golden.contains("list")) options.rows = golden["list"].get<Drawn>();
  return EpochOrder(query, options);
}

std::shared_ptr<const WeightedSampler> weights_of(const json& golden, const EpochOrder& order,
                                                  const std::shared_ptr<const Table>& table) {
  if (!golden.contains("weights")) return nullptr;
  const RowBatch batch =
      take(Projection(table, {golden["weights"].get<std::string>()}), order.rows());
  std::vector<double> weights;
  for (uint64_t i = 0; i < batch.rows; ++i) {
    weights.push_back(batch.columns[0].get<uint32_t>(i));
  }
  return std::make_shared<const WeightedSampler>(weights);
}

EpochOptions options_of(const json& golden) {
  EpochOptions options{.sampler = {.seed = golden.value("seed", uint64_t{0}),
                                   .epoch = golden.value("epoch", uint64_t{0}),
                                   .rank = golden.value("rank", uint64_t{0}),
                                   .world_size = golden.value("world", uint64_t{1})},
                       .batch_rows = golden.value("batch_rows", uint64_t{256}),
                       .drop_last = golden.value("drop_last", false)};
  if (golden.contains("draws")) options.draws = golden["draws"].get<uint64_t>();
  for (const json& stage : golden.value("before", json::array())) {
    options.before.push_back({stage[0], stage[1], stage[2]});
  }
  return options;
}

Drawn drawn(const EpochShard& shard) {
  Drawn rows(shard.batch_end(shard.batches()));
  shard.draw(0, rows);
  return rows;
}

// Returns the rows that a Loader hands out.
Drawn loaded(const Projection& columns, const EpochShard& shard) {
  Drawn rows;
  Loader loader(columns, shard, {}, on_threads(2));
  for (LoaderBatch batch; loader.next(batch);) {
    EXPECT_EQ(batch.columns.rows, batch.rows.size());
    rows.insert(rows.end(), batch.rows.begin(), batch.rows.end());
  }
  return rows;
}

TEST(EpochOrder, GoldenRows) {
  std::ifstream file(data_dir() / "epoch_orders.json");
  const json all = json::parse(file);
  ASSERT_GT(all.size(), 15u);
  for (const json& golden : all) {
    SCOPED_TRACE(golden.dump());
    const auto data = open((data_dir() / golden["file"].get<std::string>()).string());
    const EpochOrder order = order_of(golden, data->table());
    EpochOptions options = options_of(golden);
    options.weights = weights_of(golden, order, data->table());
    const EpochShard shard(order, options);
    const json& expected = golden["expected"];
    EXPECT_EQ(shard.batches(), expected["batches"]);
    const auto sizes = expected["batch_sizes"].get<Drawn>();
    for (uint64_t i = 0; i < sizes.size(); ++i) {
      EXPECT_EQ(shard.batch_end(i + 1) - shard.batch_end(i), sizes[i]);
    }
    const Drawn rows = drawn(shard);
    ASSERT_EQ(rows.size(), expected["rows"]);
    const auto first = expected["first"].get<Drawn>();
    EXPECT_EQ(Drawn(rows.begin(), rows.begin() + static_cast<ptrdiff_t>(first.size())), first);
    uint64_t sum = 0;
    for (uint64_t i = 0; i < rows.size(); ++i) sum += (i + 1) * rows[i];
    EXPECT_EQ(sum, expected["sum"]);
    EXPECT_EQ(loaded(Projection(data->table(), {uint64_t{0}}), shard), rows);
  }
}

TEST(EpochOrder, DrawsAnyPositionsAlike) {
  const EpochOrder order(table_in_blocks(), {.shuffle = Shuffle::Blocks, .locality = 3});
  const EpochShard shard(order, {.sampler = {.seed = 1, .rank = 1, .world_size = 2}});
  const Drawn all = drawn(shard);
  for (uint64_t first = 0; first < all.size(); first += 97) {
    Drawn some(std::min<uint64_t>(131, all.size() - first));
    shard.draw(first, some);
    EXPECT_TRUE(std::equal(some.begin(), some.end(), all.begin() + static_cast<ptrdiff_t>(first)));
  }
}

TEST(EpochOrder, ShardsHaveEachRowOnceWhateverWasReadBefore) {
  const EpochOptions begun{.sampler = {.seed = 6, .world_size = 3}, .batch_rows = 40};
  const EpochStage stage{.world_size = 3, .batch_rows = 40, .batches = 5};
  for (const Shuffle shuffle : {Shuffle::None, Shuffle::Rows, Shuffle::Blocks, Shuffle::Groups}) {
    const auto table = shuffle == Shuffle::Groups ? table_in_groups() : table_in_blocks();
    const EpochOrder order(table, {.shuffle = shuffle});
    Drawn seen;
    const auto add = [&](EpochOptions options, uint64_t rank, uint64_t batches) {
      options.sampler.rank = rank;
      const EpochShard shard(order, options);
      Drawn rows(shard.batch_end(batches));
      shard.draw(0, rows);
      seen.insert(seen.end(), rows.begin(), rows.end());
    };
    for (uint64_t rank = 0; rank < 3; ++rank) add(begun, rank, stage.batches);
    const EpochOptions rest{
        .sampler = {.seed = 6, .world_size = 2}, .batch_rows = 64, .before = {stage}};
    for (uint64_t rank = 0; rank < 2; ++rank) add(rest, rank, UINT64_MAX);
    std::ranges::sort(seen);
    Drawn expected(table->rows());
    std::iota(expected.begin(), expected.end(), uint64_t{0});
    EXPECT_EQ(seen, expected) << static_cast<int>(shuffle);
  }
}

TEST(EpochOrder, GroupsOfABatchHaveTheirSizes) {
  const EpochOrder order(table_in_groups(), {.shuffle = Shuffle::Groups});
  const EpochShard shard(order, {.sampler = {.seed = 3}, .batch_rows = 90});
  const Drawn rows = drawn(shard);
  uint64_t at = 0;
  for (uint64_t batch = 0; batch < shard.batches(); ++batch) {
    for (const uint64_t size :
         shard.group_sizes(shard.batch_end(batch), shard.batch_end(batch + 1))) {
      EXPECT_EQ(rows[at] + size - 1, rows[at + size - 1]);
      at += size;
    }
    EXPECT_EQ(at, shard.batch_end(batch + 1));
  }
}

TEST(EpochOrder, ALoaderReadsTheBatchesOfAShard) {
  const Projection columns(table_in_groups(), {"query"});
  const EpochOrder order(columns, {.shuffle = Shuffle::Groups});
  const EpochShard shard(order, {.sampler = {.seed = 3}, .batch_rows = 90});
  Loader loader(columns, shard);
  Drawn rows;
  uint64_t batches = 0;
  for (LoaderBatch batch; loader.next(batch); ++batches) {
    rows.insert(rows.end(), batch.rows.begin(), batch.rows.end());
    EXPECT_EQ(loader.position(), rows.size());
    EXPECT_EQ(batch.columns.rows, batch.rows.size());
    EXPECT_EQ(std::accumulate(batch.group_sizes.begin(), batch.group_sizes.end(), uint64_t{0}),
              batch.rows.size());
  }
  EXPECT_EQ(batches, shard.batches());
  EXPECT_EQ(rows, drawn(shard));
}

TEST(EpochOrder, DrawsSomeGroupsWithReplacement) {
  const EpochOrder order(table_in_groups(), {.shuffle = Shuffle::Groups});
  const EpochShard shard(order, {.sampler = {.seed = 2, .replace = true}, .draws = 500});
  EXPECT_EQ(shard.group_sizes(0, shard.rows()).size(), 500);
}

TEST(EpochOrder, HugeNumbersOfRanksAreAnswered) {
  for (const Shuffle shuffle : {Shuffle::Rows, Shuffle::Blocks, Shuffle::Groups}) {
    const EpochOrder order(shuffle == Shuffle::Groups ? table_in_groups() : table_in_blocks(),
                           {.shuffle = shuffle});
    const EpochStage all{.world_size = UINT64_MAX, .batch_rows = UINT64_MAX, .batches = UINT64_MAX};
    EXPECT_EQ(EpochShard(order, {.before = {all, all}}).rows(), 0);
    EpochOptions options{.sampler = {.rank = 1, .world_size = UINT64_MAX}};
    EXPECT_GE(EpochShard(order, options).rows(), 1);
    options.drop_last = true;
    EXPECT_EQ(EpochShard(order, options).batches(), 0);
  }
}

TEST(EpochOrder, RefusesWhatDoesNotFit) {
  const auto blocks = table_in_blocks(), groups = table_in_groups();
  const auto expect_refused = [](const auto& make, std::string_view text) {
    const Error error = test::error_of(make);
    EXPECT_EQ(error.kind(), ErrorKind::Argument);
    EXPECT_THAT(error.what(), HasSubstr(text));
  };
  const ShuffleOptions by_blocks{.shuffle = Shuffle::Blocks};
  expect_refused([&] { EpochOrder(blocks, {.shuffle = Shuffle::Groups}); }, "no groups");
  expect_refused([&] { EpochOrder(Query(blocks, "d1 > 0"), by_blocks); }, "where");
  expect_refused([&] { EpochOrder(blocks, {.locality = 2}); }, "locality");
  expect_refused([&] { EpochOrder(blocks, {.rows = Drawn{3000}}); }, "below 3000, got 3000");
  Query part(groups);
  part.range = RowRange{1, groups->rows()};
  expect_refused([&] { EpochOrder(part, {.shuffle = Shuffle::Groups}); }, "whole groups");
  const EpochOrder order(blocks), in_blocks(blocks, by_blocks);
  expect_refused([&] { EpochShard(order, {.batch_rows = 0}); }, "at least one row");
  expect_refused([&] { EpochShard(order, {.sampler = {.rank = 2, .world_size = 2}}); }, "rank");
  expect_refused([&] { EpochShard(order, {.draws = 3001}); }, "replacement");
  expect_refused([&] { EpochShard(in_blocks, {.sampler = {.replace = true}}); }, "replacement");
  expect_refused([&] { EpochShard(in_blocks, {.draws = 1}); }, "draws are of rows or groups");
  const auto weights = std::make_shared<const WeightedSampler>(std::vector<double>{1, 2});
  expect_refused([&] { EpochShard(order, {.weights = weights}); }, "one for each");
  Drawn rows(2);
  expect_refused([&] { EpochShard(order).draw(2999, rows); }, "below 3000");
}

}  // namespace
}  // namespace heron
