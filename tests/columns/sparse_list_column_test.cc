// Vectors: dense, sparse and mixed rows, lengths that vary, items of every kind of column, and each
// way in which lengths, counts, items and positions can contradict each other.
#include "columns/sparse_list_column.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "base/fail.h"
#include "columns/bit_column.h"
#include "columns/fixed_column.h"
#include "columns/text_column.h"
#include "error_of.h"
#include "kit/made_table.h"

namespace heron {
namespace {

using testing::HasSubstr;
using Rows = std::vector<std::vector<std::string>>;

std::string item_text(const Values& items, uint64_t i) {
  if (items.is_null(i)) return "null";
  if (items.type.is(Type::Bool)) return items.get_bool(i) ? "true" : "false";
  if (items.type.is_text()) return std::string(items.text(i));
  if (items.type.is(Type::Key)) return concat(items.get<uint8_t>(i));
  return concat(items.get<int32_t>(i));
}

// Returns every slot of every row; slots that are not stored are "-".
Rows filled(const Values& values) {
  Rows out;
  EXPECT_EQ(values.null_count, 0);
  EXPECT_EQ(values.children.size(), 2);
  const Values& items = values.children[0];
  const Values& positions = values.children[1];
  EXPECT_EQ(items.type, Type::list(values.type.item(), true));
  EXPECT_EQ(positions.type, Type::list(Type::Int32, true));
  for (uint64_t i = 0; i < values.rows; ++i) {
    const auto length = static_cast<uint64_t>(values.get<int32_t>(i));
    const uint64_t stored = items.extent(i + 1) - items.extent(i);
    const uint64_t placed = positions.extent(i + 1) - positions.extent(i);
    EXPECT_EQ(placed, stored == length ? 0 : stored);
    out.emplace_back(length, "-");
    for (uint64_t k = 0; k < stored; ++k) {
      const auto slot =
          placed == 0
              ? k
              : static_cast<uint64_t>(positions.children[0].get<int32_t>(positions.extent(i) + k));
      out.back().at(slot) = item_text(items.children[0], items.extent(i) + k);
    }
  }
  EXPECT_LE(items.extent(values.rows), items.children[0].rows);
  EXPECT_LE(positions.extent(values.rows), positions.children[0].rows);
  return out;
}

// `mapped` bytes have an address; each piece lies `shift` bytes behind a multiple of 16.
struct Alignment {
  bool mapped;
  uint64_t shift;
};

class SparseListColumns : public testing::TestWithParam<Alignment> {
 protected:
  using Open = std::function<ColumnPtr(const ByteSource&)>;

  Piece add(const auto& cells) { return pieces_.add(cells, GetParam().shift); }

  void make(uint64_t rows, uint64_t length, const std::vector<int32_t>& lengths,
            const std::vector<int32_t>& counts, const std::vector<int32_t>& indices,
            const Open& open_items) {
    const Piece l = add(lengths);
    const Piece c = add(counts);
    const Piece i = add(indices);
    source_ = pieces_.source(GetParam().mapped);
    cells_ = {length, view(l), view(c), view(i)};
    ColumnPtr items = open_items(*source_);
    const Type type = Type::vector(items->type(), length);
    column_ =
        std::make_unique<SparseListColumn>(type, rows, kLabel, cells_, std::move(items), Context{});
  }
  void make(uint64_t rows, uint64_t length, const std::vector<int32_t>& lengths,
            const std::vector<int32_t>& counts, const std::vector<int32_t>& indices,
            const std::vector<int32_t>& items) {
    const Piece cells = add(items);
    make(rows, length, lengths, counts, indices, [&](const ByteSource& source) {
      return std::make_unique<FixedColumn>(Type::Int32, items.size(), ColumnLabel{},
                                           FixedCells{cells.in(source)});
    });
  }
  // Returns the error of a column of three rows with these arguments.
  std::string fault(uint64_t length, const std::vector<int32_t>& lengths,
                    const std::vector<int32_t>& counts, const std::vector<int32_t>& indices,
                    uint64_t items) {
    const Error error = test::error_of(
        [&] { make(3, length, lengths, counts, indices, std::vector<int32_t>(items)); });
    EXPECT_EQ(error.kind(), ErrorKind::Corrupt);
    return error.what();
  }

