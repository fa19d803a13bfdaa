// Batches of a Loader are those of take() and matrix() for the rows of the shard, however they are
// read ahead; and the end of batches.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <vector>

#include "base/fail.h"
#include "base/parallel.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/effort.h"
#include "kit/json_rows.h"
#include "kit/made_table.h"
#include "kit/on_threads.h"
#include "sample/loaded_table.h"
#include "temp_folder.h"

namespace heron {
namespace {

using testing::HasSubstr;
using namespace test;

TEST(LoaderThreads, BatchesOfColumnsAreThoseOfTake) {
  const Projection columns(numbers());
  for (const Shuffle shuffle : kShuffles) {
    for (const unsigned threads : {1U, 2U, 4U}) {
      if (kIsSanitized && threads != 4) continue;
      for (const uint64_t prefetch : {0U, 1U, 3U}) {
        SCOPED_TRACE(concat(name_of(shuffle), ", threads ", threads, ", prefetch ", prefetch));
        const EpochShard shard = shard_of(shuffle, {.sampler = {.seed = 3}, .batch_rows = 1503});
        const LoaderOptions options{.prefetch = prefetch, .memory_bytes = uint64_t{8} << 20};
        ASSERT_NO_FATAL_FAILURE(
            expect_epoch(columns, shard, options, on_threads(threads), prefetch == 1));
      }
    }
  }
}

TEST(LoaderThreads, MatricesAreThoseOfTheTable) {
  for (const Shuffle shuffle : kShuffles) {
    for (const unsigned threads : {1U, 2U, 4U}) {
      if (kIsSanitized && threads != 4) continue;
      for (const Output output : {Output::Float32, Output::Float64}) {
        for (const uint64_t memory : {uint64_t{1}, kLittle, kEnough}) {
          if (kIsSanitized && output == Output::Float64 && memory != kLittle) continue;
          SCOPED_TRACE(concat(name_of(shuffle), ", threads ", threads, ", memory ", memory));
          const LoaderOptions options{.output = output,
                                      .apart = apart(),
                                      .prefetch = threads - 1,
                                      .memory_bytes = memory,
                                      .kept = KeptRows()};
          const EpochShard shard = shard_of(shuffle, {.sampler = {.seed = 3}, .batch_rows = 999});
          for (int epoch = 0; epoch < 2; ++epoch) {
            ASSERT_NO_FATAL_FAILURE(
                expect_epoch(features(), shard, options, on_threads(threads), epoch == 1));
          }
          EXPECT_EQ(options.kept->are_read(), memory == kEnough && shuffle != Shuffle::None);
        }
      }
    }
  }
}

TEST(Loader, WeightedDropsAndRanks) {
  std::vector<double> weights(kRows);
  std::iota(weights.begin(), weights.end(), 0);
  const auto weighted = std::make_shared<const WeightedSampler>(weights);
  for (const EpochOptions& epoch :
       {EpochOptions{.sampler = {.seed = 1}, .draws = 90'000, .weights = weighted},
        EpochOptions{.sampler = {.seed = 2, .rank = 1, .world_size = 2}, .drop_last = true},
        EpochOptions{.sampler = {.seed = 3, .replace = true}},
        EpochOptions{.before = {{.world_size = 3, .batch_rows = 100, .batches = 7}}}}) {
    const EpochShard shard = shard_of(Shuffle::Rows, epoch);
    for (const uint64_t memory : {kLittle, kEnough}) {
      for (const uint64_t first : {uint64_t{0}, uint64_t{5}, shard.batches()}) {
        const LoaderOptions options{
            .output = Output::Float64, .first_batch = first, .memory_bytes = memory};
        ASSERT_NO_FATAL_FAILURE(expect_epoch(features(), shard, options, on_threads(2)));
      }
    }
  }
}

TEST(Loader, GoesOnInTheMiddleOfAnEpoch) {
  const EpochShard shard = shard_of(Shuffle::Rows);
  for (const uint64_t prefetch : {0U, 3U}) {
    Loader first(features(), shard, {.prefetch = prefetch}, on_threads(2));
    LoaderBatch batch;
    for (int i = 0; i < 7; ++i) ASSERT_TRUE(first.next(batch));
    Loader second(features(), shard, {.first_batch = first.batches(), .prefetch = prefetch});
    LoaderBatch same;
    while (first.next(batch)) {
      ASSERT_TRUE(second.next(same));
      ASSERT_TRUE(std::ranges::equal(batch.rows, same.rows));
      ASSERT_EQ(json_rows(batch.columns), json_rows(same.columns));
    }
    EXPECT_FALSE(second.next(same));
  }
}

TEST(Loader, BatchesAndChunksMayAlternate) {
  const EpochShard shard = shard_of(Shuffle::Rows);
  Loader loader(features(), shard, {}, on_threads(2));
  Rows rows;
  std::vector<uint64_t> ends;
  LoaderBatch batch;
  for (bool by_chunk = false; by_chunk ? loader.next_chunk(batch, ends) : loader.next(batch);
       by_chunk = !by_chunk) {
    ASSERT_EQ(batch.columns.rows, batch.rows.size());
    ASSERT_TRUE(!by_chunk || ends.back() == batch.rows.size());
    rows.insert(rows.end(), batch.rows.begin(), batch.rows.end());
  }
  EXPECT_EQ(rows, rows_of(shard));
}

TEST(Loader, BatchesThatAreHeldStay) {
  const EpochShard shard = shard_of(Shuffle::Rows);
  for (const Output output : {Output::Columns, Output::Float32}) {
    const std::optional<Projection> others =
        output == Output::Columns ? std::nullopt : std::optional(apart());
    std::vector<LoaderBatch> all;
    {
      Loader loader(features(), shard, {.output = output, .apart = others, .memory_bytes = kLittle},
                    on_threads(2));
      for (LoaderBatch batch; loader.next(batch); batch = {}) all.push_back(batch);
    }
    const Rows rows = rows_of(shard);
    auto at = rows.begin();
    for (const LoaderBatch& batch : all) {
      const auto end = at + static_cast<ptrdiff_t>(batch.rows.size());
      ASSERT_NO_FATAL_FAILURE(expect_batch(batch, features(), output, others, Rows(at, end)));
      at = end;
    }
    EXPECT_EQ(at, rows.end());
  }
}

TEST(Loader, MemoryIsUsedAgain) {
  Loader loader(features(), shard_of(Shuffle::Rows),
                {.output = Output::Float32, .memory_bytes = kLittle});
  std::vector<const float*> addresses;
  for (LoaderBatch batch; loader.next(batch);) addresses.push_back(batch.floats.data());
  std::ranges::sort(addresses);
  EXPECT_LT(std::unique(addresses.begin(), addresses.end()) - addresses.begin(),
            static_cast<ptrdiff_t>(addresses.size()));
}

// Writes a file of blocks of 1,000 rows.
std::string in_blocks(const test::TempFolder& folder) {
  TableMaker maker(kRows);
  std::vector<int32_t> cells(kRows);
  std::iota(cells.begin(), cells.end(), 0);
  maker.fixed("n", Type::Int32, cells).fixed("x", Type::Float32, random_cells<float>(1));
  ConvertOptions options;
  options.write.set("block_rows", 1000);
  const std::string path = folder / "blocks.idv";
  convert(table_rows(maker.table()), path, options);
  return path;
}

// Returns which batches of an epoch matrix() can read.
std::vector<bool> readable(const Projection& columns, const EpochShard& shard) {
  std::vector<bool> all;
  for (uint64_t i = 0; i < shard.batches(); ++i) {
    Rows rows(shard.batch_end(i + 1) - shard.batch_end(i));
    shard.draw(shard.batch_end(i), rows);
    std::vector<float> cells(rows.size() * columns.size());
    try {
      matrix(columns, rows, std::span(cells));
      all.push_back(true);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Corrupt);
      all.push_back(false);
    }
  }
  return all;
}

// Expects that the Loader fails once, at a batch that cannot be read, and then goes on.
void expect_one_failure(Loader& loader, const std::vector<bool>& readable, bool by_batches) {
  uint64_t failures = 0;
  for (LoaderBatch batch;;) {
    const auto first = readable.begin() + static_cast<ptrdiff_t>(loader.batches());
    const auto end = [&] { return readable.begin() + static_cast<ptrdiff_t>(loader.batches()); };
    try {
      if (!loader.next(batch)) break;
      EXPECT_TRUE(*first);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Corrupt);
      EXPECT_NE(std::find(first, end(), false), end());
      EXPECT_TRUE(!by_batches || end() - first == 1);
      ++failures;
    }
  }
  EXPECT_EQ(failures, 1);
  EXPECT_EQ(loader.batches(), readable.size());
}

TEST(Loader, DamageEndsTheBatchesThatHaveIt) {
  const test::TempFolder folder;
  const std::string path = in_blocks(folder);
  {
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(std::filesystem::file_size(path) / 2));
    file << "damage, damage, damage, damage, damage, damage, damage, damage";
  }
  const auto data = open(path);
  const Projection columns(data->table(), {"n", "x"});
  const EpochOrder order(data->table(), {.shuffle = Shuffle::Blocks});
  const EpochShard shard(order, {.sampler = {.seed = 2}, .batch_rows = 1000});
  const std::vector<bool> expected = readable(columns, shard);
  ASSERT_EQ(std::ranges::count(expected, false), 1);
  for (const unsigned threads : {1U, 2U}) {
    for (const Output output : {Output::Columns, Output::Float32}) {
      for (const uint64_t prefetch : {0U, 2U}) {
        // The memory fits only a batch at once, or all batches if none were damaged.
        for (const uint64_t memory : {uint64_t{1}, kEnough}) {
          LoaderOptions options{.output = output, .prefetch = prefetch, .memory_bytes = memory};
          options.kept.emplace();
          Loader loader(columns, shard, options, on_threads(threads));
          ASSERT_NO_FATAL_FAILURE(expect_one_failure(loader, expected, memory == 1));
          EXPECT_FALSE(options.kept->are_read());
        }
      }
    }
  }
}

