// Where the rows of a question go: counts, aggregates, row ids, zones. A new question is a new
// sink.
#pragma once

#include <memory>

#include "exec/morsel_reader.h"
#include "exec/scheduler.h"

namespace heron::inline v0 {

// What a thread makes of consecutive morsels.
class LocalState {
 public:
  virtual ~LocalState() = default;
};

// Takes morsels side by side, and what became of them in the order of the table, so that the answer
// is the same on any number of threads.
class Sink {
 public:
  virtual ~Sink() = default;

  // On any thread: for morsels from this row of the table on; 0 for the first ones.
  virtual std::unique_ptr<LocalState> local(uint64_t first_row) const = 0;
  // On any thread: morsel `number` of the question, of which `local` has those before.
  virtual void consume(uint64_t number, MorselReader& morsel, LocalState& local) const = 0;
  // How many parts the answer has that are put together side by side.
  virtual uint64_t lanes() const { return 1; }
  // In order. One lane is put together on the caller's thread, more of them on any.
  virtual void combine(uint64_t lane, LocalState& local) = 0;
  virtual Pace pace() const { return {}; }
};

// Takes columns side by side, each through all morsels in the order of the table: for what cannot
// be put together from parts, or only for more than it takes to make.
class ColumnSink {
 public:
  virtual ~ColumnSink() = default;

  virtual uint64_t column_count() const = 0;
  // On any thread, one at a time for a column: what comes before its morsels, and whether it is to
  // see any; each of them; and what comes behind, in any case.
  virtual bool begin(uint64_t /*column*/, const Context& /*context*/) { return true; }
  virtual void consume(uint64_t column, MorselReader& morsel) = 0;
  virtual void finish(uint64_t /*column*/, const Context& /*context*/) {}
  // On the caller's thread: how many rows are selected, a few morsels at a time.
  virtual void add_rows(uint64_t /*rows*/) {}
};

// A question on its way: a consumer of the first rows need not wait for the last.
class Run {
 public:
  // All must outlive it.
  Run(const Input& input, Sink& sink, const Context& context);
  // Of some morsels only, ascending, at least one.
  Run(const Input& input, std::span<const uint64_t> morsels, Sink& sink, const Context& context);

  bool done() const noexcept { return morsels_.done(); }
  // Gives the sink the next window of morsels.
  void next() { morsels_.next(); }

 private:
  using Local = std::unique_ptr<LocalState>;
  struct Steps {
    Local begin(uint64_t i) const;
    void work(uint64_t i, Local& local, const Context& context) const;
    uint64_t lanes() const { return sink->lanes(); }
    void end(uint64_t lane, Local& local) { sink->combine(lane, *local); }
    uint64_t number(uint64_t i) const { return numbers.empty() ? i : numbers[i]; }

    const Input* input;
    Sink* sink;
    ReadStates* states;
    std::span<const uint64_t> numbers;  // of the morsels; empty: all of them
  };

  ReadStates states_;
  OrderedReduce<Local, Steps> morsels_;
};

// Whole questions. They throw what reading the file does, of the first morsel, or column, for which
// it fails.
void run(const Input& input, Sink& sink, const Context& context);
void run(const Input& input, ColumnSink& sink, const Context& context);

}  // namespace heron::inline v0
