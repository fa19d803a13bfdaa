// Cells with strides or in the other byte order: every query has the same answer as for packed
// cells in the machine's order.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "base/fail.h"
#include "columns/fixed_column.h"
#include "heron/heron.h"
#include "kit/made_table.h"
#include "kit/sums.h"
#include "values/byte_order.h"
#include "values/cells.h"

namespace heron {
namespace {

constexpr uint64_t kStridedRows = 1000;

struct Placing {
  Type type;
  uint64_t stride;
  std::endian order;
  bool mapped;
};

class StridedColumn : public testing::TestWithParam<Placing> {
 protected:
  uint64_t width() const {
    return GetParam().type.is(Type::Bool) ? 1 : uint64_t{GetParam().type.width()};
  }
  uint64_t stride() const {
    return GetParam().stride == FixedCells::kPacked ? width() : GetParam().stride;
  }

  // Makes small whole numbers, as cells of the type, so that all sums are exact.
  void SetUp() override {
    std::mt19937_64 random(5);
    const uint64_t last = stride() * (kStridedRows - 1) + width();
    std::vector<std::byte> lying(last, std::byte{0xAA});
    for (uint64_t row = 0; row < kStridedRows; ++row) {
      const std::vector<std::byte> cell = cell_of(stride() == 0 ? 1 : random() % 100);
      std::vector<std::byte> stored = cell;
      if (GetParam().order != std::endian::native) std::reverse(stored.begin(), stored.end());
      std::copy(stored.begin(), stored.end(),
                lying.begin() + static_cast<ptrdiff_t>(row * stride()));
      packed_.insert(packed_.end(), cell.begin(), cell.end());
    }
    const Piece odd = maker_.pieces.add(lying, 3);
    const Piece even = maker_.pieces.add(packed_);
    const Placing placing = GetParam();
    add("odd", odd, placing.stride, placing.order);
    add("packed", even, FixedCells::kPacked, std::endian::native);
    table_ = maker_.table(placing.mapped);
  }

  void add(const char* name, Piece piece, uint64_t stride, std::endian order) {
    const Type type = GetParam().type;
    maker_.add(name, [=](const ByteSource& source, uint64_t rows, ColumnLabel label) {
      FixedCells cells{piece.in(source)};
      cells.stride = stride;
      cells.order = order;
      return std::make_unique<FixedColumn>(type, rows, std::move(label), cells);
    });
  }

  std::vector<std::byte> cell_of(uint64_t number) const {
    std::vector<std::byte> cell(width());
    if (GetParam().type.is(Type::Bool)) {
      cell[0] = static_cast<std::byte>(number % 3);
      return cell;
    }
    visit_cell_type(GetParam().type, [&]<class T>() {
      const auto value = static_cast<T>(number);
      std::memcpy(cell.data(), &value, sizeof value);
    });
    return cell;
  }

  static void expect_equal(const RowBatch& batch) {
    ASSERT_EQ(batch.columns[0].data.bytes, batch.columns[1].data.bytes);
    EXPECT_EQ(batch.columns[0].null_count, 0);
    EXPECT_EQ(std::memcmp(batch.columns[0].data.data, batch.columns[1].data.data,
                          batch.columns[0].data.bytes),
              0);
  }

