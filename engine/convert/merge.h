// Rows of many runs, each in the order of its keys, in the order of all. A tournament of the runs'
// next keys gives the rows; batches are made of them where enough have come together.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "convert/sort_run.h"

namespace heron::inline v0 {

struct MergeOptions {
  const Schema& schema;  // of the runs
  uint64_t key_columns;  // of them the first
  // What runs may hold together of rows that are not yet merged.
  uint64_t memory_bytes;
  uint64_t row_bytes;  // of one row, about
  // Told of a key that two rows have; throws.
  std::function<void(std::string_view key)> on_twice;
};

// Columns of them, in batches of no more than `batch_rows`. The runs must outlive the stream.
std::unique_ptr<RowStream> merge(std::span<const SortRunPtr> runs,
                                 std::span<const uint64_t> columns, uint64_t batch_rows,
                                 const MergeOptions& options, const Context& context);

}  // namespace heron::inline v0
