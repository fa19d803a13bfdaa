#include "heron/take.h"

#include <algorithm>
#include <map>

#include "base/fail.h"
#include "base/parallel.h"
#include "exec/skip_damaged.h"
#include "exec/whole_read.h"
#include "readahead/readahead.h"
#include "rows/batch.h"
#include "rows/row_columns.h"
#include "table/check_rows.h"
#include "table/internals.h"

namespace heron::inline v0 {
namespace {

void prefetch(const ColumnsToRead& columns, std::span<const uint64_t> rows) {
  if (columns.layout != nullptr) return prefetch_rows(*columns.layout, columns.indices, rows);
  for (const Column* column : columns.columns) column->prefetch(rows);
}

// Returns whether each column is read by a thread of its own: if many rows make up for its start,
// and nothing waits for blocks, which threads decode already, or pages, which are prefetched column
// by column.
bool by_threads(std::span<const Column* const> columns, uint64_t rows, const RowsAhead& ahead,
                const Context& context) {
  constexpr uint64_t kMinRows = uint64_t{1} << 14;
  return context.threads != 1 && columns.size() > 1 && rows >= kMinRows &&
         !ahead.prefetches() &&
         std::none_of(columns.begin(), columns.end(),
                      [](const Column* column) { return blocks_behind(*column) != nullptr; });
}

// Reads each column into memory of its own, which the arena keeps.
std::vector<Values> read_by_threads(std::span<const Column* const> columns, const RowsToRead& rows,
                                    Arena& arena, const Context& context) {
  std::vector<Values> values(columns.size());
  std::vector<std::shared_ptr<Arena>> memory(columns.size());
  parallel_for(columns.size(), context, [&](uint64_t i, const Context& one_thread) {
    memory[i] = std::make_shared<Arena>(context.memory);
    values[i] = rows.list.empty() ? columns[i]->read(rows.range, *memory[i], one_thread)
                                  : columns[i]->take(rows.list, *memory[i], one_thread);
    one_thread.step(rows.size(), rows.size());
  });
  for (std::shared_ptr<Arena>& of_column : memory) arena.keep(std::move(of_column));
  return values;
}

// Returns whether all of the source may be decoded for one query.
bool may_decode_all(const ByteSource& bytes) {
  try {
    bytes.check_whole_read();
    return true;
  } catch (const Error&) {
    return false;
  }
}

// Where each byte depends on those before it, to read rows is to decode all bytes before the
// farthest: it is read first, so that max_decode limits them together, not the way from row to row.
void check_farthest(const Projection& columns, std::span<const uint64_t> rows,
                    const Context& context) {
  if (rows.size() < 2 || may_decode_all(bytes_of(columns))) return;
  Context quiet = context;  // progress of this row would look like that of all rows
  quiet.progress = nullptr;
  RowBatch farthest;
  take(columns, {*std::max_element(rows.begin(), rows.end())}, farthest, quiet);
}

}  // namespace

void read_rows(const Projection& columns, const RowsToRead& rows, RowBatch& batch,
               const Context& context, const Readahead* readahead) {
  unless_changed(bytes_of(columns), [&] {
    const ColumnsToRead all(columns);
    RowsAhead ahead(all, rows, context, {readahead, readahead != nullptr});
    ahead.prefetch(0);
    const bool takes = !rows.list.empty();
    if (takes && rows.size() <= kMaxSmallBatch) prefetch(all, rows.list);
    Arena& arena = begin_batch(batch, columns, context);  // while cells are on their way
    if (all.layout != nullptr) {
      takes ? take_rows(*all.layout, all.indices, rows.list, arena, context, batch.columns)
            : read_rows(*all.layout, all.indices, rows.range, arena, context, batch.columns);
    } else if (by_threads(all.columns, rows.size(), ahead, context)) {
      batch.columns = read_by_threads(all.columns, rows, arena, context);
    } else {
      for (uint64_t i = 0; i < all.columns.size(); ++i) {
        takes ? context.step(i * rows.size(), all.columns.size() * rows.size())
              : context.check_cancelled();
        ahead.before(i);
        batch.columns.push_back(takes ? all.columns[i]->take(rows.list, arena, context)
                                      : all.columns[i]->read(rows.range, arena, context));
      }
    }
    check_answer(all.bytes, rows.size());
    batch.rows = rows.size();
  });
}

void take(const Projection& columns, std::span<const uint64_t> rows, RowBatch& batch,
          const Context& context) {
  check_rows(*internals(columns).table(), rows);
  check_farthest(columns, rows, context);
  read_rows(columns, {rows, {}}, batch, context);
}

RowBatch take(const Projection& columns, std::span<const uint64_t> rows, const Context& context) {
  RowBatch batch;
  take(columns, rows, batch, context);
  return batch;
}

void take_readable(const Projection& columns, std::vector<uint64_t>& rows, RowBatch& batch,
                   SkippedRows* skipped, const Context& context) {
  const ByteSource& bytes = bytes_of(columns);
  if (unless_damaged(0, bytes, skipped, [&] { take(columns, rows, batch, context); })) return;
  // Damage is found block by block, a decoding each; without blocks, a row costs next to nothing.
  const bool in_blocks =
      std::any_of(internals(columns).columns().begin(), internals(columns).columns().end(),
                  [](const Column* column) { return blocks_behind(*column) != nullptr; });
  const uint64_t block_rows = in_blocks ? columns.block_rows() : 1;
  std::map<uint64_t, std::vector<uint64_t>> blocks;
  for (const uint64_t row : rows) blocks[row / block_rows].push_back(row);
  std::erase_if(blocks, [&](const auto& block) {
    return unless_damaged(block.second.size(), bytes, skipped,
                          [&] { take(columns, block.second, batch, context); });
  });
  std::erase_if(rows, [&](uint64_t row) { return blocks.contains(row / block_rows); });
  take(columns, rows, batch, context);
}

void read(const Projection& columns, RowRange rows, RowBatch& batch, const Context& context) {
  check_rows(*internals(columns).table(), rows);
  check_stored(*internals(columns).table(), columns.indices(), rows.rows());
  read_rows(columns, {{}, rows}, batch, context);
}

RowBatch read(const Projection& columns, RowRange rows, const Context& context) {
  RowBatch batch;
  read(columns, rows, batch, context);
  return batch;
}

}  // namespace heron::inline v0
