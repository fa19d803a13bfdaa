// Batches of sampled rows: whole epochs, resumed, with replacement.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "error_of.h"
#include "heron/heron.h"
#include "kit/made_table.h"

namespace heron {
namespace {

using Rows = std::vector<uint64_t>;
constexpr uint64_t kLoadedRows = 1003;

Projection loaded() {
  Rows cells(kLoadedRows);
  std::iota(cells.begin(), cells.end(), 0);
  return Projection(TableMaker(kLoadedRows).fixed("n", Type::UInt64, cells).table());
}

// The rows of all batches to come; checks that the values are those of rows().
Rows rest_of(BatchLoader& loader, std::vector<uint64_t>* sizes = nullptr) {
  Rows rows;
  for (RowBatch batch; loader.next(batch);) {
    EXPECT_EQ(batch.rows, loader.rows().size());
    for (uint64_t i = 0; i < batch.rows; ++i) {
      EXPECT_EQ(batch.columns[0].get<uint64_t>(i), loader.rows()[i]);
    }
    rows.insert(rows.end(), loader.rows().begin(), loader.rows().end());
    if (sizes != nullptr) sizes->push_back(batch.rows);
  }
  return rows;
}

TEST(BatchLoader, GivesEveryRowOnceInTheOrderOfTheSampler) {
  const SamplerOptions sampling = {.seed = 3};
  BatchLoader loader(loaded(), sampling, 100);
  std::vector<uint64_t> sizes;
  const Rows rows = rest_of(loader, &sizes);
  Rows expected(kLoadedRows);
  Sampler(kLoadedRows, sampling).draw(0, expected);
  EXPECT_EQ(rows, expected);
  EXPECT_EQ(sizes.size(), 11);
  EXPECT_EQ(sizes.back(), 3) << "the last batch is smaller";
  EXPECT_EQ(loader.position(), kLoadedRows);
}

TEST(BatchLoader, IsDoneForGood) {
  BatchLoader loader(loaded(), {}, kLoadedRows);
  RowBatch batch;
  EXPECT_TRUE(loader.next(batch));
  EXPECT_FALSE(loader.next(batch));
  EXPECT_EQ(batch.rows, 0);
  EXPECT_TRUE(loader.rows().empty());
  EXPECT_FALSE(loader.next(batch));
}

TEST(BatchLoader, GoesOnFromAPosition) {
  const SamplerOptions sampling = {.seed = 4, .epoch = 9, .rank = 1, .world = 2};
  BatchLoader first(loaded(), sampling, 64);
  RowBatch batch;
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(first.next(batch));
  BatchLoader second(loaded(), sampling, 64, first.position());
  EXPECT_EQ(rest_of(second), rest_of(first));
}

TEST(BatchLoader, RefusesAPositionBehindTheEnd) {
  const auto begin = [] { BatchLoader(loaded(), {}, 10, kLoadedRows + 1); };
  EXPECT_EQ(test::error_of(begin).kind(), ErrorKind::Argument);
}

TEST(BatchLoader, WithReplacementGivesAnEpochOfDraws) {
  const SamplerOptions sampling = {.seed = 5, .replace = true};
  BatchLoader loader(loaded(), sampling, 100);
  Rows rows = rest_of(loader);
  Rows expected(kLoadedRows);
  Sampler(kLoadedRows, sampling).draw(0, expected);
  EXPECT_EQ(rows, expected);
  std::ranges::sort(rows);
  EXPECT_NE(std::ranges::adjacent_find(rows), rows.end()) << "some row comes twice";
}

TEST(BatchLoader, RefusesBatchesOfNoRows) {
  EXPECT_EQ(test::error_of([] { BatchLoader(loaded(), {}, 0); }).kind(), ErrorKind::Argument);
}

}  // namespace
}  // namespace heron
