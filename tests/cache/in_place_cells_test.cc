// Rows of blocks that are read in place equal the same rows of one column, whichever blocks they
// are in; blocks are opened when one of their rows is requested first.
#include "cache/in_place_cells.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <functional>
#include <numeric>
#include <optional>
#include <random>
#include <thread>
#include <vector>

#include "base/fail.h"
#include "cache/block_column.h"
#include "columns/bit_column.h"
#include "columns/fixed_column.h"
#include "columns/text_column.h"
#include "error_of.h"
#include "values/bitmap.h"

namespace heron {
namespace {

using test::error_of;
using testing::HasSubstr;

constexpr uint64_t kPlacedRows = 1000;

// Makes the column of rows from `first` on.
using MakePlacedBlock = std::function<ColumnPtr(uint64_t first, uint64_t rows)>;

class PlacedBlocks final : public BlockSource {
 public:
  PlacedBlocks(uint64_t block_rows, MakePlacedBlock make)
      : block_rows_(block_rows), make_(std::move(make)) {}

  const std::string& name() const noexcept override { return name_; }
  uint64_t frame_bytes(uint64_t, const Context&) const override { return 0; }
  bool is_in_place() const noexcept override { return true; }
  ColumnPtr open(uint64_t block, uint64_t rows, const BlockFrame&, const Context&) const override {
    ++opened;
    return make_(block * block_rows_, rows);
  }

  mutable std::atomic<uint64_t> opened = 0;

 private:
  const std::string name_ = "made";
  const uint64_t block_rows_;
  const MakePlacedBlock make_;
};

struct PlacedColumn {
  std::shared_ptr<const PlacedBlocks> blocks;
  std::unique_ptr<const BlockColumn> column;
};

PlacedColumn placed_column(const Type& type, uint64_t block_rows, MakePlacedBlock make) {
  auto blocks = std::make_shared<const PlacedBlocks>(block_rows, std::move(make));
  // A cache without memory: blocks that were opened are not found there.
  auto column =
      std::make_unique<const BlockColumn>(type, kPlacedRows, ColumnLabel{"x", ""}, block_rows,
                                          false, blocks, std::make_shared<BlockCache>(0));
  return {std::move(blocks), std::move(column)};
}

std::vector<uint64_t> random_placed_rows(uint64_t count) {
  std::mt19937_64 random(count);
  std::vector<uint64_t> rows(count);
  for (uint64_t& row : rows) row = random() % kPlacedRows;
  return rows;
}

template <class T>
void expect_placed_numbers(const Type& type, uint64_t block_rows) {
  std::vector<T> numbers(kPlacedRows);
  for (uint64_t row = 0; row < kPlacedRows; ++row) numbers[row] = static_cast<T>(row * 7 + 1);
  const MemorySource bytes("made", std::as_bytes(std::span(numbers)));
  const PlacedColumn made = placed_column(type, block_rows, [&](uint64_t first, uint64_t rows) {
    return std::make_unique<FixedColumn>(
        type, rows, ColumnLabel{"x", ""},
        FixedCells{.cells = {&bytes, first * sizeof(T), rows * sizeof(T)}});
  });
  for (const uint64_t count : {uint64_t{1}, uint64_t{3}, uint64_t{40}, kPlacedRows}) {
    const std::vector<uint64_t> rows = random_placed_rows(count);
    Arena arena;
    const Values taken = made.column->take(rows, arena, {});
    ASSERT_EQ(taken.rows, count);
    for (uint64_t i = 0; i < count; ++i) ASSERT_EQ(taken.get<T>(i), numbers[rows[i]]) << i;
  }
  std::vector<uint64_t> adjacent(60);
  for (const uint64_t first : {uint64_t{0}, uint64_t{70}, kPlacedRows - 60}) {
    std::iota(adjacent.begin(), adjacent.end(), first);
    Arena arena;
    const Values taken = made.column->take(adjacent, arena, {});
    for (uint64_t i = 0; i < 60; ++i) ASSERT_EQ(taken.get<T>(i), numbers[first + i]) << i;
  }
  const uint64_t blocks = (kPlacedRows + block_rows - 1) / block_rows;
  EXPECT_LE(made.blocks->opened,
            2 * blocks + 3);  // each once to find its cells, and for rows of one
}

TEST(InPlaceCells, NumbersOfAnyWidth) {
  for (const uint64_t block_rows : {1, 64, 100, 999, 1000}) {
    expect_placed_numbers<int8_t>(Type::Int8, block_rows);
    expect_placed_numbers<int16_t>(Type::Int16, block_rows);
    expect_placed_numbers<float>(Type::Float32, block_rows);
    expect_placed_numbers<int64_t>(Type::Int64, block_rows);
  }
}

// Blocks of 1, 2, 3, .. rows, in every third of which a bitmap in memory says which rows are null;
// the others have none.
class UnevenBlocks final : public BlockSource {
 public:
  UnevenBlocks(std::shared_ptr<const Runs> runs, std::span<const int32_t> numbers,
               std::span<const std::byte> bitmap)
      : runs_(std::move(runs)), numbers_("made", std::as_bytes(numbers)), bits_("made", bitmap) {}

