// Numbers that the pass over a file keeps are given out once, and charged to a budget.
#include "csv/kept_values.h"

#include <gtest/gtest.h>

#include <fstream>
#include <numeric>

#include "base/fail.h"
#include "heron/heron.h"
#include "temp_folder.h"

namespace heron {
namespace {

constexpr uint64_t kChunkRows = 5000, kChunks = 40;

// Values that are consecutive int32 from `first` on; if `has_nulls`, every third is null.
struct Chunk {
  Chunk(uint64_t first, bool has_nulls) : numbers(kChunkRows), bits((kChunkRows + 7) / 8) {
    std::iota(numbers.begin(), numbers.end(), static_cast<int32_t>(first));
    values.data = {reinterpret_cast<const std::byte*>(numbers.data()), kChunkRows * 4};
    if (!has_nulls) return;
    for (uint64_t i = 0; i < kChunkRows; ++i) {
      if ((first + i) % 3 == 0)
        ++values.null_count;
      else
        bits[i / 8] |= std::byte{1} << i % 8;
    }
    values.validity = {bits.data(), bits.size()};
  }

  std::vector<int32_t> numbers;
  std::vector<std::byte> bits;
  Values values{Type::Int32, kChunkRows};
};

// Expects the rows of column 0 to equal those of Chunks, and to be given out.
void expect_rows(csv::KeptValues& kept, RowRange rows, bool has_nulls) {
  std::vector<int32_t> cells(rows.rows());
  std::vector<std::byte> validity((rows.rows() + 7) / 8, std::byte{0xFF});
  ASSERT_TRUE(kept.give(0, Type::Int32, rows, reinterpret_cast<std::byte*>(cells.data()),
                        has_nulls ? validity.data() : nullptr));
  for (uint64_t i = 0; i < cells.size(); ++i) {
    ASSERT_EQ(cells[i], static_cast<int32_t>(rows.first + i));
    const bool is_valid = (validity[i / 8] >> i % 8 & std::byte{1}) != std::byte{0};
    ASSERT_EQ(is_valid, !has_nulls || (rows.first + i) % 3 != 0) << rows.first + i;
  }
}

TEST(KeptValues, AreGivenOnceAndThenFreed) {
  for (const bool has_nulls : {false, true}) {
    const auto budget = std::make_shared<MemoryBudget>(uint64_t{16} << 20);
    csv::KeptValues kept(1, uint64_t{8} << 20, budget);
    for (uint64_t i = 0; i < kChunks; ++i) {
      ASSERT_TRUE(kept.wants(Type::Int32, kChunkRows));
      kept.add(0, i * kChunkRows, Chunk(i * kChunkRows, has_nulls).values);
    }
    EXPECT_GE(budget->used(), kChunks * kChunkRows * 4);
    constexpr uint64_t kRows = kChunks * kChunkRows, kAtOnce = 777;
    for (uint64_t first = 0; first < kRows; first += kAtOnce) {
      expect_rows(kept, {first, std::min(first + kAtOnce, kRows)}, has_nulls);
      if (first > kRows / 2) {
        EXPECT_LT(budget->used(), kRows * 4);
      }
    }
    EXPECT_EQ(budget->used(), 0U);
    std::vector<std::byte> cells(4), validity(1);
    EXPECT_FALSE(kept.give(0, Type::Int32, {0, 1}, cells.data(), validity.data()));
  }
}

TEST(KeptValues, RowsOfAnotherTypeOrBetweenChunksAreNotGiven) {
  csv::KeptValues kept(2, uint64_t{8} << 20, nullptr);
  const Chunk first(0, false), later(3 * kChunkRows, true);
  kept.add(0, 0, first.values);
  kept.add(0, 3 * kChunkRows, later.values);
  std::vector<std::byte> cells(8 * kChunkRows), validity(kChunkRows);
  const auto is_given = [&](uint64_t column, Type::Id type, RowRange rows,
                            bool takes_nulls = true) {
    return kept.give(column, type, rows, cells.data(), takes_nulls ? validity.data() : nullptr);
  };
  EXPECT_FALSE(is_given(1, Type::Int32, {0, 1}));
  EXPECT_FALSE(is_given(0, Type::Float64, {0, 1}));
  EXPECT_FALSE(is_given(0, Type::Int32, {kChunkRows - 1, kChunkRows + 1}));
  EXPECT_FALSE(is_given(0, Type::Int32, {2 * kChunkRows, 2 * kChunkRows + 1}));
  EXPECT_FALSE(is_given(0, Type::Int32, {4 * kChunkRows - 1, 4 * kChunkRows + 1}));
  EXPECT_FALSE(is_given(0, Type::Int32, {3 * kChunkRows, 3 * kChunkRows + 1}, false));
  EXPECT_TRUE(is_given(0, Type::Int32, {kChunkRows - 1, kChunkRows}));
  EXPECT_TRUE(is_given(0, Type::Int32, {3 * kChunkRows, 3 * kChunkRows + 1}));
  EXPECT_FALSE(kept.wants(Type::Text, 1));
}

TEST(KeptValues, KeepNoMoreThanTheyMay) {
  constexpr uint64_t kMaxBytes = 200'000;
  const auto limited = std::make_shared<MemoryBudget>(kMaxBytes / 2);
  for (const auto& budget : {std::make_shared<MemoryBudget>(uint64_t{1} << 30), limited}) {
    csv::KeptValues kept(1, kMaxBytes, budget);
    for (uint64_t i = 0; i < kChunks; ++i) {
      kept.add(0, i * kChunkRows, Chunk(i * kChunkRows, false).values);
    }
    EXPECT_LE(budget->used(), budget == limited ? limited->limit() : kMaxBytes);
    EXPECT_GE(budget->used(), kChunkRows * 4);
    EXPECT_FALSE(kept.wants(Type::Int32, kMaxBytes));
    expect_rows(kept, {0, kChunkRows}, false);
  }
  EXPECT_EQ(limited->used(), 0U);
}

// Several files share a budget: their kept numbers leave most of it to queries.
TEST(KeptValues, OfManyFilesLeaveMostOfABudget) {
  constexpr uint64_t kFiles = 24, kRows = 20'000, kLimit = uint64_t{16} << 20;
  const test::TempFolder folder;
  std::vector<std::string> paths;
  for (uint64_t file = 0; file < kFiles; ++file) {
    std::string text = "id,half,other\n";
    for (uint64_t i = 0; i < kRows; ++i) text += concat(i, ',', i / 2, ".5,", i * file, '\n');
    std::ofstream(paths.emplace_back(folder / concat(file, ".csv")), std::ios::binary) << text;
  }
  const auto sums = [](const std::shared_ptr<const File>& files) {
    std::vector<double> found;
    for (const ColumnStats& one : stats(Query(Projection(files->table())))) {
      EXPECT_EQ(one.rows, kFiles * kRows);
      found.push_back(one.sum.value());
    }
    return found;
  };
  Context context;
  context.memory = std::make_shared<MemoryBudget>(kLimit);
  const auto data = open(paths, {}, context);
  EXPECT_LE(context.memory->used(), kLimit / 4 + (uint64_t{1} << 20));
  OpenOptions without;
  without.cache_bytes = 0;
  EXPECT_EQ(sums(open(paths)), sums(open(paths, without)));
}

}  // namespace
}  // namespace heron
