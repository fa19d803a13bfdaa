#include "csv/csv_files.h"

#include <algorithm>
#include <utility>

#include "base/fail.h"
#include "base/parallel.h"
#include "csv/convert_fields.h"
#include "table/names.h"
#include "values/validity.h"

namespace heron::inline v0::csv {

bool AllRecords::next(Records& records) {
  for (; file_ < source_.files().size(); ++file_) {
    const CsvFile& file = source_.files()[file_];
    if (reader_ == nullptr) {
      reader_ = std::make_unique<RecordReader>(file.source, file.rows_offset, source_.rules(),
                                               file.names.size(), context_);
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
                   const CsvOptions& options, const FirstPass& pass, const Context& context)
    : is_utf8_(options.encoding != CsvEncoding::Bytes),
      rules_(record_rules(*sources.front(), options, context)),
      field_rules_(options) {
  open_files(std::move(sources), options, context);
  set_types(options);
  find_types(options, pass, context);
}

void CsvFiles::open_files(std::vector<std::shared_ptr<const ByteSource>> sources,
                          const CsvOptions& options, const Context& context) {
  std::vector<std::string> first_names;
  for (auto& source : sources) {
    bytes_ += source->size();
    const CsvFile& file =
        files_.emplace_back(open_csv(std::move(source), rules_, options, context));
    std::vector<std::string> names = table_names(file.names);
    if (files_.size() == 1) first_names = names;
    field_indices_.push_back(field_indices_of(file.source->name(), names, name(), first_names));
  }
  for (std::string& column : first_names) {
    if (context.note && without_blanks(column).size() != column.size()) {
      context.note(concat('"', column, "\": a name with blanks around it, which trim removes"));
    }
    Field field;
    field.name = std::move(column);
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

void CsvFiles::find_types(const CsvOptions& options, const FirstPass& pass,
                          const Context& context) {
  std::vector<ColumnTypes> all_types(schema_.size()), types(schema_.size());
  for (const CsvFile& file : files_) {
    facts_.push_back(
        {file.source->name(), std::vector<ColumnFacts>(schema_.size()), file.has_plain_names});
  }
  const auto end_file = [&](uint64_t file) {
    for (uint64_t i = 0; i < types.size(); ++i) {
      facts_[file].columns[i] = types[i].facts();
      all_types[i].merge(std::move(types[i]));
      types[i] = ColumnTypes(all_types[i].typed_values());
    }
  };
  KeptValues* const kept = pass.keep ? pass.keep(schema_.size()) : nullptr;
  uint64_t file = 0;
  AllRecords all(*this, 0, pass.passes * bytes_, context);
  for (Records records; rows_ < pass.most_rows && all.next(records);) {
    if (all.file() != file) end_file(std::exchange(file, all.file()));
    if (is_utf8_) all.reader().check_utf8(records);
    if (pass.sink != nullptr) pass.sink->add(all.reader(), records);
    see(all, records, types, kept, context);
    rows_ += records.size();
    const uint64_t end = all.reader().offset();
    cut_at_ = end < all.bytes()->size() ? std::optional(end) : std::nullopt;
  }
  if (rows_ < pass.most_rows) cut_at_.reset();
  end_file(file);
  const bool quotes_are_text = set_found_types(facts_, options, schema_, context);
  if (context.note) note_types(all_types, quotes_are_text, context);
}

// Sees the columns in parallel, unless there are too few fields to be worth other threads.
void CsvFiles::see(const AllRecords& all, const Records& records, std::vector<ColumnTypes>& types,
                   KeptValues* kept, const Context& context) {
  constexpr uint64_t kMinParallelFields = uint64_t{1} << 12;
  Context quiet = context;
  quiet.progress = nullptr;
  if (records.size() * types.size() < kMinParallelFields) quiet.threads = 1;
  parallel_for(types.size(), quiet, [&](uint64_t i, const Context& one_thread) {
    const uint64_t index = field_index(all.file(), i);
    if (!is_set_[i]) {
      const SeenRecords seen{all.reader(), records, all.file()};
      if (kept == nullptr || !keep_numbers(seen, index, types[i], *kept)) {
        types[i].see(seen, index, field_rules_);
      }
      return;
    }
    Field& field = schema_[i];
    Arena arena(one_thread.memory);
    const FieldColumn column{index, field.name, field.type};
    const Values values =
        convert_fields(all.reader().position(), records, column, field_rules_, arena);
    field.nullable |= values.null_count != 0;
  });
}

// Sees records of a column whose values so far are numbers, and keeps the numbers. Returns false
// and does nothing if the column has other values or memory is short.
bool CsvFiles::keep_numbers(const SeenRecords& seen, uint64_t index, ColumnTypes& types,
                            KeptValues& kept) const {
  const uint64_t rows = seen.records.size();
  Values values(types.facts().type(false), rows);
  if (field_rules_.decimal_comma || !kept.wants(values.type, rows)) return false;
  Arena memory;
  SeenNumbers numbers{values.type, nullptr, nullptr};
  numbers.cells = memory.allocate(rows * values.type.width());
  numbers.valid = memory.allocate_array<uint8_t>(rows);
  if (!types.see_numbers(seen, index, field_rules_, numbers)) return true;
  values.data = {numbers.cells, rows * values.type.width()};
  set_validity_from_flags(values, numbers.valid, memory);
  kept.add(index, rows_, values);
  return true;
}

void CsvFiles::note_types(const std::vector<ColumnTypes>& types, bool quotes_are_text,
                          const Context& context) const {
  note_fallbacks(types, quotes_are_text, context);
  for (uint64_t i = 0; i < types.size(); ++i) {
    const SeenField* value = types[i].odd_value();
    if (value == nullptr || is_set_[i]) continue;
    const std::string& name = schema_[i].name;
    if (types[i].facts().are_utc_times() && schema_[i].type.is(Type::Timestamp)) {
      context.note(concat('"', name, "\": times with an offset, such as \"", value->text,
                          "\", are read as timestamp[ns, UTC]"));
    } else if (types[i].facts().are_yes_and_no()) {
      context.note(concat('"', name, "\": text, because \"", value->text,
                          "\" may be a word; types ", name, "=bool reads yes and no"));
    } else if (types[i].facts().are_ambiguous_dates()) {
      context.note(concat('"', name, "\": text, because \"", value->text,
                          "\" may have the day or the month first; dates are 2026-11-21"));
    } else if (types[i].facts().are_comma_numbers()) {
      context.note(concat('"', name, "\": text, because \"", value->text,
                          "\" may have a decimal comma or a mark of thousands; decimal , reads the "
                          "comma"));
    }
  }
}

// Counts lines in file order, and reports fallbacks in column order.
void CsvFiles::note_fallbacks(const std::vector<ColumnTypes>& types, bool quotes_are_text,
                              const Context& context) const {
  struct Why {
    uint64_t column;
    ColumnTypes::Fallback fallback;
    uint64_t line = 0;
  };
  std::vector<Why> all;
  for (uint64_t i = 0; i < types.size(); ++i) {
    if (auto fallback = types[i].fallback(quotes_are_text)) all.push_back({i, *fallback});
  }
  const auto position = [](const Why& why) {
    return std::pair(why.fallback.field.file, why.fallback.field.offset);
  };
  std::ranges::sort(all, {}, position);
  LineNumbers lines;
  uint64_t file = 0;
  for (Why& why : all) {
    const SeenField& field = why.fallback.field;
    if (field.file != file) lines = {};
    file = field.file;
    why.line = lines.at(*files_[file].source, field.offset, context);
  }
  std::ranges::sort(all, {}, &Why::column);
  for (const auto& [column, why, line] : all) {
    const std::string in_file =
        files_.size() == 1 ? "" : concat(" of ", files_[why.field.file].source->name());
    const std::string& name = schema_[column].name;
    const std::string_view inner = without_blanks(why.field.text);
    const bool has_blanks = !field_rules_.trim && inner.size() != why.field.text.size() &&
                            field_rules_.nulls.contain(inner);
    const std::string verb = why.fields == 1 ? " is" : " are";
    context.note(concat('"', name, "\": text, because of \"", why.field.text, "\" in line ", line,
                        in_file, "; ", why.fields, " of ", why.values, " values", verb,
                        why.in_quotes ? concat(" in quotes; types ", name, '=', why.other,
                                               " reads ", why.fields == 1 ? "it" : "them")
                                      : concat(" not ", why.other),
                        has_blanks ? "; trim removes blanks" : ""));
  }
}

}  // namespace heron::inline v0::csv
