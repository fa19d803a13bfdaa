// Single rows: every type and null encoding, mapped and copied, and the errors.
#include "heron/heron.h"
#include "heron/row_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "columns/text_column.h"
#include "error_of.h"
#include "kit/made_table.h"
#include "kit/special_numbers.h"

namespace heron {
namespace {

using testing::HasSubstr;

class RowViews : public testing::TestWithParam<bool> {
 protected:
  Projection all(const TableMaker& maker) { return Projection(maker.table(GetParam())); }

  // Expects one column of three cells, whose second is null by the null encoding.
  template <class T>
  void expect_cells(Type type, const std::vector<T>& cells, NullEncoding nulls,
                    const std::vector<bool>& valid = {}) {
    RowView view(all(TableMaker(3).fixed<T>("c", type, cells, nulls, valid)));
    const uint64_t rows[] = {2, 0, 1, 2};
    for (const uint64_t row : rows) {
      view.seek(row);
      const bool is_null = row == 1 && nulls != NullEncoding::Never;
      EXPECT_EQ(view.is_null(0), is_null) << type.name();
      EXPECT_EQ(view.get<T>(0), is_null ? std::nullopt : std::optional<T>(cells[row]))
          << type.name();
    }
  }
};

TEST_P(RowViews, GiveIntegersOfEveryWidth) {
  expect_cells<int8_t>(Type::Int8, {1, INT8_MIN, -3}, NullEncoding::Sentinel);
  expect_cells<int16_t>(Type::Int16, {1, INT16_MIN, -3}, NullEncoding::Sentinel);
  expect_cells<int32_t>(Type::Int32, {1, INT32_MIN, -3}, NullEncoding::Sentinel);
  expect_cells<int64_t>(Type::Int64, {1, INT64_MIN, -3}, NullEncoding::Sentinel);
  expect_cells<uint8_t>(Type::UInt8, {1, 2, UINT8_MAX}, NullEncoding::Never);
  expect_cells<uint16_t>(Type::UInt16, {1, 2, UINT16_MAX}, NullEncoding::Never);
  expect_cells<uint32_t>(Type::UInt32, {1, 2, UINT32_MAX}, NullEncoding::Never);
  expect_cells<uint64_t>(Type::UInt64, {1, 2, UINT64_MAX}, NullEncoding::Never);
}

TEST_P(RowViews, GiveFloatsDatesAndTimes) {
  expect_cells<float>(Type::Float32, {1.5f, kNaN, -3}, NullEncoding::NaN);
  expect_cells<double>(Type::Float64, {1.5, kNaN, -3}, NullEncoding::NaN);
  expect_cells<int32_t>(Type::Date32, {1, INT32_MIN, -3}, NullEncoding::Sentinel);
  expect_cells<int64_t>(Type::Timestamp, {1, INT64_MIN, -3}, NullEncoding::Sentinel);
}

TEST_P(RowViews, GiveTheMinimumWhereItIsAValue) {
  expect_cells<int8_t>(Type::Int8, {1, INT8_MIN, -3}, NullEncoding::Never);
  expect_cells<int64_t>(Type::Int64, {INT64_MIN, 2, INT64_MIN}, NullEncoding::Bitmap,
                        {true, false, true});
}

TEST_P(RowViews, LookAtBitmapsOfEveryType) {
  const std::vector<bool> valid = {true, false, true};
  expect_cells<int16_t>(Type::Int16, {1, 2, 3}, NullEncoding::Bitmap, valid);
  expect_cells<uint32_t>(Type::UInt32, {1, 2, 3}, NullEncoding::Bitmap, valid);
  expect_cells<double>(Type::Float64, {1, 2, 3}, NullEncoding::BitmapOrNaN, valid);
  expect_cells<float>(Type::Float32, {1, kNaN, 3}, NullEncoding::BitmapOrNaN, {true, true, true});
}

TEST_P(RowViews, GiveANaNThatIsAValue) {
  RowView view(all(TableMaker(1).fixed<float>("c", Type::Float32, {kNaN}, NullEncoding::Never)));
  view.seek(0);
  ASSERT_TRUE(view.get<float>(0).has_value());
  EXPECT_NE(*view.get<float>(0), *view.get<float>(0));
}

TEST_P(RowViews, GiveBoolsOfABitAndOfAByte) {
  TableMaker maker(3);
  maker.bits("bit", {true, false, true}, {true, true, false});
  maker.fixed<int8_t>("byte", Type::Bool, {1, 0, INT8_MIN}, NullEncoding::Sentinel);
  RowView view(all(maker));
  view.seek(0);
  EXPECT_EQ(view.get<bool>(0), true);
  EXPECT_EQ(view.get<bool>(1), true);
  view.seek(1);
  EXPECT_EQ(view.get<bool>(0), false);
  EXPECT_EQ(view.get<bool>(1), false);
  view.seek(2);
  EXPECT_TRUE(view.is_null(0));
  EXPECT_TRUE(view.is_null(1));
}

TEST_P(RowViews, GiveTextsOfEitherWidth) {
  const std::vector<std::optional<std::string>> texts = {"ab", std::nullopt, "", "cde"};
  RowView view(all(TableMaker(4).texts("narrow", texts).texts("wide", texts, true)));
  for (const uint64_t row : {3, 2, 1, 0}) {
    view.seek(row);
    for (const uint64_t column : {0, 1}) {
      EXPECT_EQ(view.text(column), texts[row]) << row;
      EXPECT_EQ(view.is_null(column), !texts[row]) << row;
    }
  }
}

TEST_P(RowViews, OfNullAreAlwaysNull) {
  RowView view(all(TableMaker(2).null("n")));
  view.seek(1);
  EXPECT_TRUE(view.is_null(0));
}

TEST_P(RowViews, RefuseAnotherType) {
  RowView view(all(TableMaker(1).fixed<int32_t>("c", Type::Int32, {1}).texts("t", {"x"})));
  view.seek(0);
  EXPECT_EQ(test::error_of([&] { view.get<uint32_t>(0); }).kind(), ErrorKind::Argument);
  EXPECT_EQ(test::error_of([&] { view.get<float>(0); }).kind(), ErrorKind::Argument);
  EXPECT_EQ(test::error_of([&] { view.text(0); }).kind(), ErrorKind::Argument);
  EXPECT_STREQ(test::error_of([&] { view.get<bool>(1); }).what(),
               "made.file: column \"t\" is of type text and was requested as another");
}

TEST_P(RowViews, RefuseARowThatIsNotThere) {
  RowView view(all(TableMaker(3).null("n")));
  EXPECT_EQ(test::error_of([&] { view.seek(3); }).kind(), ErrorKind::Argument);
}

TEST_P(RowViews, RefuseLists) {
  const Projection columns = all(TableMaker(1).lists("l", {0, 1}, {7}));
  const Error error = test::error_of([&] { RowView view(columns); });
  EXPECT_EQ(error.kind(), ErrorKind::Argument);
  EXPECT_THAT(error.what(), HasSubstr("a row view has no cells of type list<int32>"));
}

TEST_P(RowViews, TellTextsThatDoNotHold) {
  TableMaker maker(2);
  const Piece cells = maker.pieces.add(std::vector<uint32_t>{0, 2, 9});
  const Piece characters = maker.pieces.add(std::vector<char>{'a', 'b'});
  maker.add("t", [=](const ByteSource& source, uint64_t rows, ColumnLabel label) {
    return std::make_unique<TextColumn>(
        rows, std::move(label), OffsetCells{cells.in(source), 4, {}, NullEncoding::OffsetBit, 0},
        characters.in(source));
  });
  RowView view(all(maker));
  view.seek(0);
  EXPECT_EQ(view.text(0), "ab");
  EXPECT_EQ(test::error_of([&] {
              view.seek(1);
              view.text(0);
            }).kind(),
            ErrorKind::Corrupt);
}

TEST_P(RowViews, CanBeMoved) {
  RowView first(all(TableMaker(2).texts("t", {"a", "bc"})));
  first.seek(1);
  RowView second = std::move(first);
  EXPECT_EQ(second.text(0), "bc");
  second.seek(0);
  EXPECT_EQ(second.text(0), "a");
}

INSTANTIATE_TEST_SUITE_P(Bytes, RowViews, testing::Bool(),
                         [](const auto& test) { return test.param ? "mapped" : "copied"; });

}  // namespace
}  // namespace heron
