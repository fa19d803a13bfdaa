// A query divided among processes: each opens the file, reads the rows of its splits, and returns
// rows or the states of aggregates, which are merged to the result over all rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "heron/aggregate.h"
#include "heron/context.h"
#include "heron/export.h"
#include "heron/query.h"
#include "heron/values.h"

namespace heron::inline v0 {

struct Split {
  RowRange rows;
  // Bytes of the file that hold the query's columns of these rows. Lists, and columns whose offset
  // the format does not report, count with their share of the file.
  uint64_t bytes = 0;
  // Bounds of how many rows pass the query's predicate, by zone maps; any number between is
  // possible. Without a predicate both are rows.rows().
  uint64_t min_rows = 0;
  uint64_t max_rows = 0;
  // How many rows are expected to pass: between `min_rows` and `max_rows`, estimated from a few
  // tested rows.
  uint64_t estimated_rows = 0;
};

// Cuts the rows of the query, in file order, where their columns' blocks or zones end, and never
// within a group. Each split but the last of consecutive rows has `target_bytes` or a little more.
// Rows that keys, zone maps and sidecars exclude are in no split. Reads what these need, a few
// offsets and, for the estimate, some thousand rows. Rows of which no column stores anything are
// one split, however many; a table of more than 2^18 blocks is cut at every second, third .. of
// them. Throws Error(Limit) for a predicate on more than 2^24 zones. Uses columns, where and range
// of the query.
HERON_EXPORT std::vector<Split> splits(const Query& query, uint64_t target_bytes,
                                       const Context& context = {});

// The position of a file among the parts of a table: the table's number of the file's row 0, and
// the rows of all parts. Sums of floats are added in the order of the table.
struct PartPosition {
  uint64_t first_row = 0;
  uint64_t table_rows = 0;
};

// Aggregates of a part of a table, to be merged with those of the other parts, in another process
// too: the result is bit for bit that of aggregate() or group_by() over all of them. Holds states
// instead of results: some bytes an aggregate and, for columns of floats, 8 bytes for
// each 4,096 rows; for groups, as many bytes for each group; for distinct values and quantiles, all
// values. Sums of groups are exact and rounded once. A value; const calls are thread-safe.
class HERON_EXPORT PartialAggregate {
 public:
  // Aggregates over where, range and `by` of the query, whose table has the rows of one file or,
  // with first_row 0, of all. Throws what aggregate() and group_by() throw, Error(Argument) for a
  // `position` that does not hold the rows of the query's table, and Error(Unsupported) for groups
  // by a datetimeoffset. Distinct values have to fit memory. Groups use one thread.
  PartialAggregate(const Query& query, std::span<const Aggregate> aggregates, PartPosition position,
                   const Context& context = {});
  PartialAggregate(const Query& query, std::initializer_list<Aggregate> aggregates,
                   PartPosition position, const Context& context = {})
      : PartialAggregate(query, std::span(aggregates.begin(), aggregates.size()), position,
                         context) {}
  // Restores the states from what bytes() returned. Throws Error(Corrupt).
  explicit PartialAggregate(std::span<const std::byte> bytes);
  ~PartialAggregate();
  PartialAggregate(PartialAggregate&&) noexcept;
  PartialAggregate& operator=(PartialAggregate&&) noexcept;

  std::vector<std::byte> bytes() const;
  // Adds the state of a part after this one. Throws Error(Argument) if `next` has other aggregates
  // or groups, another table, or rows that do not follow these; Error(Limit) for more than 2^31
  // groups.
  void append(const PartialAggregate& next);

  bool has_groups() const noexcept;
  // The names of the aggregates.
  std::vector<std::string> names() const;
  // The result of aggregate() or, if rows were grouped, of group_by() with that order and limit;
  // keys with values become their values.
  RowBatch result(std::span<const OrderBy> order = {}, uint64_t limit = Query::kNoLimit,
                  const Context& context = {}) const;
  RowBatch result(std::initializer_list<OrderBy> order, uint64_t limit = Query::kNoLimit,
                  const Context& context = {}) const {
    return result(std::span(order.begin(), order.size()), limit, context);
  }

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace heron::inline v0
