#include "columns/slot_column.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <functional>

#include "bytes/view_reader.h"
#include "columns/prefetch.h"
#include "values/bitmap.h"
#include "values/byte_order.h"
#include "values/gather.h"
#include "values/validity.h"

namespace heron::inline v0 {
namespace {

// Slots that are not adjacent are collected slot by slot from some rows at once, whose part of the
// result stays in a cache: few consecutive rows, but many listed ones, whose cells of one slot are
// closer to each other than the cells of a row.
constexpr uint64_t kRowsOfTile = 32;
constexpr uint64_t kMaxListedRows = 4096;
constexpr uint64_t kMaxTileBytes = uint64_t{1} << 20;
// Cells of listed rows that are located one by one.
constexpr uint64_t kMaxLocated = uint64_t{1} << 16;

class PlainCells final : public CellDecoder {
 public:
  PlainCells(Type type, std::endian order, NullEncoding nulls)
      : CellDecoder(type, type.is(Type::Bool) ? 1 : type.width()), order_(order), nulls_(nulls) {}

  bool nullable() const noexcept override { return nulls_ != NullEncoding::Never; }
  uint64_t alignment() const noexcept override {
    return is_swapped() ? 1 : std::min<uint64_t>(width(), 8);
  }
  Values decode(const std::byte* cells, uint64_t count, const CellOrigin&,
                Arena& arena) const override {
    Values values(type(), count);
    if (is_swapped()) {
      std::byte* native = arena.allocate(count * width());
      swap_cells(cells, count, static_cast<uint32_t>(width()), native);
      cells = native;
    }
    values.data = {cells, count * width()};
    if (type().is(Type::Bool)) values.data = {pack_bools(cells, count, arena), bitmap_bytes(count)};
    set_validity_from_cells(values, type(), nulls_, cells, arena);
    return values;
  }

 private:
  bool is_swapped() const noexcept { return order_ != std::endian::native && width() != 1; }

