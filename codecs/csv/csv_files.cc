#include "csv/csv_files.h"

#include <algorithm>
#include <utility>

#include "csv/convert_fields.h"
#include "dataset/names.h"

namespace heron::inline v0::csv {
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

}  // namespace

bool AllRecords::next(Records& records) {
  for (; file_ < source_.files().size(); ++file_) {
    const CsvFile& file = source_.files()[file_];
    if (reader_ == nullptr) {
      reader_ = std::make_unique<RecordReader>(file.source, file.rows_offset, source_.separator(),
                                               file.columns, context_);
    }
    if (reader_->next(records)) {
      context_.step(bytes_before_ + reader_->offset(), total_bytes_);
      return true;
    }
    file.source->check_unchanged();
    bytes_before_ += file.source->size();
    reader_.reset();
  }
  return false;
}

CsvFiles::CsvFiles(std::vector<std::shared_ptr<const ByteSource>> sources,
                   const CsvOptions& options, uint64_t passes, RecordSink* sink,
                   const Context& context)
    : is_utf8_(options.encoding != CsvEncoding::Bytes),
      separator_(options.separator),
      nulls_(options.null_words) {
  if (separator_ == '"' || separator_ == '\n' || separator_ == '\r') {
    fail(ErrorKind::Argument, {}, "a quote or a line's end cannot separate fields");
  }
  open_files(std::move(sources), options, context);
  make_schema();
  set_types(options);
  find_types(passes, sink, context);
}

void CsvFiles::open_files(std::vector<std::shared_ptr<const ByteSource>> sources,
                          const CsvOptions& options, const Context& context) {
  for (auto& source : sources) {
    if (separator_ == 0) separator_ = find_separator(*source, context);
    bytes_ += source->size();
    files_.push_back(open_csv(std::move(source), separator_, options.header, is_utf8_, context));
    check_header(files_.back());
  }
}

void CsvFiles::check_header(const CsvFile& file) const {
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

void CsvFiles::make_schema() {
  const Names names{Header(files_.front().names)};
  for (uint64_t i = 0; i < files_.front().columns; ++i) {
    Field field;
    field.name = names[i];
    schema_.push_back(std::move(field));
  }
}

void CsvFiles::set_types(const CsvOptions& options) {
  is_set_.resize(schema_.size());
  for (const auto& [name, type] : options.types) {
    const auto field = std::ranges::find(schema_, name, &Field::name);
    if (field == schema_.end()) {
      fail(ErrorKind::Argument, this->name(), "no column \"", name, "\" to be ", type.name(),
           similar_column(schema_, name));
    }
    if (!is_field_type(type)) {
      fail(ErrorKind::Argument, this->name(), "fields of \"", name, "\" cannot be of type ",
           type.name());
    }
    field->type = type;
    is_set_[static_cast<size_t>(field - schema_.begin())] = true;
  }
}

void CsvFiles::find_types(uint64_t passes, RecordSink* sink, const Context& context) {
  std::vector<ColumnTypes> types(schema_.size());
  Arena arena(context.memory);
  AllRecords all(*this, 0, passes * bytes_, context);
  for (Records records; all.next(records);) {
    if (is_utf8_) all.reader().check_utf8(records);
    rows_ += records.size();
    if (sink != nullptr) sink->add(all.reader(), records);
    for (uint64_t i = 0; i < types.size(); ++i) {
      Field& field = schema_[i];
      if (is_set_[i]) {
        arena.reset();
        const FieldColumn column{i, field.name, field.type};
        const Values values = convert_fields(all.reader().place(), records, column, nulls_, arena);
        field.nullable |= values.null_count != 0;
      } else {
        types[i].see({all.reader(), records, all.file()}, i, nulls_);
      }
    }
  }
  const bool quotes_are_text = std::ranges::any_of(files_, &CsvFile::has_plain_names) ||
                               std::ranges::any_of(types, &ColumnTypes::has_plain);
  for (uint64_t i = 0; i < types.size(); ++i) {
    if (is_set_[i]) continue;
    schema_[i].type = types[i].type(quotes_are_text);
    schema_[i].nullable = types[i].has_nulls();
  }
  if (context.note) note_why_text(types, quotes_are_text, context);
}

// Lines are counted in the order of the file, and reported in that of the columns.
void CsvFiles::note_why_text(const std::vector<ColumnTypes>& types, bool quotes_are_text,
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

}  // namespace heron::inline v0::csv
