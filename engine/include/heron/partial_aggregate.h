// Aggregates of a part of a table, to be merged with those of the other parts, in another process
// too: the result is bit for bit that of aggregate() or group_by() over all of them.
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

// The place of a file among the parts of a table: the number that its row 0 has there, and the rows
// of all parts. Sums of floats are added in the order of the table.
struct PlaceOfPart {
  uint64_t first_row = 0;
  uint64_t table_rows = 0;
};

// States instead of results: some bytes an aggregate and, of columns of floats, 8 bytes for each
// 4,096 rows; of groups as many for each; of distinct values and quantiles all values. Sums of
// groups are exact and rounded once. A value; const calls are thread-safe.
class HERON_EXPORT PartialAggregate {
 public:
  // Aggregates over where, range and `by` of the query, whose table is of one file or, at place 0,
  // of all. Throws what aggregate() and group_by() throw, Error(Argument) for a place that does not
  // hold the rows of the query's table, and Error(Unsupported) for groups by a datetimeoffset.
  // Distinct values have to fit memory. Groups use one thread.
  PartialAggregate(const Query& query, std::span<const Aggregate> wanted, PlaceOfPart place,
                   const Context& context = {});
  PartialAggregate(const Query& query, std::initializer_list<Aggregate> wanted, PlaceOfPart place,
                   const Context& context = {})
      : PartialAggregate(query, std::span(wanted.begin(), wanted.size()), place, context) {}
  // From bytes(). Throws Error(Corrupt).
  explicit PartialAggregate(std::span<const std::byte> bytes);
  ~PartialAggregate();
  PartialAggregate(PartialAggregate&&) noexcept;
  PartialAggregate& operator=(PartialAggregate&&) noexcept;

  std::vector<std::byte> bytes() const;
  // Adds the state of a part after this one. Throws Error(Argument) if it is of other aggregates or
  // groups, of another table or not of rows after these; Error(Limit) for more than 2^31 groups.
  void append(const PartialAggregate& next);

  // Whether it is of groups.
  bool has_groups() const noexcept;
  // The names of the aggregates.
  std::vector<std::string> names() const;
  // What aggregate() gives or, of groups, group_by() with that order and limit; keys with values
  // are their values.
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
