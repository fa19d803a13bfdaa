// Writes rows one under the other, a line per value.
#include <vector>

#include "heron/text.h"
#include "output/row_writer.h"
#include "output/vertical_layout.h"

namespace heron::cli {
namespace {

std::vector<std::string> names_of(const Schema& schema) {
  std::vector<std::string> names;
  for (const Field& field : schema) names.push_back(field.name);
  return names;
}

class VerticalRows final : public RowWriter {
 public:
  VerticalRows(TextSink& sink, const Schema& schema, ValueForm values, const Display& display)
      : sink_(sink), form_(values), layout_(sink, display, names_of(schema)) {}

  void write(const RowBatch& batch) override {
    std::vector<ColumnText> columns;
    for (const Values& values : batch.columns) columns.emplace_back(values, form_);
    for (uint64_t row = 0; row < batch.rows; ++row) {
      layout_.next_record();
      for (uint64_t i = 0; i < columns.size(); ++i) write_field(i, columns[i], row);
      if (columns.empty()) sink_.append("{}\n");
    }
  }
  void finish() override {}

 private:
  void write_field(uint64_t i, const ColumnText& column, uint64_t row) {
    if (column.is_null(row)) return layout_.field(i, "null", true);
    text_.clear();
    column.append_plain(text_, row);
    layout_.field(i, text_.text());
  }

  TextSink& sink_;
  ValueForm form_;
  VerticalLayout layout_;
  StringSink text_;
};

}  // namespace

std::unique_ptr<RowWriter> make_vertical_rows(TextSink& sink, const Schema& schema,
                                              ValueForm values, Display display) {
  return std::make_unique<VerticalRows>(sink, schema, values, display);
}

}  // namespace heron::cli
