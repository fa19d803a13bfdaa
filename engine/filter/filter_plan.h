// The plan of a filter: the predicate with its cheapest parts first, and for each table (a table of
// many files has several) the tested columns, their zones and the prepared tests.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "base/once.h"
#include "expression/computed_column.h"
#include "expression/program.h"
#include "filter/column_predicate.h"
#include "skip/zone_map.h"

namespace heron::inline v0 {

// Each AllOf and AnyOf has its cheapest part first.
struct FilterNode {
  // Adds the tests of a single column to `leaves`. The predicate must outlive it; `source` is its
  // text.
  FilterNode(const BoundPredicate& of, const SourceText& source,
             std::vector<const BoundPredicate*>& leaves);

  const BoundPredicate* predicate;
  std::vector<FilterNode> parts;  // parts of an AllOf, AnyOf or NoneOf
  bool is_leaf = false;           // a test of a single column
  uint64_t leaf = 0;              // index of that test among `leaves`
  int cost = 0;
  std::unique_ptr<const Program> program;  // program of a Holds
};

// Thread-safe.
class FilterFragment {
 public:
  struct Leaf {
    const Column* column;
    uint64_t index;  // index of the column in the table
    ColumnZones* zones;
    uint64_t rows_at_once;  // best number of rows to read together, from a multiple of it on
    std::unique_ptr<const ColumnPredicate> predicate;

    // Returns whether its zones are of codes or of stored key numbers.
    bool has_codes() const noexcept {
      return zones->order() == ZoneOrder::Codes ||
             (zones->order() == ZoneOrder::Unsigned && column->type().is(Type::Key));
    }
  };

  // Table and leaves must outlive it.
  FilterFragment(const Table& table, const std::vector<const BoundPredicate*>& leaves,
                 const Context& context);

  const Table& table() const noexcept { return table_; }
  // Returns the rows per morsel that suit the zones best.
  uint64_t morsel_rows() const noexcept { return morsel_rows_; }
  // Returns how many zones of its columns contain some of the rows.
  uint64_t zones_in(RowRange rows) const noexcept;

  // Creates the tests at the first call: they decide whole dictionaries.
  const std::vector<Leaf>& leaves(const Context& context);
  // Returns the results of a program of the plan by key or code; null if it must be computed for
  // rows, because it has several columns.
  const KeyResults* key_results(const Program& program);

 private:
  const Table& table_;
  const std::vector<const BoundPredicate*>& predicates_;
  std::vector<Leaf> leaves_;
  Once ready_;
  std::mutex results_mutex_;
  std::map<const Program*, KeyResults> results_;
  uint64_t morsel_rows_;
};

}  // namespace heron::inline v0
