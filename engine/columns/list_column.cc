#include "columns/list_column.h"

#include <numeric>

#include "base/fail.h"
#include "columns/prefetch.h"
#include "columns/row_list.h"

namespace heron::inline v0 {
namespace {

OffsetCells limited(OffsetCells offsets, const Column& items) {
  offsets.limit = items.rows();
  return offsets;
}

// Items of type null take no bytes in the file, so a few bytes can claim any number of them.
constexpr uint64_t kMaxNullItems = 1 << 20;

bool has_items_under_nulls(const Values& lists) {
  if (lists.null_count == 0) return false;
  for (uint64_t row = 0; row < lists.rows; ++row) {
    if (lists.is_null(row) && lists.extent(row) != lists.extent(row + 1)) return true;
  }
  return false;
}

}  // namespace

ListColumn::ListColumn(uint64_t rows, ColumnLabel label, OffsetCells offsets, ColumnPtr items)
    : Column(Type::list(items->type(), offsets.width == 8), rows, std::move(label)),
      items_(std::move(items)),
      offsets_(limited(offsets, *items_), *this, "items") {}

Values ListColumn::read(RowRange rows, Arena& arena, const Context& context) const {
  Values values(type(), rows.rows());
  RowRange extent;
  // Items under a null list may be damaged, so they are never read.
  if (!offsets_.read(values, rows, true, extent, arena, context) || has_items_under_nulls(values)) {
    return take(list_rows(rows, arena), arena, context);
  }
  check_count(extent.rows());
  values.children.push_back(items_->read(extent, arena, context));
  return values;
}

Values ListColumn::take(std::span<const uint64_t> rows, Arena& arena,
                        const Context& context) const {
  Values values(type(), rows.size());
  const Extents extents = offsets_.take(values, rows, arena, arena, context);
  check_count(extents.total);
  uint64_t* items = arena.allocate_array<uint64_t>(extents.total);
  uint64_t* next = items;
  for (uint64_t i = 0; i < rows.size(); ++i) {
    std::iota(next, next + extents.lengths[i], extents.starts[i]);
    next += extents.lengths[i];
  }
  values.children.push_back(items_->take({items, extents.total}, arena, context));
  return values;
}

void ListColumn::locate(const RowsToRead& rows, unsigned round, Prefetch& bytes,
                        const Context& context) const {
  if (round == 0) return offsets_.locate(rows, bytes);
  if (rows.list.empty()) {
    items_->locate({{}, offsets_.extent_of(rows.range, context)}, round - 1, bytes, context);
    return;
  }
  for (const uint64_t row : rows.list) {
    items_->locate({{}, offsets_.extent_of({row, row + 1}, context)}, round - 1, bytes, context);
  }
}

void ListColumn::check_count(uint64_t items) const {
  if (items_->type().is(Type::Null) && items > kMaxNullItems) {
    fail(ErrorKind::Limit, offsets_.cells().cells.source->name(), "column \"", name(),
         "\": lists of null with ", items, " items in one batch; the limit is ", kMaxNullItems);
  }
}

}  // namespace heron::inline v0
