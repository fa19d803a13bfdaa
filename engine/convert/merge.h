// Merges sorted runs. A tournament of the runs' next keys yields the rows, which are collected in
// batches.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "convert/sort_run.h"

namespace heron::inline v0 {

struct MergeOptions {
  const Schema& schema;  // of the runs
  uint64_t key_columns;  // its leading columns
  // The memory of all runs for rows not merged yet.
  uint64_t memory_bytes;
  uint64_t row_bytes;  // approximate, of one row
  // Called with a key that two rows have; throws.
  std::function<void(std::string_view key)> on_twice;
};

// Some columns of the runs, in batches of at most `batch_rows`. The runs must outlive the stream.
std::unique_ptr<RowStream> merge(std::span<const SortRunPtr> runs,
                                 std::span<const uint64_t> columns, uint64_t batch_rows,
                                 const MergeOptions& options, const Context& context);

}  // namespace heron::inline v0
