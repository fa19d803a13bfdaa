// A table of blocks of 100 rows, one of which is damaged.
#pragma once

#include <memory>
#include <numeric>
#include <vector>

#include "columns/text_column.h"
#include "kit/made_table.h"

namespace heron::inline v0 {

// Returns a table in which `n` is the row number and `t` an empty text, damaged in row 150.
inline std::shared_ptr<const Table> damaged_table(uint64_t rows = 1000) {
  TableMaker maker(rows);
  std::vector<uint64_t> n(rows);
  std::iota(n.begin(), n.end(), 0);
  maker.fixed("n", Type::UInt64, n);
  std::vector<uint32_t> offsets(rows + 1, 0);
  offsets[151] = 50;
  const Piece stored = maker.pieces.add(offsets);
  maker.add("t", [stored](const ByteSource& source, uint64_t count, ColumnLabel label) {
    return std::make_unique<TextColumn>(count, std::move(label), OffsetCells{stored.in(source)},
                                        ByteView{&source, 0, 8});
  });
  maker.block_rows = 100;
  return maker.table();
}

}  // namespace heron::inline v0
