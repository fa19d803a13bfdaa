// What a sink sees of a morsel: which of its rows are selected, and columns of them in chunks.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "exec/input.h"
#include "exec/pool.h"

namespace heron::inline v0 {

// What reading morsels needs besides the file; one for each thread, used again.
struct ReadState {
  explicit ReadState(const Context& context) : filter(context), arena(context.memory) {}
  FilterState filter;
  Arena arena;
};

// Those that no thread has at the moment. Thread-safe.
class ReadStates {
 public:
  explicit ReadStates(const Context& context);

  // Given back when it goes.
  class Lease {
   public:
    explicit Lease(ReadStates& all) : all_(all), state_(all.free_.take()) {
      if (state_ == nullptr) state_ = std::make_unique<ReadState>(all.context_);
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
  Context context_;
  Pool<ReadState> free_;
};

// Chunks end at multiples of this many rows of the table: what is added up of each does not depend
// on morsels and threads.
inline constexpr uint64_t kChunkRows = 4096;

// Consecutive rows of a column, some of them selected, within a stretch of kChunkRows of the table
// (or all rows of a morsel) and, where damage is left out, of one block of the column.
struct SelectedChunk {
  const Column& column;
  RowRange rows;                   // of the column
  uint64_t first_row;              // of the table: what rows.first is there
  uint64_t count;                  // of those selected: at least one
  std::span<const uint64_t> bits;  // of them, in whole words; empty: all rows are selected
};

// One morsel on one thread. It lives as long as what it was made with.
class MorselReader {
 public:
  MorselReader(const Input& input, const Morsel& morsel, ReadState& state, const Context& context)
      : input_(input), morsel_(morsel), state_(state), context_(context) {}
  // Where somebody has filtered it before: a bit a row, and the number of set bits.
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
  Arena& arena() noexcept { return state_.arena; }
  // Some of its rows, of the fragment; nobody has asked yet which of them are selected.
  MorselReader part(RowRange rows) const {
    return {input_,
            {morsel_.fragment, rows, morsel_.first_row + rows.first - morsel_.rows.first},
            state_,
            context_};
  }

  // How many rows are selected. Costs less if nobody asks which.
  uint64_t count();
  // A bit for each row of the morsel, until the state is used again; nothing: all are selected.
  std::optional<std::span<const uint64_t>> selected();
  // Appends the selected rows' numbers in the table, ascending.
  void append_rows(std::vector<uint64_t>& rows);

  // The table that has a column of these rows, and the first of them there.
  Input::Place place(uint64_t column) const { return input_.place(morsel_, column); }
  // Adds to the metrics what was read without for_chunks.
  void add_bytes_kept(uint64_t bytes);

  // work(chunk) for each chunk of the column with selected rows, in order; the arena is empty
  // before each, and what it gives are the bytes of the values it read. Gives how many selected
  // rows were left out because they are damaged, where the Context says so. `whole`: where all rows
  // are selected and no damage is left out, one chunk has them all.
  uint64_t for_chunks(uint64_t column, bool whole,
                      const std::function<uint64_t(const SelectedChunk&)>& work);

 private:
  const Input& input_;
  const Morsel morsel_;
  ReadState& state_;
  const Context& context_;
  std::optional<std::span<const uint64_t>> bits_;
  std::optional<uint64_t> count_;
};

}  // namespace heron::inline v0
