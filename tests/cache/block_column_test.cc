// Rows in decoded blocks equal the same rows in one piece, when read, taken, scanned or viewed, on
// one thread and several, for every size of blocks and of the cache.
#include "cache/block_column.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "base/fail.h"
#include "columns/bit_column.h"
#include "columns/fixed_column.h"
#include "columns/text_column.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/made_table.h"

namespace heron {
namespace {

using test::error_of;
using testing::HasSubstr;

constexpr uint64_t kRowsInBlocks = 500;

int32_t number_of(uint64_t row) {
  return row % 11 == 3 ? INT32_MIN : static_cast<int32_t>(row * 7);
}
bool flag_of(uint64_t row) {
  return row * row % 7 < 3;
}
std::string text_of(uint64_t row) {
  return std::string(row % 5, static_cast<char>('a' + row % 26));
}

class Blocks : public BlockSource {
 public:
  Blocks(uint64_t block_rows, uint64_t damaged) : block_rows_(block_rows), damaged_(damaged) {}

  const std::string& name() const noexcept final { return name_; }
  ColumnPtr open(uint64_t block, uint64_t rows, const BlockFrame& frame,
                 const Context&) const final {
    if (block == damaged_) fail(ErrorKind::Corrupt, "made", "block ", block, " is damaged");
    return make(block * block_rows_, rows, frame);
  }

 protected:
  virtual ColumnPtr make(uint64_t first, uint64_t rows, const BlockFrame& frame) const = 0;
  uint64_t block_rows_;

 private:
  std::string name_ = "made";
  uint64_t damaged_;
};

class NumberSource final : public Blocks {
 public:
  using Blocks::Blocks;
  uint64_t frame_bytes(uint64_t, const Context&) const override { return block_rows_ * 4; }
  ColumnPtr make(uint64_t first, uint64_t rows, const BlockFrame& frame) const override {
    for (uint64_t i = 0; i < rows; ++i) {
      const int32_t number = number_of(first + i);
      std::memcpy(frame.memory + i * 4, &number, sizeof number);
    }
    return std::make_unique<FixedColumn>(
        Type::Int32, rows, ColumnLabel{"number", ""},
        FixedCells{{frame.source, 0, rows * 4}, {}, NullEncoding::Sentinel});
  }
};

// A block has the bits and, behind them, their validity bitmap: every 13th is null.
class FlagSource final : public Blocks {
 public:
  using Blocks::Blocks;
  uint64_t frame_bytes(uint64_t, const Context&) const override { return block_rows_ / 8 * 2 + 2; }
  ColumnPtr make(uint64_t first, uint64_t rows, const BlockFrame& frame) const override {
    const uint64_t bytes = rows / 8 + 1;
    std::memset(frame.memory, 0, bytes * 2);
    for (uint64_t i = 0; i < rows; ++i) {
      frame.memory[i / 8] |= std::byte{flag_of(first + i)} << (i % 8);
      frame.memory[bytes + i / 8] |= std::byte{(first + i) % 13 != 0} << (i % 8);
    }
    return std::make_unique<BitColumn>(rows, ColumnLabel{"flag", ""},
                                       ByteView{frame.source, 0, bytes},
                                       ByteView{frame.source, bytes, bytes}, NullEncoding::Bitmap);
  }
};

class TextSource final : public Blocks {
 public:
  using Blocks::Blocks;
  uint64_t frame_bytes(uint64_t, const Context&) const override { return block_rows_ * 8 + 4; }
  ColumnPtr make(uint64_t first, uint64_t rows, const BlockFrame& frame) const override {
    std::string all;
    for (uint64_t i = 0; i <= rows; ++i) {
      const auto offset = static_cast<uint32_t>(all.size());
      std::memcpy(frame.memory + i * 4, &offset, sizeof offset);
      if (i < rows) all += text_of(first + i);
    }
    const uint64_t offset_bytes = (rows + 1) * 4;
    std::memcpy(frame.memory + offset_bytes, all.data(), all.size());
    return std::make_unique<TextColumn>(rows, ColumnLabel{"text", ""},
                                        OffsetCells{{frame.source, 0, offset_bytes}},
                                        ByteView{frame.source, offset_bytes, all.size()});
  }
};

// Numbers that are read in place in the table's bytes.
class NumberInPlaceSource final : public Blocks {
 public:
  NumberInPlaceSource(uint64_t block_rows, const ByteView& cells)
      : Blocks(block_rows, UINT64_MAX), cells_(cells) {}
  uint64_t frame_bytes(uint64_t, const Context&) const override { return 0; }
  ColumnPtr make(uint64_t first, uint64_t rows, const BlockFrame&) const override {
    return std::make_unique<FixedColumn>(
        Type::Int32, rows, ColumnLabel{"in_place", ""},
        FixedCells{
            {cells_.source, cells_.offset + first * 4, rows * 4}, {}, NullEncoding::Sentinel});
  }