  TableMaker maker_{kStridedRows};
  std::vector<std::byte> packed_;
  std::shared_ptr<const Table> table_;
};

TEST_P(StridedColumn, ReadsAndTakesAsPackedOnes) {
  const Projection columns(table_);
  for (const RowRange rows :
       {RowRange{0, kStridedRows}, {7, 8}, {kStridedRows, kStridedRows}, {1, kStridedRows - 1}}) {
    expect_equal(read(columns, rows));
  }
  std::vector<uint64_t> rows(3 * kStridedRows);
  std::mt19937_64 random(3);
  for (uint64_t& row : rows) row = random() % kStridedRows;
  expect_equal(take(columns, rows));
  expect_equal(take(columns, std::span(rows).first(5)));
}

TEST_P(StridedColumn, HasThePackedSumAndMatrix) {
  const Projection columns(table_);
  EXPECT_EQ(sum(columns, 0), sum(columns, 1));
  std::vector<double> cells(2 * kStridedRows);
  matrix(columns, RowRange{0, kStridedRows}, std::span(cells));
  for (uint64_t row = 0; row < kStridedRows; ++row) ASSERT_EQ(cells[2 * row], cells[2 * row + 1]);
}

TEST_P(StridedColumn, GivesRowViewThePackedCells) {
  RowView view{Projection(table_)};
  for (const uint64_t row : {uint64_t{0}, kStridedRows - 1, kStridedRows / 2}) {
    view.seek(row);
    EXPECT_FALSE(view.is_null(0));
    if (GetParam().type.is(Type::Bool)) {
      EXPECT_EQ(view.get<bool>(0), view.get<bool>(1));
    } else {
      visit_cell_type(GetParam().type,
                      [&]<class T>() { EXPECT_EQ(view.get<T>(0), view.get<T>(1)) << row; });
    }
  }
}

std::vector<Placing> placings() {
  std::vector<Placing> all;
  for (const Type::Id type :
       {Type::Bool, Type::Int8, Type::UInt16, Type::Int32, Type::Float32, Type::Float64}) {
    for (const uint64_t stride : {FixedCells::kPacked, uint64_t{0}, uint64_t{13}}) {
      for (const auto order : {std::endian::little, std::endian::big}) {
        for (const bool mapped : {true, false}) all.push_back({type, stride, order, mapped});
      }
    }
  }
  return all;
}

std::string name_of(const testing::TestParamInfo<Placing>& info) {
  const Placing& placing = info.param;
  const std::string stride =
      placing.stride == FixedCells::kPacked ? "packed" : concat("stride", placing.stride);
  return concat(placing.type.name(), '_', stride,
                placing.order == std::endian::big ? "_big_" : "_little_",
                placing.mapped ? "mapped" : "copied");
}

INSTANTIATE_TEST_SUITE_P(Placings, StridedColumn, testing::ValuesIn(placings()), name_of);

// Cells may overlap, with a stride below the width.
TEST(OverlappingCells, AreReadAtTheirStride) {
  TableMaker maker(3);
  const Piece bytes = maker.pieces.add(std::vector<uint8_t>{0, 1, 0, 2, 0, 3, 0, 9});
  maker.add("c", [=](const ByteSource& source, uint64_t rows, ColumnLabel label) {
    FixedCells cells{bytes.in(source)};
    cells.stride = 2;
    cells.order = std::endian::big;
    return std::make_unique<FixedColumn>(Type::UInt32, rows, std::move(label), cells);
  });
  const RowBatch batch = read(Projection(maker.table()), {0, 3});
  EXPECT_EQ(batch.columns[0].get<uint32_t>(0), 0x00010002u);
  EXPECT_EQ(batch.columns[0].get<uint32_t>(1), 0x00020003u);
  EXPECT_EQ(batch.columns[0].get<uint32_t>(2), 0x00030009u);
}

TEST(SwapCells, InPlaceAndApartOfAnyLength) {
  for (const uint32_t width : {1u, 2u, 4u, 8u}) {
    for (uint64_t count = 0; count < 70; ++count) {
      std::vector<std::byte> from(count * width);
      for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i * 7);
      std::vector<std::byte> expected = from;
      for (uint64_t i = 0; i < count; ++i) {
        const auto cell = expected.begin() + static_cast<ptrdiff_t>(i * width);
        std::reverse(cell, cell + width);
      }
      std::vector<std::byte> to(from.size());
      swap_cells(from.data(), count, width, to.data());
      EXPECT_EQ(to, expected);
      swap_cells(from.data(), count, width, from.data());
      EXPECT_EQ(from, expected);
    }
  }
}

}  // namespace
}  // namespace heron
