// The first pass over the files infers types and counts rows; every stream is another pass. Each
// pass reads piece by piece (record_reader.h), and in each piece column by column.
#include <algorithm>
#include <memory>
#include <utility>

#include "csv/convert_fields.h"
#include "csv/csv_file.h"
#include "csv/encoding.h"
#include "csv/infer.h"
#include "csv/record_reader.h"
#include "dataset/names.h"
#include "heron/csv.h"

namespace heron::inline v0 {
namespace csv {
namespace {

// A header, for Names to repair.
class Header final : public TableSource {
 public:
  explicit Header(const std::vector<std::string>& names) : names_(names) {}

  uint64_t column_count() const noexcept override { return names_.size(); }
  std::string stored_name(uint64_t column) const override { return names_[column]; }
  ColumnPtr open_column(uint64_t, const std::string&) const override { return nullptr; }

 private:
  const std::vector<std::string>& names_;
};

class CsvRows final : public RowSource {
 public:
  CsvRows(const std::vector<std::string>& paths, const CsvOptions& options, const Context& context);

  const std::string& name() const noexcept override { return files_.front().source->name(); }
  const Schema& schema() const override { return schema_; }
  uint64_t rows() const override { return rows_; }
  std::unique_ptr<RowStream> read(std::span<const uint64_t> columns,
                                  const Context& context) const override;

  const std::vector<CsvFile>& files() const noexcept { return files_; }
  char separator() const noexcept { return separator_; }
  const NullWords& null_words() const noexcept { return nulls_; }
  uint64_t bytes() const noexcept { return bytes_; }

 private:
  void open_files(const std::vector<std::string>& paths, const CsvOptions& options,
                  const Context& context);
  void check_header(const CsvFile& file) const;
  void make_schema();
  void tell_types(const CsvOptions& options);
  void find_types(const Context& context);
  void tell_why_text(const std::vector<ColumnTypes>& types, bool quotes_are_text,
                     const Context& context) const;

  std::vector<CsvFile> files_;
  bool is_utf8_;  // has to be
  char separator_;
  NullWords nulls_;
  uint64_t bytes_ = 0;  // of all files
  uint64_t rows_ = 0;
  Schema schema_;
  std::vector<bool> is_told_;  // per column: its type is given
};

// All records of all files, in their order.
class AllRecords {
 public:
  AllRecords(const CsvRows& source, uint64_t bytes_before, const Context& context)
      : source_(source), context_(context), bytes_before_(bytes_before) {}

  bool next(Records& records) {
    for (; file_ < source_.files().size(); ++file_) {
      const CsvFile& file = source_.files()[file_];
      if (reader_ == nullptr) {
        reader_ = std::make_unique<RecordReader>(file.source, file.rows_offset, source_.separator(),
                                                 file.columns, context_);
      }
      if (reader_->next(records)) {
        context_.step(bytes_before_ + reader_->offset(), 2 * source_.bytes());
        return true;
      }
      file.source->check_unchanged();
      bytes_before_ += file.source->size();
      reader_.reset();
    }
    return false;
  }
  // The reader of the last records.
  const RecordReader& reader() const noexcept { return *reader_; }
  uint64_t file() const noexcept { return file_; }
  const std::shared_ptr<const ByteSource>& bytes() const noexcept {
    return source_.files()[file_].source;
  }

 private:
  const CsvRows& source_;
  const Context& context_;
  uint64_t bytes_before_;
  uint64_t file_ = 0;
  std::unique_ptr<RecordReader> reader_;
};

class CsvStream final : public RowStream {
 public:
  CsvStream(const CsvRows& source, std::span<const uint64_t> columns, const Context& context)
      : source_(source), context_(context), records_(source, source.bytes(), context_) {
    auto schema = std::make_shared<Schema>();
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
    for (const FieldColumn& column : columns_) {
      batch.columns.push_back(
          convert_fields(records_.reader(), records, column, source_.null_words(), *batch.memory));
    }
    records_.bytes()->check_unchanged();
    return true;
  }

