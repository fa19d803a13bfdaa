#include "exec/input.h"

#include <algorithm>

#include "columns/prefetch.h"
#include "exec/whole_read.h"
#include "format/table_source.h"
#include "skip/zone_map.h"
#include "table/internals.h"
#include "table/many_files.h"

namespace heron::inline v0 {
namespace {

// Returns the rows of a morsel: those of a zone or of a larger block, which is decoded for one
// morsel. If rows are stored together, a morsel has no more than some MB, so that the decoded
// blocks are in memory while all columns are read.
uint64_t morsel_rows(const Table& table) {
  constexpr uint64_t kMaximum = uint64_t{1} << 20, kBytes = uint64_t{4} << 20;
  if (internals(table).source().stores_rows()) {
    const uint64_t row_bytes = bytes_of(table).size() / std::max<uint64_t>(table.rows(), 1) + 1;
    return std::clamp(kBytes / row_bytes / kChunkRows * kChunkRows, kChunkRows, kZoneRows);
  }
  return std::clamp(table.block_rows(), kZoneRows, kMaximum);
}

}  // namespace

Input::Input(const SelectedBy& query, const Context& context, uint64_t numbered_from)
    : table_(query.table), metrics_(query.metrics), skip_damaged_(query.skip_damaged) {
  const auto& where = query.where;
  const RowRange range = query.range;
  if (where) {
    tested_table_ = where->table().get();
    filter_.emplace(*where, range, context, metrics_, skip_damaged_ == nullptr, numbered_from);
    tested_.assign(where->columns().begin(), where->columns().end());
    check_stored(*tested_table_, tested_, filter_->morsels().rows());
    return;
  }
  for (const Fragment& fragment : internals(*table_).fragments()) {
    const uint64_t first = fragment.first_row, last = first + fragment.table->rows();
    all_.add_fragment(
        numbered_from + first,
        {std::clamp(range.first, first, last) - first, std::clamp(range.last, first, last) - first},
        morsel_rows(*fragment.table));
  }
}

Input::Position Input::position(const Morsel& morsel, uint64_t column) const {
  if (spans_files(*table_, column)) return {table_.get(), morsel.first_row};
  if (filter_ && &filter_->table_of(morsel) == tested_table_)
    return {table_.get(), morsel.rows.first};
  return {internals(*table_).fragments()[morsel.fragment].table, morsel.rows.first};
}

void Input::locate(const Morsel& morsel, std::span<const uint64_t> columns, unsigned round,
                   Prefetch& bytes, const Context& context) const {
  if (filter_) return filter_->locate(morsel, round, bytes, context);
  for (const uint64_t index : columns) {
    const auto [table, first] = position(morsel, index);
    internals(*table).column(index).locate({{}, {first, first + morsel.rows.rows()}}, round, bytes,
                                           context);
  }
}

bool Input::tests(uint64_t column) const {
  return std::binary_search(tested_.begin(), tested_.end(), column);
}

void Input::mark_read(std::span<const uint64_t> columns) const {
  if (metrics_ == nullptr) return;
  for (const uint64_t column : columns) {
    if (tests(column)) {
      filter_->mark_read(column);
    } else {
      ++metrics_->columns;
    }
  }
}

}  // namespace heron::inline v0
