// A table that is stored row by row: queries on several columns walk it row by row, not column by
// column.
#pragma once

#include <bit>

#include "columns/column.h"

namespace heron::inline v0 {

// Cells of one type; the cell of column c in row r is at byte r x row_bytes + c x width of `rows`.
// No value is null. Every cell of every row is inside the source.
struct RowLayout {
  Type type;  // bool: a byte each, not 0
  ByteView rows;
  uint64_t row_bytes = 0;
  std::endian order = std::endian::little;

  uint32_t width() const noexcept { return type.is(Type::Bool) ? 1 : type.width(); }
};

// Prefetches the first and the last of the columns in the rows.
void prefetch_rows(const RowLayout& layout, std::span<const uint64_t> columns,
                   std::span<const uint64_t> rows) noexcept;

// Adds the bytes from the first to the last of the columns in the rows.
void locate_rows(const RowLayout& layout, std::span<const uint64_t> columns, const RowsToRead& rows,
                 Prefetch& bytes);

// Reads some columns of the rows, in any order, with repeats; no other code walks a layout. Packs
// them row by row without gaps, in the machine's byte order. One thread at a time; layout, columns,
// arena and context must outlive it.
class RowReader {
 public:
  RowReader(const RowLayout& layout, std::span<const uint64_t> columns, Arena& arena,
            const Context& context);

  uint32_t width() const noexcept { return width_; }
  // Bytes of a packed row.
  uint64_t row_bytes() const noexcept { return columns_.size() * width_; }
  // How many rows to pack at once, so that they stay in the nearest cache, or so that a system call
  // fetches enough of them. A multiple of 16.
  uint64_t rows_at_once() const noexcept { return rows_at_once_; }

  void pack(RowRange rows, std::byte* to) const;
  // Packs rows[some.first] up to rows[some.last]; `rows` are all rows that will be requested, so
  // that the next ones can be prefetched.
  void pack(std::span<const uint64_t> rows, RowRange some, std::byte* to) const;

  struct Rows {
    const std::byte* cells;
    uint64_t stride;  // bytes from row to row
  };
  // Returns the rows in place if they need no packing, else packed into `room`. 16 bytes are
  // readable from the start of every row if they are from every row in `room`.
  Rows fetch(RowRange rows, std::byte* room) const;

 private:
  bool in_order() const noexcept { return layout_.order == std::endian::native; }
  bool mapped() const noexcept { return layout_.rows.data() != nullptr; }
  // Offset in the layout's rows of the first byte that the columns need.
  uint64_t start(uint64_t row) const noexcept {
    return row * layout_.row_bytes + first_column_ * width_;
  }
  // Prefetches the columns of a row.
  void prefetch(const std::byte* row) const noexcept;
  // Copies the columns of a row, given at its first column, in the file's byte order.
  void copy(const std::byte* row, std::byte* to) const;
  void gather(std::span<const uint64_t> rows, uint64_t prefetched, uint64_t count,
              std::byte* to) const;
  // Gathers rows row_number(i), i below count, of a source without an address.
  template <class RowNumber>
  void read(uint64_t count, RowNumber row_number, std::byte* to) const;
  // Copies packed rows from the file's byte order to the machine's; `to` may be `packed`.
  void put_in_order(const std::byte* packed, uint64_t rows, std::byte* to) const;

  const RowLayout& layout_;
  const std::span<const uint64_t> columns_;
  const Context& context_;
  const uint32_t width_;
  uint64_t first_column_ = 0;  // the lowest number of the columns
  uint64_t bytes_ = 0;         // bytes from the first to the end of the last column
  bool side_by_side_ = true;   // columns are adjacent in the order of packing
  uint64_t rows_at_once_;
  uint64_t rows_ahead_;
  std::byte* row_ = nullptr;  // a row read before packing
};

}  // namespace heron::inline v0
