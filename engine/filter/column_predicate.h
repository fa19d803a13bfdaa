// One test of one column, made ready once for the way in which that column stores its values, and
// then put to rows by the thousand.
#pragma once

#include <memory>

#include "columns/column_chunk.h"
#include "expression/condition.h"
#include "skip/zone.h"

namespace heron::inline v0 {

// For how many of some rows a test is true, as far as zones tell.
enum class PruneResult : uint8_t { None, Some, All };

// Immutable, thread-safe.
class ColumnPredicate {
 public:
  virtual ~ColumnPredicate() = default;
  ColumnPredicate(const ColumnPredicate&) = delete;
  ColumnPredicate& operator=(const ColumnPredicate&) = delete;

  // The result for a zone of the column. None and All are sure.
  virtual PruneResult prune(const Zone& zone, uint64_t zone_rows) const = 0;

  // Bit i of `rows` stands for row i of the chunk; clears those for which the test is not true.
  // Bits that are clear already need not be looked at. `rows` has whole words, of which bits behind
  // the chunk's rows are 0 and stay so. Throws Error(Corrupt) for a code without a value, at any
  // row of the chunk.
  virtual void filter(const ColumnChunk& chunk, uint64_t* rows, const Context& context) const = 0;

  // For how many rows of the chunk it is true, where that is quicker to tell than for which; else
  // nothing. Throws as narrow() does.
  virtual std::optional<uint64_t> count(const ColumnChunk& /*chunk*/,
                                        const Context& /*context*/) const {
    return std::nullopt;
  }

 protected:
  ColumnPredicate() = default;
};

// Ready for `column`, which must stay; so must the condition. Decides on all values of a dictionary
// and on all that keys stand for.
std::unique_ptr<const ColumnPredicate> make_predicate(const InSet& test, const Column& column,
                                                      const Context& context);
std::unique_ptr<const ColumnPredicate> make_predicate(const IsNull& test, const Column& column,
                                                      const Context& context);
std::unique_ptr<const ColumnPredicate> make_predicate(const IsLike& test, const Column& column,
                                                      const Context& context);

// The tests that look at values of several columns, or at what is computed of them: rows `range` of
// the columns, `rows` as above. Reads what it needs, some thousand rows at a time.
class ColumnReader {
 public:
  virtual ~ColumnReader() = default;
  // Values of a column of the table the condition was checked against; they live as long as the
  // arena of this reader, which the caller resets.
  virtual const Values& read(uint64_t column, RowRange range) = 0;
};
void filter(const Compares& test, RowRange range, uint64_t* rows, ColumnReader& columns,
            Arena& arena, const Context& context);
void filter(const OperandIs& test, RowRange range, uint64_t* rows, ColumnReader& columns,
            Arena& arena, const Context& context);

}  // namespace heron::inline v0
