// A predicate at work: which rows of a table fulfil it, a unit of some ten thousand at a time.
// Zones say of much of a sorted column that it need not be read; what was read is kept as zones.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "base/arena.h"
#include "heron/predicate.h"
#include "heron/query.h"

namespace heron::inline v0 {

struct FilterNode;
class FilterPart;

// Rows of one part of a table: of a file of many, or of the table itself.
struct FilterUnit {
  uint64_t part = 0;
  RowRange rows;           // of the part
  uint64_t first_row = 0;  // of the table: what rows.first is there
};

// What selecting from units needs; one for each thread, used again.
class FilterRoom {
 public:
  // What the Context says of stopping, memory and damage; it works on one thread.
  explicit FilterRoom(const Context& context);
  FilterRoom(const FilterRoom&) = delete;
  FilterRoom& operator=(const FilterRoom&) = delete;

  // Bit i: row i of the unit that was selected from last.
  std::span<const uint64_t> selected() const noexcept { return bits_; }
  // How many are set.
  uint64_t count() const noexcept { return count_; }
  // Puts the selected rows' numbers in the table behind those in `rows`, ascending.
  void append_rows(const FilterUnit& unit, std::vector<uint64_t>& rows) const;

 private:
  friend class Filter;
  Arena arena_;
  Context context_;
  std::vector<uint64_t> bits_;
  std::vector<uint64_t> chunk_bits_;
  std::vector<std::vector<uint64_t>> spare_;  // bitmaps for parts of the condition
  uint64_t count_ = 0;
};

// Immutable but for the zones it fills, thread-safe.
class Filter {
 public:
  // NotNull are no units for rows that the table's key rules out. Units are cut to `range`,
  // which is there. `counters`, if there are any, are added to by every select().
  Filter(const Predicate& predicate, RowRange range, const Context& context,
         QueryCounters* counters = nullptr);
  ~Filter();
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;

  // In the order of the table.
  uint64_t unit_count() const noexcept { return first_units_.back(); }
  FilterUnit unit(uint64_t i) const noexcept;
  // Whose rows a unit's are.
  const Table& table_of(const FilterUnit& unit) const noexcept;
  // Finds the rows of a unit, or of any rows of one; the room has the answer. Throws what reading
  // the condition's columns does, of rows that zones leave open; if the room's Context leaves
  // damage out, none of a damaged block is found.
  void select(const FilterUnit& unit, FilterRoom& room) const;
  // How many rows it would find, for less; the room then holds no rows.
  uint64_t count(const FilterUnit& unit, FilterRoom& room) const;
  // One of the predicate's columns is read: counted once.
  void mark_read(uint64_t column) const;

 private:
  class Selecting;

  // Leaves damaged blocks out.
  void select_by_block(const FilterUnit& unit, FilterRoom& room) const;
  // Of its rows those that the key does not rule out.
  void add_part(const Table& table, uint64_t first_row, RowRange range, const Context& context);

  Predicate predicate_;
  QueryCounters* counters_;
  std::unique_ptr<const FilterNode> root_;
  std::vector<const Condition*> leaves_;  // the tests of a single column
  std::vector<std::unique_ptr<FilterPart>> parts_;
  std::vector<uint64_t> first_units_;              // of each part; and how many there are
  std::unique_ptr<std::atomic<bool>[]> has_read_;  // of the predicate's columns
};

}  // namespace heron::inline v0
