// Cells in place: which columns have them, and their values.
#include "heron/mapped_cells.h"

#include <gtest/gtest.h>

#include "kit/made_table.h"

namespace heron {
namespace {

TEST(MappedCells, AreThoseOfTheFile) {
  const std::vector<int32_t> numbers = {3, INT32_MIN, 5};
  const auto table =
      TableMaker(3).fixed<int32_t>("c", Type::Int32, numbers, NullEncoding::Sentinel).table(true);
  const auto cells = mapped_cells(table, 0);
  ASSERT_TRUE(cells.has_value());
  EXPECT_EQ(cells->rows, 3U);
  EXPECT_EQ(cells->width, 4U);
  EXPECT_EQ(cells->nulls, NullEncoding::Sentinel);
  EXPECT_EQ(cells->validity, nullptr);
  EXPECT_FALSE(cells->big_endian);
  for (uint64_t row = 0; row < 3; ++row) {
    int32_t value;
    std::memcpy(&value, cells->cells + row * cells->stride, sizeof value);
    EXPECT_EQ(value, numbers[row]);
  }
}

TEST(MappedCells, HaveTheBitmap) {
  const auto table =
      TableMaker(3)
          .fixed<float>("c", Type::Float32, {1, 2, 3}, NullEncoding::Bitmap, {true, false, true})
          .table(true);
  const auto cells = mapped_cells(table, 0);
  ASSERT_TRUE(cells.has_value());
  ASSERT_NE(cells->validity, nullptr);
  EXPECT_EQ(std::to_integer<int>(cells->validity[0]) & 7, 5);
}

TEST(MappedCells, DoNotExistWithoutAMap) {
  const auto table =
      TableMaker(2).fixed<double>("c", Type::Float64, {1, 2}, NullEncoding::NaN).table(false);
  EXPECT_FALSE(mapped_cells(table, 0).has_value());
}

}  // namespace
}  // namespace heron
