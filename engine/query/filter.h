// A predicate at work: which rows of a table fulfil it, a unit of some ten thousand at a time.
// Zones say of most of a sorted column that it need not be read; what was read is kept as zones.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "heron/predicate.h"
#include "heron/query.h"
#include "query/column_test.h"
#include "skip/zone_map.h"

namespace heron::inline v0 {

// Rows of one part of a table, which is a file of many, or all of it.
struct FilterUnit {
  uint64_t part;
  RowRange rows;       // of the part
  uint64_t first_row;  // of the table: what rows.first is there
};

// What selecting from units needs; one for each thread, used again.
class FilterRoom {
 public:
  explicit FilterRoom(const Context& context) : arena_(context.memory), context_(context) {}

  // Bit i: row i of the unit that was selected from last.
  std::span<const uint64_t> selected() const noexcept { return bits_; }
  uint64_t count() const noexcept { return count_; }
  // The selected rows' numbers in the table, ascending, behind those in `rows`.
  void append_rows(const FilterUnit& unit, std::vector<uint64_t>& rows) const;

 private:
  friend class Filter;
  Arena arena_;
  Context context_;
  std::vector<uint64_t> bits_;
  std::vector<std::vector<uint64_t>> spare_;  // bitmaps of the same size
  uint64_t count_ = 0;
};

// Immutable but for the zones it fills, thread-safe. Keeps the predicate's table.
class Filter {
 public:
  // Makes tests ready for every column; of keyed tables and rows that the key rules out, by binary
  // search, there are no units. Only units with rows in `range` are there, cut to it. `counters`,
  // if there are any, are added to by every select().
  Filter(Predicate predicate, RowRange range, const Context& context,
         QueryCounters* counters = nullptr);
  ~Filter();

  // In the order of the table.
  std::span<const FilterUnit> units() const noexcept;
  // Finds the rows of one; the room's answer. Any thread.
  void select(const FilterUnit& unit, FilterRoom& room) const;

 private:
  class Impl;
  std::unique_ptr<const Impl> impl_;
};

}  // namespace heron::inline v0
