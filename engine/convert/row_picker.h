// Batches whose rows are picked out of other batches.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/arena.h"
#include "columns/assemble.h"
#include "heron/context.h"
#include "heron/values.h"

namespace heron::inline v0 {

// One thread at a time.
class RowPicker {
 public:
  // `columns`: for each of the schema, which of the sources' it is.
  RowPicker(std::shared_ptr<const Schema> schema, std::vector<uint64_t> columns,
            std::shared_ptr<MemoryBudget> memory)
      : schema_(std::move(schema)), columns_(std::move(columns)), memory_(std::move(memory)) {}

  // The sources' number, for rows. It must stay where it is until forget_sources().
  uint32_t add_source(const RowBatch& batch) {
    sources_.push_back(&batch);
    return static_cast<uint32_t>(sources_.size() - 1);
  }
  void forget_sources() { sources_.clear(); }

  // Fills the batch with the rows. Its memory is used again if nobody else holds it.
  void pick(std::span<const PieceRow> rows, RowBatch& batch);

 private:
  std::shared_ptr<const Schema> schema_;
  std::vector<uint64_t> columns_;
  std::shared_ptr<MemoryBudget> memory_;
  std::vector<const RowBatch*> sources_;
  std::vector<const Values*> pieces_;  // the sources' values of one column
};

// Some columns of a schema as batches have it, without metadata.
std::shared_ptr<const Schema> batch_schema(const Schema& schema, std::span<const uint64_t> columns);

}  // namespace heron::inline v0
