// A morsel as a sink sees it: which of its rows are selected, and its columns in chunks.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "columns/column.h"
#include "exec/input.h"
#include "exec/pool.h"

namespace heron::inline v0 {

// The memory for reading morsels: one for each thread, reused. Damaged rows are left out and added
// to `skipped`, unless it is null.
struct ReadState {
  ReadState(const Context& context, const Readahead* readahead, SkippedRows* skipped_rows)
      : filter(context, readahead), arena(context.memory), skipped(skipped_rows) {}
  FilterState filter;
  Arena arena;
  SkippedRows* const skipped;
};

// The states that no thread uses at the moment. Thread-safe.
class ReadStates {
 public:
  // The morsels are items of `readahead`, unless it is null. All arguments must outlive this.
  ReadStates(const Context& context, const Readahead* readahead, SkippedRows* skipped)
      : context_(context), readahead_(readahead), skipped_(skipped) {}

  // Takes a state and returns it when destroyed.
  class Lease {
   public:
    explicit Lease(ReadStates& all) : all_(all), state_(all.free_.take()) {
      if (state_ != nullptr) return;
      state_ = std::make_unique<ReadState>(all.context_, all.readahead_, all.skipped_);
    }
    ~Lease() { all_.free_.give_back(std::move(state_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ReadState& operator*() const noexcept { return *state_; }

   private:
    ReadStates& all_;
    std::unique_ptr<ReadState> state_;
  };

 private:
  const Context& context_;
  const Readahead* const readahead_;
  SkippedRows* const skipped_;
  Pool<ReadState> free_;
};

// Consecutive rows of a column, some of them selected, within kChunkRows aligned rows of the table
// (or all rows of a morsel) and, if damage is left out, within one block of the column.
struct SelectedChunk {
  const Column& column;
  RowRange rows;                   // rows of the column
  uint64_t first_row;              // the row of the table that rows.first is
  uint64_t count;                  // selected rows: at least one
  std::span<const uint64_t> bits;  // a bit per row, in whole words; empty: all are selected
};

// Reads one morsel on one thread. The constructor's arguments must outlive it.
class MorselReader {
 public:
  MorselReader(const Input& input, const Morsel& morsel, ReadState& state, const Context& context)
      : input_(input), morsel_(morsel), state_(state), context_(context) {}
  // Reads a morsel already filtered: `selected` has a bit per row, of which `count` are set.
  MorselReader(const Input& input, const Morsel& morsel, std::span<const uint64_t> selected,
               uint64_t count, ReadState& state, const Context& context)
      : input_(input),
        morsel_(morsel),
        state_(state),
        context_(context),
        bits_(selected),
        count_(count) {}

  const Morsel& morsel() const noexcept { return morsel_; }
  const Context& context() const noexcept { return context_; }
  // Returns the readahead that has prefetched some of the morsel; null for a column that the
  // predicate has just read.
  const Readahead* readahead_of(uint64_t column) const {
    return input_.tests(column) ? nullptr : state_.filter.readahead();
  }
  Arena& arena() noexcept { return state_.arena; }
  // Counts the damaged rows that are left out; null: damage is an error.
  SkippedRows* skipped() const noexcept { return state_.skipped; }

  // The number of selected rows. Cheaper without a call of selected().
  uint64_t count();
  // Returns a bit per row of the morsel, valid as long as this and until the state is reused;
  // nullopt: all rows are selected.
  std::optional<std::span<const uint64_t>> selected();
  // Leaves out all rows but these: a bit per row of the morsel, which are copied.
  void narrow(std::span<const uint64_t> bits);
  // Appends the table row numbers of the selected rows, ascending.
  void append_rows(std::vector<uint64_t>& rows);

  // Returns the table that has a column of these rows, and the first of these rows in it.
  Input::Position position(uint64_t column) const { return input_.position(morsel_, column); }
  // Adds bytes that were read without for_chunks to the metrics.
  void add_bytes_selected(uint64_t bytes);

  // Calls work(chunk) for each chunk of the column with selected rows, in order, with an empty
  // arena; it returns the bytes of the values it read. Returns how many selected rows were left out
  // because they are damaged, if the query allows that. `whole`: a single chunk, if all rows are
  // selected and no damage is left out.
  uint64_t for_chunks(uint64_t column, bool whole,
                      const std::function<uint64_t(const SelectedChunk&)>& work);

 private:
  void select();
  void prefetch_selected(uint64_t column, std::span<const uint64_t> bits) const;

  const Input& input_;
  const Morsel morsel_;
  ReadState& state_;
  const Context& context_;
  std::vector<uint64_t> own_bits_;  // used if damage or rows are left out
  std::optional<std::span<const uint64_t>> bits_;
  std::optional<uint64_t> count_;
};

}  // namespace heron::inline v0
