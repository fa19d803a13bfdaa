#include "exec/selected_rows.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "columns/column.h"
#include "columns/row_bits.h"
#include "exec/skip_damaged.h"
#include "readahead/readahead.h"
#include "table/blocks.h"
#include "table/internals.h"
#include "values/values_bytes.h"

namespace heron::inline v0 {
namespace {

// Returns the set bits of the range, as distances from its first row.
std::span<const uint32_t> distances(std::span<const uint64_t> bits, RowRange range,
                                    std::vector<uint64_t>& words, Arena& arena) {
  extract_bits(bits, range.first, range.last, words);
  auto* set = arena.allocate_array<uint32_t>(range.rows());
  uint64_t count = 0;
  for (uint64_t i = 0; i < words.size(); ++i) {
    for (uint64_t word = words[i]; word != 0; word &= word - 1) {
      set[count++] = static_cast<uint32_t>(i * 64 + static_cast<uint64_t>(std::countr_zero(word)));
    }
  }
  return {set, count};
}

}  // namespace

SelectedRowsReader::SelectedRowsReader(const Input& input, std::span<const uint64_t> columns,
                                       std::span<const uint64_t> coded)
    : input_(input), columns_(columns), coded_(coded), numbers_(kMaxRows) {
  std::iota(numbers_.begin(), numbers_.end(), 0U);
}

void SelectedRowsReader::for_each(MorselReader& morsel, Arena& arena,
                                  const std::function<void(SelectedRows&&)>& work) const {
  const Table& table = *input_.table();
  const uint64_t first = morsel.morsel().first_row;
  const auto selected = morsel.selected();
  const bool skips = morsel.skipped() != nullptr;
  const uint64_t most = skips ? std::min(block_rows_of(table, columns_), kMaxRows) : kMaxRows;
  std::vector<uint64_t> words;
  for_blocks({first, first + morsel.morsel().rows.rows()}, most, [&](RowRange part) {
    SelectedRows rows;
    rows.first_row = part.first;
    rows.offsets = first_numbers(part.rows());
    if (selected) {
      rows.offsets = distances(*selected, {part.first - first, part.last - first}, words, arena);
    }
    if (rows.offsets.empty()) return;
    const bool readable = unless_damaged(rows.offsets.size(), bytes_of(table), morsel.skipped(),
                                         [&] { read(rows, part.rows(), morsel, arena); });
    if (readable) work(std::move(rows));
  });
}

void SelectedRowsReader::read(SelectedRows& rows, uint64_t count, const MorselReader& morsel,
                              Arena& arena) const {
  constexpr uint64_t kSparseRatio = 16;
  // A computed value may be an error, so none is computed for a row that is not selected.
  const bool is_computed = std::ranges::any_of(columns_, [this](uint64_t index) {
    return !internals(*input_.table()).column(index).inputs().empty();
  });
  const uint64_t selected = rows.offsets.size();
  const bool few = selected * kSparseRatio < count || (is_computed && selected != count);
  std::vector<uint64_t> in_table;
  if (few) {
    for (const uint32_t offset : rows.offsets) in_table.push_back(rows.first_row + offset);
  }
  const RowRange all{rows.first_row, rows.first_row + count};
  const Context& context = morsel.context();
  std::vector<const Column*> columns;
  for (const uint64_t index : columns_) {
    columns.push_back(&internals(*input_.table()).column(index));
  }
  ItemOf item{nullptr, input_.filter() == nullptr};  // without a filter, morsels are prefetched
  for (const uint64_t column : columns_) {
    item.readahead = morsel.readahead_of(column);
    if (item.readahead == nullptr) break;
  }
  RowsAhead ahead({bytes_of(*input_.table()), columns},
                  few ? RowsToRead{in_table, {}} : RowsToRead{{}, all}, context, item);
  uint64_t bytes = 0;
  rows.columns.clear();
  rows.dictionaries.clear();
  for (uint64_t i = 0; i < columns.size(); ++i) {
    const Column& column = *columns[i];
    ahead.before(i);
    auto codes = few ? std::nullopt : codes_of(columns_[i], all, morsel, arena);
    rows.dictionaries.push_back(codes ? codes->dictionary : nullptr);
    rows.columns.push_back(codes ? std::move(codes->codes)
                           : few ? column.take(in_table, arena, context)
                                 : column.read(all, arena, context));
    bytes += bytes_of(rows.columns.back());
  }
  rows.rows = few ? first_numbers(rows.offsets.size()) : rows.offsets;
  if (QueryMetrics* metrics = input_.metrics()) {
    metrics->bytes_selected.fetch_add(bytes, std::memory_order_relaxed);
  }
}

// Reads codes from the column of the file, as each file has its own dictionary.
std::optional<ColumnCodes> SelectedRowsReader::codes_of(uint64_t column, RowRange rows,
                                                        const MorselReader& morsel,
                                                        Arena& arena) const {
  if (std::find(coded_.begin(), coded_.end(), column) == coded_.end()) return std::nullopt;
  const Input::Position position = morsel.position(column);
  const uint64_t first = position.first_row + rows.first - morsel.morsel().first_row;
  return internals(*position.table)
      .column(column)
      .codes({first, first + rows.rows()}, arena, morsel.context());
}

}  // namespace heron::inline v0
