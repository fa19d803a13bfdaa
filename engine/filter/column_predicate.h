// One test of one column, prepared once for the way in which that column stores its values, and
// then applied to thousands of rows at a time.
#pragma once

#include <memory>

#include "columns/column_chunk.h"
#include "expression/bound_predicate.h"
#include "skip/zone.h"

namespace heron::inline v0 {

// The result of pruning: how many of a zone's rows pass a test, as far as its statistics show.
enum class PruneResult : uint8_t { None, Some, All };

// Immutable, thread-safe.
class ColumnPredicate {
 public:
  virtual ~ColumnPredicate() = default;
  ColumnPredicate(const ColumnPredicate&) = delete;
  ColumnPredicate& operator=(const ColumnPredicate&) = delete;

  // Returns the result for a zone of the column. None and All are certain.
  virtual PruneResult prune(const Zone& zone, uint64_t zone_rows) const = 0;
  // Returns how many of the zone's rows pass, if its statistics show that exactly; else nullopt.
  virtual std::optional<uint64_t> known_count(const Zone& /*zone*/,
                                              uint64_t /*zone_rows*/) const {
    return std::nullopt;
  }

  // Reads rows of the predicate's column, as Column::chunk() does, in the form that filter() tests
  // fastest.
  virtual ColumnChunk read(const Column& column, RowRange rows, Arena& arena,
                           const Context& context) const {
    return column.chunk(rows, arena, context);
  }

  // Bit i of `rows` belongs to row i of the chunk; clears the bits of rows that do not pass. Bits
  // that are already clear may be skipped. `rows` has whole words; bits after the chunk's rows are
  // 0 and stay 0. Throws Error(Corrupt) for a code without a value in any row of the chunk.
  virtual void filter(const ColumnChunk& chunk, uint64_t* rows, const Context& context) const = 0;

  // The number of the chunk's rows that pass, if counting is faster than filter(); otherwise
  // nullopt. Throws what filter() throws.
  virtual std::optional<uint64_t> count(const ColumnChunk& /*chunk*/,
                                        const Context& /*context*/) const {
    return std::nullopt;
  }

 protected:
  ColumnPredicate() = default;
};

// Prepares a test for `column`; both must outlive the result. Decides all values of a dictionary
// and all values of keys.
std::unique_ptr<const ColumnPredicate> make_predicate(const InSet& test, const Column& column,
                                                      const Context& context);
std::unique_ptr<const ColumnPredicate> make_predicate(const IsNull& test, const Column& column,
                                                      const Context& context);
std::unique_ptr<const ColumnPredicate> make_predicate(const IsLike& test, const Column& column,
                                                      const Context& context);

}  // namespace heron::inline v0