 private:
  ByteView cells_;
};

struct MadeBlocks {
  std::shared_ptr<BlockCache> cache;
  std::shared_ptr<const Table> table;
  Projection all() const { return Projection(table); }
};

MadeBlocks make_blocks(uint64_t block_rows, bool mapped, uint64_t cache_bytes,
                       uint64_t damaged = UINT64_MAX) {
  TableMaker maker(kRowsInBlocks);
  auto cache = std::make_shared<BlockCache>(cache_bytes);
  const auto add = [&](const char* name, Type type, bool nullable,
                       std::shared_ptr<const BlockSource> source) {
    maker.add(name, [=](const ByteSource&, uint64_t rows, ColumnLabel label) {
      return std::make_unique<BlockColumn>(type, rows, std::move(label), block_rows, nullable,
                                           source, cache);
    });
  };
  add("number", Type::Int32, true, std::make_shared<NumberSource>(block_rows, damaged));
  add("flag", Type::Bool, true, std::make_shared<FlagSource>(block_rows, UINT64_MAX));
  add("text", Type::Text, false, std::make_shared<TextSource>(block_rows, UINT64_MAX));
  std::vector<int32_t> numbers;
  for (uint64_t row = 0; row < kRowsInBlocks; ++row) numbers.push_back(number_of(row));
  const Piece piece = maker.pieces.add(numbers, 1);
  maker.add("in_place", [=](const ByteSource& source, uint64_t rows, ColumnLabel label) {
    return std::make_unique<BlockColumn>(
        Type::Int32, rows, std::move(label), block_rows + 1, true,
        std::make_shared<NumberInPlaceSource>(block_rows + 1, piece.in(source)), cache);
  });
  return {cache, maker.table(mapped)};
}

template <class T>
std::optional<T> value_or_null(const Values& values, uint64_t i) {
  return values.is_null(i) ? std::nullopt : std::optional(values.get<T>(i));
}

void expect_rows(const RowBatch& batch, std::span<const uint64_t> rows) {
  ASSERT_EQ(batch.rows, rows.size());
  for (uint64_t i = 0; i < rows.size(); ++i) {
    const uint64_t row = rows[i];
    const auto number = number_of(row) == INT32_MIN ? std::nullopt : std::optional(number_of(row));
    EXPECT_EQ(value_or_null<int32_t>(batch.columns[0], i), number) << row;
    EXPECT_EQ(batch.columns[1].is_null(i), row % 13 == 0) << row;
    EXPECT_TRUE(row % 13 == 0 || batch.columns[1].get_bool(i) == flag_of(row)) << row;
    EXPECT_EQ(batch.columns[2].text(i), text_of(row)) << row;
    EXPECT_EQ(value_or_null<int32_t>(batch.columns[3], i), number) << row;
  }
}

std::vector<uint64_t> range(uint64_t first, uint64_t last) {
  std::vector<uint64_t> rows(last - first);
  std::iota(rows.begin(), rows.end(), first);
  return rows;
}

struct Case {
  uint64_t block_rows;
  bool mapped;
  uint64_t cache_bytes;
  unsigned threads;
};

class BlockColumnTest : public testing::TestWithParam<Case> {
 protected:
  MadeBlocks made = make_blocks(GetParam().block_rows, GetParam().mapped, GetParam().cache_bytes);
  Context context = [] {
    Context several;
    several.threads = GetParam().threads;
    return several;
  }();
};

TEST_P(BlockColumnTest, reads_ranges) {
  const std::vector<RowRange> ranges{{0, 0},   {0, 1},     {0, kRowsInBlocks},
                                     {3, 130}, {499, 500}, {500, 500}};
  for (const RowRange rows : ranges) {
    expect_rows(read(made.all(), rows, context), range(rows.first, rows.last));
  }
}

TEST_P(BlockColumnTest, takes_rows_in_their_order) {
  std::mt19937_64 random(5);
  for (const uint64_t count : {0, 1, 2, 17, 300, 9000}) {
    std::vector<uint64_t> rows;
    for (uint64_t i = 0; i < count; ++i) rows.push_back(random() % kRowsInBlocks);
    expect_rows(take(made.all(), rows, context), rows);
    std::sort(rows.begin(), rows.end());
    expect_rows(take(made.all(), rows, context), rows);
  }
}

TEST_P(BlockColumnTest, scans) {
  Scan scan(made.all(), context, 37);
  RowBatch batch;
  uint64_t rows = 0;
  for (; scan.next(batch); rows += batch.rows) {
    expect_rows(batch, range(scan.first_row(), scan.first_row() + batch.rows));
  }
  EXPECT_EQ(rows, kRowsInBlocks);
}

TEST_P(BlockColumnTest, is_seen_row_by_row) {
  RowView view(made.all(), context);
  std::mt19937_64 random(6);
  for (int i = 0; i < 300; ++i) {
    const uint64_t row = random() % kRowsInBlocks;
    view.seek(row);
    const auto number = number_of(row) == INT32_MIN ? std::nullopt : std::optional(number_of(row));
    EXPECT_EQ(view.get<int32_t>(0), number) << row;
    EXPECT_EQ(view.get<bool>(1), row % 13 == 0 ? std::nullopt : std::optional(flag_of(row))) << row;
    EXPECT_EQ(view.text(2), text_of(row)) << row;
    EXPECT_EQ(view.get<int32_t>(3), number) << row;
  }
}

TEST_P(BlockColumnTest, an_answer_outlives_the_table_and_the_cache) {
  const RowBatch batch = read(made.all(), {0, 1}, context);
  made = {};
  expect_rows(batch, range(0, 1));
}

INSTANTIATE_TEST_SUITE_P(, BlockColumnTest,
                         testing::Values(Case{1, true, 1 << 20, 1}, Case{7, true, 1 << 20, 1},
                                         Case{8, true, 1, 1}, Case{13, false, 1 << 20, 1},
                                         Case{64, true, 2048, 2}, Case{64, false, 1, 2},
                                         Case{3, true, 4096, 2}, Case{1000, true, 1 << 20, 2}));

TEST(BlockColumn, decodes_each_block_of_a_batch_once) {
  const MadeBlocks made = make_blocks(64, true, 1 << 20);
  std::vector<uint64_t> rows;
  for (uint64_t i = 0; i < kRowsInBlocks; ++i) rows.push_back(i * 7 % kRowsInBlocks);
  take(made.all(), rows);
  const uint64_t blocks = 8 * 4;  // blocks of 65 rows are 8, too
  EXPECT_EQ(made.cache->decoded_blocks(), blocks);
  read(made.all(), {0, kRowsInBlocks});
  EXPECT_EQ(made.cache->decoded_blocks(), blocks);
}

TEST(BlockColumn, decodes_a_block_beyond_the_cache_once_for_all_batches) {
  for (const uint64_t block_rows : {kRowsInBlocks, kRowsInBlocks / 2}) {
    const MadeBlocks made = make_blocks(block_rows, true, 1);
    const Projection numbers(made.table, std::vector<std::string>{"number", "text"});
    const uint64_t blocks = 2 * (kRowsInBlocks / block_rows);
    Scan scan(numbers, {}, 17);
    RowBatch batch;
    uint64_t rows = 0;
    for (; scan.next(batch); rows += batch.rows) {
    }
    EXPECT_EQ(rows, kRowsInBlocks);
    // A batch that reaches into a second block leaves that block to the next batch.
    EXPECT_EQ(made.cache->decoded_blocks(), blocks);
    batch = {};
  }
}

TEST(BlockColumn, lets_go_of_a_block_beyond_the_cache) {
  const MadeBlocks made = make_blocks(kRowsInBlocks / 4, true, 1);
  const Projection numbers(made.table, std::vector<std::string>{"number"});
  uint64_t most = 0;
  {
    Scan scan(numbers, {}, 25);
    RowBatch batch;
    while (scan.next(batch)) most = std::max(most, made.cache->used_bytes());
  }
  EXPECT_LT(most, 3 * (kRowsInBlocks / 4 * 4 + 2048));  // two batches: this one and the one before
  EXPECT_EQ(made.cache->used_bytes(), 0u);
}

TEST(BlockColumn, damage_costs_the_rows_of_its_block) {
  const MadeBlocks made = make_blocks(64, true, 1 << 20, 3);
  for (const unsigned threads : {1u, 2u}) {
    Context context;
    context.threads = threads;
    EXPECT_THAT(error_of(ErrorKind::Corrupt, [&] { take(made.all(), range(192, 193), context); }),
                HasSubstr("block 3 is damaged"));
    EXPECT_THAT(error_of(ErrorKind::Corrupt,
                         [&] {
                           read(made.all(), {0, 193}, context);
                         }),
                HasSubstr("block 3 is damaged"));
    expect_rows(read(made.all(), {0, 192}, context), range(0, 192));
    expect_rows(take(made.all(), range(256, 500), context), range(256, 500));
    std::vector<uint64_t> others;  // many rows in both directions, on both sides of the damage
    for (uint64_t i = 0; i < 5000; ++i) others.push_back(i % 2 == 0 ? i % 192 : 499 - i % 244);
    expect_rows(take(made.all(), others, context), others);
  }
  RowView view(made.all());
  EXPECT_THAT(error_of(ErrorKind::Corrupt, [&] { view.seek(200); }), HasSubstr("block 3"));
  view.seek(256);
  EXPECT_EQ(view.text(2), text_of(256));
}

TEST(BlockColumn, a_projection_counts_the_blocks_of_its_first_column) {
  const MadeBlocks made = make_blocks(64, true, 1 << 20);
  EXPECT_EQ(made.all().block_rows(), 64u);
  EXPECT_EQ(made.all().block_count(), 8u);
  EXPECT_EQ(Projection(made.table, std::vector<std::string>{"in_place"}).block(1).last, 130u);
  EXPECT_THAT(error_of(ErrorKind::Argument, [&] { made.all().block(8); }), HasSubstr("no block 8"));
}

}  // namespace
}  // namespace heron
