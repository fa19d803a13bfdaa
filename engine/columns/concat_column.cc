#include "columns/concat_column.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "columns/assemble.h"

namespace heron::inline v0 {
namespace {

void scatter(const std::byte* from, uint32_t width, std::span<const uint32_t> places,
             std::byte* to) {
  for (const uint32_t place : places) {
    std::memcpy(to + uint64_t{place} * width, from, width);
    from += width;
  }
}

// The positions of the rows in order of their parts: counted where there are many rows, else
// sorted.
const uint32_t* order_by_part(const uint32_t* part_of, uint64_t count, uint64_t parts,
                              Arena& arena) {
  auto* order = arena.allocate_array<uint32_t>(count);
  if (parts > count) {
    std::iota(order, order + count, 0);
    std::sort(order, order + count,
              [part_of](uint32_t a, uint32_t b) { return part_of[a] < part_of[b]; });
    return order;
  }
  auto* next = arena.allocate_array<uint32_t>(parts + 1);  // where a part's next position goes
  std::fill_n(next, parts + 1, 0);
  for (uint64_t i = 0; i < count; ++i) ++next[part_of[i] + 1];
  std::partial_sum(next, next + parts, next);
  for (uint64_t i = 0; i < count; ++i) order[next[part_of[i]]++] = static_cast<uint32_t>(i);
  return order;
}

// Where in `order` each position is.
const uint32_t* inverse(const uint32_t* order, uint64_t count, Arena& arena) {
  auto* place = arena.allocate_array<uint32_t>(count);
  for (uint64_t i = 0; i < count; ++i) place[order[i]] = static_cast<uint32_t>(i);
  return place;
}

}  // namespace

ConcatColumn::ConcatColumn(Type type, uint64_t rows, ColumnLabel label,
                           std::vector<ColumnPtr> parts, std::shared_ptr<const Runs> runs)
    : Column(std::move(type), rows, std::move(label)),
      parts_(std::move(parts)),
      runs_(std::move(runs)),
      nullable_(std::any_of(parts_.begin(), parts_.end(),
                            [](const ColumnPtr& part) { return part->nullable(); })) {}

Values ConcatColumn::read(RowRange rows, Arena& arena, const Context& context) const {
  std::vector<Values> pieces;
  for (uint64_t part = rows.rows() == 0 ? 0 : runs_->run_of(rows.first); rows.rows() != 0; ++part) {
    const RowRange covered = (*runs_)[part];
    const uint64_t end = std::min(covered.last, rows.last);
    if (end == rows.first) continue;
    const RowRange within{rows.first - covered.first, end - covered.first};
    pieces.push_back(parts_[part]->read(within, arena, context));
    rows.first = end;
  }
  return concatenate(type(), pieces, arena);
}

// Rows are sorted by part, those of a part taken together, and the answers put where they belong.
Values ConcatColumn::take(std::span<const uint64_t> rows, Arena& arena,
                          const Context& context) const {
  const uint64_t count = rows.size();
  auto* part_of = arena.allocate_array<uint32_t>(count);
  for (uint64_t i = 0; i < count; ++i) part_of[i] = static_cast<uint32_t>(runs_->run_of(rows[i]));
  const uint32_t* order = order_by_part(part_of, count, parts_.size(), arena);

  const bool only_cells = type().width() != 0 && !type().is(Type::Key) && !nullable_;
  Values values(type(), count);
  std::byte* cells = arena.allocate(count * type().width());
  values.data = {cells, count * type().width()};
  std::vector<Values> pieces;
  auto* within = arena.allocate_array<uint64_t>(count);
  for (uint64_t i = 0; i < count;) {
    const uint32_t part = part_of[order[i]];
    const uint64_t begin = (*runs_)[part].first;
    const uint64_t first = i;
    for (; i < count && part_of[order[i]] == part; ++i) within[i] = rows[order[i]] - begin;
    Values some = parts_[part]->take({within + first, i - first}, arena, context);
    if (only_cells) {
      scatter(some.data.data, type().width(), {order + first, i - first}, cells);
    } else {
      pieces.push_back(std::move(some));
    }
  }
  if (only_cells) return values;
  return pick(concatenate(type(), pieces, arena), {inverse(order, count, arena), count}, arena);
}

}  // namespace heron::inline v0
