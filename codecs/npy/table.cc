#include "npy/table.h"

#include "columns/fixed_column.h"
#include "columns/null_column.h"
#include "npy/decoders.h"
#include "npy/descr.h"
#include "npy/literal.h"

namespace heron::inline v0::npy {
namespace {

class ArrayTable final : public TableSource {
 public:
  ArrayTable(const ByteSource& bytes, Header header)
      : bytes_(bytes), header_(std::move(header)), axes_(axes_of_array()) {
    row_stride_ = axes_.empty() ? header_.item.bytes : axes_.front().stride;
    if (!axes_.empty()) axes_.erase(axes_.begin());
  }

  uint64_t column_count() const noexcept override { return header_.item.fields.size(); }
  std::string stored_name(uint64_t column) const override {
    return header_.item.fields[column].name;
  }
  std::string default_name(uint64_t) const override { return "values"; }

  ColumnPtr open_column(uint64_t column, const std::string& name) const override {
    const ItemField& field = header_.item.fields[column];
    ColumnLabel label{name, field.element.text};
    try {
      return make_column(field, label);
    } catch (const Error& error) {
      return std::make_unique<UnreadableColumn>(Type::Null, header_.rows(), label, error);
    }
  }

  // A vector's type has the shape, unless a size is 0 or the array has no axes.
  std::vector<Metadata> metadata(uint64_t) const override {
    const bool is_in_type =
        !header_.shape.empty() && std::ranges::count(header_.shape, uint64_t{0}) == 0;
    if (is_in_type || header_.shape.size() == 1) return {};
    return {Metadata("shape", python_tuple(header_.shape))};
  }

  bool stores_rows() const noexcept override { return column_count() > 1 && !is_fortran(); }
  std::optional<RowLayout> row_layout() const noexcept override;
  void verify() const override;

 private:
  bool is_fortran() const noexcept { return header_.fortran_order && header_.shape.size() > 1; }

  // Returns all axes of the array, that of the rows first.
  std::vector<SlotAxis> axes_of_array() const {
    const uint64_t count = header_.shape.size();
    std::vector<SlotAxis> axes(count);
    uint64_t stride = header_.item.bytes;
    for (uint64_t i = 0; i < count; ++i) {
      const uint64_t axis = is_fortran() ? i : count - 1 - i;
      axes[axis] = {header_.shape[axis], stride};
      stride = times(stride, header_.shape[axis]);
    }
    return axes;
  }

  ByteView cells_of(const ItemField& field) const noexcept {
    if (header_.cells_bytes == 0) return {&bytes_, header_.cells_offset, 0};
    return {&bytes_, header_.cells_offset + field.offset, header_.cells_bytes - field.offset};
  }

  ColumnPtr make_column(const ItemField& field, const ColumnLabel& label) const {
    Decoding decoding = decoding_of(bytes_.name(), label.name, field.element);
    std::vector<SlotAxis> axes = axes_;
    axes.insert(axes.end(), field.axes.begin(), field.axes.end());
    if (axes.empty() && decoding.decoder == nullptr) {
      FixedCells cells{.cells = cells_of(field), .nulls = decoding.nulls};
      cells.stride = row_stride_;
      cells.order = field.element.order;
      return std::make_unique<FixedColumn>(decoding.type, header_.rows(), label, cells);
    }
    Type type = axes.empty() ? decoding.type : vector_type(decoding.type, axes, label.name);
    if (decoding.decoder == nullptr) {
      decoding.decoder = plain_cells(decoding.type, field.element.order, decoding.nulls);
    }
    return std::make_unique<SlotColumn>(std::move(type), header_.rows(), label,
                                        SlotCells{cells_of(field), row_stride_, std::move(axes)},
                                        std::move(decoding.decoder));
  }

  // Throws Error(Unsupported) for more slots than a vector can have.
  Type vector_type(const Type& item, const std::vector<SlotAxis>& axes,
                   const std::string& column) const {
    std::vector<uint64_t> sizes;
    uint64_t slots = 1;
    for (const SlotAxis& axis : axes) {
      if (axis.size > INT32_MAX || times(slots, axis.size) > INT32_MAX) {
        fail(ErrorKind::Unsupported, bytes_.name(), "column \"", column, "\": expected at most ",
             INT32_MAX, " values in a row, got more");
      }
      sizes.push_back(axis.size);
      slots *= axis.size;
    }
    return Type::vector(item, sizes);
  }

  const ByteSource& bytes_;
  const Header header_;
  std::vector<SlotAxis> axes_;  // but the first
  uint64_t row_stride_;
};

// The array has a layout if its items have numbers of one type side by side, and nothing else.
std::optional<RowLayout> ArrayTable::row_layout() const noexcept {
  const std::vector<ItemField>& fields = header_.item.fields;
  if (fields.size() < 2 || header_.shape.size() > 1) return std::nullopt;
  const Element& first = fields.front().element;
  if (std::string_view("biuf").find(first.kind) == std::string_view::npos) return std::nullopt;
  if (first.width > sizeof(double) || (first.kind == 'f' && first.width < sizeof(float))) {
    return std::nullopt;
  }
  for (uint64_t i = 0; i < fields.size(); ++i) {
    if (fields[i].element.text != first.text || !fields[i].axes.empty() ||
        fields[i].offset != fields.front().offset + i * first.width) {
      return std::nullopt;
    }
  }
  const ByteView cells = cells_of(fields.front());
  return RowLayout{decoding_of(bytes_.name(), {}, first).type, cells, row_stride_, first.order};
}

void ArrayTable::verify() const {
  const uint64_t end = header_.cells_offset + header_.cells_bytes;
  if (end == bytes_.size()) return;
  fail(ErrorKind::Corrupt, bytes_.name(), "cells at byte ", header_.cells_offset,
       ": expected the file to end behind them, at byte ", end, ", got ", bytes_.size() - end,
       " more bytes");
}

}  // namespace

std::unique_ptr<const TableSource> array_table(const ByteSource& bytes, Header header) {
  return std::make_unique<const ArrayTable>(bytes, std::move(header));
}

}  // namespace heron::inline v0::npy
