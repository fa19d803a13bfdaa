#include "heron/split.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/fail.h"
#include "cache/block_column.h"
#include "columns/runs.h"
#include "exec/morsel_reader.h"
#include "exec/resolved_query.h"
#include "exec/whole_read.h"
#include "filter/column_predicate.h"
#include "table/blocks.h"
#include "table/internals.h"

namespace heron::inline v0 {
namespace {

constexpr uint64_t kProbes = 4, kProbeRows = 1024;  // for estimates
constexpr uint64_t kUnknown = UINT64_MAX;
// A table of more blocks or zones is cut at every second, third .. of them.
constexpr uint64_t kMaxUnits = uint64_t{1} << 18;

// Returns the offset of a row in the characters, without the bit that marks a null.
uint64_t offset_at(const FlatCells& cells, uint64_t row, const Context& context) {
  std::byte bytes[8] = {};
  cells.cells.read(row * cells.stride, {bytes, cells.cell_bytes}, context);
  uint64_t offset = 0;
  std::memcpy(&offset, bytes, sizeof offset);
  const bool marked = cells.nulls == NullEncoding::OffsetBit;
  return marked ? offset & ~(uint64_t{1} << (cells.cell_bytes * 8 - 1)) : offset;
}

uint64_t flat_bytes(const FlatCells& cells, RowRange rows, const Context& context) {
  const uint64_t count = rows.rows();
  const uint64_t validity = cells.validity.bytes == 0 ? 0 : count / 8;
  switch (cells.kind) {
    case FlatCells::Kind::Null: return 0;
    case FlatCells::Kind::Bits: return count / 8 + validity;
    case FlatCells::Kind::Bytes: return count + validity;
    case FlatCells::Kind::Fixed: return count * cells.cell_bytes + validity;
    case FlatCells::Kind::Text: break;
  }
  const uint64_t first = offset_at(cells, rows.first, context);
  const uint64_t last = offset_at(cells, rows.last, context);
  const bool damaged = first > last || last > cells.characters.bytes;  // its reader reports it
  return count * cells.cell_bytes + validity + (damaged ? 0 : last - first);
}

// Returns the stored bytes of blocks, each counted by its share of rows that are in the range.
uint64_t block_bytes(const BlockColumn& column, RowRange rows, const Context& context) {
  uint64_t bytes = 0;
  for (RowRange some = rows; some.first < rows.last; some.first = some.last) {
    const uint64_t block = column.block_of(some.first);
    const uint64_t begin = block * column.block_rows();
    const uint64_t in_block = std::min(column.block_rows(), column.rows() - begin);
    some.last = std::min(begin + in_block, rows.last);
    const uint64_t stored = column.stored_bytes(block, context);
    bytes += static_cast<uint64_t>(static_cast<double>(stored) * static_cast<double>(some.rows()) /
                                   static_cast<double>(in_block));
  }
  return bytes;
}

bool stores_nothing(const Column& column) {
  return column.type().is(Type::Null) || column.unreadable() != nullptr;
}

// Returns kUnknown if the format does not report the bytes.
uint64_t column_bytes(const Column& column, RowRange rows, const Context& context) {
  if (stores_nothing(column)) return 0;
  if (const BlockColumn* blocks = column.blocks()) return block_bytes(*blocks, rows, context);
  const std::optional<FlatCells> flat = column.flat();
  return flat ? flat_bytes(*flat, rows, context) : kUnknown;
}

class Cutter {
 public:
  Cutter(const SelectedBy& selected, Projection columns, const Context& context)
      : table_(*selected.table), columns_(std::move(columns)), context_(context) {
    if (!selected.where) return;
    if (selected.is_whole()) check_whole_read(table_, selected.where->columns(), context);
    input_.emplace(selected, context);
    find_share();
  }

  // The rows of the query as units that are not cut: whole zones, blocks, groups.
  std::vector<Split> units(RowRange range) const {
    std::vector<Split> all;
    if (!input_) {
      const uint64_t unit_rows = unit_rows_of(range);
      for (RowRange rows = range; rows.first < range.last; rows.first = rows.last) {
        const uint64_t left = unit_rows - rows.first % unit_rows;
        rows.last = left < range.last - rows.first ? rows.first + left : range.last;
        all.push_back({rows, 0, rows.rows(), rows.rows(), rows.rows()});
      }
      return all;
    }
    const Filter& filter = *input_->filter();
    if (filter.morsels().size() > kMaxMorsels) {
      fail(ErrorKind::Limit, bytes_of(table_).name(), "splits by a predicate: expected at most ",
           kMaxMorsels, " zones to look at, got ", filter.morsels().size());
    }
    for (uint64_t i = 0; i < filter.morsels().size(); ++i) {
      const Morsel morsel = filter.morsels()[i];
      const PruneResult found = filter.decide(morsel, context_);
      if (found == PruneResult::None) continue;
      const uint64_t rows = morsel.rows.rows();
      const bool is_all = found == PruneResult::All;
      all.push_back({{morsel.first_row, morsel.first_row + rows},
                     0,
                     is_all ? rows : 0,
                     rows,
                     is_all ? rows : static_cast<uint64_t>(share_ * static_cast<double>(rows))});
    }
    return all;
  }

