// The first pass over the files finds types and counts rows (csv_files.h); every stream is another
// pass. A pass reads the file piece by piece (record_reader.h), and each piece column by column.
#include <memory>
#include <utility>

#include "base/fail.h"
#include "bytes/standard_input.h"
#include "csv/convert_fields.h"
#include "csv/csv_files.h"
#include "csv/encoding.h"
#include "csv/options.h"
#include "heron/csv.h"

namespace heron::inline v0 {
namespace csv {
namespace {

class CsvStream final : public RowStream {
 public:
  CsvStream(const CsvFiles& source, std::span<const uint64_t> columns, const Context& context)
      : source_(source),
        context_(context),
        records_(source, source.bytes(), 2 * source.bytes(), context_),
        indices_(columns.begin(), columns.end()) {
    auto schema = std::make_shared<Schema>();
    check_columns(columns, source.schema());
    for (const uint64_t column : columns) {
      schema->push_back(source.schema()[column]);
      columns_.push_back({column, source.schema()[column].name, source.schema()[column].type});
    }
    schema_ = std::move(schema);
  }

  bool next(RowBatch& batch) override {
    Records records;
    const bool is_row = records_.next(records);
    if (batch.memory == nullptr || batch.memory.use_count() > 1) {
      batch.memory = std::make_shared<Arena>(context_.memory);
    } else {
      batch.memory->reset();
    }
    batch.schema = schema_;
    batch.source = nullptr;
    batch.columns.clear();
    batch.rows = is_row ? records.size() : 0;
    if (!is_row) return false;
    for (uint64_t i = 0; i < columns_.size(); ++i) {
      columns_[i].index = source_.field_index(records_.file(), indices_[i]);
      batch.columns.push_back(convert_fields(records_.reader().position(), records, columns_[i],
                                             source_.field_rules(), *batch.memory));
    }
    records_.bytes()->check_unchanged();
    return true;
  }

 private:
  const CsvFiles& source_;
  const Context context_;
  AllRecords records_;
  std::shared_ptr<const Schema> schema_;
  const std::vector<uint64_t> indices_;
  std::vector<FieldColumn> columns_;  // each with its field's index in the current file
};

class CsvRows final : public RowSource {
 public:
  explicit CsvRows(CsvFiles files) : files_(std::move(files)) {}

  const std::string& name() const noexcept override { return files_.name(); }
  const Schema& schema() const override { return files_.schema(); }
  uint64_t rows() const override { return files_.rows(); }
  std::unique_ptr<RowStream> read(std::span<const uint64_t> columns,
                                  const Context& context) const override;

 private:
  CsvFiles files_;
};

std::unique_ptr<RowStream> CsvRows::read(std::span<const uint64_t> columns,
                                         const Context& context) const {
  return std::make_unique<CsvStream>(files_, columns, context);
}

}  // namespace
}  // namespace csv

RowSourcePtr csv_rows(std::vector<std::string> paths, const FormatOptions& named,
                      const Context& context) {
  if (paths.empty()) fail(ErrorKind::Argument, {}, "no file to read rows from");
  check_format_options(paths.front(), {}, FormatOption::Use::Open, named);
  const CsvOptions options = csv::csv_options(named);
  std::vector<std::shared_ptr<const ByteSource>> sources;
  sources.reserve(paths.size());
  for (const std::string& path : paths) {
    sources.push_back(csv::open_text(open_input(path, false, context), options.encoding, context));
  }
  return std::make_shared<const csv::CsvRows>(
      csv::CsvFiles(std::move(sources), options, {.passes = 2}, context));
}

}  // namespace heron::inline v0
