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
      : sink_(sink), frame_(lines), rows_(schema, values) {}

  void write(const RowBatch& batch) override {
    rows_.set(batch);
    for (uint64_t row = 0; row < batch.rows; ++row) {
      frame_.next(sink_);
      rows_.append(sink_, row);
      frame_.done(sink_);
    }
  }

  void finish() override { frame_.finish(sink_); }

 private:
  TextSink& sink_;
  JsonFrame frame_;
  JsonRows rows_;
};

}  // namespace

std::unique_ptr<RowWriter> make_json_rows(TextSink& sink, const Schema& schema, ValueForm values,
                                          bool lines) {
  return std::make_unique<JsonWriterOfRows>(sink, schema, values, lines);
}

}  // namespace heron::cli