  uint64_t bytes_of_rows(RowRange rows) const {
    uint64_t bytes = 0, unknown = 0;
    for (const Column* column : internals(columns_).columns()) {
      const uint64_t known = column_bytes(*column, rows, context_);
      known == kUnknown ? ++unknown : bytes += known;
    }
    if (unknown == 0 || table_.rows() == 0) return bytes;
    const double file = static_cast<double>(bytes_of(table_).size()) *
                        static_cast<double>(unknown) / static_cast<double>(table_.column_count());
    return bytes + static_cast<uint64_t>(file * static_cast<double>(rows.rows()) /
                                         static_cast<double>(table_.rows()));
  }

 private:
  static constexpr uint64_t kMaxMorsels = uint64_t{1} << 24;

  // The rows of a unit: whole blocks; all rows if nothing is stored of them, which may be any
  // number.
  uint64_t unit_rows_of(RowRange range) const {
    const auto columns = internals(columns_).columns();
    if (std::all_of(columns.begin(), columns.end(),
                    [](const Column* column) { return stores_nothing(*column); })) {
      return std::max<uint64_t>(range.last, 1);
    }
    const uint64_t block_rows = block_rows_of(table_, columns_.indices());
    return block_rows * (1 + range.rows() / block_rows / kMaxUnits);
  }

  // Estimates the share of rows that pass, by testing a few rows that zones do not decide.
  void find_share() {
    const Filter& filter = *input_->filter();
    const uint64_t count = filter.morsels().size();
    ReadState state(context_, nullptr, input_->skip_damaged());
    uint64_t tested = 0, passed = 0;
    for (uint64_t probe = 0; probe < std::min(kProbes, count); ++probe) {
      Morsel morsel = filter.morsels()[count * (2 * probe + 1) / (2 * std::min(kProbes, count))];
      if (filter.decide(morsel, context_) != PruneResult::Some) continue;
      morsel.rows.last = std::min(morsel.rows.last, morsel.rows.first + kProbeRows);
      passed += MorselReader(*input_, morsel, state, context_).count();
      tested += morsel.rows.rows();
    }
    share_ = tested == 0 ? 0.5 : static_cast<double>(passed) / static_cast<double>(tested);
  }

  const Table& table_;
  const Projection columns_;
  const Context& context_;
  std::optional<Input> input_;
  double share_ = 1;
};

// Moves ends of units that follow each other to the end of the group that has the last row.
void end_with_groups(const Table& table, std::vector<Split>& units) {
  const Runs* groups = internals(table).groups();
  if (groups == nullptr || groups->size() == 0) return;
  for (uint64_t i = 0; i + 1 < units.size(); ++i) {
    RowRange& rows = units[i].rows;
    RowRange& next = units[i + 1].rows;
    if (rows.rows() == 0 || rows.last != next.first) continue;
    const uint64_t end = std::min((*groups)[groups->run_of(rows.last - 1)].last, next.last);
    const uint64_t moved = end - rows.last;
    if (moved == 0) continue;
    rows.last = next.first = end;
    const uint64_t least = std::min(moved, units[i + 1].min_rows);
    const uint64_t estimate = std::min(moved, units[i + 1].estimated_rows);
    units[i].max_rows += moved;
    units[i].estimated_rows += estimate;
    units[i + 1].max_rows -= moved;
    units[i + 1].min_rows -= least;
    units[i + 1].estimated_rows -= estimate;
  }
  std::erase_if(units, [](const Split& unit) { return unit.rows.rows() == 0; });
}

}  // namespace

std::vector<Split> splits(const Query& original, uint64_t target_bytes, const Context& context) {
  const Query query = extended(original);
  const SelectedBy selected(query, {.call = "splits", .columns = true});
  const Table& table = *selected.table;
  return unless_changed(bytes_of(table), [&] {
    const Cutter cutter(selected, query.columns.of(selected.table), context);
    std::vector<Split> units = cutter.units(selected.range);
    end_with_groups(table, units);
    std::vector<Split> all;
    for (const Split& unit : units) {
      context.check_cancelled();
      const uint64_t bytes = cutter.bytes_of_rows(unit.rows);
      const bool follows = !all.empty() && all.back().rows.last == unit.rows.first;
      if (!follows || all.back().bytes >= target_bytes) {
        all.push_back({{unit.rows.first, unit.rows.first}, 0, 0, 0, 0});
      }
      Split& last = all.back();
      last.rows.last = unit.rows.last;
      last.bytes += bytes;
      last.min_rows += unit.min_rows;
      last.max_rows += unit.max_rows;
      last.estimated_rows += unit.estimated_rows;
    }
    table.check_unchanged();
    return all;
  });
}

}  // namespace heron::inline v0
