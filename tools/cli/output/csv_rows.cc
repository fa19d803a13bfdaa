// Writes rows as RFC 4180, with a header line.
#include <vector>

#include "heron/text.h"
#include "output/csv.h"
#include "output/row_writer.h"

namespace heron::cli {
namespace {

class CsvRows final : public RowWriter {
 public:
  CsvRows(TextSink& sink, const Schema& schema, ValueForm values) : sink_(sink), form_(values) {
    for (const Field& field : schema) {
      if (&field != &schema.front()) header_.append(',');
      append_csv_name(header_, field.name);
    }
    header_.append(kCsvLineEnd);
  }

  void write(const RowBatch& batch) override {
    write_header();
    columns_.clear();
    for (const Values& values : batch.columns) columns_.emplace_back(values, form_);
    for (uint64_t row = 0; row < batch.rows; ++row) {
      for (uint64_t i = 0; i < columns_.size(); ++i) {
        if (i > 0) sink_.append(',');
        if (!columns_[i].is_null(row)) write_field(columns_[i], row);
      }
      sink_.append(kCsvLineEnd);
    }
  }

  void finish() override { write_header(); }

 private:
  void write_header() {
    sink_.append(header_.text());
    header_.clear();
  }

  void write_field(const ColumnText& column, uint64_t row) {
    if (column.is_text()) {
      append_csv_text(sink_, column.text(row), column.utf8());
    } else if (column.is_json()) {
      json_.clear();
      column.append_json(json_, row);
      append_csv_quoted(sink_, json_.text(), true);
    } else {
      column.append_plain(sink_, row);
    }
  }

  TextSink& sink_;
  ValueForm form_;
  StringSink header_;  // empty once the header is written
  StringSink json_;
  std::vector<ColumnText> columns_;
};

}  // namespace

std::unique_ptr<RowWriter> make_csv_rows(TextSink& sink, const Schema& schema, ValueForm values) {
  return std::make_unique<CsvRows>(sink, schema, values);
}

}  // namespace heron::cli