  const std::string& name() const noexcept override { return name_; }
  uint64_t frame_bytes(uint64_t block, const Context&) const override {
    return has_bitmap(block) ? 0 : bitmap_bytes((*runs_)[block].rows());
  }
  bool is_in_place() const noexcept override { return true; }
  ColumnPtr open(uint64_t block, uint64_t rows, const BlockFrame& frame,
                 const Context&) const override {
    ++opened;
    FixedCells cells;
    cells.cells = {&numbers_, (*runs_)[block].first * sizeof(int32_t), rows * sizeof(int32_t)};
    cells.nulls = NullEncoding::Bitmap;
    cells.validity = {&bits_, 0, bitmap_bytes(rows)};
    if (!has_bitmap(block)) {
      std::memset(frame.memory, 0xff, frame.bytes);
      cells.validity = {frame.source, 0, frame.bytes};
    }
    return std::make_unique<FixedColumn>(Type::Int32, rows, ColumnLabel{"x", ""}, cells);
  }
  static bool has_bitmap(uint64_t block) { return block % 3 == 0; }

  mutable std::atomic<uint64_t> opened = 0;

 private:
  const std::string name_ = "made";
  const std::shared_ptr<const Runs> runs_;
  const MemorySource numbers_, bits_;
};

TEST(InPlaceCells, BlocksOfAnyRowsWithNulls) {
  std::vector<uint64_t> starts = {0};
  while (starts.back() < kPlacedRows) starts.push_back(starts.back() + starts.size());
  const uint64_t all = starts.back(), blocks = starts.size() - 1;
  const auto runs = std::make_shared<const Runs>(std::move(starts));
  std::vector<int32_t> numbers(all);
  std::iota(numbers.begin(), numbers.end(), 7);
  const std::vector<std::byte> bitmap(16, std::byte{0b10110101});
  const auto source = std::make_shared<const UnevenBlocks>(runs, numbers, bitmap);
  const BlockColumn column(Type::Int32, all, {"x", ""}, runs, true, source,
                           std::make_shared<BlockCache>(0));
  const auto is_null = [&](uint64_t row) {
    const uint64_t block = runs->run_of(row), within = row - (*runs)[block].first;
    return UnevenBlocks::has_bitmap(block) && !get_bit(bitmap.data(), within);
  };
  EXPECT_EQ(column.blocks(), nullptr);  // they have no number of rows
  for (const uint64_t count : {uint64_t{1}, uint64_t{40}, kPlacedRows}) {
    const std::vector<uint64_t> rows = random_placed_rows(count);
    Arena arena;
    const Values taken = column.take(rows, arena, {});
    uint64_t nulls = 0;
    for (uint64_t i = 0; i < count; ++i) {
      nulls += is_null(rows[i]);
      ASSERT_EQ(taken.is_null(i), is_null(rows[i])) << rows[i];
      if (taken.is_null(i)) continue;
      ASSERT_EQ(taken.get<int32_t>(i), numbers[rows[i]]) << i;
    }
    EXPECT_EQ(taken.null_count, nulls);
  }
  EXPECT_LE(source->opened, blocks + 3);
  Arena arena;
  const Values read = column.read({0, all}, arena, {});
  for (uint64_t row = 0; row < all; ++row) {
    ASSERT_EQ(read.is_null(row), is_null(row));
    if (read.is_null(row)) continue;
    ASSERT_EQ(read.get<int32_t>(row), numbers[row]);
  }
}

TEST(InPlaceCells, Bits) {
  std::vector<std::byte> bits(kPlacedRows / 8 + 64 * 3);
  const auto is_set = [](uint64_t row) { return row * row % 7 < 3; };
  for (const uint64_t block_rows : {64, 256, 1000}) {
    const uint64_t block_bytes = (block_rows + 7) / 8;
    std::fill(bits.begin(), bits.end(), std::byte{});
    for (uint64_t row = 0; row < kPlacedRows; ++row) {
      const uint64_t within = row % block_rows;
      if (is_set(row)) {
        bits[row / block_rows * block_bytes + within / 8] |= std::byte{1} << within % 8;
      }
    }
    const MemorySource bytes("made", bits);
    const PlacedColumn made =
        placed_column(Type::Bool, block_rows, [&](uint64_t first, uint64_t rows) {
          const ByteView all{&bytes, first / block_rows * block_bytes, (rows + 7) / 8};
          return std::make_unique<BitColumn>(rows, ColumnLabel{"x", ""}, all,
                                             ByteView{&bytes, 0, 0}, NullEncoding::Never);
        });
    for (const uint64_t count : {1, 9, 777}) {
      const std::vector<uint64_t> rows = random_placed_rows(count);
      Arena arena;
      const Values taken = made.column->take(rows, arena, {});
      for (uint64_t i = 0; i < count; ++i) ASSERT_EQ(taken.get_bool(i), is_set(rows[i])) << i;
    }
  }
}

std::string placed_text(uint64_t row) {
  return std::string(row * 3 % 23, static_cast<char>('a' + row % 26));
}

// PlacedTexts of blocks whose offsets each begin at 0.
struct PlacedTexts {
  explicit PlacedTexts(uint64_t rows_of_block) : block_rows(rows_of_block) {
    for (uint64_t row = 0; row < kPlacedRows; ++row) {
      if (row % block_rows == 0) {
        starts.push_back({offsets.size() * 4, characters.size()});
        offsets.push_back(0);
      }
      characters += placed_text(row);
      offsets.push_back(static_cast<uint32_t>(characters.size() - starts.back().second));
    }
    starts.emplace_back(offsets.size() * 4, characters.size());
    offset_bytes.emplace("made", std::as_bytes(std::span(offsets)));
    character_bytes.emplace("made", std::as_bytes(std::span(characters)));
  }

