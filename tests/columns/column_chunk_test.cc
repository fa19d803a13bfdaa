// Chunks of every kind of column: their cells, by the null encoding they name, are the column's
// values, whatever row they begin at; and cells that need no conversion are not copied.
#include "columns/column_chunk.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <numeric>
#include <random>

#include "base/fail.h"
#include "cache/block_column.h"
#include "columns/bit_column.h"
#include "columns/dictionaries/dictionary_column.h"
#include "columns/dictionaries/key_column.h"
#include "columns/fixed_column.h"
#include "heron/heron.h"
#include "kit/made_table.h"
#include "kit/number_blocks.h"
#include "table/internals.h"
#include "values/bitmap.h"
#include "values/cells.h"

namespace heron {
namespace {

constexpr uint64_t kPieceRows = 200;
const RowRange kRanges[] = {{0, kPieceRows}, {0, 1}, {1, 2}, {7, 90}, {64, 128}, {131, kPieceRows}};

template <class T>
bool is_least(const CellSpan& cells, uint64_t i) {
  const auto cell = load_cell<T>(cells.cells, i);
  if constexpr (std::is_floating_point_v<T>)
    return cell != cell;
  else
    return cell == std::numeric_limits<T>::min();
}

// Returns whether a cell is null by its null encoding.
bool says_null(const CellSpan& cells, uint64_t i) {
  switch (cells.nulls) {
    case NullEncoding::Never:
    case NullEncoding::Bitmap: return false;
    default: break;
  }
  if (cells.type.is(Type::DateTimeOffset)) {
    return load_cell<DateTimeOffset>(cells.cells, i).ticks == INT64_MIN;
  }
  return visit_cell_type(cells.type, [&]<class T>() { return is_least<T>(cells, i); });
}
bool is_null(const CellSpan& cells, uint64_t i) {
  EXPECT_EQ(cells.validity != nullptr,
            cells.nulls == NullEncoding::Bitmap || cells.nulls == NullEncoding::BitmapOrNaN);
  return (cells.validity != nullptr && !get_bit(cells.validity, i)) || says_null(cells, i);
}

// Expects cells to be the values of the column.
void expect_cells(const CellSpan& cells, const Values& values, uint64_t cell_bytes) {
  EXPECT_EQ(cells.type.name(), values.type.name());
  ASSERT_EQ(cells.rows, values.rows);
  EXPECT_EQ(cells.dictionary, nullptr);
  const bool bits = values.type.is(Type::Bool);
  const uint32_t width = values.type.width();
  if (!bits) {
    EXPECT_EQ(reinterpret_cast<uintptr_t>(cells.cells) % std::min(width, 8u), 0u);
    EXPECT_EQ(width, cell_bytes);
  }
  for (uint64_t i = 0; i < values.rows; ++i) {
    ASSERT_EQ(is_null(cells, i), values.is_null(i)) << i;
    if (values.is_null(i)) continue;
    if (bits)
      ASSERT_EQ(get_bit(cells.cells, i), values.get_bool(i)) << i;
    else
      ASSERT_EQ(std::memcmp(cells.cells + i * width, values.data.data + i * width, width), 0) << i;
  }
}

class ColumnChunks : public testing::TestWithParam<bool> {
 protected:
  // Calls check(rows, chunk, values) for some ranges of the maker's only column.
  template <class Check>
  void check_chunks(const TableMaker& maker, Check check) {
    const auto source = maker.pieces.source(GetParam());
    const Projection projection(maker.table(source));
    const Column& column = *internals(projection).columns()[0];
    for (const RowRange rows : kRanges) {
      SCOPED_TRACE(concat(column.type().name(), ' ', rows.first, " .. ", rows.last));
      Arena arena;
      const ColumnChunk chunk = column.chunk(rows, arena, {});
      EXPECT_EQ(chunk.rows.first, rows.first);
      EXPECT_EQ(chunk.rows.last, rows.last);
      EXPECT_FALSE(chunk.largest_code);
      in_source = [&source](const std::byte* at) {
        return source->base() != nullptr && at >= source->base() &&
               at < source->base() + source->size();
      };
      std::vector<uint64_t> taken(rows.rows());  // take() does not use chunk()
      std::iota(taken.begin(), taken.end(), rows.first);
      check(rows, chunk, column.take(taken, arena, {}));
    }
  }
  // Expects cells that are values; with `in_place`, in the source, if it has an address.
  void check_cells(const TableMaker& maker, bool in_place) {
    check_chunks(maker, [&](RowRange rows, const ColumnChunk& chunk, const Values& values) {
      ASSERT_TRUE(chunk.cells);
      expect_cells(*chunk.cells, values, values.type.width());
      EXPECT_EQ(in_source(chunk.cells->cells), in_place && GetParam());
      const uint64_t bitmap = chunk.cells->validity == nullptr ? 0 : bitmap_bytes(rows.rows());
      const bool bits = values.type.is(Type::Bool);
      EXPECT_EQ(chunk.bytes,
                bitmap + (bits ? bitmap_bytes(rows.rows()) : rows.rows() * values.type.width()));
    });
  }
  // Expects values, and no cells.
  void check_values(const TableMaker& maker) {
    check_chunks(maker, [](RowRange rows, const ColumnChunk& chunk, const Values& values) {
      ASSERT_FALSE(chunk.cells);
      EXPECT_EQ(chunk.values.type.name(), values.type.name());
      ASSERT_EQ(chunk.values.rows, rows.rows());
      EXPECT_EQ(chunk.values.null_count, values.null_count);
      for (uint64_t i = 0; i < values.rows; ++i) {
        ASSERT_EQ(chunk.values.is_null(i), values.is_null(i));
        if (values.is_null(i)) continue;
        if (values.type.is_text()) {
          ASSERT_EQ(chunk.values.text(i), values.text(i));
        } else if (values.type.is(Type::Bool)) {
          ASSERT_EQ(chunk.values.get_bool(i), values.get_bool(i));
        } else {  // a list
          ASSERT_EQ(chunk.values.extent(i + 1) - chunk.values.extent(i),
                    values.extent(i + 1) - values.extent(i));
        }
      }
    });
  }

