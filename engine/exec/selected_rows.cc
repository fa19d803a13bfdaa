#include "exec/selected_rows.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "columns/column.h"
#include "dataset/blocks.h"
#include "dataset/skip_damaged.h"
#include "filter/row_bits.h"
#include "values/values_bytes.h"

namespace heron::inline v0 {
namespace {

// The set bits from `first` on, as distances from it.
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

SelectedRowsReader::SelectedRowsReader(const Input& input, std::span<const uint64_t> columns)
    : input_(input), columns_(columns), numbers_(kMostRows) {
  std::iota(numbers_.begin(), numbers_.end(), 0U);
}

void SelectedRowsReader::for_each(MorselReader& morsel, Arena& arena,
                                  const std::function<void(SelectedRows&&)>& work) const {
  const Table& table = *input_.table();
  const uint64_t first = morsel.morsel().first_row;
  const auto selected = morsel.selected();
  const bool skips = morsel.context().skip_damaged != nullptr;
  const uint64_t most = skips ? std::min(block_rows_of(table, columns_), kMostRows) : kMostRows;
  std::vector<uint64_t> words;
  for_blocks({first, first + morsel.morsel().rows.rows()}, most, [&](RowRange stretch) {
    SelectedRows rows;
    rows.first_row = stretch.first;
    rows.offsets = first_numbers(stretch.rows());
    if (selected) {
      rows.offsets =
          distances(*selected, {stretch.first - first, stretch.last - first}, words, arena);
    }
    if (rows.offsets.empty()) return;
    const bool readable =
        unless_damaged(rows.offsets.size(), *table.bytes(), morsel.context(),
                       [&] { read(rows, stretch.rows(), arena, morsel.context()); });
    if (readable) work(std::move(rows));
  });
}

void SelectedRowsReader::read(SelectedRows& rows, uint64_t count, Arena& arena,
                              const Context& context) const {
  constexpr uint64_t kFewOf = 16;
  const bool few = rows.offsets.size() * kFewOf < count;
  std::vector<uint64_t> in_table;
  if (few) {
    for (const uint32_t offset : rows.offsets) in_table.push_back(rows.first_row + offset);
  }
  uint64_t bytes = 0;
  rows.columns.clear();
  for (const uint64_t index : columns_) {
    const Column& column = input_.table()->column(index);
    rows.columns.push_back(
        few ? column.take(in_table, arena, context)
            : column.read({rows.first_row, rows.first_row + count}, arena, context));
    bytes += bytes_of(rows.columns.back());
  }
  rows.rows = few ? first_numbers(rows.offsets.size()) : rows.offsets;
  if (QueryMetrics* metrics = input_.metrics()) {
    metrics->bytes_kept.fetch_add(bytes, std::memory_order_relaxed);
  }
}

}  // namespace heron::inline v0
