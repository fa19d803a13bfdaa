#include "aggregate/aggregate_rows.h"

#include <algorithm>
#include <bit>

#include "aggregate/sum_order.h"
#include "rows/batch.h"
#include "values/cells.h"

namespace heron::inline v0 {
namespace {

using States = std::span<AggregateState* const>;

// If a chunk has fewer selected rows than one in this many, they are taken one by one.
constexpr uint64_t kSparseRatio = 16;

// Computed numbers are aggregated while they are in the nearest cache.
constexpr uint64_t kComputedRows = 1024;

static_assert(kChunkRows == kSumBlockRows && kChunkRows % kComputedRows == 0);

// Returns whether cells are used: only for a single state, because several states need the values
// anyway.
bool take_cells(States states) {
  return states.size() == 1 && states[0]->takes_cells();
}

// Takes the selected rows. Returns the bytes of their values.
uint64_t take_rows(const SelectedChunk& chunk, States states, Arena& arena,
                   const Context& context) {
  std::vector<uint64_t> in_column, in_table;
  for (uint64_t i = 0; i < chunk.bits.size(); ++i) {
    for (uint64_t word = chunk.bits[i]; word != 0; word &= word - 1) {
      const uint64_t row = i * 64 + static_cast<uint64_t>(std::countr_zero(word));
      in_column.push_back(chunk.rows.first + row);
      in_table.push_back(chunk.first_row + row);
    }
  }
  const Values values = chunk.column.take(in_column, arena, context);
  const RowIds row_ids{0, in_table};
  for (AggregateState* state : states) state->update_block({values, row_ids, nullptr, arena});
  return bytes_of(values);
}

uint64_t read_rows(const SelectedChunk& chunk, States states, Arena& arena,
                   const Context& context) {
  const uint64_t* selected = chunk.bits.empty() ? nullptr : chunk.bits.data();
  if (take_cells(states) && chunk.column.inputs().empty()) {
    const ColumnChunk stored = chunk.column.chunk(chunk.rows, arena, context);
    if (stored.cells && states[0]->update_cells({*stored.cells, chunk.first_row, selected,
                                                 chunk.count, arena, context})) {
      return stored.bytes;
    }
  }
  if (std::all_of(states.begin(), states.end(),
                  [](const AggregateState* state) { return state->ignores_repeats(); })) {
    if (const auto codes = chunk.column.codes(chunk.rows, arena, context)) {
      const RowIds row_ids{chunk.first_row, {}};
      for (AggregateState* state : states) {
        state->update_codes({*codes, row_ids, selected, arena, context});
      }
      return bytes_of(codes->codes);
    }
  }
  uint64_t bytes = 0;
  if (!chunk.column.inputs().empty()) {
    const uint64_t block_rows = has_number_cells(chunk.column.type()) ? kComputedRows : kChunkRows;
    const uint64_t to_block_end = block_rows - chunk.first_row % block_rows;
    chunk.column.read_blocks(
        chunk.rows, to_block_end, block_rows, context,
        [&](RowRange rows, const Values& values, Arena& block_arena) {
          const RowIds row_ids{chunk.first_row + (rows.first - chunk.rows.first), {}};
          for (AggregateState* state : states) {
            state->update_block({values, row_ids, nullptr, block_arena});
          }
          bytes += bytes_of(values);
        });
    return bytes;
  }
  for (uint64_t first = 0; first < chunk.rows.rows(); first += kChunkRows) {
    const uint64_t row = chunk.rows.first + first;
    const Values values =
        chunk.column.read({row, std::min(row + kChunkRows, chunk.rows.last)}, arena, context);
    const RowIds row_ids{chunk.first_row + first, {}};
    for (AggregateState* state : states) state->update_block({values, row_ids, selected, arena});
    bytes += bytes_of(values);
  }
  return bytes;
}

// Returns whether large chunks are faster: cells are then used in place, or copied at once.
// Computed columns read blocks of a large chunk into memory that these share.
bool is_contiguous(const Column& column, States states) {
  if (!column.inputs().empty()) return true;
  if (!take_cells(states) || column.blocks() != nullptr) return false;
  const std::optional<FlatCells> flat = column.flat();
  return flat && flat->kind == FlatCells::Kind::Fixed && flat->packed() &&
         flat->dictionary == nullptr && !has_bitmap(flat->nulls);
}

}  // namespace

uint64_t aggregate_rows(MorselReader& morsel, uint64_t column,
                        std::span<AggregateState* const> states) {
  const bool at_once =
      is_contiguous(internals(*morsel.position(column).table).column(column), states);
  return morsel.for_chunks(column, at_once, [&](const SelectedChunk& chunk) {
    // A computed value may be an error, so none is computed for a row that is not selected.
    const bool is_computed = !chunk.column.inputs().empty();
    const bool few =
        chunk.count * kSparseRatio < chunk.rows.rows() || (is_computed && !chunk.bits.empty());
    return few ? take_rows(chunk, states, morsel.arena(), morsel.context())
               : read_rows(chunk, states, morsel.arena(), morsel.context());
  });
}

}  // namespace heron::inline v0