  // Makes one column of cells at the given offset, stride and byte order.
  template <class T>
  static TableMaker made(Type type, const std::vector<T>& cells, uint64_t shift, NullEncoding nulls,
                         uint64_t stride = FixedCells::kPacked,
                         std::endian order = std::endian::native) {
    TableMaker maker(kPieceRows);
    const Piece chunk = maker.pieces.add(cells, shift);
    maker.add("c", [=](const ByteSource& source, uint64_t rows, ColumnLabel label) {
      return std::make_unique<FixedColumn>(type, rows, std::move(label),
                                           FixedCells{chunk.in(source), {}, nulls, stride, order});
    });
    return maker;
  }

  template <class T>
  std::vector<T> numbers(uint64_t count = kPieceRows) {
    std::vector<T> cells(count);
    for (T& cell : cells) {
      cell = random() % 5 == 0 ? std::numeric_limits<T>::min() : static_cast<T>(random() % 1000);
      if constexpr (std::is_floating_point_v<T>) {
        if (random() % 5 == 0) cell = std::numeric_limits<T>::quiet_NaN();
      }
    }
    return cells;
  }
  std::vector<bool> some() {
    std::vector<bool> flags(kPieceRows);
    for (uint64_t i = 0; i < kPieceRows; ++i) flags[i] = random() % 3 != 0;
    return flags;
  }
  template <class T>
  void check_rules(Type type, const std::vector<NullEncoding>& rules) {
    for (const NullEncoding rule : rules) {
      TableMaker maker(kPieceRows);
      check_cells(maker.fixed("c", type, numbers<T>(), rule, some()), true);
    }
  }

