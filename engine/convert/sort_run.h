// A sorted run: rows in key order, an input of merge().
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "heron/context.h"
#include "heron/row_source.h"

namespace heron::inline v0 {

// Immutable and thread-safe.
class SortRun {
 public:
  virtual ~SortRun() = default;
  SortRun(const SortRun&) = delete;
  SortRun& operator=(const SortRun&) = delete;

  virtual uint64_t rows() const noexcept = 0;
  // These columns, in batches of about `batch_rows`. The stream has more rows than the run if the
  // run is the beginning of a longer source. The run must outlive the stream.
  virtual std::unique_ptr<RowStream> read(std::span<const uint64_t> columns, uint64_t batch_rows,
                                          const Context& context) const = 0;

 protected:
  SortRun() = default;
};
using SortRunPtr = std::shared_ptr<const SortRun>;

// The first rows of a source, which are already in order.
SortRunPtr run_of_source(RowSourcePtr source, uint64_t rows);

// Rows spilled with that schema.
SortRunPtr run_of_table(std::shared_ptr<const Table> table, const Schema& schema);

}  // namespace heron::inline v0
