// What a filter works off: the condition with what is cheap in front, and for each table (a table
// of many files has several) the columns that are tested, their zones and the tests made ready for
// how they are stored.
#pragma once

#include <memory>
#include <vector>

#include "base/once.h"
#include "filter/column_predicate.h"
#include "skip/zone_map.h"

namespace heron::inline v0 {

// In each AllOf and AnyOf the cheapest part comes first.
struct FilterNode {
  // Adds the tests of a single column to `leaves`. The condition must stay.
  FilterNode(const Condition& of, std::vector<const Condition*>& leaves);

  const Condition* condition;
  std::vector<FilterNode> parts;  // of AllOf, AnyOf, NoneOf
  bool is_leaf = false;           // a test of a single column
  uint64_t leaf = 0;              // which
  int cost = 0;
};

// Thread-safe.
class FilterFragment {
 public:
  struct Leaf {
    const Column* column;
    uint64_t index;  // of the column
    ColumnZones* zones;
    uint64_t rows_at_once;  // how many are best read together, from a multiple of it on
    std::unique_ptr<const ColumnPredicate> predicate;

    // Whether its zones are of codes, or of numbers that keys are stored as.
    bool has_codes() const noexcept {
      return zones->order() == ZoneOrder::Codes ||
             (zones->order() == ZoneOrder::Unsigned && column->type().is(Type::Key));
    }
  };

  // Table and leaves must stay.
  FilterFragment(const Table& table, const std::vector<const Condition*>& leaves,
                 const Context& context);

  const Table& table() const noexcept { return table_; }
  // As many rows as its zones fit best.
  uint64_t morsel_rows() const noexcept { return morsel_rows_; }
  // How many zones of its columns have some of the rows.
  uint64_t zones_in(RowRange rows) const noexcept;

  // The tests are made at the first need: they decide on whole dictionaries.
  const std::vector<Leaf>& leaves(const Context& context);

 private:
  const Table& table_;
  const std::vector<const Condition*>& conditions_;
  std::vector<Leaf> leaves_;
  Once ready_;
  uint64_t morsel_rows_;
};

}  // namespace heron::inline v0
