// Executes a predicate: selects rows of a table, one morsel of some ten thousand at a time. Zone
// maps prune what need not be read; what is read becomes zones for later queries.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "base/arena.h"
#include "filter/morsels.h"
#include "heron/context.h"
#include "heron/expression.h"
#include "heron/scan.h"
#include "heron/table.h"
#include "heron/values.h"

namespace heron::inline v0 {

struct FilterNode;
class FilterFragment;
enum class PruneResult : uint8_t;
class Prefetch;
class Readahead;
struct Fragment;

// The local state of filtering: one for each thread, reused.
class FilterState {
 public:
  // Uses the Context's cancellation and memory; works on one thread.
  // The morsels are items of `readahead`, unless it is null.
  explicit FilterState(const Context& context, const Readahead* readahead = nullptr);
  FilterState(const FilterState&) = delete;
  FilterState& operator=(const FilterState&) = delete;

  // Bit i belongs to row i of the last filtered morsel.
  std::span<const uint64_t> selected() const noexcept { return bits_; }
  // Returns how many bits are set.
  uint64_t count() const noexcept { return count_; }
  const Readahead* readahead() const noexcept { return readahead_; }

 private:
  friend class Filter;
  const Readahead* readahead_;
  Arena arena_;
  Context context_;
  std::vector<uint64_t> bits_;
  std::vector<uint64_t> chunk_bits_;
  uint64_t count_ = 0;
};

// Immutable except for the zones it fills; thread-safe.
class Filter {
 public:
  // Cuts the rows of `range`, which must be in the table, into morsels; if `trusts_keys`, except
  // rows that the table's key excludes. Every select() and count() adds to `metrics` unless it is
  // null. Morsels number the rows of the table from `numbered_from` on.
  Filter(const Predicate& predicate, RowRange range, const Context& context,
         QueryMetrics* metrics = nullptr, bool trusts_keys = true, uint64_t numbered_from = 0);
  ~Filter();
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;

  const Morsels& morsels() const noexcept { return morsels_; }
  // The table that the rows of a morsel belong to.
  const Table& table_of(const Morsel& morsel) const noexcept;
  // Selects rows of a morsel, or of a part of one; the result is in the state. Throws what reading
  // the predicate's columns throws, for rows that zone maps do not decide.
  void select(const Morsel& morsel, FilterState& state) const;
  // Returns how many rows select() would select, at a lower cost; the state's bits are not valid
  // then.
  uint64_t count(const Morsel& morsel, FilterState& state) const;
  // Locates, as Column::locate() does, what the first test of the predicate reads of the morsel, as
  // far as zone maps do not decide.
  void locate(const Morsel& morsel, unsigned round, Prefetch& bytes, const Context& context) const;
  // Decides all rows of the morsel, or of a part of one, without reading any.
  PruneResult decide(const Morsel& morsel, const Context& context) const;
  // Counts one of the predicate's columns as read, once.
  void mark_read(uint64_t column) const;

 private:
  class Selecting;

  PruneResult decide(const FilterNode& node, const Morsel& morsel, const Context& context) const;
  void add_fragment(const Fragment& of, RowRange range, bool trusts_keys, uint64_t numbered_from,
                    const Context& context);

  Predicate predicate_;
  QueryMetrics* metrics_;
  std::unique_ptr<const FilterNode> root_;
  std::vector<const BoundPredicate*> leaves_;  // tests of a single column
  std::vector<std::unique_ptr<FilterFragment>> fragments_;
  Morsels morsels_;
  std::unique_ptr<std::atomic<bool>[]> has_read_;  // per column of the predicate
};

}  // namespace heron::inline v0