  Rows read(uint64_t first, uint64_t last) {
    return filled(column_->read({first, last}, arena_, {}));
  }
  Rows take(const std::vector<uint64_t>& rows) {
    column_->prefetch(rows);
    return filled(column_->take(rows, arena_, {}));
  }
  // Expects these rows from reads of every range, and from takes with repeats.
  void expect(const Rows& rows) {
    for (uint64_t first = 0; first <= rows.size(); ++first) {
      for (uint64_t last = first; last <= rows.size(); ++last) {
        EXPECT_EQ(read(first, last), Rows(rows.begin() + first, rows.begin() + last));
      }
    }
    EXPECT_EQ(take({}), Rows{});
    if (rows.empty()) return;
    const uint64_t end = rows.size() - 1;
    EXPECT_EQ(take({end, 0, end, end / 2}), (Rows{rows[end], rows[0], rows[end], rows[end / 2]}));
  }

  // Pieces without bytes have no source, as a codec leaves them out.
  ByteView view(const Piece& piece) const {
    return piece.bytes == 0 ? ByteView{} : piece.in(*source_);
  }

  static inline const ColumnLabel kLabel{"v", "made"};
  Pieces pieces_;
  std::shared_ptr<const ByteSource> source_;
  SparseCells cells_;
  std::unique_ptr<SparseListColumn> column_;
  Arena arena_;
};

INSTANTIATE_TEST_SUITE_P(, SparseListColumns,
                         testing::Values(Alignment{true, 0}, Alignment{true, 3},
                                         Alignment{false, 0}, Alignment{false, 3}));

TEST_P(SparseListColumns, DenseOfOneLength) {
  const Rows rows = {{"1", "2"}, {"3", "4"}, {"5", "6"}};
  make(3, 2, {}, {}, {}, {1, 2, 3, 4, 5, 6});
  expect(rows);
  EXPECT_EQ(column_->type(), Type::vector(Type::Int32, 2));
  make(3, 2, {}, {-1, -1, -1}, {}, {1, 2, 3, 4, 5, 6});
  expect(rows);
  make(3, 0, {2, 2, 2}, {-1, -1, -1}, {}, {1, 2, 3, 4, 5, 6});
  expect(rows);
  EXPECT_EQ(column_->type(), Type::vector(Type::Int32));
}

TEST_P(SparseListColumns, DenseOfManyLengthsAndEmpty) {
  make(4, 0, {0, 3, 0, 1}, {-1, -1, -1, -1}, {}, {1, 2, 3, 4});
  expect({{}, {"1", "2", "3"}, {}, {"4"}});
}

TEST_P(SparseListColumns, Sparse) {
  make(3, 3, {}, {1, 0, 2}, {1, 0, 2}, {7, 8, 9});
  expect({{"-", "7", "-"}, {"-", "-", "-"}, {"8", "-", "9"}});
}

TEST_P(SparseListColumns, SparseWithNothingStored) {
  make(2, 2, {}, {0, 0}, {}, std::vector<int32_t>{});
  expect({{"-", "-"}, {"-", "-"}});
}

TEST_P(SparseListColumns, Mixed) {
  make(4, 0, {2, 0, 4, 1}, {-1, -1, 2, 0}, {0, 3}, {1, 2, 3, 4});
  expect({{"1", "2"}, {}, {"3", "-", "-", "4"}, {"-"}});
}

TEST_P(SparseListColumns, WithoutRows) {
  make(0, 0, {}, {}, {}, std::vector<int32_t>{});
  expect({});
  make(0, 5, {}, {}, {}, std::vector<int32_t>{});
  expect({});
}

TEST_P(SparseListColumns, ALongSparseRowTakesNoMemoryForItsSlots) {
  constexpr int32_t kMaximum = std::numeric_limits<int32_t>::max();
  make(1, kMaximum, {}, {1}, {kMaximum - 1}, {5});
  auto budget = std::make_shared<MemoryBudget>(uint64_t{1} << 20);
  Arena arena(budget);
  const Values values = column_->read({0, 1}, arena, {});
  EXPECT_EQ(values.get<int32_t>(0), kMaximum);
  EXPECT_EQ(values.children[1].children[0].get<int32_t>(0), kMaximum - 1);
  EXPECT_EQ(values.children[0].children[0].get<int32_t>(0), 5);
  const std::vector<uint64_t> rows = {0, 0};
  EXPECT_EQ(column_->take(rows, arena, {}).children[1].children[0].get<int32_t>(1), kMaximum - 1);
}

TEST_P(SparseListColumns, OfBools) {
  const Piece bits = add(std::vector<bool>{true, false, true, true});
  make(3, 2, {}, {-1, 1, 1}, {1, 0}, [&](const ByteSource& source) {
    return std::make_unique<BitColumn>(4, ColumnLabel{}, bits.in(source), ByteView{},
                                       NullEncoding::Never);
  });
  expect({{"true", "false"}, {"-", "true"}, {"true", "-"}});
}

TEST_P(SparseListColumns, OfTexts) {
  const Piece ends = add(std::vector<uint32_t>{0, 2, 2, 3});
  const Piece characters = add(std::vector<char>{'a', 'b', 'c'});
  make(2, 3, {}, {2, 1}, {0, 2, 1}, [&](const ByteSource& source) {
    return std::make_unique<TextColumn>(3, ColumnLabel{},
                                        OffsetCells{ends.in(source), 4, {}, NullEncoding::Never, 0},
                                        characters.in(source));
  });
  expect({{"ab", "-", ""}, {"-", "c", "-"}});
}

TEST_P(SparseListColumns, OfKeys) {
  const Piece numbers = add(std::vector<uint8_t>{2, 0, 1});
  make(2, 0, {1, 3}, {-1, 2}, {0, 2}, [&](const ByteSource& source) {
    return std::make_unique<FixedColumn>(Type::key(Type::UInt8, 2), 3, ColumnLabel{},
                                         FixedCells{numbers.in(source), {}, NullEncoding::Zero});
  });
  expect({{"2"}, {"null", "-", "1"}});
}

TEST_P(SparseListColumns, LengthsBelowZeroAreDamage) {
  EXPECT_THAT(fault(0, {1, -1, 1}, {-1, -1, -1}, {}, 1),
              HasSubstr("column \"v\": row 1: length at byte "));
  EXPECT_THAT(fault(0, {1, -1, 1}, {-1, -1, -1}, {}, 1), HasSubstr("expected 0 or more, got -1"));
}

TEST_P(SparseListColumns, CountsThatAreNoneAreDamage) {
  EXPECT_THAT(fault(3, {}, {-1, 1, -2}, {0}, 2), HasSubstr("row 2: count at byte "));
  EXPECT_THAT(fault(3, {}, {-1, 1, -2}, {0}, 2),
              HasSubstr("expected -1 or less than its length 3, got -2"));
  EXPECT_THAT(fault(2, {}, {2, 0, 0}, {0, 1}, 2),
              HasSubstr("row 0: count at byte "));  // the row is full
  EXPECT_THAT(fault(0, {1, 0, 1}, {-1, 0, -1}, {}, 2),
              HasSubstr("less than its length 0, got 0"));  // the row is empty
}

TEST_P(SparseListColumns, ItemsMustBeAsManyAsRowsStore) {
  const char* expected = "expected 5 items, which its rows store together, got ";
  EXPECT_THAT(fault(2, {}, {-1, -1, 1}, {1}, 4), HasSubstr(expected + std::string("4")));
  EXPECT_THAT(fault(2, {}, {-1, -1, 1}, {1}, 6), HasSubstr(expected + std::string("6")));
  EXPECT_THAT(fault(2, {}, {}, {}, 7), HasSubstr("expected 6 items"));
}

TEST_P(SparseListColumns, PositionsMustBeAsManyAsCounted) {
  EXPECT_THAT(fault(3, {}, {1, -1, 2}, {1, 0}, 6),
              HasSubstr("expected 3, the sum of the counts, got 2"));
  EXPECT_THAT(fault(3, {}, {1, -1, 2}, {1, 0, 1, 2}, 6),
              HasSubstr("expected 3, the sum of the counts, got 4"));
  EXPECT_THAT(fault(1, {}, {}, {0}, 3), HasSubstr("expected 0, the sum of the counts, got 1"));
}

TEST_P(SparseListColumns, PositionsMustAscendBelowTheLength) {
  EXPECT_THAT(fault(3, {}, {1, -1, 2}, {-1, 0, 1}, 6),
              HasSubstr("expected more than -1 and less than its length 3, got -1"));
  EXPECT_THAT(fault(3, {}, {1, -1, 2}, {2, 1, 1}, 6), HasSubstr("row 2: index at byte "));
  EXPECT_THAT(fault(3, {}, {1, -1, 2}, {2, 1, 1}, 6), HasSubstr("more than 1 and"));
  EXPECT_THAT(fault(0, {3, 3, 2}, {1, -1, 1}, {1, 2}, 5),
              HasSubstr("less than its length 2, got 2"));
}

}  // namespace
}  // namespace heron
