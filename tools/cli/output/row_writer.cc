#include "output/row_writer.h"

namespace heron::cli {

std::unique_ptr<RowWriter> make_row_writer(const OutputForm& form, TextSink& sink,
                                           const Schema& schema, uint64_t rows) {
  if (form.name == "npy") return make_npy_rows(sink, schema, form.npy, rows);
  if (form.name == "csv") return make_csv_rows(sink, schema, form.values);
  if (form.name == "table") return make_table_rows(sink, schema, form.values, form.display);
  if (form.name == "vertical") return make_vertical_rows(sink, schema, form.values, form.display);
  return make_json_rows(sink, schema, form.values, form.name == "jsonl");
}

}  // namespace heron::cli
