// Lists that are views: each has its own offset and size, in any order, and may share items.
#pragma once

#include "arrow_ipc/derived_columns.h"

namespace heron::inline v0::arrow_ipc {

class ListViewColumn final : public Column {
 public:
  // `offsets` and `sizes` have a number of `width` bytes, 4 or 8, for each row.
  ListViewColumn(uint64_t rows, ColumnLabel label, ByteView offsets, ByteView sizes, uint32_t width,
                 ColumnPtr items, RowValidity validity)
      : Column(Type::list(items->type(), true), rows, std::move(label)),
        offsets_(offsets),
        sizes_(sizes),
        width_(width),
        items_(std::move(items)),
        validity_(validity) {}

  bool nullable() const noexcept override { return validity_.has_nulls; }
  // Both throw Error(Corrupt) for a view that is not in the items, and Error(Limit) for rows that
  // together have many times as many items as are stored.
  Values read(RowRange rows, Arena& arena, const Context& context) const override;
  Values take(std::span<const uint64_t> rows, Arena& arena, const Context& context) const override;
  void locate(const RowsToRead& rows, unsigned round, Prefetch& bytes,
              const Context& context) const override;

 private:
  template <class Number, class RowNumber>
  void add_items(Values& values, const Number* offsets, const Number* sizes, RowNumber row_number,
                 Arena& arena, const Context& context) const;
  template <class RowNumber>
  void add_items_of(Values& values, const std::byte* offsets, const std::byte* sizes,
                    RowNumber row_number, Arena& arena, const Context& context) const;

  ByteView offsets_, sizes_;
  uint32_t width_;
  ColumnPtr items_;
  RowValidity validity_;
};

}  // namespace heron::inline v0::arrow_ipc
