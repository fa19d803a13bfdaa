// Bools of one bit each.
#pragma once

#include "columns/column.h"

namespace heron::inline v0 {

class BitColumn final : public Column {
 public:
  // Both views have at least a bit per row; `validity` is used only if `nulls` is Bitmap.
  BitColumn(uint64_t rows, ColumnLabel label, ByteView bits, ByteView validity, NullEncoding nulls)
      : Column(Type::Bool, rows, std::move(label)),
        bits_(bits),
        validity_(validity),
        nulls_(nulls) {}

  bool nullable() const noexcept override { return nulls_ == NullEncoding::Bitmap; }
  Values read(RowRange rows, Arena& arena, const Context& context) const override;
  Values take(std::span<const uint64_t> rows, Arena& arena, const Context& context) const override;
  void locate(const RowsToRead& rows, unsigned round, Prefetch& bytes,
              const Context& context) const override;
  void prefetch(std::span<const uint64_t> rows) const noexcept override;
  std::optional<FlatCells> flat() const override;

 private:
  ByteView bits_;
  ByteView validity_;
  NullEncoding nulls_;
};

}  // namespace heron::inline v0
