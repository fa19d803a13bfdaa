#include "arrow_ipc/list_view_column.h"

#include <algorithm>
#include <numeric>

#include "base/fail.h"
#include "bytes/view_reader.h"
#include "columns/prefetch.h"
#include "values/gather.h"
#include "values/validity.h"

namespace heron::inline v0::arrow_ipc {
namespace {

// Views may share items, and items of type null take no bytes, so that a small file can claim any
// number of them.
constexpr uint64_t kMaxTimes = 1024, kItemsAnyway = uint64_t{1} << 20;

}  // namespace

// `offsets` and `sizes` do not change. Lists that follow each other, as they mostly do, are read in
// one piece.
template <class Number, class RowNumber>
void ListViewColumn::add_items(Values& values, const Number* offsets, const Number* sizes,
                               RowNumber row_number, Arena& arena, const Context& context) const {
  const uint64_t stored = items_->rows();
  const uint64_t counted = items_->type().is(Type::Null) ? 0 : stored;
  const uint64_t most = std::min(counted, UINT64_MAX / 2 / kMaxTimes) * kMaxTimes + kItemsAnyway;
  auto* ends = arena.allocate_array<int64_t>(values.rows + 1);
  uint64_t total = 0, first = 0;
  bool is_one_piece = true;
  ends[0] = 0;
  for (uint64_t i = 0; i < values.rows; ++i) {
    const auto offset = static_cast<uint64_t>(offsets[i]);
    const uint64_t size = values.is_null(i) ? 0 : static_cast<uint64_t>(sizes[i]);
    if (size != 0 && (size > stored || offset > stored - size)) {
      fail(ErrorKind::Corrupt, offsets_.source->name(), "column \"", name(), "\" row ",
           row_number(i), ": expected a view of ", stored, " items, got ", sizes[i], " at ",
           offsets[i]);
    }
    if (size > most - total) {
      fail(ErrorKind::Limit, offsets_.source->name(), "column \"", name(),
           "\": these rows together have more than ", most, " items; read fewer rows at once");
    }
    if (total == 0) first = offset;
    is_one_piece &= size == 0 || offset == first + total;
    total += size;
    ends[i + 1] = static_cast<int64_t>(total);
  }
  values.offsets = {reinterpret_cast<const std::byte*>(ends), (values.rows + 1) * sizeof(int64_t)};
  if (is_one_piece) {
    if (total == 0) first = 0;
    values.children.push_back(items_->read({first, first + total}, arena, context));
    return;
  }
  auto* items = arena.allocate_array<uint64_t>(total);
  for (uint64_t i = 0; i < values.rows; ++i) {
    std::iota(items + ends[i], items + ends[i + 1], static_cast<uint64_t>(offsets[i]));
  }
  values.children.push_back(items_->take({items, total}, arena, context));
}

template <class RowNumber>
void ListViewColumn::add_items_of(Values& values, const std::byte* offsets, const std::byte* sizes,
                                  RowNumber row_number, Arena& arena,
                                  const Context& context) const {
  const auto add = [&]<class Number>(const Number* first) {
    add_items(values, first, reinterpret_cast<const Number*>(sizes), row_number, arena, context);
  };
  width_ == sizeof(int32_t) ? add(reinterpret_cast<const int32_t*>(offsets))
                            : add(reinterpret_cast<const int64_t*>(offsets));
}

Values ListViewColumn::read(RowRange rows, Arena& arena, const Context& context) const {
  Values values(type(), rows.rows());
  if (validity_.has_nulls) {
    set_validity(values, read_bits(validity_.bits, rows, arena, context));
  }
  const uint64_t at = rows.first * width_, bytes = rows.rows() * width_;
  add_items_of(
      values, own_window(offsets_, at, bytes, width_, arena, context),
      own_window(sizes_, at, bytes, width_, arena, context),
      [&](uint64_t i) { return rows.first + i; }, arena, context);
  return values;
}

Values ListViewColumn::take(std::span<const uint64_t> rows, Arena& arena,
                            const Context& context) const {
  Values values(type(), rows.size());
  if (validity_.has_nulls) {
    set_validity(values, take_bits(validity_.bits, rows, arena, context));
  }
  std::byte* offsets = arena.allocate(rows.size() * width_);
  std::byte* sizes = arena.allocate(rows.size() * width_);
  gather(offsets_, width_, width_, rows, offsets, context);
  gather(sizes_, width_, width_, rows, sizes, context);
  add_items_of(
      values, offsets, sizes, [&](uint64_t i) { return rows[i]; }, arena, context);
  return values;
}

// Where the items of rows are is known only when their views were read.
void ListViewColumn::locate(const RowsToRead& rows, unsigned round, Prefetch& bytes,
                            const Context&) const {
  if (round != 0) return;
  bytes.add_cells(offsets_, width_, width_, rows);
  bytes.add_cells(sizes_, width_, width_, rows);
  if (validity_.has_nulls) bytes.add_bits(validity_.bits, rows);
}

}  // namespace heron::inline v0::arrow_ipc
