#include "files/casting_writer.h"

#include <numeric>
#include <utility>
#include <vector>

#include "convert/mapping_notes.h"
#include "convert/schema_mapping.h"
#include "files/formats.h"
#include "files/target.h"

namespace heron::inline v0 {
namespace {

// The rows of the batch that was pushed last: every stream returns each batch once.
class PushedRows final : public RowSource {
 public:
  PushedRows(std::string path, Schema schema)
      : path_(std::move(path)), schema_(std::move(schema)) {}

  // The batch must outlive reading it.
  void push(const RowBatch& batch) {
    batch_ = &batch;
    ++pushed_;
  }

  const std::string& name() const noexcept override { return path_; }
  const Schema& schema() const override { return schema_; }
  uint64_t rows() const override { return WriteOptions::kUnknownRows; }
  std::unique_ptr<RowStream> read(std::span<const uint64_t> columns,
                                  const Context&) const override {
    check_columns(columns, schema_);
    return std::make_unique<Stream>(*this, columns);
  }

 private:
  class Stream final : public RowStream {
   public:
    Stream(const PushedRows& all, std::span<const uint64_t> columns)
        : all_(all), columns_(columns.begin(), columns.end()) {}

    bool next(RowBatch& batch) override {
      batch = {};
      if (std::exchange(read_, all_.pushed_) == all_.pushed_) return false;
      batch.rows = all_.batch_->rows;
      batch.memory = all_.batch_->memory;
      batch.source = all_.batch_->source;
      for (const uint64_t column : columns_) batch.columns.push_back(all_.batch_->columns[column]);
      return true;
    }

   private:
    const PushedRows& all_;
    std::vector<uint64_t> columns_;
    uint64_t read_ = 0;
  };

  std::string path_;
  Schema schema_;
  const RowBatch* batch_ = nullptr;
  uint64_t pushed_ = 0;
};

class CastingWriter final : public Writer {
 public:
  CastingWriter(std::shared_ptr<PushedRows> pushed, std::vector<CastColumn> casts,
                const WriteOptions& options)
      : pushed_(std::move(pushed)), rows_(cast_rows(pushed_, std::move(casts))) {
    std::vector<uint64_t> columns(rows_->schema().size());
    std::iota(columns.begin(), columns.end(), uint64_t{0});
    stream_ = rows_->read(columns, context_);
    writer_ = create(pushed_->name(), rows_->schema(), options, context_);
  }

  void write(const RowBatch& batch) override {
    pushed_->push(batch);
    RowBatch cast;
    if (stream_->next(cast)) writer_->write(cast);
  }
  void close() override { writer_->close(); }
  void publish() override { writer_->publish(); }
  uint64_t bytes_written() const override { return writer_->bytes_written(); }
  std::vector<ColumnLoss> losses() const override { return writer_->losses(); }

 private:
  const Context context_;
  std::shared_ptr<PushedRows> pushed_;
  RowSourcePtr rows_;
  std::unique_ptr<RowStream> stream_;
  std::unique_ptr<Writer> writer_;
};

}  // namespace

std::unique_ptr<Writer> create_casting(const std::string& path, const RowBatch& first,
                                       const WriteOptions& options, const Context& context) {
  const auto pushed = std::make_shared<PushedRows>(path, *first.schema);
  pushed->push(first);
  const Format& format = *Target(path, options.format).format;
  const RowSourcePtr rows = pushed;
  const SchemaMapping mapping =
      map_schema({&rows, 1}, format.name, write_support_of(format, options),
                 {.write = options, .cast = true, .foresee_rounding = false}, path, context);
  note_mapping(mapping, *first.schema, context);
  std::vector<CastColumn> casts;
  for (const MappedColumn& column : mapping.columns) casts.push_back(column.cast);
  return std::make_unique<CastingWriter>(pushed, std::move(casts), options);
}

}  // namespace heron::inline v0
