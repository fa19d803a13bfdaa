#include "convert/sort_run.h"

#include <vector>

#include "base/arena.h"
#include "convert/cast.h"
#include "heron/context.h"
#include "heron/dataset.h"
#include "heron/scan.h"
#include "heron/schema.h"
#include "heron/take.h"
#include "heron/values.h"

namespace heron::inline v0 {
namespace {

class SourceRun final : public SortRun {
 public:
  SourceRun(RowSourcePtr source, uint64_t rows) : source_(std::move(source)), rows_(rows) {}

  uint64_t rows() const noexcept override { return rows_; }
  std::unique_ptr<RowStream> read(std::span<const uint64_t> columns, uint64_t,
                                  const Context& context) const override {
    return source_->read(columns, context);
  }

 private:
  RowSourcePtr source_;
  uint64_t rows_;
};

// Restores the original types: a file may hold texts and lists with other offset widths.
class TableStream final : public RowStream {
 public:
  TableStream(Projection columns, std::vector<Type> types, uint64_t batch_rows,
              const Context& context)
      : scan_(std::move(columns), context, batch_rows), types_(std::move(types)) {}

  bool next(RowBatch& batch) override {
    if (!scan_.next(batch)) return false;
    for (uint64_t i = 0; i < types_.size(); ++i) {
      if (batch.columns[i].type == types_[i]) continue;
      Values wanted;
      cast(batch.columns[i], types_[i], NullFloat::Keep, *batch.memory, wanted);
      batch.columns[i] = std::move(wanted);
    }
    return true;
  }

 private:
  Scan scan_;
  std::vector<Type> types_;
};

class TableRun final : public SortRun {
 public:
  TableRun(std::shared_ptr<const Table> table, const Schema& schema) : table_(std::move(table)) {
    types_.reserve(schema.size());
    for (const Field& field : schema) types_.push_back(field.type);
  }

  uint64_t rows() const noexcept override { return table_->rows(); }
  std::unique_ptr<RowStream> read(std::span<const uint64_t> columns, uint64_t batch_rows,
                                  const Context& context) const override {
    std::vector<Type> types;
    for (const uint64_t column : columns) types.push_back(types_[column]);
    return std::make_unique<TableStream>(Projection(table_, columns), std::move(types), batch_rows,
                                         context);
  }

 private:
  std::shared_ptr<const Table> table_;
  std::vector<Type> types_;
};

}  // namespace

SortRunPtr run_of_source(RowSourcePtr source, uint64_t rows) {
  return std::make_shared<const SourceRun>(std::move(source), rows);
}

SortRunPtr run_of_table(std::shared_ptr<const Table> table, const Schema& schema) {
  return std::make_shared<const TableRun>(std::move(table), schema);
}

}  // namespace heron::inline v0
