// Cells of one fixed width at constant strides: one in a row or, as the slots of a vector, several
// along any number of axes, in any order of memory. A decoder converts them to values when they are
// read. Cells that are packed, aligned and stored as values are not copied.
#pragma once

#include <bit>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/fail.h"
#include "columns/column.h"

namespace heron::inline v0 {

// Where the cells that a decoder gets come from, for errors.
class CellOrigin {
 public:
  CellOrigin(const Column& column, const std::string& file, uint64_t slots, RowRange range,
             std::span<const uint64_t> list)
      : column_(column), file_(file), slots_(slots), range_(range), list_(list) {}

  // Throws Error(kind) that names the file, the column and the row of the cell with that index.
  template <class... Parts>
  [[noreturn]] void fail_at(ErrorKind kind, uint64_t cell, const Parts&... parts) const {
    const uint64_t index = cell / slots_;
    const uint64_t row = list_.empty() ? range_.first + index : list_[index];
    fail(kind, file_, "column \"", column_.name(), "\" row ", row, ": ", parts...);
  }

 private:
  const Column& column_;
  const std::string& file_;
  const uint64_t slots_;
  const RowRange range_;
  const std::span<const uint64_t> list_;
};

// Converts cells to values. Immutable, thread-safe.
class CellDecoder {
 public:
  virtual ~CellDecoder() = default;
  CellDecoder(const CellDecoder&) = delete;
  CellDecoder& operator=(const CellDecoder&) = delete;

  const Type& type() const noexcept { return type_; }
  // Bytes of a cell, at least 1.
  uint64_t width() const noexcept { return width_; }
  virtual bool nullable() const noexcept { return false; }
  // The alignment of cells that decode() returns without a copy; 1: it copies all.
  virtual uint64_t alignment() const noexcept { return 1; }
  // Returns the values of consecutive cells, in the arena or in the cells. Throws Error(Corrupt).
  virtual Values decode(const std::byte* cells, uint64_t count, const CellOrigin& origin,
                        Arena& arena) const = 0;

 protected:
  CellDecoder(Type type, uint64_t width) : type_(std::move(type)), width_(width) {}

 private:
  Type type_;
  uint64_t width_;
};

// Returns the decoder of cells that are stored as the engine's values: numbers, times, and bools of
// a byte each, of up to 8 bytes and with one of the encodings Never, Sentinel and NaN.
std::unique_ptr<const CellDecoder> plain_cells(Type type, std::endian order, NullEncoding nulls);

struct SlotAxis {
  uint64_t size = 1;
  uint64_t stride = 0;  // bytes from one cell along the axis to the next
};

// The cell of a row at the indices i, k, .. of the axes is at byte row x row_stride + i x stride of
// the first axis + k x stride of the second + .. of `cells`. All cells of all rows are inside.
struct SlotCells {
  ByteView cells;
  uint64_t row_stride = 0;
  std::vector<SlotAxis> axes = {};  // the last changes fastest in a vector; empty: a cell a row
};

class SlotColumn final : public Column {
 public:
  // `type` is the decoder's or, with axes, a vector of it with as many slots as the axes have.
  SlotColumn(Type type, uint64_t rows, ColumnLabel label, SlotCells cells,
             std::unique_ptr<const CellDecoder> decoder);

  bool nullable() const noexcept override { return !is_vector() && decoder_->nullable(); }
  Values read(RowRange rows, Arena& arena, const Context& context) const override;
  Values take(std::span<const uint64_t> rows, Arena& arena, const Context& context) const override;
  void locate(const RowsToRead& rows, unsigned round, Prefetch& bytes,
              const Context& context) const override;
  void prefetch(std::span<const uint64_t> rows) const noexcept override;

 private:
  bool is_vector() const noexcept { return type().is(Type::Vector); }
  // Returns whether the cells of a row are adjacent, in the order of the slots.
  bool is_packed() const noexcept {
    return axes_.empty() || (axes_.size() == 1 && axes_[0].stride == decoder_->width());
  }
  uint64_t row_bytes() const noexcept { return slots_ * decoder_->width(); }
  // Calls visit(offset in a row, its index among the slots) for each slot, in order.
  template <class Visit>
  void each_slot(Visit visit) const;
  std::byte* packed_rows(const RowsToRead& rows, Arena& arena, const Context& context) const;
  void gather_slots(std::span<const uint64_t> rows, std::byte* to, const Context& context) const;
  void pack_slots(RowRange rows, std::byte* to, Arena& arena, const Context& context) const;
  Values vectors(Values items, uint64_t rows, Arena& arena) const;

  ByteView cells_;
  uint64_t row_stride_;
  std::vector<SlotAxis> axes_;  // of these, axes that continue each other are one
  uint64_t slots_ = 1;
  std::unique_ptr<const CellDecoder> decoder_;
};

}  // namespace heron::inline v0
