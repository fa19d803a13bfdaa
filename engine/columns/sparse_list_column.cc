#include "columns/sparse_list_column.h"

#include <array>
#include <cassert>
#include <numeric>

#include "base/fail.h"
#include "columns/prefetch.h"
#include "values/cells.h"
#include "values/gather.h"

namespace heron::inline v0 {
namespace {

constexpr uint64_t kWidth = sizeof(int32_t);  // bytes of a length, count or position

std::string_view file_of(const SparseCells& cells) {
  for (const ByteView& view : {cells.counts, cells.lengths, cells.indices}) {
    if (view.source != nullptr) return view.source->name();
  }
  return {};
}

// One number per row, from the view or, if the view is empty, one number for all rows.
class RowNumbers {
 public:
  RowNumbers(const ByteView& view, int64_t otherwise, Arena& arena, const Context& context)
      : otherwise_(otherwise) {
    if (view.bytes != 0) cells_ = window(view, 0, view.bytes, 1, arena, context);
  }
  int64_t operator[](uint64_t row) const noexcept {
    return cells_ == nullptr ? otherwise_ : load_cell<int32_t>(cells_, row);
  }

 private:
  const std::byte* cells_ = nullptr;
  int64_t otherwise_;
};

// Calls visit(items, positions) with the valid numbers of items and positions that each row stores.
template <class Visit>
void visit_rows(uint64_t rows, std::string_view column, const SparseCells& cells,
                const Context& context, Visit&& visit) {
  assert(cells.lengths.bytes == (cells.length == 0 ? rows * kWidth : 0));
  assert(cells.counts.bytes == 0 || cells.counts.bytes == rows * kWidth);
  auto fail_row = [&](uint64_t row, const char* what, const ByteView& view, auto... expected_got) {
    fail(ErrorKind::Corrupt, file_of(cells), "column \"", column, "\": row ", row, ": ", what,
         " at byte ", view.offset + row * kWidth, ": expected ", expected_got...);
  };
  Arena arena(context.memory);
  const RowNumbers lengths(cells.lengths, static_cast<int64_t>(cells.length), arena, context);
  const RowNumbers counts(cells.counts, -1, arena, context);
  for (uint64_t row = 0; row < rows; ++row) {
    const int64_t length = lengths[row];
    const int64_t count = counts[row];
    if (length < 0) fail_row(row, "length", cells.lengths, "0 or more, got ", length);
    if (count < -1 || (count != -1 && count >= length)) {
      fail_row(row, "count", cells.counts, "-1 or less than its length ", length, ", got ", count);
    }
    const bool dense = count == -1;
    visit(static_cast<uint64_t>(dense ? length : count), static_cast<uint64_t>(dense ? 0 : count));
  }
}

const std::byte* repeat(uint64_t length, uint64_t rows, Arena& arena) {
  auto* lengths = arena.allocate_array<int32_t>(rows);
  std::fill_n(lengths, rows, static_cast<int32_t>(length));
  return reinterpret_cast<const std::byte*>(lengths);
}

Values list_of(std::span<const int64_t> offsets, Values items) {
  Values list(Type::list(items.type, true), offsets.size() - 1);
  list.offsets = {reinterpret_cast<const std::byte*>(offsets.data()), offsets.size_bytes()};
  list.children.push_back(std::move(items));
  return list;
}

Values positions_of(const std::byte* positions, uint64_t count) {
  Values values(Type::Int32, count);
  values.data = {positions, count * kWidth};
  return values;
}

}  // namespace

SparseListColumn::SparseListColumn(Type type, uint64_t rows, ColumnLabel label,
                                   const SparseCells& cells, ColumnPtr items,
                                   const Context& context)
    : Column(std::move(type), rows, std::move(label)), cells_(cells), items_(std::move(items)) {
  assert(this->type().item() == items_->type());
  for ([[maybe_unused]] const ByteView& view : {cells_.lengths, cells_.counts, cells_.indices}) {
    assert(view.bytes == 0 || !view.source->may_change());
  }
  const uint64_t stored = stored_items(context);
  if (stored != items_->rows()) {
    fail(ErrorKind::Corrupt, file_of(cells_), "column \"", name(), "\": expected ", stored,
         " items, which its rows store together, got ", items_->rows());
  }
  // Sparse rows store fewer items than their length, so equal sums mean that all rows are dense.
  const bool same = cells_.length != 0 && stored == rows * cells_.length;
  if (same) {
    item_starts_.stride = cells_.length;
  } else {
    sum_rows(context);
  }
  const uint64_t positions = cells_.indices.bytes / kWidth;
  if (position_starts_[rows] != positions) {
    fail(ErrorKind::Corrupt, file_of(cells_), "column \"", name(), "\": indices at byte ",
         cells_.indices.offset, ": expected ", position_starts_[rows],
         ", the sum of the counts, got ", positions);
  }
  if (positions != 0) check_positions(context);
}

uint64_t SparseListColumn::stored_items(const Context& context) const {
  if (cells_.length != 0 && cells_.counts.bytes == 0) return rows() * cells_.length;
  uint64_t total = 0;
  visit_rows(rows(), name(), cells_, context, [&](uint64_t items, uint64_t) { total += items; });
  return total;
}

void SparseListColumn::sum_rows(const Context& context) {
  std::vector<uint64_t> items = {0};
  std::vector<uint64_t> positions = {0};
  items.reserve(rows() + 1);
  positions.reserve(rows() + 1);
  visit_rows(rows(), name(), cells_, context, [&](uint64_t more_items, uint64_t more_positions) {
    items.push_back(items.back() + more_items);
    positions.push_back(positions.back() + more_positions);
  });
  item_starts_.sums = std::move(items);
  if (positions.back() != 0) position_starts_.sums = std::move(positions);
}

void SparseListColumn::check_positions(const Context& context) const {
  Arena arena(context.memory);
  const RowNumbers lengths(cells_.lengths, static_cast<int64_t>(cells_.length), arena, context);
  const std::byte* positions = window(cells_.indices, 0, cells_.indices.bytes, 1, arena, context);
  for (uint64_t row = 0; row < rows(); ++row) {
    const int64_t length = lengths[row];
    int64_t last = -1;
    for (uint64_t i = position_starts_[row]; i < position_starts_[row + 1]; ++i) {
      const int64_t position = load_cell<int32_t>(positions, i);
      if (position <= last || position >= length) {
        fail(ErrorKind::Corrupt, file_of(cells_), "column \"", name(), "\": row ", row,
             ": index at byte ", cells_.indices.offset + i * kWidth, ": expected more than ", last,
             " and less than its length ", length, ", got ", position);
      }
      last = position;
    }
  }
}

Values SparseListColumn::read(RowRange rows, Arena& arena, const Context& context) const {
  const auto row_of = [&](uint64_t i) { return rows.first + i; };
  const RowRange items{item_starts_[rows.first], item_starts_[rows.last]};
  const RowRange positions{position_starts_[rows.first], position_starts_[rows.last]};
  Values values(type(), rows.rows());
  values.data = {read_lengths(rows, arena, context), rows.rows() * kWidth};
  values.children.push_back(list_of(list_offsets(rows.rows(), row_of, item_starts_, arena),
                                    items_->read(items, arena, context)));
  const std::byte* stored = positions.rows() == 0
                                ? nullptr
                                : window(cells_.indices, positions.first * kWidth,
                                         positions.rows() * kWidth, kWidth, arena, context);
  values.children.push_back(list_of(list_offsets(rows.rows(), row_of, position_starts_, arena),
                                    positions_of(stored, positions.rows())));
  return values;
}

Values SparseListColumn::take(std::span<const uint64_t> rows, Arena& arena,
                              const Context& context) const {
  const auto row_of = [&](uint64_t i) { return rows[i]; };
  Values values(type(), rows.size());
  values.data = {take_lengths(rows, arena, context), rows.size() * kWidth};
  const auto items = list_offsets(rows.size(), row_of, item_starts_, arena);
  values.children.push_back(list_of(items, take_items(rows, items, arena, context)));
  const auto positions = list_offsets(rows.size(), row_of, position_starts_, arena);
  values.children.push_back(list_of(positions, take_positions(rows, positions, arena, context)));
  return values;
}

// Row i of `count` rows is row_of(i). No sum wraps: fewer than 2^33 rows have fewer than 2^31 items
// each.
template <class RowOf>
std::span<const int64_t> SparseListColumn::list_offsets(uint64_t count, RowOf row_of,
                                                        const Starts& starts, Arena& arena) {
  auto* offsets = arena.allocate_array<int64_t>(count + 1);
  offsets[0] = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t row = row_of(i);
    offsets[i + 1] = offsets[i] + static_cast<int64_t>(starts[row + 1] - starts[row]);
  }
  return {offsets, count + 1};
}

