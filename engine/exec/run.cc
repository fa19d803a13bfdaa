#include <algorithm>

#include "base/parallel.h"
#include "exec/sink.h"
#include "format/table_source.h"
#include "table/internals.h"

namespace heron::inline v0 {
namespace {

// With a filter, the bitmaps of this many morsels are held while columns are read.
constexpr uint64_t kMorselsAtOnce = 64;

// The rows of all morsels, which follow each other.
uint64_t rows_of(const Morsels& all) {
  if (all.size() == 0) return 0;
  const Morsel last = all[all.size() - 1];
  return last.first_row + last.rows.rows() - all[0].first_row;
}

// Each column reads all rows on its own.
void run_unfiltered(const Input& input, ColumnSink& sink, const Context& context) {
  const uint64_t rows = input.table()->rows();
  const Morsels& morsels = input.morsels();
  ReadStates states(context);
  parallel_for(sink.column_count(), context, [&](uint64_t column, const Context& one_thread) {
    const ReadStates::Lease state(states);
    Context quiet = one_thread;
    quiet.progress = nullptr;
    const uint64_t count = sink.begin(column, quiet) ? morsels.size() : 0;
    const uint64_t index = sink.column(column);
    ReadAhead ahead;
    for (uint64_t i = 0; i < count; ++i) {
      const Morsel morsel = morsels[i];
      one_thread.step(morsel.first_row, rows);
      ahead.reach(i, count, bytes_of(*input.table()), quiet,
                  [&](uint64_t item, unsigned round, Prefetch& bytes) {
                    input.locate(morsels[item], {&index, 1}, round, bytes, quiet);
                  });
      MorselReader reader(input, morsel, *state, quiet);
      sink.consume(column, reader);
    }
    sink.finish(column, quiet);
  });
  sink.add_rows(rows_of(morsels));
}

// Calls begin() for all columns; returns which of them are read.
std::vector<char> begin_all(ColumnSink& sink, const Context& context) {
  std::vector<char> sees_morsels(sink.column_count());
  parallel_for(sink.column_count(), context, [&](uint64_t column, const Context& one_thread) {
    sees_morsels[column] = sink.begin(column, one_thread);
  });
  return sees_morsels;
}

void finish_all(ColumnSink& sink, const Context& context) {
  parallel_for(sink.column_count(), context, [&](uint64_t column, const Context& one_thread) {
    sink.finish(column, one_thread);
  });
}

// How many rows all columns read before any reads the next ones: some MB of what is stored, and
// whole chunks.
uint64_t rows_together(const Table& table) {
  constexpr uint64_t kBytes = uint64_t{4} << 20;
  const uint64_t row_bytes = bytes_of(table).size() / std::max<uint64_t>(table.rows(), 1) + 1;
  return std::max<uint64_t>(kBytes / row_bytes / kChunkRows, 1) * kChunkRows;
}

// The values of a row are stored together: columns go through the rows side by side.
void run_together(const Input& input, ColumnSink& sink, const Context& context) {
  Context quiet = context;
  quiet.progress = nullptr;
  const Morsels& morsels = input.morsels();
  const uint64_t most_rows = rows_together(*input.table());
  ReadStates states(context);
  const std::vector<char> sees_morsels = begin_all(sink, quiet);
  const auto reads =
      static_cast<uint64_t>(std::ranges::find(sees_morsels, 1) - sees_morsels.begin());
  const uint64_t first_column = reads == sees_morsels.size() ? 0 : sink.column(reads);
  Arena arena(context.memory);
  ReadAhead ahead;
  for (uint64_t i = 0; reads != sees_morsels.size() && i < morsels.size(); ++i) {
    context.step(i, morsels.size());
    ahead.reach(i, morsels.size(), bytes_of(*input.table()), quiet,
                [&](uint64_t item, unsigned round, Prefetch& bytes) {
                  input.locate(morsels[item], {&first_column, 1}, round, bytes, quiet);
                });
    const Morsel morsel = morsels[i];
    for (uint64_t done = 0; done < morsel.rows.rows();) {
      const uint64_t first = morsel.first_row + done;
      const uint64_t rows = std::min(morsel.rows.rows() - done, most_rows - first % most_rows);
      const RowRange own{morsel.rows.first + done, morsel.rows.first + done + rows};
      const Morsel part{morsel.fragment, own, first};
      done += rows;
      if (context.skip_damaged == nullptr) {  // blocks are decoded by all threads
        arena.reset();
        const auto [table, row] = input.place(part, first_column);
        internals(*table).column(first_column).read({row, row + rows}, arena, quiet);
      }
      parallel_for(sink.column_count(), quiet, [&](uint64_t column, const Context& one_thread) {
        if (sees_morsels[column] == 0) return;
        const ReadStates::Lease state(states);
        MorselReader reader(input, part, *state, one_thread);
        sink.consume(column, reader);
      });
    }
  }
  finish_all(sink, quiet);
  sink.add_rows(rows_of(morsels));
}

struct Selected {
  std::vector<uint64_t> bits;
  uint64_t count = 0;
};

void run_filtered(const Input& input, ColumnSink& sink, const Context& context) {
  Context quiet = context;
  quiet.progress = nullptr;
  const Morsels& morsels = input.morsels();
  ReadStates states(context);
  const std::vector<char> sees_morsels = begin_all(sink, quiet);
  MorselsAhead ahead;
  std::vector<Selected> selected(std::min(morsels.size(), kMorselsAtOnce));
  for (uint64_t first = 0; first < morsels.size(); first += kMorselsAtOnce) {
    context.step(first, morsels.size());
    const uint64_t count = std::min(morsels.size() - first, kMorselsAtOnce);
    parallel_for(count, quiet, [&](uint64_t i, const Context& one_thread) {
      const ReadStates::Lease state(states);
      (*state).found_cold(ahead.reach(first + i, morsels.size(), bytes_of(*input.table()),
                                      one_thread,
                                      [&](uint64_t item, unsigned round, Prefetch& bytes) {
                                        input.locate(morsels[item], {}, round, bytes, one_thread);
                                      }));
      MorselReader reader(input, morsels[first + i], *state, one_thread);
      const auto bits = reader.selected();
      selected[i].bits.assign(bits->begin(), bits->end());
      selected[i].count = reader.count();
    });
    for (uint64_t i = 0; i < count; ++i) sink.add_rows(selected[i].count);
    parallel_for(sink.column_count(), quiet, [&](uint64_t column, const Context& one_thread) {
      const ReadStates::Lease state(states);
      for (uint64_t i = 0; i < count; ++i) {
        if (sees_morsels[column] == 0 || selected[i].count == 0) continue;
        MorselReader reader(input, morsels[first + i], selected[i].bits, selected[i].count, *state,
                            one_thread);
        sink.consume(column, reader);
      }
    });
  }
  finish_all(sink, quiet);
}

}  // namespace

Run::Local Run::Steps::begin(uint64_t i) const {
  return sink->local(i == 0 ? 0 : input->morsels()[number(i)].first_row);
}

void Run::Steps::work(uint64_t i, Local& local, const Context& context) const {
  const ReadStates::Lease state(*states);
  (*state).found_cold(ahead->reach(i, count, bytes_of(*input->table()), context,
                                   [&](uint64_t item, unsigned round, Prefetch& bytes) {
                                     input->locate(input->morsels()[number(item)], sink->columns(),
                                                   round, bytes, context);
                                   }));
  MorselReader reader(*input, input->morsels()[number(i)], *state, context);
  sink->consume(number(i), reader, *local);
}

Run::Run(const Input& input, Sink& sink, const Context& context)
    : states_(context),
      morsels_(input.morsels().size(), context, sink.pace(),
               {&input, &sink, &states_, &ahead_, input.morsels().size(), {}}) {}

Run::Run(const Input& input, std::span<const uint64_t> morsels, Sink& sink, const Context& context)
    : states_(context),
      morsels_(morsels.size(), context, sink.pace(),
               {&input, &sink, &states_, &ahead_, morsels.size(), morsels}) {}

void run(const Input& input, Sink& sink, const Context& context) {
  for (Run all(input, sink, context); !all.done();) all.next();
}

void run(const Input& input, ColumnSink& sink, const Context& context) {
  if (input.filter() != nullptr) return run_filtered(input, sink, context);
  internals(*input.table()).source().stores_rows() ? run_together(input, sink, context)
                                                   : run_unfiltered(input, sink, context);
}

}  // namespace heron::inline v0
