// The consumers of a query's rows: counts, aggregates, row ids, zones. A new kind of query is a new
// sink.
#pragma once

#include <memory>

#include "exec/morsel_reader.h"
#include "exec/scheduler.h"
#include "readahead/readahead.h"

namespace heron::inline v0 {

// The local state of a thread for consecutive morsels.
class LocalState {
 public:
  virtual ~LocalState() = default;
};

// Consumes morsels in parallel and merges their local states in table order, so that the result is
// the same on any number of threads.
class Sink {
 public:
  virtual ~Sink() = default;

  // Makes, on any thread, a state for morsels from this row of the table on; 0 for the first ones.
  virtual std::unique_ptr<LocalState> local(uint64_t first_row) const = 0;
  // Consumes, on any thread, morsel `number` of the query; `local` has the morsels before it.
  virtual void consume(uint64_t number, MorselReader& morsel, LocalState& local) const = 0;
  // Returns how many parts of the result are merged in parallel.
  virtual uint64_t lanes() const { return 1; }
  // Merges local states in order: with one lane on the caller's thread, with more on any thread.
  virtual void combine(uint64_t lane, LocalState& local) = 0;
  virtual Pace pace() const { return {}; }
  // Returns the columns of the table whose selected rows the sink reads, so that they can be
  // prefetched.
  virtual std::span<const uint64_t> columns() const { return {}; }
};

// Consumes columns in parallel, each through all morsels in table order: for results that cannot be
// merged from parts, or only at a higher cost than computing them.
class ColumnSink {
 public:
  virtual ~ColumnSink() = default;

  virtual uint64_t column_count() const = 0;
  // Returns the index in the table of column `i`.
  virtual uint64_t column(uint64_t i) const = 0;
  // The scheduler calls these on any thread, one call at a time per column: begin() before its
  // morsels, which returns whether consume() gets any; consume() for each; finish() after them in
  // any case.
  virtual bool begin(uint64_t /*column*/, const Context& /*context*/) { return true; }
  virtual void consume(uint64_t column, MorselReader& morsel) = 0;
  virtual void finish(uint64_t /*column*/, const Context& /*context*/) {}
};

// A running query: a consumer of the first rows need not wait for the last.
class Run {
 public:
  // All arguments must outlive this.
  Run(const Input& input, Sink& sink, const Context& context);
  // Limits the query to some morsels, ascending; empty: all. Adds damaged rows to `skipped` instead
  // of the query's: null if the query's is.
  Run(const Input& input, Sink& sink, const Context& context, std::span<const uint64_t> morsels,
      SkippedRows* skipped);

  bool done() const noexcept { return morsels_.done(); }
  // Passes the next window of morsels to the sink.
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
    Readahead* ahead;
    uint64_t count;                     // number of items
    std::span<const uint64_t> numbers;  // numbers of the morsels; empty: all morsels
  };

  Readahead ahead_;
  ReadStates states_;
  OrderedReduce<Local, Steps> morsels_;
};

// Run whole queries. They throw what reading the file throws, for the first morsel or column that
// fails. The one with a ColumnSink returns the number of selected rows.
void run(const Input& input, Sink& sink, const Context& context);
uint64_t run(const Input& input, ColumnSink& sink, const Context& context);

}  // namespace heron::inline v0