TEST(Loader, AFileThatChangesEndsItThoughRowsAreInMemory) {
  const test::TempFolder folder;
  const std::string path = in_blocks(folder);
  const auto data = open(path);
  const Projection columns(data->table(), {"n", "x"});
  const EpochShard shard{EpochOrder(columns)};
  for (const unsigned threads : {1U, 2U}) {
    const LoaderOptions options{
        .output = Output::Float32, .memory_bytes = kEnough, .kept = KeptRows()};
    if (threads == 1) {
      ASSERT_NO_FATAL_FAILURE(expect_epoch(columns, shard, options, on_threads(threads)));
      ASSERT_TRUE(options.kept->are_read());
      std::fstream(path, std::ios::binary | std::ios::in | std::ios::out) << "changed";
    }
    Loader loader(columns, shard, options, on_threads(threads));
    LoaderBatch batch;
    EXPECT_EQ(test::error_of([&] {
                while (loader.next(batch)) {
                }
              }).kind(),
              ErrorKind::Changed);
  }
}

TEST(Loader, EndsWhenItIsCancelled) {
  std::atomic<bool> cancel{false};
  for (const unsigned threads : {1U, 2U}) {
    Context context = on_threads(threads);
    context.cancel = &cancel;
    Loader loader(features(), shard_of(Shuffle::Rows),
                  {.output = Output::Float32, .memory_bytes = kLittle}, context);
    LoaderBatch batch;
    ASSERT_TRUE(loader.next(batch));
    cancel = true;
    EXPECT_EQ(test::error_of([&] {
                while (loader.next(batch)) {
                }
              }).kind(),
              ErrorKind::Cancelled);
    cancel = false;
  }
}

