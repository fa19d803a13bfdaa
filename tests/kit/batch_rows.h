// Batches in memory as a source of rows, in sizes that a test chooses.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "heron/row_source.h"
#include "kit/random_batch.h"
#include "values/assemble.h"

namespace heron::inline v0 {

// A source of one or more batches of one schema.
class BatchRows final : public RowSource {
 public:
  explicit BatchRows(std::vector<RowBatch> batches, bool tells_rows = true)
      : batches_(std::move(batches)), tells_rows_(tells_rows) {}

  std::string given_name = "made.file";
  std::string given_format = {};

  const std::string& name() const noexcept override { return given_name; }
  const Schema& schema() const override { return *batches_.front().schema; }
  std::string_view format() const noexcept override { return given_format; }
  uint64_t rows() const override {
    uint64_t rows = 0;
    for (const RowBatch& batch : batches_) rows += batch.rows;
    return tells_rows_ ? rows : WriteOptions::kUnknownRows;
  }
  std::unique_ptr<RowStream> read(std::span<const uint64_t> columns,
                                  const Context& context) const override {
    return std::make_unique<Stream>(batches_, columns, context);
  }

 private:
  class Stream final : public RowStream {
   public:
    Stream(const std::vector<RowBatch>& batches, std::span<const uint64_t> columns,
           const Context& context)
        : batches_(batches), columns_(columns.begin(), columns.end()), context_(context) {
      for (const uint64_t column : columns_) {
        schema_->push_back((*batches.front().schema)[column]);
        schema_->back().metadata.clear();
      }
    }

    bool next(RowBatch& batch) override {
      context_.step(next_, batches_.size());
      batch = RowBatch();
      batch.schema = schema_;
      if (next_ == batches_.size()) return false;
      const RowBatch& from = batches_[next_++];
      batch.rows = from.rows;
      batch.memory = from.memory;
      batch.source = from.source;
      for (const uint64_t column : columns_) batch.columns.push_back(from.columns[column]);
      return true;
    }

   private:
    const std::vector<RowBatch>& batches_;
    std::vector<uint64_t> columns_;
    Context context_;
    std::shared_ptr<Schema> schema_ = std::make_shared<Schema>();
    size_t next_ = 0;
  };

  std::vector<RowBatch> batches_;
  bool tells_rows_;
};

// Returns `count` rows of a batch from `first` on.
inline RowBatch some_rows(const RowBatch& batch, uint64_t first, uint64_t count) {
  std::vector<uint32_t> rows(count);
  for (uint64_t i = 0; i < count; ++i) rows[i] = static_cast<uint32_t>(first + i);
  RowBatch some;
  some.schema = batch.schema;
  some.rows = count;
  some.source = batch.source;
  some.memory = std::make_shared<Arena>();
  some.memory->keep(batch.memory);
  for (const Values& values : batch.columns) {
    some.columns.push_back(pick(values, rows, *some.memory));
  }
  return some;
}

// Returns a source that has the batch in batches of `batch_rows` rows.
inline std::shared_ptr<BatchRows> batch_rows(const RowBatch& whole, uint64_t batch_rows,
                                             bool tells_rows = true) {
  std::vector<RowBatch> batches;
  for (uint64_t row = 0; row == 0 || row < whole.rows; row += batch_rows) {
    batches.push_back(some_rows(whole, row, std::min(batch_rows, whole.rows - row)));
  }
  return std::make_shared<BatchRows>(std::move(batches), tells_rows);
}

}  // namespace heron::inline v0
