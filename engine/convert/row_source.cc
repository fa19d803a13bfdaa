#include "heron/row_source.h"

#include <algorithm>

#include "base/fail.h"
#include "bytes/byte_source.h"
#include "convert/forest_rows.h"
#include "exec/resolved_query.h"
#include "format/metadata_bytes.h"
#include "format/table_source.h"
#include "heron/scan.h"
#include "heron/take.h"
#include "table/internals.h"
#include "table/names.h"

namespace heron::inline v0 {
namespace {

// Returns the columns at these positions of the projection.
Projection chosen(const Projection& columns, std::span<const uint64_t> positions) {
  check_columns(positions, *columns.schema());
  bool all = positions.size() == columns.size();
  for (uint64_t i = 0; all && i < positions.size(); ++i) all = positions[i] == i;
  if (all) return columns;
  std::vector<uint64_t> indices;
  indices.reserve(positions.size());
  for (const uint64_t position : positions) indices.push_back(columns.indices()[position]);
  return Projection(columns.table(), indices);
}

// Common base of sources over a table.
class TableSourceOfRows : public RowSource {
 public:
  explicit TableSourceOfRows(Projection columns) : columns_(std::move(columns)) {
    schema_ = columns_.schema();
    if (!internals(*columns_.table()).source().has_only_statistics()) add_metadata();
    for (const uint64_t column : columns_.left_out()) {
      left_out_.push_back(columns_.table()->field_without_metadata(column));
    }
  }

  const std::string& name() const noexcept override { return bytes_of(*columns_.table()).name(); }
  const Schema& schema() const override { return *schema_; }
  std::span<const Field> left_out() const override { return left_out_; }
  std::string_view format() const noexcept override { return columns_.table()->format(); }
  std::optional<uint64_t> group_column() const noexcept override {
    const std::optional<uint64_t> column = columns_.table()->group_column();
    const auto indices = internals(columns_).indices();
    const auto position = std::ranges::find(indices, column);
    if (position == indices.end()) return std::nullopt;
    return static_cast<uint64_t>(position - indices.begin());
  }

 protected:
  Projection columns_;
  std::shared_ptr<const Schema> schema_;  // the schema of columns_ if these have no metadata
  Schema left_out_;

 private:
  void add_metadata() {
    const ByteSource& file = bytes_of(*columns_.table());
    MetadataBytes bytes(file, most_metadata_bytes(file.size()));
    std::shared_ptr<Schema> schema;
    for (uint64_t i = 0; i < columns_.size(); ++i) {
      std::vector<Metadata> metadata = columns_.table()->metadata(columns_.indices()[i]);
      if (metadata.empty()) continue;
      bytes.add(metadata);
      if (schema == nullptr) schema = std::make_shared<Schema>(*schema_);
      (*schema)[i].metadata = std::move(metadata);
    }
    if (schema != nullptr) schema_ = std::move(schema);
  }
};

class ScannedRows final : public RowStream {
 public:
  ScannedRows(const Query& query, const Context& context, uint64_t batch_rows)
      : scan_(query, context, batch_rows) {}
  bool next(RowBatch& batch) override { return scan_.next(batch); }

 private:
  Scan scan_;
};

class TableRows final : public TableSourceOfRows {
 public:
  TableRows(const Query& query, const Context& context)
      : TableSourceOfRows(query.columns.of(query.table)), query_(query) {
    const SelectedBy selected(
        query, {.call = "table_rows", .columns = true, .limit = true, .order = true});
    query_.where = selected.where;  // parsed once
    if (query.skip_damaged != nullptr) return;
    rows_ = std::min(selected.range.rows(), query.limit);
    if (!selected.where) return;
    rows_ = WriteOptions::kUnknownRows;
    if (!selected.is_whole()) return;
    rows_ = std::min(count(*selected.where, context), query.limit);  // counted in no metrics
  }

  uint64_t key_columns() const noexcept override {
    if (!query_.order.empty()) return 0;
    const uint64_t keys = columns_.table()->key_columns();
    if (keys > columns_.size()) return 0;
    for (uint64_t i = 0; i < keys; ++i) {
      if (columns_.indices()[i] != i) return 0;
    }
    return keys;
  }
  uint64_t rows() const override { return rows_; }
  SkippedRows* skipped() const noexcept override { return query_.skip_damaged; }
  // Returns one source per file of the table; empty unless the table has several files and this
  // source has all their rows and columns.
  std::vector<RowSourcePtr> by_file() const {
    std::vector<RowSourcePtr> files;
    const auto& table = columns_.table();
    const auto fragments = internals(*table).fragments();
    if (fragments.size() < 2 || rows_ != table->rows() || query_.where.is_set() ||
        !query_.order.empty() ||
        !std::ranges::equal(columns_.indices(), Projection(table).indices())) {
      return files;
    }
    for (const Fragment& file : fragments) {
      const std::shared_ptr<const Table> part(table, file.table);
      Query rows = query_;
      rows.table = part;
      rows.columns = {};
      files.push_back(std::make_shared<TableRows>(rows, Context{}));
    }
    return files;
  }
  std::unique_ptr<RowStream> read(std::span<const uint64_t> positions,
                                  const Context& context) const override {
    Projection columns = chosen(columns_, positions);
    const uint64_t batch_rows = rows_a_batch(*columns.schema());
    Query query = query_;
    query.columns = std::move(columns);
    return std::make_unique<ScannedRows>(query, context, batch_rows);
  }

