// The matrix of consecutive rows, or of many rows in any order, from mapped cells that are read
// nearly in the order of the table.
#pragma once

#include <span>
#include <vector>

#include "columns/column.h"
#include "heron/take.h"
#include "heron/values.h"
#include "rows/row_order.h"

namespace heron::inline v0 {

// Columns in mapped memory whose values are numbers, or bools of a byte, and whose cells mark nulls
// by themselves.
class CellMatrix {
 public:
  // The object is false, and cannot be used, if any column is of another kind.
  explicit CellMatrix(std::span<const Column* const> columns);
  explicit operator bool() const noexcept { return width_ != 0; }

  // Writes each row at IndexedRow::index: `width` elements from out[index * width] on. Returns
  // false if a value is null and nulls are refused; then not all is written.
  template <class T>
  bool fill(std::span<const IndexedRow> rows, T* out, MatrixNull nulls,
            const Context& context) const;
  // Writes consecutive rows of the table, the first at out[0]. Returns false as the other fill()
  // does. Reports no progress.
  template <class T>
  bool fill(RowRange rows, T* out, MatrixNull nulls, const Context& context) const;

 private:
  static constexpr uint64_t kMaxTogether = 16;
  // Adjacent columns of one kind.
  struct Columns {
    const Type* type;
    NullEncoding nulls;
    uint64_t stride;
    uint64_t count;
    const std::byte* cells[kMaxTogether];
  };
  template <class Stored, class T>
  struct Copy;
  template <class Stored, class T>
  struct CopyRange;

  // Calls copy.operator()<Stored>(columns, out) for each group of columns, with the address of the
  // group's element of a row that begins at `out`; returns whether any call returns true.
  template <class T, class Copying>
  bool copy_groups(T* out, const Copying& copy) const;

  std::vector<Columns> columns_;
  uint64_t width_ = 0;
};

}  // namespace heron::inline v0
