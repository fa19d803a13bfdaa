// A spill in memory: tables of what was written, and their number.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "convert/spill.h"
#include "kit/values_column.h"

namespace heron::inline v0 {

class MemorySpill final : public Spill {
 public:
  explicit MemorySpill(const Schema& schema) : schema_(std::make_shared<const Schema>(schema)) {}

  void write(const RowBatch& batch) override {
    rows_ += batch.rows;
    batches_.push_back(batch);
  }
  std::shared_ptr<const Table> finish() override {
    RowBatch all;
    all.schema = schema_;
    all.rows = rows_;
    all.memory = std::make_shared<Arena>();
    TableMaker maker(rows_);
    for (uint64_t i = 0; i < schema_->size(); ++i) {
      std::vector<Values> pieces;
      for (const RowBatch& batch : batches_) pieces.push_back(batch.columns[i]);
      pieces.push_back(concatenate((*schema_)[i].type, {}, *all.memory));  // a copy in any case
      all.columns.push_back(concatenate((*schema_)[i].type, pieces, *all.memory));
    }
    for (uint64_t i = 0; i < schema_->size(); ++i) {
      add_values(maker, (*schema_)[i].name, all, i);
    }
    return maker.table();
  }

 private:
  std::shared_ptr<const Schema> schema_;
  std::vector<RowBatch> batches_;
  uint64_t rows_ = 0;
};

// `made` counts them.
inline MakeSpill memory_spills(uint64_t& made) {
  return [&made](const Schema& schema) {
    ++made;
    return std::make_unique<MemorySpill>(schema);
  };
}

}  // namespace heron::inline v0
