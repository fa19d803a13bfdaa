// Rows in the order of their keys, one of the parts that are merged into the order of all.
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
  // These columns, of more rows than the run has if it is the beginning of something longer, in
  // batches of about so many rows. The run must outlive the stream.
  virtual std::unique_ptr<RowStream> read(std::span<const uint64_t> columns, uint64_t batch_rows,
                                          const Context& context) const = 0;

 protected:
  SortRun() = default;
};
using SortRunPtr = std::shared_ptr<const SortRun>;

// The first rows of a source, which are in order as they are.
SortRunPtr run_of_source(RowSourcePtr source, uint64_t rows);

// Of what was spooled with that schema.
SortRunPtr run_of_table(std::shared_ptr<const Table> table, const Schema& schema);

}  // namespace heron::inline v0
