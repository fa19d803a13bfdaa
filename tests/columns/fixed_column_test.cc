// Cells of a fixed width and bits: at any offset, with every null encoding, read and taken.
#include "columns/fixed_column.h"

#include <gtest/gtest.h>

#include <vector>

#include "columns/bit_column.h"
#include "kit/made_table.h"
#include "kit/special_numbers.h"

namespace heron {
namespace {

// A column over the pieces, and the source that it reads.
struct Made {
  std::shared_ptr<const ByteSource> source;
  std::unique_ptr<FixedColumn> column;
};
Made make(const Pieces& pieces, bool mapped, Type type, uint64_t rows, Piece cells, Piece validity,
          NullEncoding nulls) {
  Made made{pieces.source(mapped), nullptr};
  made.column = std::make_unique<FixedColumn>(
      type, rows, ColumnLabel{"c", "made"},
      FixedCells{cells.in(*made.source), validity.in(*made.source), nulls});
  return made;
}

std::vector<bool> nulls_of(const Values& values) {
  std::vector<bool> nulls(values.rows);
  for (uint64_t i = 0; i < values.rows; ++i) nulls[i] = values.is_null(i);
  return nulls;
}

TEST(FixedColumn, AlignedCellsAreReadInPlace) {
  Pieces pieces;
  const Piece cells = pieces.add(std::vector<int32_t>{1, 2, 3});
  const Made made = make(pieces, true, Type::Int32, 3, cells, {}, NullEncoding::Sentinel);
  Arena arena;
  const Values values = made.column->read({1, 3}, arena, {});
  EXPECT_EQ(values.data.data, made.source->base() + cells.offset + 4);
  EXPECT_EQ(values.data.bytes, 8);
}

TEST(FixedColumn, CellsAtAnyOffsetBecomeAlignedOnes) {
  for (const bool mapped : {true, false}) {
    for (uint64_t shift = 0; shift < 8; ++shift) {
      Pieces pieces;
      const Piece cells = pieces.add(std::vector<int64_t>{-1, 1LL << 40, 3}, shift);
      const Made made = make(pieces, mapped, Type::Int64, 3, cells, {}, NullEncoding::Sentinel);
      Arena arena;
      const Values values = made.column->read({0, 3}, arena, {});
      EXPECT_EQ(reinterpret_cast<uintptr_t>(values.data.data) % 8, 0);
      EXPECT_EQ(values.get<int64_t>(1), 1LL << 40);
      const std::vector<uint64_t> rows = {2, 0, 2};
      const Values taken = made.column->take(rows, arena, {});
      EXPECT_EQ(taken.get<int64_t>(0), 3);
      EXPECT_EQ(taken.get<int64_t>(1), -1);
    }
  }
}

TEST(FixedColumn, ABitmapDecidesAloneOverIntegers) {
  Pieces pieces;
  const Piece cells = pieces.add(std::vector<int16_t>{INT16_MIN, 2, 3});
  const Piece valid = pieces.add(std::vector<bool>{true, false, true});
  const Made made = make(pieces, true, Type::Int16, 3, cells, valid, NullEncoding::Bitmap);
  Arena arena;
  EXPECT_EQ(nulls_of(made.column->read({0, 3}, arena, {})),
            (std::vector<bool>{false, true, false}));
}

TEST(FixedColumn, NaNIsNullBesidesABitmapOnlyIfTheRuleSaysSo) {
  Pieces pieces;
  const Piece cells = pieces.add(std::vector<double>{kNaN, 2, 3});
  const Piece valid = pieces.add(std::vector<bool>{true, false, true});
  Arena arena;
  const std::vector<uint64_t> rows = {2, 1, 0};
  const Made either = make(pieces, true, Type::Float64, 3, cells, valid, NullEncoding::BitmapOrNaN);
  EXPECT_EQ(nulls_of(either.column->read({0, 3}, arena, {})),
            (std::vector<bool>{true, true, false}));
  EXPECT_EQ(nulls_of(either.column->take(rows, arena, {})), (std::vector<bool>{false, true, true}));
  const Made bitmap = make(pieces, true, Type::Float64, 3, cells, valid, NullEncoding::Bitmap);
  EXPECT_EQ(nulls_of(bitmap.column->read({0, 3}, arena, {})),
            (std::vector<bool>{false, true, false}));
}

TEST(FixedColumn, UnmarkedCellsAreNeverNull) {
  Pieces pieces;
  const Piece cells = pieces.add(std::vector<int8_t>{INT8_MIN, 0});
  const Made made = make(pieces, true, Type::Int8, 2, cells, {}, NullEncoding::Never);
  Arena arena;
  EXPECT_FALSE(made.column->nullable());
  EXPECT_EQ(made.column->read({0, 2}, arena, {}).null_count, 0);
}

TEST(FixedColumn, BoolsOfAByteBecomeBits) {
  Pieces pieces;
  const Piece cells = pieces.add(std::vector<int8_t>{0, 1, INT8_MIN, 2});
  const Made made = make(pieces, true, Type::Bool, 4, cells, {}, NullEncoding::Sentinel);
  Arena arena;
  const Values values = made.column->read({0, 4}, arena, {});
  EXPECT_FALSE(values.get_bool(0));
  EXPECT_TRUE(values.get_bool(1));
  EXPECT_TRUE(values.get_bool(3));
  EXPECT_EQ(nulls_of(values), (std::vector<bool>{false, false, true, false}));
}

TEST(BitColumn, ReadsAndTakesFromEveryBit) {
  std::vector<bool> flags, valid;
  for (int i = 0; i < 100; ++i) {
    flags.push_back(i % 3 == 0);
    valid.push_back(i % 5 != 0);
  }
  Pieces pieces;
  const Piece bits = pieces.add(flags, 1);
  const Piece validity = pieces.add(valid, 5);
  for (const bool mapped : {true, false}) {
    const auto source = pieces.source(mapped);
    const BitColumn column(100, {"c", "made"}, bits.in(*source), validity.in(*source),
                           NullEncoding::Bitmap);
    for (uint64_t first = 0; first < 100; ++first) {
      Arena arena;
      const Values values = column.read({first, 100}, arena, {});
      const std::vector<uint64_t> rows = {99, first};
      const Values taken = column.take(rows, arena, {});
      for (uint64_t i = 0; i < values.rows; ++i) {
        ASSERT_EQ(values.get_bool(i), flags[first + i]);
        ASSERT_EQ(values.is_null(i), !valid[first + i]);
      }
      ASSERT_EQ(taken.get_bool(1), flags[first]);
      ASSERT_EQ(taken.is_null(1), !valid[first]);
    }
  }
}

}  // namespace
}  // namespace heron
