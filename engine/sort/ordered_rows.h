// The rows of a query in its order, in batches.
#pragma once

#include <optional>
#include <vector>

#include "exec/resolved_query.h"
#include "heron/query.h"
#include "sort/sorter.h"

namespace heron::inline v0 {

// Returns the memory for keys without a budget: a 16th of the machine's memory, between 256 MiB and
// 1 GiB.
uint64_t default_key_bytes() noexcept;

// Returns row numbers as ordered_rows() does. The constructor reads the columns of the order and
// throws what ordered_rows() throws; keys beyond `key_bytes`, or a quarter of the Context's budget,
// are spilled. One thread at a time.
class OrderedRows {
 public:
  OrderedRows(const Query& query, const Context& context,
              uint64_t key_bytes = default_key_bytes());

  uint64_t size() const noexcept { return nulls_.size() + sorter_.size(); }
  bool has_spilled() const noexcept { return sorter_.has_spilled(); }
  // Sets `rows` to the next `count` rows; fewer at the end.
  void next(uint64_t count, std::vector<uint64_t>& rows);

 private:
  const std::vector<OrderColumn> order_;
  const bool numbers_;  // one column of numbers: its nulls are kept apart
  Sorter sorter_;
  std::vector<uint64_t> nulls_;  // rows whose value is null, ascending
  uint64_t given_nulls_ = 0;     // returned by next()
  std::optional<SortedRecords> records_;
};

}  // namespace heron::inline v0
