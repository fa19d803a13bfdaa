#include "columns/concat_column.h"

#include <algorithm>
#include <cstring>

#include "columns/order_by_part.h"

namespace heron::inline v0 {
namespace {

void scatter(const std::byte* from, uint32_t width, std::span<const uint32_t> places,
             std::byte* to) {
  for (const uint32_t place : places) {
    std::memcpy(to + uint64_t{place} * width, from, width);
    from += width;
  }
}

}  // namespace

Values ConcatColumn::read(RowRange rows, Arena& arena, const Context& context) const {
  Values values(type(), rows.rows());
  if (rows.rows() == 0) return values;
  const uint64_t first_part = runs_->run_of(rows.first);
  const RowRange first_rows = (*runs_)[first_part];
  if (rows.last <= first_rows.last) {
    return parts_[first_part]->read({rows.first - first_rows.first, rows.last - first_rows.first},
                                    arena, context);
  }
  const uint32_t width = type().width();
  std::byte* cells = arena.allocate(rows.rows() * width);
  values.data = {cells, rows.rows() * width};
  uint64_t row = rows.first;
  for (uint64_t part = first_part; row < rows.last; ++part) {
    const RowRange covered = (*runs_)[part];
    const uint64_t end = std::min(covered.last, rows.last);
    if (end == row) continue;
    const RowRange within{row - covered.first, end - covered.first};
    const Values some = parts_[part]->read(within, arena, context);
    std::memcpy(cells, some.data.data, some.data.bytes);
    cells += some.data.bytes;
    row = end;
  }
  return values;
}

// Rows are sorted by part, those of a part taken together, and the answers put where they belong.
Values ConcatColumn::take(std::span<const uint64_t> rows, Arena& arena,
                          const Context& context) const {
  const uint64_t count = rows.size();
  auto* part_of = arena.allocate_array<uint32_t>(count);
  for (uint64_t i = 0; i < count; ++i) part_of[i] = static_cast<uint32_t>(runs_->run_of(rows[i]));
  const uint32_t* order = order_by_part(part_of, count, parts_.size(), arena);

  const uint32_t width = type().width();
  std::byte* cells = arena.allocate(count * width);
  auto* within = arena.allocate_array<uint64_t>(count);
  for (uint64_t i = 0; i < count;) {
    const uint32_t part = part_of[order[i]];
    const uint64_t begin = (*runs_)[part].first;
    const uint64_t first = i;
    for (; i < count && part_of[order[i]] == part; ++i) within[i] = rows[order[i]] - begin;
    const Values some = parts_[part]->take({within + first, i - first}, arena, context);
    scatter(some.data.data, width, {order + first, i - first}, cells);
  }
  Values values(type(), count);
  values.data = {cells, count * width};
  return values;
}

}  // namespace heron::inline v0