  std::mt19937_64 random{11};
  std::function<bool(const std::byte*)> in_source;
};

TEST_P(ColumnChunks, PackedCellsStayWhereTheyAre) {
  const std::vector<NullEncoding> all{NullEncoding::Never, NullEncoding::Sentinel,
                                      NullEncoding::Bitmap};
  check_rules<int8_t>(Type::Int8, all);
  check_rules<int16_t>(Type::Int16, all);
  check_rules<int32_t>(Type::Date32, all);
  check_rules<int64_t>(Type::Int64, all);
  const std::vector<NullEncoding> unsigned_rules{NullEncoding::Never, NullEncoding::Bitmap};
  check_rules<uint8_t>(Type::UInt8, unsigned_rules);
  check_rules<uint64_t>(Type::UInt64, unsigned_rules);
  check_rules<uint16_t>(Type::key(Type::UInt16, 1000), {NullEncoding::Zero});
  const std::vector<NullEncoding> floats{NullEncoding::Never, NullEncoding::NaN,
                                         NullEncoding::Bitmap, NullEncoding::BitmapOrNaN};
  check_rules<float>(Type::Float32, floats);
  check_rules<double>(Type::Float64, floats);
}

TEST_P(ColumnChunks, OtherCellsAreCopied) {
  const auto cells = numbers<int32_t>(2 * kPieceRows);
  const auto never = NullEncoding::Never, sentinel = NullEncoding::Sentinel;
  check_cells(made(Type::Int32, cells, 1, sentinel), false);
  check_cells(made(Type::Int32, cells, 0, sentinel, 8), false);
  check_cells(made(Type::Int32, cells, 3, never, 7), false);
  check_cells(made(Type::Int32, cells, 0, never, 0), false);
  check_cells(made(Type::Int32, cells, 0, never, 4, std::endian::big), false);
  const auto floats = numbers<double>(2 * kPieceRows);
  check_cells(made(Type::Float64, floats, 2, NullEncoding::NaN, 12, std::endian::big), false);
}

TEST_P(ColumnChunks, BoolsAreBitsOrValues) {
  check_cells(TableMaker(kPieceRows).bits("c", some()), false);
  check_cells(TableMaker(kPieceRows).bits("c", some(), some()), false);
  std::vector<int8_t> bytes(kPieceRows);
  for (int8_t& byte : bytes) byte = static_cast<int8_t>(std::array{0, 1, 2, -128}[random() % 4]);
  check_values(TableMaker(kPieceRows).fixed("c", Type::Bool, bytes, NullEncoding::Sentinel));
}

TEST_P(ColumnChunks, StructsOf16Bytes) {
  std::vector<RowId> ids(kPieceRows);
  for (RowId& id : ids) id = {random(), random()};
  check_cells(TableMaker(kPieceRows).fixed("c", Type::RowId, ids), true);
  check_cells(TableMaker(kPieceRows).fixed("c", Type::RowId, ids, NullEncoding::Bitmap, some()),
              true);
  std::vector<DateTimeOffset> times(kPieceRows);
  for (DateTimeOffset& time : times) {
    time.ticks = random() % 5 == 0 ? INT64_MIN : int64_t{1} << 50;
    time.minutes = static_cast<int16_t>(random() % 60);
  }
  check_cells(
      TableMaker(kPieceRows).fixed("c", Type::DateTimeOffset, times, NullEncoding::Sentinel), true);
}

TEST_P(ColumnChunks, TextsListsAndNullsAreValues) {
  std::vector<std::optional<std::string>> texts(kPieceRows);
  std::vector<uint32_t> offsets{0};
  for (auto& text : texts) {
    if (random() % 4 != 0) text = std::string(random() % 5, 'x');
    offsets.push_back(offsets.back() + static_cast<uint32_t>(random() % 3));
  }
  for (const bool large : {false, true}) {
    check_values(TableMaker(kPieceRows).texts("c", texts, large));
  }
  check_values(
      TableMaker(kPieceRows).lists("c", offsets, numbers<int32_t>(offsets.back()), some()));
  check_values(TableMaker(kPieceRows).null("c"));
}

class Zeros final : public Dictionary {
 public:
  explicit Zeros(uint64_t size) : Dictionary(Type::Float64, size) {}
  void decode(uint64_t, uint64_t count, std::byte* cells, const Context&) const override {
    std::memset(cells, 0, count * sizeof(double));
  }
};

TEST_P(ColumnChunks, CodesAreCodes) {
  const auto check_codes = [this](TableMaker& maker, Type type, auto code_at, auto open) {
    const auto dictionary = std::make_shared<Zeros>(3);
    maker.add("c", [=](const ByteSource& source, uint64_t rows, ColumnLabel label) {
      return std::make_unique<DictionaryColumn>(std::move(label), open(source, rows), dictionary,
                                                CodePastEnd::Zero);
    });
    check_chunks(maker, [&](RowRange rows, const ColumnChunk& chunk, const Values&) {
      ASSERT_TRUE(chunk.cells);
      EXPECT_EQ(chunk.cells->dictionary, dictionary.get());
      EXPECT_EQ(chunk.cells->type.name(), type.name());
      EXPECT_EQ(chunk.cells->nulls, NullEncoding::Never);
      ASSERT_EQ(chunk.cells->rows, rows.rows());
      for (uint64_t i = 0; i < rows.rows(); ++i) code_at(*chunk.cells, i, rows.first + i);
    });
  };
  const auto check_numbers = [&]<class Code>(Type::Id type, Code) {
    const auto codes = numbers<Code>();  // most codes have no value
    TableMaker maker(kPieceRows);
    const Piece chunk = maker.pieces.add(codes);
    check_codes(
        maker, type,
        [&](const CellSpan& cells, uint64_t i, uint64_t row) {
          ASSERT_EQ(load_cell<Code>(cells.cells, i), codes[row]);
        },
        [=](const ByteSource& source, uint64_t rows) {
          return std::make_unique<FixedColumn>(type, rows, ColumnLabel{},
                                               FixedCells{chunk.in(source)});
        });
  };
  check_numbers(Type::UInt8, uint8_t{});
  check_numbers(Type::UInt16, uint16_t{});
  check_numbers(Type::UInt32, uint32_t{});
  const std::vector<bool> bits = some();
  TableMaker maker(kPieceRows);
  const Piece chunk = maker.pieces.add(bits);
  check_codes(
      maker, Type::Bool,
      [&](const CellSpan& cells, uint64_t i, uint64_t row) {
        ASSERT_EQ(get_bit(cells.cells, i), bits[row]);
      },
      [=](const ByteSource& source, uint64_t rows) {
        return std::make_unique<BitColumn>(rows, ColumnLabel{}, chunk.in(source), ByteView{},
                                           NullEncoding::Never);
      });
}

// The values of keys are not part of a chunk, and not even loaded.
TEST_P(ColumnChunks, KeysAreTheirNumbers) {
  const auto values = std::make_shared<KeyValues>(
      [](const Context&) -> RowBatch { fail(ErrorKind::Corrupt, "made", "no values"); });
  const auto numbers_of = numbers<uint16_t>();
  TableMaker maker(kPieceRows);
  const Piece chunk = maker.pieces.add(numbers_of);
  maker.add("k", [=](const ByteSource& source, uint64_t rows, ColumnLabel label) {
    return std::make_unique<KeyColumn>(
        label,
        std::make_unique<FixedColumn>(Type::key(Type::UInt16, 3), rows, label,
                                      FixedCells{chunk.in(source), {}, NullEncoding::Zero}),
        values);
  });
  const Projection projection(maker.table(GetParam()));
  Arena arena;
  const ColumnChunk all = internals(projection).columns()[0]->chunk({3, kPieceRows}, arena, {});
  ASSERT_TRUE(all.cells);
  EXPECT_EQ(all.cells->dictionary, nullptr);
  for (uint64_t i = 0; i < all.cells->rows; ++i) {
    ASSERT_EQ(load_cell<uint16_t>(all.cells->cells, i), numbers_of[i + 3]);
  }
}

INSTANTIATE_TEST_SUITE_P(MappedAndNot, ColumnChunks, testing::Bool());

TEST(ColumnChunksOfBlocks, CellsOfOneAreThereAfterItHasLeftTheCache) {
  constexpr uint64_t kBlockRows = 64;
  const auto source = std::make_shared<NumberBlocks>(1, kBlockRows);
  const auto cache = std::make_shared<BlockCache>(0);
  const BlockColumn column(Type::Int64, kPieceRows, {"c", "made"}, kBlockRows, false, source,
                           cache);
  Arena arena;
  for (const RowRange rows :
       {RowRange{0, 64}, RowRange{67, 70}, RowRange{127, 128}, RowRange{192, 200}}) {
    const ColumnChunk chunk = column.chunk(rows, arena, {});
    ASSERT_TRUE(chunk.cells);
    EXPECT_EQ(chunk.rows.first, rows.first);
    ASSERT_EQ(chunk.cells->rows, rows.rows());
    for (uint64_t block = 0; block < 3; ++block) {
      Arena other;
      column.chunk({block * kBlockRows, block * kBlockRows + 1}, other, {});
    }
    for (uint64_t i = 0; i < rows.rows(); ++i) {
      const uint64_t row = rows.first + i;
      ASSERT_EQ(load_cell<uint64_t>(chunk.cells->cells, i),
                source->number(row / kBlockRows, row % kBlockRows));
    }
  }
}

TEST(ColumnChunksOfBlocks, ValuesOfSeveral) {
  constexpr uint64_t kBlockRows = 60;
  const auto source = std::make_shared<NumberBlocks>(1, kBlockRows);
  const auto cache = std::make_shared<BlockCache>(1 << 20);
  const BlockColumn column(Type::Int64, kPieceRows, {"c", "made"}, kBlockRows, false, source,
                           cache);
  for (const RowRange rows : {RowRange{0, kPieceRows}, RowRange{59, 61}, RowRange{1, 199}}) {
    Arena arena;
    const ColumnChunk chunk = column.chunk(rows, arena, {});
    ASSERT_FALSE(chunk.cells);
    EXPECT_EQ(chunk.rows.first, rows.first);
    ASSERT_EQ(chunk.values.rows, rows.rows());
    for (uint64_t i = 0; i < rows.rows(); ++i) {
      const uint64_t row = rows.first + i;
      ASSERT_EQ(cell_of<uint64_t>(chunk.values, i),
                source->number(row / kBlockRows, row % kBlockRows));
    }
  }
}

// Codes of blocks become values, as dictionaries may differ from block to block.
TEST(ColumnChunksOfBlocks, CodesOfOneAreValues) {
  class CodeBlocks final : public BlockSource {
   public:
    const std::string& name() const noexcept override { return name_; }
    uint64_t frame_bytes(uint64_t, const Context&) const override { return 64; }
    ColumnPtr open(uint64_t, uint64_t rows, const BlockFrame& frame,
                   const Context&) const override {
      std::memset(frame.memory, 0, rows);
      return std::make_unique<DictionaryColumn>(
          ColumnLabel{"c", "made"},
          std::make_unique<FixedColumn>(Type::UInt8, rows, ColumnLabel{"c", "made"},
                                        FixedCells{{frame.source, 0, rows}}),
          std::make_shared<Zeros>(1));
    }

   private:
    std::string name_ = "made";
  };
  const BlockColumn column(Type::Float64, kPieceRows, {"c", "made"}, 64, false,
                           std::make_shared<CodeBlocks>(), std::make_shared<BlockCache>(1 << 20));
  Arena arena;
  const ColumnChunk chunk = column.chunk({65, 99}, arena, {});
  ASSERT_FALSE(chunk.cells);
  EXPECT_TRUE(chunk.values.type.is(Type::Float64));
  EXPECT_EQ(chunk.values.rows, 34u);
}

}  // namespace
}  // namespace heron
