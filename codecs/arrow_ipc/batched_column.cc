#include "arrow_ipc/batched_column.h"

#include <algorithm>

#include "columns/column_chunk.h"
#include "columns/prefetch.h"
#include "values/assemble.h"
#include "values/rows_by_part.h"

namespace heron::inline v0::arrow_ipc {

void BatchedColumn::keep(BlockSlots::Pin pin, Arena& arena) const {
  const bool outside = pin.is_outside();
  std::shared_ptr<const void> kept = slots_->keep(std::move(pin));
  outside ? arena.keep_for_next(std::move(kept)) : arena.keep(std::move(kept));
}

Values BatchedColumn::read(RowRange rows, Arena& arena, const Context& context) const {
  if (rows.rows() == 0) return concatenate(type(), {}, arena);
  std::vector<Values> pieces;
  std::vector<BlockSlots::Pin> pins;
  for (uint64_t batch = runs_->run_of(rows.first); rows.rows() != 0; ++batch) {
    context.check_cancelled();
    const RowRange covered = (*runs_)[batch];
    const uint64_t end = std::min(covered.last, rows.last);
    pins.push_back(pin(batch, BlockUse::Scan, context));
    pieces.push_back(pins.back()->column->read({rows.first - covered.first, end - covered.first},
                                               arena, context));
    rows.first = end;
  }
  // The next rows may be in the last batch, too.
  if (pins.size() == 1 || pins.back().is_outside()) keep(std::move(pins.back()), arena);
  return concatenate(type(), pieces, arena);
}

Values BatchedColumn::take(std::span<const uint64_t> rows, Arena& arena,
                           const Context& context) const {
  if (rows.empty()) return concatenate(type(), {}, arena);
  if (rows.size() == 1) {
    const uint64_t batch = runs_->run_of(rows[0]);
    const uint64_t within = rows[0] - (*runs_)[batch].first;
    BlockSlots::Pin block = pin(batch, BlockUse::Take, context);
    Values value = block->column->take({&within, 1}, arena, context);
    if (block.is_outside()) keep(std::move(block), arena);
    return value;
  }
  auto* part_of = arena.allocate_array<uint32_t>(rows.size());
  for (uint64_t i = 0; i < rows.size(); ++i) {
    part_of[i] = static_cast<uint32_t>(runs_->run_of(rows[i]));
  }
  const auto [least, most] = std::minmax_element(part_of, part_of + rows.size());
  const uint32_t first = *least;
  const uint64_t parts = uint64_t{*most} - first + 1;
  for (uint64_t i = 0; i < rows.size(); ++i) part_of[i] -= first;
  const RowsByPart by_batch({part_of, rows.size()}, parts, arena);
  auto* within = arena.allocate_array<uint64_t>(rows.size());
  std::vector<Values> pieces;
  for (uint64_t k = 0; k < by_batch.size(); ++k) {
    context.check_cancelled();
    const uint64_t batch = first + by_batch.part(k);
    const uint64_t begin = (*runs_)[batch].first;
    uint64_t count = 0;
    for (const uint32_t index : by_batch.indices(k)) within[count++] = rows[index] - begin;
    BlockSlots::Pin block = pin(batch, BlockUse::Take, context);
    pieces.push_back(block->column->take({within, count}, arena, context));
    if (k + 1 == by_batch.size() && block.is_outside()) keep(std::move(block), arena);
  }
  return by_batch.restore(type(), pieces);
}

ColumnChunk BatchedColumn::chunk(RowRange rows, Arena& arena, const Context& context) const {
  const uint64_t batch = runs_->run_of(rows.first);
  const RowRange covered = (*runs_)[batch];
  if (rows.last > covered.last) return Column::chunk(rows, arena, context);
  BlockSlots::Pin block = pin(batch, BlockUse::Scan, context);
  ColumnChunk chunk =
      block->column->chunk({rows.first - covered.first, rows.last - covered.first}, arena, context);
  chunk.rows = rows;
  keep(std::move(block), arena);
  return chunk;
}

std::optional<ColumnCodes> BatchedColumn::codes(RowRange rows, Arena& arena,
                                                const Context& context) const {
  const uint64_t batch = runs_->run_of(rows.first);
  const RowRange covered = (*runs_)[batch];
  if (rows.last > covered.last) return std::nullopt;
  BlockSlots::Pin block = pin(batch, BlockUse::Scan, context);
  auto codes =
      block->column->codes({rows.first - covered.first, rows.last - covered.first}, arena, context);
  keep(std::move(block), arena);
  return codes;
}

void BatchedColumn::locate(const RowsToRead& rows, unsigned round, Prefetch& bytes,
                           const Context& context) const {
  if (rows.size() == 0) return;
  if (rows.list.empty()) {
    uint64_t batch = runs_->run_of(rows.range.first);
    for (uint64_t first = rows.range.first; first < rows.range.last; ++batch) {
      const RowRange all = (*runs_)[batch];
      const uint64_t end = std::min(all.last, rows.range.last);
      const RowRange within{first - all.first, end - all.first};
      slots_->locate(batch, all.rows(), {{}, within}, round, bytes, context);
      first = end;
    }
    return;
  }
  std::vector<uint64_t> sorted(rows.list.begin(), rows.list.end());
  std::sort(sorted.begin(), sorted.end());
  for (auto from = sorted.begin(); from != sorted.end();) {
    const uint64_t batch = runs_->run_of(*from);
    const RowRange all = (*runs_)[batch];
    const auto end = std::lower_bound(from, sorted.end(), all.last);
    std::for_each(from, end, [&](uint64_t& row) { row -= all.first; });
    slots_->locate(batch, all.rows(), {{from, end}, {}}, round, bytes, context);
    from = end;
  }
}

void BatchedColumn::prefetch(std::span<const uint64_t> rows) const noexcept {
  for (const uint64_t row : rows) {
    const uint64_t batch = runs_->run_of(row);
    if (const auto block = slots_->pin_if_cached(batch, BlockUse::Take)) {
      const uint64_t within = row - (*runs_)[batch].first;
      block->column->prefetch({&within, 1});
    }
  }
}

}  // namespace heron::inline v0::arrow_ipc
