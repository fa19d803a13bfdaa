#include "output/row_writer.h"

#include "base/fail.h"
#include "heron/error.h"

namespace heron::cli {

void note_lost_shapes(const Schema& schema, const std::function<void(std::string_view)>& note) {
  if (note == nullptr) return;
  for (const Field& field : schema) {
    if (field.type.dimensions().empty()) continue;
    note(concat('"', field.name, "\": the shape of ", field.type.name(), " is not stored"));
  }
}

std::unique_ptr<RowWriter> make_row_writer(const OutputForm& form, TextSink& sink,
                                           const Schema& schema, uint64_t rows) {
  if (form.name == "npy" || form.name == "csv") {
    auto writer = form.name == "npy" ? make_npy_rows(sink, schema, form.npy, rows)
                                     : make_csv_rows(sink, schema, form.values);
    note_lost_shapes(schema, form.note);
    return writer;
  }
  if (form.name == "table") return make_table_rows(sink, schema, form.values, form.display);
  if (form.name == "vertical") return make_vertical_rows(sink, schema, form.values, form.display);
  return make_json_rows(sink, schema, form.values, form.name == "jsonl");
}

}  // namespace heron::cli
