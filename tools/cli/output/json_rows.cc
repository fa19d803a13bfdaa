// Rows as JSON objects. The text before each value, `{"name":` or `,"name":`, is built once.
#include <string>
#include <vector>

#include "output/json_frame.h"
#include "output/json_text.h"
#include "output/row_writer.h"
#include "output/values_text.h"

namespace heron::cli {
namespace {

class JsonRows final : public RowWriter {
 public:
  JsonRows(Sink& sink, const Schema& schema, ValueForm values, bool lines)
      : sink_(sink), form_(values), frame_(lines) {
    for (const Field& field : schema) {
      StringSink key;
      key.append(keys_.empty() ? '{' : ',');
      append_json_text(key, field.name, false);
      key.append(':');
      keys_.emplace_back(key.text());
    }
  }

  void write(const RowBatch& batch) override {
    columns_.clear();
    for (const Values& values : batch.columns) columns_.emplace_back(values, form_);
    for (uint64_t row = 0; row < batch.rows; ++row) {
      frame_.next(sink_);
      for (uint64_t i = 0; i < columns_.size(); ++i) {
        sink_.append(keys_[i]);
        columns_[i].append_json(sink_, row);
      }
      sink_.append(columns_.empty() ? "{}" : "}");
      frame_.done(sink_);
    }
  }

  void finish() override { frame_.finish(sink_); }

 private:
  Sink& sink_;
  ValueForm form_;
  JsonFrame frame_;
  std::vector<std::string> keys_;
  std::vector<ColumnText> columns_;
};

}  // namespace

std::unique_ptr<RowWriter> make_json_rows(Sink& sink, const Schema& schema, ValueForm values,
                                          bool lines) {
  return std::make_unique<JsonRows>(sink, schema, values, lines);
}

}  // namespace heron::cli