const std::byte* SparseListColumn::read_lengths(RowRange rows, Arena& arena,
                                                const Context& context) const {
  if (one_length()) return repeat(cells_.length, rows.rows(), arena);
  return window(cells_.lengths, rows.first * kWidth, rows.rows() * kWidth, kWidth, arena, context);
}

const std::byte* SparseListColumn::take_lengths(std::span<const uint64_t> rows, Arena& arena,
                                                const Context& context) const {
  if (one_length()) return repeat(cells_.length, rows.size(), arena);
  std::byte* lengths = arena.allocate(rows.size() * kWidth);
  gather(cells_.lengths, kWidth, kWidth, rows, lengths, context);
  return lengths;
}

Values SparseListColumn::take_items(std::span<const uint64_t> rows,
                                    std::span<const int64_t> offsets, Arena& arena,
                                    const Context& context) const {
  if (item_starts_.sums.empty()) {
    return items_->take_vectors(rows, item_starts_.stride, arena, context);
  }
  const auto total = static_cast<uint64_t>(offsets.back());
  uint64_t* items = arena.allocate_array<uint64_t>(total);
  for (uint64_t i = 0; i < rows.size(); ++i) {
    std::iota(items + offsets[i], items + offsets[i + 1], item_starts_[rows[i]]);
  }
  return items_->take({items, total}, arena, context);
}