TEST(Loader, KeepsToTheMemoryBudget) {
  for (const Output output : {Output::Columns, Output::Float32}) {
    Context context = on_threads(2);
    context.memory = std::make_shared<MemoryBudget>(kLittle);
    const KeptRows kept;
    {
      Loader loader(features(), shard_of(Shuffle::Rows), {.output = output, .kept = kept}, context);
      LoaderBatch batch;
      EXPECT_EQ(test::error_of([&] {
                  while (loader.next(batch)) {
                  }
                }).kind(),
                ErrorKind::Limit);
    }
    EXPECT_EQ(context.memory->used(), 0);
    EXPECT_FALSE(kept.are_read());
  }
  Context context = on_threads(2);
  context.memory = std::make_shared<MemoryBudget>(uint64_t{16} << 20);
  const LoaderOptions options{.output = Output::Float32, .memory_bytes = kLittle};
  ASSERT_NO_FATAL_FAILURE(expect_epoch(features(), shard_of(Shuffle::Rows), options, context));
  EXPECT_EQ(context.memory->used(), 0);
}

TEST(Loader, RefusesWhatDoesNotFit) {
  const EpochShard shard = shard_of(Shuffle::Rows);
  const auto expect_refused = [](const auto& make, std::string_view text) {
    EXPECT_THAT(test::error_of(ErrorKind::Argument, make), HasSubstr(text));
  };
  expect_refused([&] { Loader(features(), shard, {.first_batch = shard.batches() + 1}); },
                 "first batch up to 157, got 158");
  expect_refused([&] { Loader(features(), shard, {.apart = apart()}); }, "beside a matrix");
  expect_refused([&] { Loader(Projection(numbers(), {"t"}), shard, {.output = Output::Float32}); },
                 "cannot be part of a matrix");
  const Projection other(TableMaker(1).fixed<int8_t>("a", Type::Int8, {1}).table());
  expect_refused([&] { Loader(features(), shard, {.output = Output::Float32, .apart = other}); },
                 "another table");
  expect_refused([] { Loader(features(), EpochOptions{.batch_rows = 0}); }, "at least one row");
}

TEST(Loader, AForkedChildBeginsAnew) {
  if (thread_count(on_threads(2)) < 2) GTEST_SKIP() << "one processor";
  const EpochShard shard = shard_of(Shuffle::Rows);
  const LoaderOptions options{.output = Output::Float32, .memory_bytes = kLittle};
  auto loader = std::make_unique<Loader>(features(), shard, options, on_threads(2));
  LoaderBatch batch;
  for (int i = 0; i < 30; ++i) ASSERT_TRUE(loader->next(batch));
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::alarm(30);
    bool says_so = false;
    try {
      while (loader->next(batch)) {
      }
    } catch (const Error& error) {
      says_so = error.kind() == ErrorKind::Argument;
    }
    loader.reset();
    Loader anew(features(), shard, options, on_threads(2));
    uint64_t batches = 0;
    while (anew.next(batch)) ++batches;
    ::_exit(says_so && batches == shard.batches() ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace heron
