// Aggregates of groups of rows, and rows in an order.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heron/aggregate.h"

namespace heron::inline v0 {

// A column of an answer and the direction in which its rows ascend or descend.
struct OrderBy {
  uint64_t column = 0;
  bool descending = false;
};

// One row for each group of rows with equal values in the key columns: those values and then the
// aggregates, under their names. Null is a value of its own, as is NaN; 0.0 and -0.0 differ, as in
// distinct(). Groups come in the order in which the table has the first row of each.
//
// The answer is the same on any number of threads: in a group, floats are added row by row in the
// order of the table. Sums of integers are exact; Error(Limit) where one does not fit 64 bits.
// Distinct values of a group are counted exactly and those of quantiles held, up to the memory
// there is; an estimate of distinct values takes up to 16 KiB a group. Keys that stand for values
// are grouped by their stored numbers.
//
// Reads each column once, on the Context's threads. Memory grows with the groups and is charged to
// the Context's budget: Error(Limit) where it has no more. Throws Error(Argument) for key columns
// of lists, vectors and row ids, and what aggregate() throws.
RowBatch group_by(const Projection& keys, std::span<const Aggregate> wanted,
                  const std::optional<Predicate>& where = std::nullopt, const Context& context = {},
                  QueryMetrics* metrics = nullptr);

// The numbers of the first `limit` rows that pass, by these columns of the table, one after the
// other in the order of keys (nulls first, false before true, any NaN as null, texts by bytes),
// reversed where descending; of equal rows the first comes first. The same on any number of
// threads. Reads each column once and holds the keys of about twice `limit` rows for each thread,
// charged to the Context's budget: Error(Limit) where it has no more. Throws Error(Argument) for
// columns of types that have no order, and what aggregate() throws.
std::vector<uint64_t> ordered_rows(const std::shared_ptr<const Table>& table,
                                   std::span<const OrderBy> order, uint64_t limit = UINT64_MAX,
                                   const std::optional<Predicate>& where = std::nullopt,
                                   const Context& context = {}, QueryMetrics* metrics = nullptr);

// The same of a batch, by its columns. Copies the rows.
RowBatch sorted(const RowBatch& batch, std::span<const OrderBy> order, uint64_t limit = UINT64_MAX,
                const Context& context = {});

}  // namespace heron::inline v0
