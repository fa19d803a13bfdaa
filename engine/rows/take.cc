#include <algorithm>
#include <map>

#include "base/parallel.h"
#include "readahead/blocks_ahead.h"
#include "readahead/read_ahead.h"
#include "rows/batch.h"
#include "rows/row_columns.h"
#include "table/internals.h"
#include "table/skip_damaged.h"
#include "table/whole_read.h"

namespace heron::inline v0 {
namespace {

void prefetch(const Projection& columns, const RowLayout* layout, std::span<const uint64_t> rows) {
  if (layout != nullptr) return prefetch_rows(*layout, internals(columns).indices(), rows);
  for (const Column* column : internals(columns).columns()) column->prefetch(rows);
}

// Whether columns are taken by a thread each: if many rows make up for its start, and neither
// blocks, which threads decode already, nor cold pages, which are asked for column by column, are
// waited for.
bool by_threads(std::span<const Column* const> columns, uint64_t rows, const RowsAhead* pages,
                const Context& context) {
  constexpr uint64_t kLeastRows = uint64_t{1} << 14;
  return context.threads != 1 && columns.size() > 1 && rows >= kLeastRows &&
         (pages == nullptr || !pages->is_cold()) &&
         std::none_of(columns.begin(), columns.end(),
                      [](const Column* column) { return column->blocks() != nullptr; });
}

// Each column into memory of its own, which the arena keeps.
std::vector<Values> take_by_threads(std::span<const Column* const> columns,
                                    std::span<const uint64_t> rows, Arena& arena,
                                    const Context& context) {
  std::vector<Values> taken(columns.size());
  std::vector<std::shared_ptr<Arena>> memory(columns.size());
  parallel_for(columns.size(), context, [&](uint64_t i, const Context& one_thread) {
    memory[i] = std::make_shared<Arena>(context.memory);
    taken[i] = columns[i]->take(rows, *memory[i], one_thread);
    one_thread.step(rows.size(), rows.size());
  });
  for (std::shared_ptr<Arena>& of_column : memory) arena.keep(std::move(of_column));
  return taken;
}

void take_checked(const Projection& columns, std::span<const uint64_t> rows, RowsAhead* pages,
                  RowBatch& batch, const Context& context) {
  const RowLayout* layout = row_layout(columns);
  if (pages != nullptr) pages->reach(0);
  if (rows.size() <= kFewRows) prefetch(columns, layout, rows);
  Arena& arena = begin_batch(batch, columns, context);
  const std::span<const Column* const> taken = internals(columns).columns();
  if (layout != nullptr) {
    take_rows(*layout, internals(columns).indices(), rows, arena, context, batch.columns);
  } else if (by_threads(taken, rows.size(), pages, context)) {
    batch.columns = take_by_threads(taken, rows, arena, context);
  } else {
    BlocksAhead blocks(columns, rows, context);
    for (uint64_t i = 0; i < taken.size(); ++i) {
      context.step(i * rows.size(), taken.size() * rows.size());
      if (pages != nullptr) pages->reach(i);
      blocks.reach(i);
      batch.columns.push_back(taken[i]->take(rows, arena, context));
    }
  }
  check_answer(bytes_of(columns), rows.size());
  batch.rows = rows.size();
}

void read_checked(const Projection& columns, RowRange rows, RowsAhead* pages, RowBatch& batch,
                  const Context& context) {
  Arena& arena = begin_batch(batch, columns, context);
  const RowLayout* layout = row_layout(columns);
  if (pages != nullptr) pages->reach(0);
  if (layout != nullptr) {
    read_rows(*layout, internals(columns).indices(), rows, arena, context, batch.columns);
  } else {
    BlocksAhead blocks(columns, rows, context);
    const std::span<const Column* const> read = internals(columns).columns();
    for (uint64_t i = 0; i < read.size(); ++i) {
      context.check_cancelled();
      if (pages != nullptr) pages->reach(i);
      blocks.reach(i);
      batch.columns.push_back(read[i]->read(rows, arena, context));
    }
  }
  check_answer(bytes_of(columns), rows.rows());
  batch.rows = rows.rows();
}

}  // namespace

void check_rows(const Table& table, std::span<const uint64_t> rows) {
  const uint64_t end = internals(table).rows();
  uint64_t out = 0;
  for (const uint64_t row : rows) out += row >= end;
  if (out == 0) return;
  const uint64_t row =
      *std::find_if(rows.begin(), rows.end(), [=](uint64_t r) { return r >= end; });
  fail_no_such(table, "row", row, end);
}

void check_rows(const Table& table, RowRange rows) {
  if (rows.first > rows.last || rows.last > table.rows()) {
    fail(ErrorKind::Argument, bytes_of(table).name(), "no rows ", rows.first, ':', rows.last,
         " in table \"", table.name(), "\": expected first <= last <= ", table.rows());
  }
}

void take(const Projection& columns, std::span<const uint64_t> rows, RowBatch& batch,
          const Context& context) {
  check_rows(*internals(columns).table(), rows);
  unless_changed(bytes_of(columns), [&] {
    RowsAhead pages(bytes_of(columns), internals(columns).columns(), row_layout(columns),
                    internals(columns).indices(), {rows, {}}, context);
    take_checked(columns, rows, &pages, batch, context);
  });
}

void take_asked(const Projection& columns, std::span<const uint64_t> rows, RowBatch& batch,
                const Context& context) {
  unless_changed(bytes_of(columns), [&] { take_checked(columns, rows, nullptr, batch, context); });
}

RowBatch take(const Projection& columns, std::span<const uint64_t> rows, const Context& context) {
  RowBatch batch;
  take(columns, rows, batch, context);
  return batch;
}

void take_readable(const Projection& columns, std::vector<uint64_t>& rows, RowBatch& batch,
                   const Context& context) {
  try {
    take(columns, rows, batch, context);
    if (context.skip_damaged != nullptr) context.skip_damaged->found_readable();
    return;
  } catch (const Error& error) {
    if (context.skip_damaged == nullptr || error.kind() != ErrorKind::Corrupt) throw;
  }
  // Damage is found block by block, a decoding each; without blocks, a row costs next to nothing.
  const bool in_blocks =
      std::any_of(internals(columns).columns().begin(), internals(columns).columns().end(),
                  [](const Column* column) { return column->blocks() != nullptr; });
  const uint64_t block_rows = in_blocks ? columns.block_rows() : 1;
  std::map<uint64_t, std::vector<uint64_t>> blocks;
  for (const uint64_t row : rows) blocks[row / block_rows].push_back(row);
  std::erase_if(blocks, [&](const auto& block) {
    return unless_damaged(block.second.size(), bytes_of(columns), context,
                          [&] { take(columns, block.second, batch, context); });
  });
  std::erase_if(rows, [&](uint64_t row) { return blocks.contains(row / block_rows); });
  take(columns, rows, batch, context);
}

void read(const Projection& columns, RowRange rows, RowBatch& batch, const Context& context) {
  check_rows(*internals(columns).table(), rows);
  check_stored(*internals(columns).table(), columns.indices(), rows.rows());
  unless_changed(bytes_of(columns), [&] {
    RowsAhead pages(bytes_of(columns), internals(columns).columns(), row_layout(columns),
                    internals(columns).indices(), {{}, rows}, context);
    read_checked(columns, rows, &pages, batch, context);
  });
}

void read_asked(const Projection& columns, RowRange rows, RowBatch& batch, const Context& context) {
  unless_changed(bytes_of(columns), [&] { read_checked(columns, rows, nullptr, batch, context); });
}

RowBatch read(const Projection& columns, RowRange rows, const Context& context) {
  RowBatch batch;
  read(columns, rows, batch, context);
  return batch;
}

}  // namespace heron::inline v0