 private:
  const CsvRows& source_;
  const Context context_;
  AllRecords records_;
  std::shared_ptr<const Schema> schema_;
  std::vector<FieldColumn> columns_;
};

CsvRows::CsvRows(const std::vector<std::string>& paths, const CsvOptions& options,
                 const Context& context)
    : is_utf8_(options.encoding != CsvEncoding::Bytes),
      separator_(options.separator),
      nulls_(options.null_words) {
  if (paths.empty()) fail(ErrorKind::Argument, {}, "no file to read rows from");
  if (separator_ == '"' || separator_ == '\n' || separator_ == '\r') {
    fail(ErrorKind::Argument, {}, "a quote or a line's end cannot separate fields");
  }
  open_files(paths, options, context);
  make_schema();
  tell_types(options);
  find_types(context);
}

void CsvRows::open_files(const std::vector<std::string>& paths, const CsvOptions& options,
                         const Context& context) {
  for (const std::string& path : paths) {
    auto source = open_text(path, options.encoding, context);
    if (separator_ == 0) separator_ = find_separator(*source, context);
    bytes_ += source->size();
    files_.push_back(open_csv(std::move(source), separator_, options.header, is_utf8_, context));
    check_header(files_.back());
  }
}

void CsvRows::check_header(const CsvFile& file) const {
  const CsvFile& first = files_.front();
  if (file.columns != first.columns) {
    fail(ErrorKind::Argument, file.source->name(), "has ", file.columns, " columns, but ",
         first.source->name(), " has ", first.columns);
  }
  const auto [name, expected] = std::ranges::mismatch(file.names, first.names);
  if (name != file.names.end()) {
    fail(ErrorKind::Argument, file.source->name(), "column ", name - file.names.begin() + 1,
         " is \"", *name, "\", but in ", first.source->name(), " it is \"", *expected, '"');
  }
}

void CsvRows::make_schema() {
  const Names names{Header(files_.front().names)};
  for (uint64_t i = 0; i < files_.front().columns; ++i) {
    Field field;
    field.name = names[i];
    schema_.push_back(std::move(field));
  }
}

void CsvRows::tell_types(const CsvOptions& options) {
  is_told_.resize(schema_.size());
  for (const auto& [name, type] : options.types) {
    const auto field = std::ranges::find(schema_, name, &Field::name);
    if (field == schema_.end()) {
      fail(ErrorKind::Argument, this->name(), "no column \"", name, "\" to be ", type.name(),
           similar_column(schema_, name));
    }
    if (!is_field_type(type)) {
      fail(ErrorKind::Argument, this->name(), "fields of \"", name, "\" cannot be told to be ",
           type.name());
    }
    field->type = type;
    is_told_[static_cast<size_t>(field - schema_.begin())] = true;
  }
}

void CsvRows::find_types(const Context& context) {
  std::vector<ColumnTypes> types(schema_.size());
  Arena arena(context.memory);
  AllRecords all(*this, 0, context);
  for (Records records; all.next(records);) {
    if (is_utf8_) all.reader().check_utf8(records);
    rows_ += records.size();
    for (uint64_t i = 0; i < types.size(); ++i) {
      Field& field = schema_[i];
      if (is_told_[i]) {
        arena.reset();
        const FieldColumn column{i, field.name, field.type};
        const Values values = convert_fields(all.reader(), records, column, nulls_, arena);
        field.nullable |= values.null_count != 0;
      } else {
        types[i].see({all.reader(), records, all.file()}, i, nulls_);
      }
    }
  }
  const bool quotes_are_text = std::ranges::any_of(files_, &CsvFile::has_plain_names) ||
                               std::ranges::any_of(types, &ColumnTypes::has_plain);
  for (uint64_t i = 0; i < types.size(); ++i) {
    if (is_told_[i]) continue;
    schema_[i].type = types[i].type(quotes_are_text);
    schema_[i].nullable = types[i].has_nulls();
  }
  if (context.note) tell_why_text(types, quotes_are_text, context);
}

// Finds line numbers in file order, and reports them in column order.
void CsvRows::tell_why_text(const std::vector<ColumnTypes>& types, bool quotes_are_text,
                            const Context& context) const {
  struct Why {
    uint64_t column;
    const SeenField* field;
    uint64_t line = 0;
  };
  std::vector<Why> all;
  for (uint64_t i = 0; i < types.size(); ++i) {
    if (const SeenField* field = types[i].made_text(quotes_are_text)) all.push_back({i, field});
  }
  const auto place = [](const Why& why) { return std::pair(why.field->file, why.field->offset); };
  std::ranges::sort(all, {}, place);
  LineNumbers lines;
  uint64_t file = 0;
  for (Why& why : all) {
    if (why.field->file != file) lines = {};
    file = why.field->file;
    why.line = lines.at(*files_[file].source, why.field->offset, context);
  }
  std::ranges::sort(all, {}, &Why::column);
  for (const Why& why : all) {
    const Type other = types[why.column].type(false);
    const std::string in_file =
        files_.size() == 1 ? "" : concat(" of ", files_[why.field->file].source->name());
    const std::string in_quotes =
        other.is(Type::Text) ? ""
                             : concat(", which is in quotes; types ", schema_[why.column].name, '=',
                                      other.name(), " reads it");
    context.note(concat('"', schema_[why.column].name, "\": text, because of \"", why.field->text,
                        "\" in line ", why.line, in_file, in_quotes));
  }
}

std::unique_ptr<RowStream> CsvRows::read(std::span<const uint64_t> columns,
                                         const Context& context) const {
  return std::make_unique<CsvStream>(*this, columns, context);
}

}  // namespace
}  // namespace csv

RowSourcePtr csv_rows(std::vector<std::string> paths, const CsvOptions& options,
                      const Context& context) {
  return std::make_shared<const csv::CsvRows>(paths, options, context);
}

}  // namespace heron::inline v0
