// Cells along any axes, at any strides, give the same values as when they are packed.
#include "columns/slot_column.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "base/arena.h"
#include "columns/prefetch.h"
#include "heron/heron.h"
#include "kit/json_rows.h"
#include "kit/made_table.h"

namespace heron {
namespace {

struct Layout {
  uint64_t row_stride;
  std::vector<SlotAxis> axes;
  std::vector<uint64_t> sizes;
};

class SlotColumnTest : public testing::TestWithParam<bool> {
 protected:
  // Puts the number row x slots + slot into each cell of the layout, and reads it back by all ways.
  template <class T>
  void check(Type type, uint64_t rows, const Layout& layout, std::endian order) {
    uint64_t slots = 1, bytes = sizeof(T) + (rows - 1) * layout.row_stride;
    for (const SlotAxis& axis : layout.axes) {
      slots *= axis.size;
      bytes += (axis.size - 1) * axis.stride;
    }
    std::vector<std::byte> cells(bytes, std::byte{0xAA});
    std::vector<std::string> expected;
    for (uint64_t row = 0; row < rows; ++row) {
      std::string line;
      for (uint64_t slot = 0; slot < slots; ++slot) {
        uint64_t at = row * layout.row_stride, left = slot;
        for (size_t axis = layout.axes.size(); axis-- > 0;) {
          at += left % layout.axes[axis].size * layout.axes[axis].stride;
          left /= layout.axes[axis].size;
        }
        const T number = static_cast<T>(row * slots + slot);
        std::memcpy(cells.data() + at, &number, sizeof number);
        if (order != std::endian::native) std::reverse(&cells[at], &cells[at] + sizeof number);
        line += concat(slot == 0 ? "" : ",", number);
      }
      expected.push_back(concat(R"({"x":[)", line, "]}"));
    }
    TableMaker maker(rows);
    const Piece piece = maker.pieces.add(cells, 3);
    maker.add("x", [&](const ByteSource& source, uint64_t count, ColumnLabel label) {
      return std::make_unique<SlotColumn>(
          Type::vector(type, layout.sizes), count, label,
          SlotCells{piece.in(source), layout.row_stride, layout.axes},
          plain_cells(type, order, NullEncoding::Never));
    });
    const Projection all(maker.table(GetParam()));
    EXPECT_EQ(json_rows(read(all, {0, rows})), expected);
    const std::vector<std::string> middle(expected.begin() + 1, expected.end() - 1);
    EXPECT_EQ(json_rows(read(all, {1, rows - 1})), middle);
    std::vector<uint64_t> numbers(rows);
    std::iota(numbers.rbegin(), numbers.rend(), 0);
    EXPECT_EQ(json_rows(take(all, numbers)),
              std::vector<std::string>(expected.rbegin(), expected.rend()));
  }

  template <class T>
  void check_layouts(const Type& type) {
    constexpr uint64_t kWidth = sizeof(T), kRows = 75;
    const Layout layouts[] = {
        {3 * kWidth, {{3, kWidth}}, {3}},                                  // packed
        {5 * kWidth + 1, {{3, kWidth}}, {3}},                              // with gaps
        {kWidth, {{3, kRows * kWidth}}, {3}},                              // Fortran order
        {6 * kWidth, {{2, 3 * kWidth}, {3, kWidth}}, {2, 3}},              // two axes
        {kWidth, {{2, kRows * kWidth}, {3, 2 * kRows * kWidth}}, {2, 3}},  // both in that order
        {kWidth,
         {{2, kRows * kWidth}, {2, 2 * kRows * kWidth}, {2, 4 * kRows * kWidth}},
         {2, 2, 2}},
        {8 * kWidth, {{1, 0}, {4, 2 * kWidth}, {1, 1}}, {1, 4, 1}},  // axes of one slot
    };
    for (const Layout& layout : layouts) {
      SCOPED_TRACE(concat(layout.row_stride, " bytes a row, ", layout.axes.size(), " axes"));
      check<T>(type, kRows, layout, std::endian::little);
      check<T>(type, kRows, layout, std::endian::big);
    }
  }
};

TEST_P(SlotColumnTest, ReadsCellsAlongAnyAxes) {
  check_layouts<uint8_t>(Type::UInt8);
  check_layouts<uint16_t>(Type::UInt16);
  check_layouts<uint32_t>(Type::UInt32);
  check_layouts<int64_t>(Type::Int64);
}

TEST_P(SlotColumnTest, HasVectorsWithoutSlots) {
  TableMaker maker(3);
  const Piece piece = maker.pieces.add(std::vector<float>(4));
  maker.add("x", [&](const ByteSource& source, uint64_t count, ColumnLabel label) {
    return std::make_unique<SlotColumn>(
        Type::vector(Type::Float32, {0, 2}), count, label,
        SlotCells{piece.in(source), 4, {{0, 8}, {2, 4}}},
        plain_cells(Type::Float32, std::endian::little, NullEncoding::Never));
  });
  const Projection all(maker.table(GetParam()));
  const std::vector<std::string> none(3, R"({"x":[]})");
  EXPECT_EQ(json_rows(read(all, {0, 3})), none);
  EXPECT_EQ(json_rows(take(all, std::vector<uint64_t>{2, 0, 1})), none);
}

TEST_P(SlotColumnTest, HasItemsThatAreNull) {
  TableMaker maker(2);
  const Piece piece = maker.pieces.add(std::vector<int64_t>{1, INT64_MIN, INT64_MIN, 4});
  maker.add("x", [&](const ByteSource& source, uint64_t count, ColumnLabel label) {
    return std::make_unique<SlotColumn>(
        Type::vector(Type::Timestamp, 2), count, label, SlotCells{piece.in(source), 16, {{2, 8}}},
        plain_cells(Type::Timestamp, std::endian::little, NullEncoding::Sentinel));
  });
  const std::vector<std::string> rows = {R"({"x":[1,null]})", R"({"x":[null,4]})"};
  EXPECT_EQ(json_rows(read(Projection(maker.table(GetParam())), {0, 2})), rows);
}

INSTANTIATE_TEST_SUITE_P(Mapped, SlotColumnTest, testing::Bool());

}  // namespace
}  // namespace heron
