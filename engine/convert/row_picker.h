// Makes batches of rows picked from other batches.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/arena.h"
#include "heron/context.h"
#include "heron/values.h"
#include "values/assemble.h"

namespace heron::inline v0 {

// One thread at a time.
class RowPicker {
 public:
  // `columns`: for each of the schema, its index in the sources.
  RowPicker(std::shared_ptr<const Schema> schema, std::vector<uint64_t> columns,
            std::shared_ptr<MemoryBudget> memory)
      : schema_(std::move(schema)), columns_(std::move(columns)), memory_(std::move(memory)) {}

  // Returns the source's number, for PieceRow. The batch must not move until forget_sources().
  uint32_t add_source(const RowBatch& batch) {
    sources_.push_back(&batch);
    return static_cast<uint32_t>(sources_.size() - 1);
  }
  void forget_sources() { sources_.clear(); }

  // Fills the batch with the rows. Reuses its memory if no other copy of it exists.
  void pick(std::span<const PieceRow> rows, RowBatch& batch);

 private:
  std::shared_ptr<const Schema> schema_;
  std::vector<uint64_t> columns_;
  std::shared_ptr<MemoryBudget> memory_;
  std::vector<const RowBatch*> sources_;
  std::vector<const Values*> pieces_;  // one column of each source
};

// Some columns of a schema as batches use it, without metadata.
std::shared_ptr<const Schema> batch_schema(const Schema& schema, std::span<const uint64_t> columns);

}  // namespace heron::inline v0
