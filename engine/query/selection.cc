#include "query/selection.h"

#include <algorithm>

#include "dataset/blocks.h"
#include "dataset/many_files.h"
#include "dataset/skip_damaged.h"
#include "filter/row_bits.h"
#include "query/batch.h"
#include "query/sum_order.h"
#include "skip/zone_map.h"

namespace heron::inline v0 {
namespace {

// Of a block, fewer are taken one by one.
constexpr uint64_t kFewOf = 16;

}  // namespace

Selection::Selection(std::shared_ptr<const Table> table, const std::optional<Predicate>& where,
                     const Context& context, QueryCounters* counters)
    : table_(std::move(table)), counters_(counters) {
  if (where) {
    if (where->table() != table_) {
      fail(ErrorKind::Argument, table_->bytes()->name(), "the condition is of another table");
    }
    filter_.emplace(*where, RowRange{0, table_->rows()}, context, counters);
    tested_.assign(where->columns().begin(), where->columns().end());
    first_units_.push_back(filter_->unit_count());
    return;
  }
  const uint64_t parts = std::max<uint64_t>(table_->parts().size(), 1);
  for (uint64_t i = 0; i < parts; ++i) {
    first_units_.push_back(first_units_.back() + blocks_of(part(i).rows(), kZoneRows));
  }
}

FilterUnit Selection::unit(uint64_t i) const noexcept {
  if (filter_) return filter_->unit(i);
  const auto after = std::upper_bound(first_units_.begin(), first_units_.end(), i);
  const auto at = static_cast<uint64_t>(after - first_units_.begin()) - 1;
  const uint64_t first = (i - first_units_[at]) * kZoneRows;
  const uint64_t rows = std::min(part(at).rows() - first, kZoneRows);
  return {at, {first, first + rows}, part_first(at) + first};
}

std::optional<std::span<const uint64_t>> Selection::select(const FilterUnit& unit,
                                                           FilterRoom& room) const {
  if (!filter_) return std::nullopt;
  filter_->select(unit, room);
  return room.selected();
}

uint64_t Selection::gather(const FilterUnit& unit, std::optional<std::span<const uint64_t>> rows,
                           uint64_t index, Gathered& gathered, Arena& arena,
                           const Context& context) const {
  const bool of_all = counts_on(*table_, index);
  const Table& part_of = filter_ ? filter_->table_of(unit) : part(unit.part);
  const Column& column = (of_all ? *table_ : part_of).column(index);
  const uint64_t first = of_all ? unit.first_row : unit.rows.first;
  // Of a piece over several blocks, damage in one would cost the others.
  const uint64_t block_rows = context.skip_damaged == nullptr
                                  ? UINT64_MAX
                                  : block_rows_of(of_all ? *table_ : part_of, {&index, 1});
  uint64_t bytes = 0, skipped = 0;
  std::vector<uint64_t> bits;
  for (uint64_t at = 0; at < unit.rows.rows();) {
    const uint64_t place = unit.first_row + at;
    const uint64_t rest = std::min(unit.rows.rows() - at, kSumBlockRows - place % kSumBlockRows);
    const uint64_t count = end_of_block(first + at, first + at + rest, block_rows) - first - at;
    uint64_t kept = count;
    if (rows) {
      extract_bits(*rows, at, at + count, bits);
      kept = count_bits(bits);
    }
    const Piece piece{column, {first + at, first + at + count}, place, kept, bits};
    at += count;
    if (kept == 0) continue;
    arena.reset();
    const bool readable = unless_damaged(kept, *table_->bytes(), context, [&] {
      bytes += gather_piece(piece, gathered, arena, context);
    });
    if (!readable) skipped += kept;
  }
  if (counters_ != nullptr) counters_->bytes_kept.fetch_add(bytes, std::memory_order_relaxed);
  return skipped;
}

// Gives the bytes of its values.
uint64_t Selection::gather_piece(const Piece& piece, Gathered& gathered, Arena& arena,
                                 const Context& context) {
  const uint64_t count = piece.rows.rows();
  if (piece.kept * kFewOf >= count) {
    const uint64_t* selected = piece.kept == count ? nullptr : piece.bits.data();
    if (gathered.takes_cells()) {
      const ColumnChunk stored = read_chunk(piece.column, piece.rows, arena, context);
      if (stored.cells &&
          gathered.add_cells(*stored.cells, {piece.place, {}}, selected, piece.kept)) {
        return stored.bytes;
      }
    }
    const Values values = piece.column.read(piece.rows, arena, context);
    gathered.add(values, {piece.place, {}}, selected, arena);
    return bytes_of(values);
  }
  std::vector<uint64_t> in_part, in_table;
  for (uint64_t i = 0; i < piece.bits.size(); ++i) {
    for (uint64_t word = piece.bits[i]; word != 0; word &= word - 1) {
      const uint64_t row = i * 64 + static_cast<uint64_t>(std::countr_zero(word));
      in_part.push_back(piece.rows.first + row);
      in_table.push_back(piece.place + row);
    }
  }
  const Values values = piece.column.take(in_part, arena, context);
  gathered.add(values, {0, in_table}, nullptr, arena);
  return bytes_of(values);
}

void Selection::mark_read(std::span<const uint64_t> columns) const {
  if (counters_ == nullptr) return;
  for (const uint64_t column : columns) {
    if (std::binary_search(tested_.begin(), tested_.end(), column)) {
      filter_->mark_read(column);
    } else {
      ++counters_->columns;
    }
  }
}

}  // namespace heron::inline v0
