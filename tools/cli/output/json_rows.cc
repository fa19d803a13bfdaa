// Writes rows as JSON objects.
#include <string>
#include <vector>

#include "heron/text.h"
#include "output/json_frame.h"
#include "output/row_writer.h"

namespace heron::cli {
namespace {

class JsonWriterOfRows final : public RowWriter {
 public:
  JsonWriterOfRows(TextSink& sink, const Schema& schema, ValueForm values, bool lines)
      : sink_(sink), frame_(lines), form_(values) {
    for (const Field& field : schema) {
      StringSink name;
      name.append(names_.empty() ? '{' : ',');
      append_json_text(name, field.name);
      name.append(':');
      names_.push_back({std::string(name.text()), field.encoding == kJsonText});
    }
  }

  void write(const RowBatch& batch) override {
    columns_.clear();
    for (const Values& values : batch.columns) columns_.emplace_back(values, form_);
    for (uint64_t row = 0; row < batch.rows; ++row) {
      frame_.next(sink_);
      for (uint64_t i = 0; i < columns_.size(); ++i) write_member(i, row);
      sink_.append(columns_.empty() ? "{}" : "}");
      frame_.done(sink_);
    }
  }

  void finish() override { frame_.finish(sink_); }

 private:
  struct Name {
    std::string text;  // the text before each value: {"name":
    bool is_json;      // the values are JSON already
  };

  void write_member(uint64_t i, uint64_t row) {
    sink_.append(names_[i].text);
    if (names_[i].is_json && !columns_[i].is_null(row)) {
      columns_[i].append_plain(sink_, row);
    } else {
      columns_[i].append_json(sink_, row);
    }
  }

  TextSink& sink_;
  JsonFrame frame_;
  ValueForm form_;
  std::vector<Name> names_;
  std::vector<ColumnText> columns_;
};

}  // namespace

std::unique_ptr<RowWriter> make_json_rows(TextSink& sink, const Schema& schema, ValueForm values,
                                          bool lines) {
  return std::make_unique<JsonWriterOfRows>(sink, schema, values, lines);
}

}  // namespace heron::cli
