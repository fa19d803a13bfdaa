#include "csv/write/row_text.h"
#include "output/row_writer.h"

namespace heron::cli {
namespace {

class CsvRows final : public RowWriter {
 public:
  CsvRows(TextSink& sink, const Schema& schema, ValueForm values)
      : sink_(sink), rows_(schema, values) {}

  void write(const RowBatch& batch) override { rows_.append(sink_, batch); }
  void finish() override { rows_.finish(sink_); }

 private:
  TextSink& sink_;
  csv::RowText rows_;
};

}  // namespace

std::unique_ptr<RowWriter> make_csv_rows(TextSink& sink, const Schema& schema, ValueForm values) {
  return std::make_unique<CsvRows>(sink, schema, values);
}

}  // namespace heron::cli
