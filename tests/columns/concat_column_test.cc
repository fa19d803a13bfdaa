// Parts one behind the other answer as one column of all their rows.
#include "columns/concat_column.h"

#include <gtest/gtest.h>

#include <random>

#include "columns/fixed_column.h"
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
    std::vector<ColumnPtr> parts;
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

}  // namespace
}  // namespace heron
