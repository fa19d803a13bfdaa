#include "convert/cast_rows.h"

#include <utility>

#include "base/fail.h"
#include "bytes/byte_source.h"

namespace heron::inline v0 {
namespace {

using Columns = std::vector<CastColumn>;

std::shared_ptr<const Schema> names_and_types(const Schema& schema,
                                              std::span<const uint64_t> columns) {
  auto chosen = std::make_shared<Schema>();
  chosen->reserve(columns.size());
  for (const uint64_t column : columns) {
    Field& field = chosen->emplace_back(schema[column]);
    field.metadata.clear();
  }
  return chosen;
}

class CastStream final : public RowStream {
 public:
  CastStream(std::unique_ptr<RowStream> rows, const std::string& name,
             std::shared_ptr<const Schema> schema, Columns columns, const Context& context)
      : rows_(std::move(rows)),
        name_(name),
        schema_(std::move(schema)),
        columns_(std::move(columns)),
        context_(context) {}

  bool next(RowBatch& batch) override {
    Arena& arena = begin(batch);
    const bool more = rows_->next(from_);
    if (!more) return false;
    // Unchanged columns point into the memory of the source's batch.
    arena.keep(from_.memory);
    batch.source = from_.source;
    batch.rows = from_.rows;
    for (uint64_t i = 0; i < columns_.size(); ++i)
      cast_column(i, arena, batch.columns.emplace_back());
    first_row_ += from_.rows;
    return true;
  }

 private:
  // Empties the batch; its memory can be reused.
  Arena& begin(RowBatch& batch) {
    batch.schema = schema_;
    batch.rows = 0;
    batch.columns.clear();
    from_.columns.clear();
    if (batch.memory == nullptr || batch.memory.use_count() > 1) {
      batch.memory = std::make_shared<Arena>(context_.memory);
    } else {
      batch.memory->reset();
    }
    return *batch.memory;
  }

  void cast_column(uint64_t i, Arena& arena, Values& into) {
    const CastColumn& column = columns_[i];
    const auto fault = cast(from_.columns[i], column.type, column.nulls, arena, into);
    if (!fault) return;
    if (from_.source != nullptr) from_.source->check_unchanged();  // a change would be the cause
    fail(ErrorKind::Argument, name_, "column \"", (*schema_)[i].name, "\": row ",
         first_row_ + fault->row, ": ", fault->value, " does not fit into ", column.type.name());
  }

  std::unique_ptr<RowStream> rows_;
  const std::string& name_;
  std::shared_ptr<const Schema> schema_;
  Columns columns_;
  Context context_;
  RowBatch from_;
  uint64_t first_row_ = 0;
};

class CastRows final : public RowSource {
 public:
  CastRows(RowSourcePtr source, Columns columns)
      : source_(std::move(source)), columns_(std::move(columns)) {
    schema_.reserve(columns_.size());
    for (const CastColumn& column : columns_) {
      Field& field = schema_.emplace_back(source_->schema()[column.column]);
      if (field.type != column.type) {
        field.encoding.clear();
        // The value of a key can be null even if the key is not.
        field.nullable =
            (field.nullable || field.type.is(Type::Key)) && !column.type.is(Type::Vector);
      }
      if (column.nulls == NullFloat::AsNaN && column.type.is_float()) field.nullable = false;
      field.type = column.type;
      if (!column.keeps_metadata) field.metadata.clear();
      field.metadata.insert(field.metadata.end(), column.metadata.begin(), column.metadata.end());
    }
  }

  const std::string& name() const noexcept override { return source_->name(); }
  const Schema& schema() const override { return schema_; }
  std::string_view format() const noexcept override { return source_->format(); }
  uint64_t rows() const override { return source_->rows(); }
  SkippedRows* skipped() const noexcept override { return source_->skipped(); }

  std::unique_ptr<RowStream> read(std::span<const uint64_t> columns,
                                  const Context& context) const override {
    Columns casts;
    std::vector<uint64_t> indices;
    casts.reserve(columns.size());
    indices.reserve(columns.size());
    for (const uint64_t column : columns) {
      casts.push_back(columns_[column]);
      indices.push_back(columns_[column].column);
    }
    return std::make_unique<CastStream>(source_->read(indices, context), name(),
                                        names_and_types(schema_, columns), std::move(casts),
                                        context);
  }

 private:
  RowSourcePtr source_;
  Columns columns_;
  Schema schema_;
};

// Returns whether the casts leave all columns as they are.
bool is_same(const Schema& schema, const Columns& columns) {
  if (columns.size() != schema.size()) return false;
  for (uint64_t i = 0; i < columns.size(); ++i) {
    const CastColumn& column = columns[i];
    if (column.column != i || column.type != schema[i].type) return false;
    if (column.nulls != NullFloat::Keep || !column.metadata.empty()) return false;
    if (!column.keeps_metadata && !schema[i].metadata.empty()) return false;
  }
  return true;
}

}  // namespace

RowSourcePtr cast_rows(RowSourcePtr source, std::vector<CastColumn> columns) {
  if (is_same(source->schema(), columns)) return source;
  return std::make_shared<CastRows>(std::move(source), std::move(columns));
}

}  // namespace heron::inline v0
