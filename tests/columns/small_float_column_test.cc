// Floats of 16 and 8 bits, alone and as items of vectors: every query answers as for a float32
// column of the same values.
#include "columns/small_float_column.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "base/fail.h"
#include "columns/fixed_column.h"
#include "columns/prefetch.h"
#include "columns/sparse_list_column.h"
#include "heron/heron.h"
#include "kit/made_table.h"
#include "kit/sums.h"

namespace heron {
namespace {

constexpr uint64_t kFloatRows = 1000;
constexpr uint64_t kFloatSlots = 3;

struct StoredFloats {
  SmallFloat kind;
  uint64_t stride;
  std::endian order;
  bool mapped;
};

// Column "small" holds random cells of all kinds, NaN and infinity among them; "wide" their values
// as float32; "numbers" and "plain" finite ones; "vectors" and "wide_vectors" have kFloatSlots
// items.
class SmallFloatColumns : public testing::TestWithParam<StoredFloats> {
 protected:
  uint64_t width() const { return width_of(GetParam().kind); }

  void SetUp() override {
    std::mt19937 random(7);
    add("small", "wide", [&] { return static_cast<uint16_t>(random()); });
    // Cells with a clear top bit of the exponent are finite.
    const unsigned finite = width() == 2 ? 0xBFFF : 0xBF;
    add("numbers", "plain", [&] { return static_cast<uint16_t>(random() & finite); });
    add_vectors(random);
    table_ = maker_.table(GetParam().mapped);
  }

  // Stores cells at the stride, and returns their values.
  template <class Cell>
  std::pair<std::vector<std::byte>, std::vector<float>> store(uint64_t count, uint64_t stride,
                                                              Cell cell) const {
    std::vector<std::byte> stored((count - 1) * stride + width(), std::byte{0xEE});
    std::vector<float> floats(count);
    for (uint64_t i = 0; i < count; ++i) {
      if (stride == 0 && i != 0) {
        floats[i] = floats[0];
        continue;
      }
      const uint16_t bits = cell();
      std::byte bytes[2];
      std::memcpy(bytes, &bits, sizeof bits);
      widen_floats(GetParam().kind, bytes, 1, &floats[i]);
      if (GetParam().order != std::endian::native) std::reverse(bytes, bytes + width());
      std::copy_n(bytes, width(), stored.begin() + static_cast<ptrdiff_t>(i * stride));
    }
    return {stored, floats};
  }

  template <class Cell>
  void add(std::string small, std::string wide, Cell cell) {
    const bool packed = GetParam().stride == SmallFloatCells::kPacked;
    const auto [stored, floats] = store(kFloatRows, packed ? width() : GetParam().stride, cell);
    const Piece cells = maker_.pieces.add(stored, 3);
    maker_.add(std::move(small), [=](const ByteSource& source, uint64_t rows, ColumnLabel label) {
      return std::make_unique<SmallFloatColumn>(rows, std::move(label), small_cells(source, cells));
    });
    maker_.fixed(std::move(wide), Type::Float32, floats);
  }

  static SmallFloatCells small_cells(const ByteSource& source, Piece cells) {
    SmallFloatCells small;
    small.kind = GetParam().kind;
    small.cells = cells.in(source);
    small.stride = GetParam().stride;
    small.order = GetParam().order;
    return small;
  }

  // Items are packed in vectors whatever the stride of the rows.
  void add_vectors(std::mt19937& random) {
    const auto [stored, floats] =
        store(kFloatRows * kFloatSlots, width(), [&] { return static_cast<uint16_t>(random()); });
    const Piece small = maker_.pieces.add(stored, 1);
    const Piece wide = maker_.pieces.add(floats);
    const auto vectors = [](ColumnPtr items, uint64_t rows, ColumnLabel label) {
      return std::make_unique<SparseListColumn>(Type::vector(Type::Float32, kFloatSlots), rows,
                                                std::move(label), SparseCells{kFloatSlots},
                                                std::move(items), Context{});
    };
    maker_.add("vectors", [=](const ByteSource& source, uint64_t rows, ColumnLabel label) {
      SmallFloatCells cells = small_cells(source, small);
      cells.stride = SmallFloatCells::kPacked;
      auto items = std::make_unique<SmallFloatColumn>(rows * kFloatSlots, ColumnLabel{}, cells);
      return vectors(std::move(items), rows, std::move(label));
    });
    maker_.add("wide_vectors", [=](const ByteSource& source, uint64_t rows, ColumnLabel label) {
      auto items = std::make_unique<FixedColumn>(Type::Float32, rows * kFloatSlots, ColumnLabel{},
                                                 FixedCells{wide.in(source)});
      return vectors(std::move(items), rows, std::move(label));
    });
  }

  static void expect_equal(const Values& small, const Values& wide) {
    ASSERT_EQ(small.type, wide.type);
    ASSERT_EQ(small.data.bytes, wide.data.bytes);
    EXPECT_EQ(std::memcmp(small.data.data, wide.data.data, wide.data.bytes), 0);
    EXPECT_EQ(small.null_count, 0);
  }
  static void expect_pairs(const RowBatch& batch) {
    for (uint64_t c = 0; c < batch.columns.size(); c += 2) {
      const Values& small = batch.columns[c];
      const Values& wide = batch.columns[c + 1];
      expect_equal(small, wide);
      if (!small.type.is(Type::Vector)) continue;
      ASSERT_EQ(small.children[0].extent(small.rows), wide.children[0].extent(wide.rows));
      expect_equal(small.children[0].children[0], wide.children[0].children[0]);
    }
  }

  uint64_t matches(const char* column, const char* test) const {
    return count(Predicate(table_, concat(column, test)));
  }