  std::endian order_;
  NullEncoding nulls_;
};

// Copies the cells of a slot in some rows, given by row_of(i), to every `stride`-th byte.
template <uint64_t kWidth, class RowOf>
void scatter(const std::byte* from, uint64_t from_stride, uint64_t rows, RowOf row_of,
             std::byte* to, uint64_t stride, uint64_t width) {
  for (uint64_t i = 0; i < rows; ++i) {
    std::memcpy(to + i * stride, from + row_of(i) * from_stride, kWidth == 0 ? width : kWidth);
  }
}

template <class RowOf>
void scatter_cells(const std::byte* from, uint64_t from_stride, uint64_t rows, RowOf row_of,
                   std::byte* to, uint64_t stride, uint64_t width) {
  switch (width) {
    case 1: return scatter<1>(from, from_stride, rows, row_of, to, stride, width);
    case 2: return scatter<2>(from, from_stride, rows, row_of, to, stride, width);
    case 4: return scatter<4>(from, from_stride, rows, row_of, to, stride, width);
    case 8: return scatter<8>(from, from_stride, rows, row_of, to, stride, width);
    default: return scatter<0>(from, from_stride, rows, row_of, to, stride, width);
  }
}

// Makes one axis of axes that continue each other, and drops those of one slot.
std::vector<SlotAxis> merged(const std::vector<SlotAxis>& axes) {
  std::vector<SlotAxis> made;
  for (const SlotAxis& axis : axes) {
    if (axis.size == 0) return {{0, 0}};
    if (axis.size == 1) continue;
    if (!made.empty() && made.back().stride == axis.size * axis.stride) {
      made.back() = {made.back().size * axis.size, axis.stride};
    } else {
      made.push_back(axis);
    }
  }
  return made;
}

Values list_of_items(uint64_t rows, uint64_t items_a_row, Values items, Arena& arena) {
  auto* offsets = arena.allocate_array<int64_t>(rows + 1);
  for (uint64_t i = 0; i <= rows; ++i) offsets[i] = static_cast<int64_t>(i * items_a_row);
  Values list(Type::list(items.type, true), rows);
  list.offsets = {reinterpret_cast<const std::byte*>(offsets), (rows + 1) * sizeof *offsets};
  list.children.push_back(std::move(items));
  return list;
}

}  // namespace

std::unique_ptr<const CellDecoder> plain_cells(Type type, std::endian order, NullEncoding nulls) {
  return std::make_unique<PlainCells>(std::move(type), order, nulls);
}

SlotColumn::SlotColumn(Type type, uint64_t rows, ColumnLabel label, SlotCells cells,
                       std::unique_ptr<const CellDecoder> decoder)
    : Column(std::move(type), rows, std::move(label)),
      cells_(cells.cells),
      row_stride_(cells.row_stride),
      axes_(merged(cells.axes)),
      decoder_(std::move(decoder)) {
  for (const SlotAxis& axis : axes_) slots_ *= axis.size;
  assert(is_vector() ? this->type().item() == decoder_->type() && this->type().size() == slots_
                     : this->type() == decoder_->type() && slots_ == 1);
}

template <class Visit>
void SlotColumn::each_slot(Visit visit) const {
  if (axes_.empty()) return visit(uint64_t{0}, uint64_t{0});
  const SlotAxis& inner = axes_.back();
  std::vector<uint64_t> index(axes_.size() - 1);
  uint64_t start = 0;
  for (uint64_t slot = 0; slot < slots_;) {
    for (uint64_t i = 0; i < inner.size; ++i, ++slot) visit(start + i * inner.stride, slot);
    for (size_t axis = index.size(); axis-- > 0;) {
      start += axes_[axis].stride;
      if (++index[axis] < axes_[axis].size) break;
      start -= axes_[axis].size * axes_[axis].stride;
      index[axis] = 0;
    }
  }
}

Values SlotColumn::read(RowRange rows, Arena& arena, const Context& context) const {
  const std::byte* cells = nullptr;
  if (is_packed() && row_stride_ == row_bytes()) {
    cells = window(cells_, rows.first * row_stride_, rows.rows() * row_stride_,
                   decoder_->alignment(), arena, context);
  } else {
    cells = packed_rows({{}, rows}, arena, context);
  }
  const CellOrigin origin(*this, cells_.source->name(), slots_, rows, {});
  Values items = decoder_->decode(cells, rows.rows() * slots_, origin, arena);
  return is_vector() ? vectors(std::move(items), rows.rows(), arena) : items;
}

Values SlotColumn::take(std::span<const uint64_t> rows, Arena& arena,
                        const Context& context) const {
  const std::byte* cells = packed_rows({rows, {}}, arena, context);
  const CellOrigin origin(*this, cells_.source->name(), slots_, {}, rows);
  Values items = decoder_->decode(cells, rows.size() * slots_, origin, arena);
  return is_vector() ? vectors(std::move(items), rows.size(), arena) : items;
}

// Returns copies of the cells, row after row, the slots of each in order.
std::byte* SlotColumn::packed_rows(const RowsToRead& rows, Arena& arena,
                                   const Context& context) const {
  const uint64_t count = rows.size();
  const uint64_t width = decoder_->width();
  if (row_bytes() != 0 && count > UINT64_MAX / 2 / row_bytes()) {
    fail(ErrorKind::Limit, cells_.source->name(), "column \"", name(), "\": ", count, " rows of ",
         row_bytes(), " bytes do not fit into memory");
  }
  std::byte* packed = arena.allocate(count * row_bytes());
  const std::byte* mapped = cells_.data();
  if (!is_packed() && rows.list.empty() && count > 1) {
    pack_slots(rows.range, packed, arena, context);
    return packed;
  }
  if (!is_packed() && mapped != nullptr) {
    const std::span one(&rows.range.first, rows.list.empty() ? count : 0);  // at most one row
    gather_slots(rows.list.empty() ? one : rows.list, packed, context);
    return packed;
  }
  ViewReader reader(cells_, context);
  for (uint64_t i = 0; i < count; ++i) {
    if (i % 4096 == 0) context.check_cancelled();
    if (mapped != nullptr && !rows.list.empty() && i + kPrefetchAhead < count) {
      __builtin_prefetch(mapped + rows.list[i + kPrefetchAhead] * row_stride_);
    }
    const uint64_t at = rows[i] * row_stride_;
    std::byte* to = packed + i * row_bytes();
    if (is_packed()) {
      reader.copy(at, row_bytes(), to);
    } else {
      each_slot([&](uint64_t offset, uint64_t slot) {
        reader.copy(at + offset, width, to + slot * width);
      });
    }
  }
  return packed;
}

// Copies slots that are not adjacent of mapped rows in any order.
void SlotColumn::gather_slots(std::span<const uint64_t> rows, std::byte* to,
                              const Context& context) const {
  const uint64_t width = decoder_->width();
  const uint64_t tile =
      std::clamp(kMaxTileBytes / std::max<uint64_t>(row_bytes(), 1), kRowsOfTile, kMaxListedRows);
  for (uint64_t first = 0; first < rows.size(); first += tile) {
    context.check_cancelled();
    const auto row_of = [&](uint64_t i) { return rows[first + i]; };
    each_slot([&](uint64_t offset, uint64_t slot) {
      scatter_cells(cells_.data() + offset, row_stride_, std::min(tile, rows.size() - first),
                    row_of, to + first * row_bytes() + slot * width, row_bytes(), width);
    });
  }
}

// Copies slots that are not adjacent of consecutive rows: the cells of one slot are close to each
// other from row to row.
void SlotColumn::pack_slots(RowRange rows, std::byte* to, Arena& arena,
                            const Context& context) const {
  const uint64_t width = decoder_->width();
  if (const std::byte* mapped = cells_.data()) {
    for (uint64_t first = rows.first; first < rows.last; first += kRowsOfTile) {
      context.check_cancelled();
      const uint64_t some = std::min(kRowsOfTile, rows.last - first);
      std::byte* tile = to + (first - rows.first) * row_bytes();
      each_slot([&](uint64_t offset, uint64_t slot) {
        scatter_cells(mapped + first * row_stride_ + offset, row_stride_, some, std::identity(),
                      tile + slot * width, row_bytes(), width);
      });
    }
    return;
  }
  const uint64_t bytes = (rows.rows() - 1) * row_stride_ + width;
  std::byte* cells = arena.allocate(bytes);
  each_slot([&](uint64_t offset, uint64_t slot) {
    context.check_cancelled();
    cells_.read(rows.first * row_stride_ + offset, {cells, bytes}, context);
    scatter_cells(cells, row_stride_, rows.rows(), std::identity(), to + slot * width, row_bytes(),
                  width);
  });
}

Values SlotColumn::vectors(Values items, uint64_t rows, Arena& arena) const {
  Values values(type(), rows);
  auto* lengths = arena.allocate_array<int32_t>(rows);
  std::fill_n(lengths, rows, static_cast<int32_t>(slots_));
  values.data = {reinterpret_cast<const std::byte*>(lengths), rows * sizeof *lengths};
  values.children.push_back(list_of_items(rows, slots_, std::move(items), arena));
  values.children.push_back(list_of_items(rows, 0, Values(Type::Int32, 0), arena));
  return values;
}

void SlotColumn::locate(const RowsToRead& rows, unsigned round, Prefetch& bytes,
                        const Context&) const {
  if (round != 0) return;
  if (is_packed()) return bytes.add_cells(cells_, row_bytes(), row_stride_, rows);
  const uint64_t ranges_a_slot = rows.list.empty() ? 1 : rows.list.size();
  if (slots_ > kMaxLocated / std::max<uint64_t>(ranges_a_slot, 1)) return;
  each_slot([&](uint64_t offset, uint64_t) {
    const ByteView slot{cells_.source, cells_.offset + offset, cells_.bytes - offset};
    bytes.add_cells(slot, decoder_->width(), row_stride_, rows);
  });
}

void SlotColumn::prefetch(std::span<const uint64_t> rows) const noexcept {
  prefetch_cells(cells_, row_stride_, rows);
}

}  // namespace heron::inline v0