  PlacedColumn make() const {
    return placed_column(Type::Text, block_rows, [this](uint64_t first, uint64_t rows) {
      const auto [offset, character] = starts[first / block_rows];
      OffsetCells cells;
      cells.cells = {&*offset_bytes, offset, (rows + 1) * 4};
      return std::make_unique<TextColumn>(
          rows, ColumnLabel{"x", ""}, cells,
          ByteView{&*character_bytes, character,
                   starts[first / block_rows + 1].second - character});
    });
  }

  uint64_t block_rows;
  std::vector<std::pair<uint64_t, uint64_t>> starts;  // bytes of offsets and of characters
  std::vector<uint32_t> offsets;
  std::string characters;
  std::optional<MemorySource> offset_bytes, character_bytes;
};

TEST(InPlaceCells, TextsAndMoreThanAllOfThem) {
  for (const uint64_t block_rows : {1, 64, 333, 1000}) {
    const PlacedTexts texts(block_rows);
    const PlacedColumn made = texts.make();
    for (const uint64_t count : {1, 50, 5000}) {
      const std::vector<uint64_t> rows = random_placed_rows(count);
      Arena arena;
      const Values taken = made.column->take(rows, arena, {});
      for (uint64_t i = 0; i < count; ++i) ASSERT_EQ(taken.text(i), placed_text(rows[i])) << i;
    }
  }
}

// The text after the damaged one ends before it begins, too.
TEST(InPlaceCells, DamagedOffsetsAreNamed) {
  PlacedTexts texts(333);
  const uint64_t damaged = 400;
  texts.offsets[damaged + 2] = 1 << 30;  // a block of 334 offsets is before
  const PlacedColumn made = texts.make();
  const std::vector<uint64_t> rows = {1, damaged, 999};
  Arena arena;
  EXPECT_THAT(error_of(ErrorKind::Corrupt, [&] { made.column->take(rows, arena, {}); }),
              HasSubstr("got start "));
  EXPECT_EQ(made.column->take(std::vector<uint64_t>{1, 999}, arena, {}).text(1), placed_text(999));
}

TEST(InPlaceCells, DamagedBlocksAreReadByNoOneElse) {
  std::vector<int32_t> numbers(kPlacedRows);
  std::iota(numbers.begin(), numbers.end(), 0);
  const MemorySource bytes("made", std::as_bytes(std::span(numbers)));
  const PlacedColumn made = placed_column(Type::Int32, 100, [&](uint64_t first, uint64_t rows) {
    if (first == 300) fail(ErrorKind::Corrupt, "made", "the block is damaged");
    return std::make_unique<FixedColumn>(Type::Int32, rows, ColumnLabel{"x", ""},
                                         FixedCells{.cells = {&bytes, first * 4, rows * 4}});
  });
  Arena arena;
  for (int i = 0; i < 2; ++i) {
    const std::vector<uint64_t> all = {250, 350, 450};
    EXPECT_THAT(error_of(ErrorKind::Corrupt, [&] { made.column->take(all, arena, {}); }),
                HasSubstr("is damaged"));
    const Values taken = made.column->take(std::vector<uint64_t>{250, 450}, arena, {});
    EXPECT_EQ(taken.get<int32_t>(0), 250);
    EXPECT_EQ(taken.get<int32_t>(1), 450);
  }
}

TEST(InPlaceCells, OpenedByManyThreads) {
  const PlacedTexts texts(10);
  const PlacedColumn made = texts.make();
  std::vector<std::jthread> threads;
  std::atomic<uint64_t> wrong = 0;
  for (uint64_t k = 0; k < 4; ++k) {
    threads.emplace_back([&, k] {
      for (uint64_t i = 0; i < 100; ++i) {
        const std::vector<uint64_t> rows = random_placed_rows(1 + (i * 4 + k) % 50);
        Arena arena;
        made.column->prefetch(rows);
        const Values taken = made.column->take(rows, arena, {});
        for (uint64_t row = 0; row < rows.size(); ++row) {
          wrong += taken.text(row) != placed_text(rows[row]);
        }
      }
    });
  }
  threads.clear();
  EXPECT_EQ(wrong, 0U);
}

}  // namespace
}  // namespace heron