  TableMaker maker_{kFloatRows};
  std::shared_ptr<const Table> table_;
};

TEST_P(SmallFloatColumns, ReadAndTake) {
  const Projection columns(table_);
  for (const RowRange rows :
       {RowRange{0, kFloatRows}, {7, 8}, {kFloatRows, kFloatRows}, {1, kFloatRows - 1}}) {
    expect_pairs(read(columns, rows));
  }
  std::vector<uint64_t> rows(3 * kFloatRows);
  std::mt19937_64 random(3);
  for (uint64_t& row : rows) row = random() % kFloatRows;
  expect_pairs(take(columns, rows));
  expect_pairs(take(columns, std::span(rows).first(5)));
  expect_pairs(take(columns, {}));
}

TEST_P(SmallFloatColumns, RowView) {
  RowView view{Projection(table_, {"small", "wide", "numbers", "plain"})};
  for (const uint64_t row : {uint64_t{0}, kFloatRows - 1, kFloatRows / 2, uint64_t{1}}) {
    view.seek(row);
    for (const uint64_t c : {uint64_t{0}, uint64_t{2}}) {
      EXPECT_FALSE(view.is_null(c));
      const auto small = view.get<float>(c), wide = view.get<float>(c + 1);
      ASSERT_TRUE(small && wide);
      EXPECT_EQ(std::bit_cast<uint32_t>(*small), std::bit_cast<uint32_t>(*wide)) << row;
    }
  }
}

TEST_P(SmallFloatColumns, FiltersAndSums) {
  for (const char* tail : {" > 0.5", " = 0", " is nan", " between -1 and 0.25", " != 1"}) {
    EXPECT_EQ(matches("small", tail), matches("wide", tail)) << tail;
    EXPECT_EQ(matches("numbers", tail), matches("plain", tail)) << tail;
  }
  const Projection columns(table_, {"numbers", "plain"});
  EXPECT_EQ(sum(columns, 0), sum(columns, 1));
}

TEST_P(SmallFloatColumns, Matrix) {
  const Projection columns(table_);
  const uint64_t width = matrix_width(columns);
  ASSERT_EQ(width, 4 + 2 * kFloatSlots);
  std::vector<uint64_t> rows(kFloatRows);
  std::mt19937_64 random(9);
  for (uint64_t& row : rows) row = random() % kFloatRows;
  const auto expect = [&]<class T>(const std::vector<T>& cells) {
    const auto same = [](T a, T b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    for (uint64_t row = 0; row < kFloatRows; ++row) {
      const T* at = cells.data() + row * width;
      ASSERT_TRUE(same(at[0], at[1]) && same(at[2], at[3])) << row;
      for (uint64_t i = 0; i < kFloatSlots; ++i)
        ASSERT_TRUE(same(at[4 + i], at[4 + kFloatSlots + i])) << row;
    }
  };
  std::vector<float> floats(kFloatRows * width);
  matrix(columns, RowRange{0, kFloatRows}, std::span(floats));
  expect(floats);
  matrix(columns, rows, std::span(floats));
  expect(floats);
  std::vector<double> doubles(kFloatRows * width);
  matrix(columns, rows, std::span(doubles));
  expect(doubles);
}

std::vector<StoredFloats> all_stored_floats() {
  std::vector<StoredFloats> all;
  for (const SmallFloat kind :
       {SmallFloat::Half, SmallFloat::BFloat16, SmallFloat::Float8E4M3, SmallFloat::Float8E5M2}) {
    for (const uint64_t stride : {SmallFloatCells::kPacked, uint64_t{0}, uint64_t{5}}) {
      for (const auto order : {std::endian::little, std::endian::big}) {
        for (const bool mapped : {true, false}) all.push_back({kind, stride, order, mapped});
      }
    }
  }
  return all;
}

std::string stored_float_name(const testing::TestParamInfo<StoredFloats>& info) {
  const StoredFloats& stored = info.param;
  const char* kinds[] = {"half", "bfloat16", "e4m3", "e5m2"};
  return concat(kinds[static_cast<unsigned>(stored.kind)], '_',
                stored.stride == SmallFloatCells::kPacked ? "packed" : concat(stored.stride),
                stored.order == std::endian::big ? "_big_" : "_little_",
                stored.mapped ? "mapped" : "copied");
}

INSTANTIATE_TEST_SUITE_P(, SmallFloatColumns, testing::ValuesIn(all_stored_floats()),
                         stored_float_name);

TEST(SmallFloatColumn, ABitmapMarksNulls) {
  Pieces pieces;
  const Piece cells = pieces.add(std::vector<uint16_t>{0x3C00, 0x7E00, 0xC500});
  const Piece valid = pieces.add(std::vector<bool>{true, true, false});
  const auto source = pieces.source(true);
  const SmallFloatColumn column(3, {"c", "made"},
                                {SmallFloat::Half, cells.in(*source), valid.in(*source)});
  EXPECT_TRUE(column.nullable());
  Arena arena;
  const Values values = column.read({0, 3}, arena, {});
  EXPECT_EQ(values.null_count, 1);
  EXPECT_EQ(values.get<float>(0), 1.0f);
  EXPECT_TRUE(std::isnan(values.get<float>(1)));
  EXPECT_TRUE(values.is_null(2));
  const std::vector<uint64_t> rows = {2, 0, 2};
  const Values taken = column.take(rows, arena, {});
  EXPECT_EQ(taken.null_count, 2);
  EXPECT_EQ(taken.get<float>(1), 1.0f);
  const std::vector<uint64_t> vectors = {0};
  EXPECT_TRUE(column.take_vectors(vectors, 3, arena, {}).is_null(2));
}

}  // namespace
}  // namespace heron
