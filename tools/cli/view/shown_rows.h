// The rows of a view by position: all rows of a table, or those that pass a predicate, in file
// order or in another order. Selected rows are found as far as they are needed.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "heron/context.h"
#include "heron/expression.h"
#include "heron/query.h"
#include "heron/table.h"
#include "rows/charge.h"

namespace heron::cli {

// One thread at a time. Every call that reads the file takes a Context, whose progress is in rows
// of the table, throws what Scan throws, and after an error, such as Error(Cancelled), can be
// repeated: the rows found so far stay. Without a predicate and an order nothing is read, and
// nothing is kept; with a predicate 8 bytes per 65,536 rows of the table; with an order 8 bytes per
// row, which are charged to the Context's budget: Error(Limit) if that is exhausted.
class ShownRows {
 public:
  // Uses where, order and skip_damaged of the query.
  explicit ShownRows(const Query& query);

  // Returns how many positions are known: all below this number.
  uint64_t known() const noexcept;
  // Returns whether all positions are known.
  bool is_complete() const noexcept;
  // Returns how many rows of the table were tested for them.
  uint64_t tested_rows() const noexcept;
  // Finds rows until `count` positions are known, or all; with an order finds all, by a sort.
  void find(uint64_t count, const Context& context);

  // Returns the row numbers at `count` positions from `first` on, all of them known. With a
  // predicate, filters the rows around them again.
  std::vector<uint64_t> rows(uint64_t first, uint64_t count, const Context& context);
  // Returns the position of a row or, if it is not selected, in file order that of the next
  // selected one; nullopt: there is none. Finds rows up to it.
  std::optional<uint64_t> position_of(uint64_t row, const Context& context);

  // Returns the first position from `from` on, or the last one before `before`, whose row passes
  // the predicate; nullopt: there is none. With an order, the first search with a predicate filters
  // the whole table, and keeps a bit per row.
  std::optional<uint64_t> next(const Predicate& search, uint64_t from, const Context& context);
  std::optional<uint64_t> previous(const Predicate& search, uint64_t before,
                                   const Context& context);

 private:
  using Rows = std::vector<uint64_t>;

  // The table is filtered in windows of rows.
  uint64_t windows() const noexcept;
  uint64_t found_windows() const noexcept { return before_.size() - 1; }
  void find_windows(uint64_t count, const Context& context);
  const Rows& selected(uint64_t window, const Context& context);
  uint64_t window_of(uint64_t position) const;
  void sort(const Context& context);
  void mark_matches(const Predicate& search, const Context& context);
  Rows passing(const Predicate& where, RowRange range, const Context& context) const;
  Rows matching_positions(const Predicate& search, uint64_t window, uint64_t count,
                          const Context& context);

  const std::shared_ptr<const Table> table_;
  const std::optional<Predicate> where_;
  const std::vector<OrderBy> order_;
  SkippedRows* const skipped_;
  std::vector<uint64_t> before_{0};  // number of positions before each window, with a predicate
  uint64_t step_ = 1;                // number of windows that are filtered at once
  struct Window {
    uint64_t number = UINT64_MAX;
    Rows rows;
  };
  std::array<Window, 2> recent_;  // the most recently used windows
  std::optional<Charge> charge_;  // memory of the members below
  std::optional<Rows> sorted_;    // the rows in their order, if there is one
  std::string marked_;            // the text of the predicate whose matches are marked
  std::vector<bool> matches_;     // whether each row matches `marked_`, with an order
};

}  // namespace heron::cli
