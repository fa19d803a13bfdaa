// Lists: offsets into another column, nested, and the limit for lists that take no bytes.
#include "columns/list_column.h"

#include <gtest/gtest.h>

#include <vector>

#include "columns/fixed_column.h"
#include "columns/null_column.h"
#include "error_of.h"
#include "kit/made_table.h"
#include "table/internals.h"

namespace heron {
namespace {

using Items = std::vector<std::vector<int32_t>>;

Items items_of(const Values& values) {
  Items out;
  for (uint64_t i = 0; i < values.rows; ++i) {
    EXPECT_LE(values.extent(i), values.extent(i + 1));
    EXPECT_LE(values.extent(i + 1), values.children[0].rows);
    out.emplace_back();
    if (values.is_null(i)) continue;
    for (uint64_t item = values.extent(i); item < values.extent(i + 1); ++item) {
      out.back().push_back(values.children[0].get<int32_t>(item));
    }
  }
  return out;
}

const Column& only_column(const Table& table) {
  return internals(table).column(0);
}

TEST(ListColumn, IsReadAndTakenWithAFirstOffsetThatIsNotZero) {
  for (const bool mapped : {true, false}) {
    const auto table = TableMaker(3).lists("l", {1, 3, 3, 4}, {9, 1, 2, 3, 9}).table(mapped);
    Arena arena;
    EXPECT_EQ(items_of(only_column(*table).read({0, 3}, arena, {})), (Items{{1, 2}, {}, {3}}));
    EXPECT_EQ(items_of(only_column(*table).read({2, 3}, arena, {})), (Items{{3}}));
    const std::vector<uint64_t> rows = {2, 0, 0};
    EXPECT_EQ(items_of(only_column(*table).take(rows, arena, {})), (Items{{3}, {1, 2}, {1, 2}}));
  }
}

TEST(ListColumn, OffsetsMayDescendUnderANullRow) {
  const auto table = TableMaker(3).lists("l", {0, 3, 1, 2}, {1, 2, 3}, {true, false, true}).table();
  Arena arena;
  const Values values = only_column(*table).read({0, 3}, arena, {});
  EXPECT_EQ(items_of(values), (Items{{1, 2, 3}, {}, {2}}));
  EXPECT_TRUE(values.is_null(1));
  EXPECT_EQ(values.null_count, 1);
}

TEST(ListColumn, OffsetsThatGoBackAndBackAreDamage) {
  constexpr uint64_t kRows = 2000, kItems = 1000;
  std::vector<uint32_t> offsets = {0};
  std::vector<bool> valid;
  for (uint64_t row = 0; row < kRows; ++row) {
    valid.push_back(row % 2 == 0);
    offsets.push_back(valid.back() ? kItems : 0);
  }
  const auto table =
      TableMaker(kRows).lists("l", offsets, std::vector<int32_t>(kItems), valid).table();
  Arena arena;
  EXPECT_EQ(items_of(only_column(*table).read({0, 3}, arena, {}))[2].size(), kItems);
  const Error error = test::error_of([&] { only_column(*table).read({0, kRows}, arena, {}); });
  EXPECT_EQ(error.kind(), ErrorKind::Corrupt);
  EXPECT_NE(std::string(error.what()).find("offsets go back"), std::string::npos);
}

TEST(ListColumn, ItemsThatAreNotThereAreDamage) {
  const auto table = TableMaker(2).lists("l", {0, 1, 4}, {1, 2, 3}).table();
  Arena arena;
  EXPECT_EQ(test::error_of([&] {
              only_column(*table).read({0, 2}, arena, {});
            }).kind(),
            ErrorKind::Corrupt);
  EXPECT_EQ(items_of(only_column(*table).read({0, 1}, arena, {})), (Items{{1}}));
}

TEST(ListColumn, OfListsWithOffsetsOfEitherWidth) {
  Pieces pieces;
  const Piece outer = pieces.add(std::vector<uint64_t>{0, 2, 3}, 4);
  const Piece inner = pieces.add(std::vector<uint32_t>{0, 1, 3, 4}, 1);
  const Piece cells = pieces.add(std::vector<int32_t>{1, 2, 3, 4});
  const auto source = pieces.source(true);
  auto numbers = std::make_unique<FixedColumn>(
      Type::Int32, 4, ColumnLabel{}, FixedCells{cells.in(*source), {}, NullEncoding::Sentinel});
  auto lists = std::make_unique<ListColumn>(
      3, ColumnLabel{}, OffsetCells{inner.in(*source), 4, {}, NullEncoding::Never, 0},
      std::move(numbers));
  const ListColumn column(2, {}, {outer.in(*source), 8, {}, NullEncoding::Never, 0},
                          std::move(lists));
  EXPECT_EQ(column.type(), Type::list(Type::list(Type::Int32), true));
  Arena arena;
  EXPECT_EQ(items_of(column.read({0, 2}, arena, {}).children[0]), (Items{{1}, {2, 3}, {4}}));
  const std::vector<uint64_t> rows = {1, 0};
  EXPECT_EQ(items_of(column.take(rows, arena, {}).children[0]), (Items{{4}, {1}, {2, 3}}));
}

class ListsOfNull : public testing::Test {
 protected:
  static constexpr uint32_t kLimit = 1 << 20;

  explicit ListsOfNull() : cells_(pieces_.add(std::vector<uint32_t>{0, kLimit, 2 * kLimit})) {
    source_ = pieces_.source(true);
    column_ = std::make_unique<ListColumn>(
        2, ColumnLabel{"l", "made"},
        OffsetCells{cells_.in(*source_), 4, {}, NullEncoding::Never, 0},
        std::make_unique<NullColumn>(2 * kLimit, ColumnLabel{}));
  }

  Pieces pieces_;
  Piece cells_;
  std::shared_ptr<const ByteSource> source_;
  std::unique_ptr<ListColumn> column_;
  Arena arena_;
};

TEST_F(ListsOfNull, AnswerUpToTheLimitOfABatch) {
  EXPECT_EQ(column_->read({1, 2}, arena_, {}).children[0].rows, kLimit);
  const std::vector<uint64_t> rows = {0};
  EXPECT_EQ(column_->take(rows, arena_, {}).children[0].null_count, kLimit);
}

TEST_F(ListsOfNull, AboveTheLimitOfABatchAreAnError) {
  EXPECT_EQ(test::error_of([&] { column_->read({0, 2}, arena_, {}); }).kind(), ErrorKind::Limit);
  const std::vector<uint64_t> rows = {0, 0};
  EXPECT_EQ(test::error_of([&] { column_->take(rows, arena_, {}); }).kind(), ErrorKind::Limit);
}

}  // namespace
}  // namespace heron