 private:
  Query query_;
  uint64_t rows_ = WriteOptions::kUnknownRows;
};

class DrawnRows final : public RowStream {
 public:
  DrawnRows(Projection columns, uint64_t count, const DrawRows& draw, SkippedRows* skipped,
            const Context& context)
      : columns_(std::move(columns)),
        count_(count),
        draw_(draw),
        skipped_(skipped),
        context_(context),
        batch_rows_(rows_a_batch(*columns_.schema())) {}

  bool next(RowBatch& batch) override {
    do {
      context_.step(done_, count_);
      numbers_.resize(std::min(count_ - done_, batch_rows_));
      if (!numbers_.empty()) draw_(done_, numbers_);
      done_ += numbers_.size();
      take_readable(columns_, numbers_, batch, skipped_, context_);
    } while (numbers_.empty() && done_ < count_);
    return !numbers_.empty();
  }

 private:
  Projection columns_;
  uint64_t count_;
  const DrawRows& draw_;
  SkippedRows* skipped_;
  Context context_;
  uint64_t batch_rows_;
  uint64_t done_ = 0;
  std::vector<uint64_t> numbers_;
};

class NumberedRows final : public TableSourceOfRows {
 public:
  NumberedRows(Projection columns, uint64_t count, DrawRows draw, SkippedRows* skipped)
      : TableSourceOfRows(std::move(columns)),
        count_(count),
        draw_(std::move(draw)),
        skipped_(skipped) {}

  uint64_t rows() const override {
    return skipped_ == nullptr ? count_ : WriteOptions::kUnknownRows;
  }
  SkippedRows* skipped() const noexcept override { return skipped_; }
  std::unique_ptr<RowStream> read(std::span<const uint64_t> positions,
                                  const Context& context) const override {
    return std::make_unique<DrawnRows>(chosen(columns_, positions), count_, draw_, skipped_,
                                       context);
  }

 private:
  uint64_t count_;
  DrawRows draw_;
  SkippedRows* skipped_;
};

class SelectedColumns final : public RowSource {
 public:
  SelectedColumns(RowSourcePtr source, std::vector<uint64_t> positions)
      : source_(std::move(source)), positions_(std::move(positions)) {
    for (const uint64_t position : positions_) schema_.push_back(source_->schema()[position]);
  }

  const std::string& name() const noexcept override { return source_->name(); }
  const Schema& schema() const override { return schema_; }
  std::string_view format() const noexcept override { return source_->format(); }
  uint64_t rows() const override { return source_->rows(); }
  SkippedRows* skipped() const noexcept override { return source_->skipped(); }
  std::unique_ptr<RowStream> read(std::span<const uint64_t> columns,
                                  const Context& context) const override {
    check_columns(columns, schema_);
    std::vector<uint64_t> positions;
    positions.reserve(columns.size());
    for (const uint64_t column : columns) positions.push_back(positions_[column]);
    return source_->read(positions, context);
  }

 private:
  RowSourcePtr source_;
  std::vector<uint64_t> positions_;
  Schema schema_;
};

}  // namespace

void check_columns(std::span<const uint64_t> columns, const Schema& schema) {
  for (const uint64_t column : columns) {
    if (column >= schema.size()) fail_no_such({}, "column", column, "the schema", schema.size());
  }
}

uint64_t rows_a_batch(const Schema& schema) {
  constexpr uint64_t kMaxRows = 8192, kMaxCells = 1 << 20, kMaxStored = 1 << 16;
  uint64_t cells = 1;
  for (const Field& field : schema) {
    const uint64_t slots = field.type.is(Type::Vector) ? field.type.size() : 1;
    cells += std::clamp<uint64_t>(slots, 1, kMaxStored);
  }
  return std::clamp<uint64_t>(kMaxCells / cells, 1, kMaxRows);
}

RowSourcePtr table_rows(const Query& query, const Context& context) {
  return std::make_shared<TableRows>(query, context);
}

std::vector<RowSourcePtr> rows_by_file(const RowSourcePtr& rows) {
  const auto* table = dynamic_cast<const TableRows*>(rows.get());
  std::vector<RowSourcePtr> files;
  if (table != nullptr) files = table->by_file();
  if (files.empty()) files.push_back(rows);
  return files;
}

RowSourcePtr numbered_rows(Projection columns, uint64_t count, DrawRows draw,
                           SkippedRows* skipped) {
  check_given(draw, "a function that draws rows");
  return std::make_shared<NumberedRows>(std::move(columns), count, std::move(draw), skipped);
}

RowSourcePtr selected_columns(RowSourcePtr source, std::span<const std::string> names) {
  check_given(source, "a source of rows");
  std::vector<uint64_t> positions;
  for (const std::string& name : names) {
    const Schema& schema = source->schema();
    const auto field = std::find_if(schema.begin(), schema.end(),
                                    [&](const Field& one) { return one.name == name; });
    if (field == schema.end()) {
      fail(ErrorKind::Argument, source->name(), "no column \"", name, '"',
           similar_column(schema, name));
    }
    positions.push_back(static_cast<uint64_t>(field - schema.begin()));
  }
  return std::make_shared<SelectedColumns>(std::move(source), std::move(positions));
}

}  // namespace heron::inline v0
