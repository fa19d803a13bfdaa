// Lists: offsets into the rows of another column, nested at will.
#pragma once

#include "columns/offsets.h"

namespace heron::inline v0 {

class ListColumn final : public Column {
 public:
  // `offsets.limit` is set from the items' rows. Offsets of 4 bytes make a list, of 8 a large list.
  ListColumn(uint64_t rows, ColumnLabel label, OffsetCells offsets, ColumnPtr items);

  bool nullable() const noexcept override { return offsets_.nullable(); }
  Values read(RowRange rows, Arena& arena, const Context& context) const override;
  Values take(std::span<const uint64_t> rows, Arena& arena, const Context& context) const override;
  void locate(const RowsToRead& rows, unsigned round, Prefetch& bytes,
              const Context& context) const override;
  void prefetch(std::span<const uint64_t> rows) const noexcept override { offsets_.prefetch(rows); }

 private:
  void check_count(uint64_t items) const;

  ColumnPtr items_;
  Offsets offsets_;
};

}  // namespace heron::inline v0
