#include "query/aggregate_rows.h"

#include <bit>

#include "query/batch.h"
#include "query/sum_order.h"

namespace heron::inline v0 {
namespace {

// Of a chunk, fewer are taken one by one.
constexpr uint64_t kFewOf = 16;

static_assert(kChunkRows == kSumBlockRows);

// Gives the bytes of the values.
uint64_t take_rows(const SelectedChunk& chunk, AggregateState& state, Arena& arena,
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
  state.add(values, {0, in_table}, nullptr, arena);
  return bytes_of(values);
}

uint64_t read_rows(const SelectedChunk& chunk, AggregateState& state, Arena& arena,
                   const Context& context) {
  const uint64_t* selected = chunk.bits.empty() ? nullptr : chunk.bits.data();
  const RowIds rows{chunk.first_row, {}};
  if (state.takes_cells()) {
    const ColumnChunk stored = chunk.column.chunk(chunk.rows, arena, context);
    if (stored.cells && state.add_cells(*stored.cells, rows, selected, chunk.count)) {
      return stored.bytes;
    }
  }
  const Values values = chunk.column.read(chunk.rows, arena, context);
  state.add(values, rows, selected, arena);
  return bytes_of(values);
}

}  // namespace

uint64_t aggregate_rows(MorselReader& morsel, uint64_t column, AggregateState& state) {
  return morsel.for_chunks(column, [&](const SelectedChunk& chunk) {
    const bool few = chunk.count * kFewOf < chunk.rows.rows();
    return few ? take_rows(chunk, state, morsel.arena(), morsel.context())
               : read_rows(chunk, state, morsel.arena(), morsel.context());
  });
}

}  // namespace heron::inline v0
