#include "columns/concat_column.h"

#include <algorithm>

#include "columns/prefetch.h"
#include "values/assemble.h"
#include "values/rows_by_part.h"

namespace heron::inline v0 {

ConcatColumn::ConcatColumn(Type type, uint64_t rows, ColumnLabel label, Parts parts,
                           std::shared_ptr<const Runs> runs)
    : Column(std::move(type), rows, std::move(label)),
      parts_(std::move(parts)),
      runs_(std::move(runs)),
      nullable_(std::any_of(parts_.begin(), parts_.end(),
                            [](const auto& part) { return part->nullable(); })) {}

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

Values ConcatColumn::take(std::span<const uint64_t> rows, Arena& arena,
                          const Context& context) const {
  auto* part_of = arena.allocate_array<uint32_t>(rows.size());
  for (uint64_t i = 0; i < rows.size(); ++i) {
    part_of[i] = static_cast<uint32_t>(runs_->run_of(rows[i]));
  }
  const RowsByPart by_part({part_of, rows.size()}, parts_.size(), arena);
  auto* within = arena.allocate_array<uint64_t>(rows.size());
  std::vector<Values> pieces;
  for (uint64_t k = 0; k < by_part.size(); ++k) {
    const uint64_t begin = (*runs_)[by_part.part(k)].first;
    uint64_t count = 0;
    for (const uint32_t index : by_part.indices(k)) within[count++] = rows[index] - begin;
    pieces.push_back(parts_[by_part.part(k)]->take({within, count}, arena, context));
  }
  return by_part.restore(type(), pieces);
}

void ConcatColumn::locate(const RowsToRead& rows, unsigned round, Prefetch& bytes,
                          const Context& context) const {
  if (rows.size() == 0) return;
  if (rows.list.empty()) {
    uint64_t part = runs_->run_of(rows.range.first);
    for (uint64_t row = rows.range.first; row < rows.range.last; ++part) {
      const RowRange covered = (*runs_)[part];
      const uint64_t end = std::min(covered.last, rows.range.last);
      if (end == row) continue;
      const RowRange within{row - covered.first, end - covered.first};
      parts_[part]->locate({{}, within}, round, bytes, context);
      row = end;
    }
    return;
  }
  std::vector<uint64_t> sorted(rows.list.begin(), rows.list.end());
  std::sort(sorted.begin(), sorted.end());
  for (auto from = sorted.begin(); from != sorted.end();) {
    const uint64_t part = runs_->run_of(*from);
    const RowRange covered = (*runs_)[part];
    const auto end = std::lower_bound(from, sorted.end(), covered.last);
    std::for_each(from, end, [&](uint64_t& row) { row -= covered.first; });
    parts_[part]->locate({{from, end}, {}}, round, bytes, context);
    from = end;
  }
}

}  // namespace heron::inline v0