Values SparseListColumn::take_positions(std::span<const uint64_t> rows,
                                        std::span<const int64_t> offsets, Arena& arena,
                                        const Context& context) const {
  const auto total = static_cast<uint64_t>(offsets.back());
  std::byte* positions = arena.allocate(total * kWidth);
  ViewReader reader(cells_.indices, context);
  for (uint64_t i = 0; i < rows.size() && total != 0; ++i) {
    const auto bytes = static_cast<uint64_t>(offsets[i + 1] - offsets[i]) * kWidth;
    if (bytes != 0) {
      reader.copy(position_starts_[rows[i]] * kWidth, bytes,
                  positions + static_cast<uint64_t>(offsets[i]) * kWidth);
    }
  }
  return positions_of(positions, total);
}

// Adds the items only: codecs hold lengths, counts and indices in memory.
void SparseListColumn::locate(const RowsToRead& rows, unsigned round, Prefetch& bytes,
                              const Context& context) const {
  const auto items = [&](RowRange of) {
    return RowsToRead{{}, {item_starts_[of.first], item_starts_[of.last]}};
  };
  if (rows.list.empty()) return items_->locate(items(rows.range), round, bytes, context);
  for (const uint64_t row : rows.list) {
    items_->locate(items({row, row + 1}), round, bytes, context);
  }
}

// Prefetches the first item of each row, some rows at a time: callers pass few rows, and later
// items are adjacent.
void SparseListColumn::prefetch(std::span<const uint64_t> rows) const noexcept {
  std::array<uint64_t, 64> firsts;
  while (!rows.empty()) {
    uint64_t count = 0;
    const auto some = rows.first(std::min(rows.size(), firsts.size()));
    for (const uint64_t row : some) {
      if (item_starts_[row] != item_starts_[row + 1]) firsts[count++] = item_starts_[row];
    }
    items_->prefetch({firsts.data(), count});
    rows = rows.subspan(some.size());
  }
}

}  // namespace heron::inline v0
