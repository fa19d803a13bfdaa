#include "convert/row_picker.h"

namespace heron::inline v0 {

void RowPicker::pick(std::span<const PieceRow> rows, RowBatch& batch) {
  if (batch.memory == nullptr || batch.memory.use_count() > 1) {
    batch.memory = std::make_shared<Arena>(memory_);
  } else {
    batch.memory->reset();
  }
  batch.schema = schema_;
  batch.source = nullptr;
  batch.rows = rows.size();
  batch.columns.clear();
  if (rows.empty()) return;
  for (const uint64_t column : columns_) {
    pieces_.clear();
    for (const RowBatch* source : sources_) pieces_.push_back(&source->columns[column]);
    batch.columns.push_back(heron::pick(pieces_, rows, *batch.memory));
  }
}

std::shared_ptr<const Schema> batch_schema(const Schema& schema,
                                           std::span<const uint64_t> columns) {
  auto some = std::make_shared<Schema>();
  some->reserve(columns.size());
  for (const uint64_t column : columns) {
    const Field& field = schema[column];
    some->push_back(
        {field.name, field.type, field.encoding, field.nullable, field.readable, field.reason, {}});
  }
  return some;
}

}  // namespace heron::inline v0
