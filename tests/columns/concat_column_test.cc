// Concatenated parts are one column of all their rows.
#include "columns/concat_column.h"

#include <gtest/gtest.h>

#include <random>

#include "columns/fixed_column.h"
#include "columns/text_column.h"
#include "heron/heron.h"
#include "kit/made_table.h"

namespace heron {
namespace {

TEST(ConcatColumn, ReadsAndTakesAcrossItsParts) {
  const std::vector<uint64_t> lengths = {3, 0, 500, 1, 0, 40};
  std::vector<uint64_t> starts = {0};
  for (const uint64_t length : lengths) starts.push_back(starts.back() + length);
  const uint64_t rows = starts.back();
  std::vector<int32_t> cells(rows);
  std::mt19937_64 random(4);
  for (int32_t& cell : cells) cell = static_cast<int32_t>(random());

  TableMaker maker(rows);
  const Piece piece = maker.pieces.add(cells, 1);
  maker.add("c", [=](const ByteSource& source, uint64_t count, ColumnLabel label) {
    ConcatColumn::Parts parts;
    for (uint64_t i = 0; i < lengths.size(); ++i) {
      const Piece part{piece.offset + starts[i] * 4, lengths[i] * 4};
      parts.push_back(std::make_unique<FixedColumn>(Type::Int32, lengths[i], label,
                                                    FixedCells{part.in(source)}));
    }
    return std::make_unique<ConcatColumn>(Type::Int32, count, std::move(label), std::move(parts),
                                          std::make_shared<const Runs>(starts));
  });

  for (const bool mapped : {true, false}) {
    const Projection columns(maker.table(mapped));
    for (uint64_t first = 0; first <= rows; first += first < 5 || first > 500 ? 1 : 99) {
      for (const uint64_t last : {first, std::min(first + 2, rows), rows}) {
        const RowBatch batch = read(columns, {first, last});
        ASSERT_EQ(batch.columns[0].rows, last - first);
        for (uint64_t row = first; row < last; ++row) {
          ASSERT_EQ(batch.columns[0].get<int32_t>(row - first), cells[row]);
        }
      }
    }
    std::vector<uint64_t> any(2000);
    for (uint64_t& row : any) row = random() % rows;
    const RowBatch taken = take(columns, any);
    for (uint64_t i = 0; i < any.size(); ++i) {
      ASSERT_EQ(taken.columns[0].get<int32_t>(i), cells[any[i]]);
    }
    EXPECT_EQ(take(columns, std::span<const uint64_t>()).columns[0].rows, 0);
    RowView view(columns);
    for (const uint64_t row : {uint64_t{2}, uint64_t{3}, uint64_t{503}, rows - 1}) {
      view.seek(row);
      EXPECT_EQ(view.get<int32_t>(0), cells[row]);
    }
  }
}

// The parts have texts, with nulls or without by turns.
TEST(ConcatColumn, ServesTextsAndNullValues) {
  const std::vector<uint64_t> starts = {0, 3, 3, 60, 61, 200};
  const uint64_t rows = starts.back();
  std::mt19937_64 random(5);
  std::vector<std::optional<std::string>> texts(rows);
  for (uint64_t row = 0; row < rows; ++row) {
    const bool nulls = row >= 60 && random() % 3 == 0;
    if (!nulls) texts[row] = std::string(random() % 40, static_cast<char>('a' + row % 26));
  }

  TableMaker maker(rows);
  std::vector<Piece> offsets, characters;
  for (uint64_t part = 0; part + 1 < starts.size(); ++part) {
    std::vector<uint32_t> ends = {0};
    std::vector<char> all;
    for (uint64_t row = starts[part]; row < starts[part + 1]; ++row) {
      const std::string text = texts[row].value_or("");
      all.insert(all.end(), text.begin(), text.end());
      ends.push_back(static_cast<uint32_t>(all.size()) | (texts[row] ? 0 : 1u << 31));
    }
    offsets.push_back(maker.pieces.add(ends));
    characters.push_back(maker.pieces.add(all));
  }
  maker.add("c", [=](const ByteSource& source, uint64_t count, ColumnLabel label) {
    ConcatColumn::Parts parts;
    for (uint64_t part = 0; part < offsets.size(); ++part) {
      OffsetCells cells;
      cells.cells = offsets[part].in(source);
      cells.nulls = part < 3 ? NullEncoding::Never : NullEncoding::OffsetBit;
      parts.push_back(std::make_unique<TextColumn>(starts[part + 1] - starts[part], label, cells,
                                                   characters[part].in(source)));
    }
    return std::make_unique<ConcatColumn>(Type::Text, count, std::move(label), std::move(parts),
                                          std::make_shared<const Runs>(starts));
  });

  const auto text_of = [](const Values& values, uint64_t row) {
    return values.is_null(row) ? std::nullopt : std::optional<std::string>(values.text(row));
  };
  for (const bool mapped : {true, false}) {
    const Projection columns(maker.table(mapped));
    EXPECT_TRUE((*columns.schema())[0].nullable);
    for (const RowRange range : {RowRange{0, rows}, {1, 2}, {2, 61}, {100, 200}, {7, 7}}) {
      const RowBatch batch = read(columns, range);
      ASSERT_EQ(batch.columns[0].rows, range.rows());
      for (uint64_t row = range.first; row < range.last; ++row) {
        ASSERT_EQ(text_of(batch.columns[0], row - range.first), texts[row]);
      }
    }
    std::vector<uint64_t> any(500);
    for (uint64_t& row : any) row = random() % rows;
    const RowBatch taken = take(columns, any);
    for (uint64_t i = 0; i < any.size(); ++i) {
      ASSERT_EQ(text_of(taken.columns[0], i), texts[any[i]]);
    }
    EXPECT_EQ(take(columns, std::span<const uint64_t>()).columns[0].rows, 0);
  }
}

}  // namespace
}  // namespace heron
