#include "exec/morsel_reader.h"

#include <algorithm>
#include <numeric>

#include "columns/row_bits.h"
#include "exec/skip_damaged.h"
#include "readahead/readahead.h"
#include "table/blocks.h"
#include "table/internals.h"

namespace heron::inline v0 {

uint64_t MorselReader::count() {
  if (!count_) {
    const Filter* filter = input_.filter();
    if (filter == nullptr) {
      count_ = morsel_.rows.rows();
    } else if (skipped() == nullptr) {
      count_ = filter->count(morsel_, state_.filter);
    } else {
      selected();
    }
  }
  return *count_;
}

std::optional<std::span<const uint64_t>> MorselReader::selected() {
  if (!bits_ && input_.filter() != nullptr) {
    select();
  }
  return bits_;
}

// Selects rows of the morsel; block by block if any of its rows is damaged.
void MorselReader::select() {
  const Filter& filter = *input_.filter();
  const Table& table = filter.table_of(morsel_);
  const bool readable = unless_damaged(0, bytes_of(table), skipped(),
                                       [&] { filter.select(morsel_, state_.filter); });
  if (!readable) {
    own_bits_.assign(bit_words(morsel_.rows.rows()), 0);
    for_blocks(morsel_.rows, block_rows_of(table, input_.tested()), [&](RowRange rows) {
      const uint64_t at = rows.first - morsel_.rows.first;
      const Morsel block{morsel_.fragment, rows, morsel_.first_row + at};
      if (unless_damaged(rows.rows(), bytes_of(table), skipped(),
                         [&] { filter.select(block, state_.filter); })) {
        replace_bits(own_bits_, at, at + rows.rows(), state_.filter.selected());
      }
    });
  }
  bits_ = readable ? state_.filter.selected() : own_bits_;
  count_ = readable ? state_.filter.count() : count_bits(own_bits_);
}

void MorselReader::narrow(std::span<const uint64_t> bits) {
  const auto before = selected();
  std::vector<uint64_t> both(bits.begin(), bits.end());
  for (uint64_t i = 0; before && i < both.size(); ++i) both[i] &= (*before)[i];
  own_bits_ = std::move(both);
  bits_ = own_bits_;
  count_ = count_bits(own_bits_);
}

void MorselReader::append_rows(std::vector<uint64_t>& rows) {
  const auto bits = selected();
  if (!bits) {
    const uint64_t at = rows.size();
    rows.resize(at + morsel_.rows.rows());
    std::iota(rows.begin() + static_cast<ptrdiff_t>(at), rows.end(), morsel_.first_row);
  } else {
    append_set_bits(*bits, morsel_.first_row, *count_, rows);
  }
}

void MorselReader::add_bytes_selected(uint64_t bytes) {
  if (QueryMetrics* metrics = input_.metrics()) {
    metrics->bytes_selected.fetch_add(bytes, std::memory_order_relaxed);
  }
}

// Prefetches the pages of the selected rows or, if they are many, all pages of the morsel.
void MorselReader::prefetch_selected(uint64_t index, std::span<const uint64_t> bits) const {
  constexpr uint64_t kSparseRatio = 16;
  const auto [table, first] = position(index);
  const Readahead* readahead = readahead_of(index);
  if (*count_ == 0 || !RowsAhead::may_prefetch(bytes_of(*table), readahead)) return;
  const uint64_t count = morsel_.rows.rows();
  std::vector<uint64_t> rows;
  if (*count_ * kSparseRatio < count) append_set_bits(bits, first, *count_, rows);
  const Column* columns[] = {&internals(*table).column(index)};
  RowsAhead({bytes_of(*table), columns}, {rows, {first, first + count}}, context_, {readahead})
      .before(0);
}

uint64_t MorselReader::for_chunks(uint64_t index, bool whole,
                                  const std::function<uint64_t(const SelectedChunk&)>& work) {
  const auto selected_rows = selected();
  const auto [table, first] = position(index);
  const Column& column = internals(*table).column(index);
  // In a chunk over several blocks, damage in one block would lose the rows of the others.
  const uint64_t block_rows =
      skipped() == nullptr ? UINT64_MAX : block_rows_of(*table, {&index, 1});
  const uint64_t rows = morsel_.rows.rows();
  const uint64_t most =
      whole && !selected_rows && skipped() == nullptr ? UINT64_MAX : kChunkRows;
  if (selected_rows) prefetch_selected(index, *selected_rows);
  uint64_t bytes = 0, left_out = 0;
  std::vector<uint64_t> bits;
  for (uint64_t at = 0; at < rows;) {
    const uint64_t first_row = morsel_.first_row + at;
    const uint64_t rest = std::min(rows - at, most - first_row % most);
    const uint64_t count = end_of_block(first + at, first + at + rest, block_rows) - first - at;
    uint64_t kept = count;
    if (selected_rows) {
      extract_bits(*selected_rows, at, at + count, bits);
      kept = count_bits(bits);
    }
    const SelectedChunk chunk{column,
                              {first + at, first + at + count},
                              first_row,
                              kept,
                              kept == count ? std::span<const uint64_t>() : bits};
    at += count;
    if (kept == 0) continue;
    state_.arena.reset();
    const bool readable =
        unless_damaged(kept, bytes_of(*input_.table()), skipped(), [&] { bytes += work(chunk); });
    if (!readable) left_out += kept;
  }
  add_bytes_selected(bytes);
  return left_out;
}

}  // namespace heron::inline v0
