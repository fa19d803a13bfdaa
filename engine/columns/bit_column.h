// Bools that take a bit each.
#pragma once

#include "columns/column.h"

namespace heron::inline v0 {

class BitColumn final : public Column {
 public:
  // Both views hold at least a bit a row; `validity` only where `missing` is Bitmap.
  BitColumn(uint64_t rows, ColumnLabel label, ByteView bits, ByteView validity, MissingRule missing)
      : Column(Type::Bool, rows, std::move(label)),
        bits_(bits),
        validity_(validity),
        missing_(missing) {}

  bool nullable() const noexcept override { return missing_ == MissingRule::Bitmap; }
  Values read(RowRange rows, Arena& arena, const Context& context) const override;
  Values take(std::span<const uint64_t> rows, Arena& arena, const Context& context) const override;
  void prefetch(std::span<const uint64_t> rows) const noexcept override;
  std::optional<FlatCells> flat() const override;

 private:
  ByteView bits_;
  ByteView validity_;
  MissingRule missing_;
};

}  // namespace heron::inline v0
