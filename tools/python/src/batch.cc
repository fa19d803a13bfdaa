// Binds batches: rows in memory.
#include <cstring>
#include <functional>
#include <numeric>

#include "base/fail.h"
#include "bytes/byte_source.h"
#include "common.h"
#include "convert/batches.h"
#include "output/row_writer.h"
#include "values/cells.h"

namespace heron::python {
namespace {

constexpr uint64_t kMaxItems = 8;  // maximum of list and vector items in printed values

uint64_t index_of(const Batch& batch, nb::handle column) {
  const Schema& schema = *batch.rows.schema;
  const auto name = argument<std::string>("column", column);
  for (uint64_t i = 0; i < schema.size(); ++i) {
    if (schema[i].name == name) return i;
  }
  fail(ErrorKind::Argument, {}, "no column \"", name, "\" in a batch of ", schema.size());
}

// Makes objects of a column's texts: equal texts may share one object, which takes a third of the
// time and no memory. Stops looking for equal texts once it finds few.
class TextObjects {
 public:
  explicit TextObjects(const Values& texts) : texts_(texts) {}

  nb::object at(uint64_t row) {
    if (!looks_ || texts_.is_null(row)) return value_object(texts_, row);
    const std::string_view text = texts_.text(row);
    Slot& slot = slots_[std::hash<std::string_view>()(text) % kSlots];
    if (slot.object && slot.text == text) {
      ++found_;
    } else {
      slot = {text, value_object(texts_, row)};
    }
    if (++looked_ == kSlots) {
      looks_ = found_ >= kSlots / 4;
      looked_ = found_ = 0;
    }
    return slot.object;
  }

 private:
  static constexpr uint64_t kSlots = 4096;
  struct Slot {
    std::string_view text;
    nb::object object;
  };

  const Values& texts_;
  std::vector<Slot> slots_{kSlots};
  bool looks_ = true;
  uint64_t looked_ = 0, found_ = 0;
};

// Calls put(row, object) for the values of a column in order. Equal keys with key values share one
// object.
template <class Put>
void each_object(const Values& values, const Put& put) {
  const bool has_values = values.type.is(Type::Key) && !values.children.empty();
  if (values.type.is_text()) {
    TextObjects objects(values);
    for (uint64_t row = 0; row < values.rows; ++row) put(row, objects.at(row));
  } else if (has_values && values.children[0].rows <= values.rows) {
    std::vector<nb::object> objects(values.children[0].rows + 1);
    visit_cell_type(values.type, [&]<class T>() {
      for (uint64_t row = 0; row < values.rows; ++row) {
        const auto key = static_cast<uint64_t>(cell_of<T>(values, row));
        if (values.is_null(row) || key >= objects.size()) {
          put(row, value_object(values, row));
          continue;
        }
        if (!objects[key].is_valid()) objects[key] = value_object(values, row);
        put(row, objects[key]);
      }
    });
  } else {
    for (uint64_t row = 0; row < values.rows; ++row) put(row, value_object(values, row));
  }
}

nb::list column_list(const Batch& batch, uint64_t column) {
  const Values& values = batch.rows.columns.at(column);
  nb::list all = nb::steal<nb::list>(PyList_New(static_cast<Py_ssize_t>(values.rows)));
  if (!all.is_valid()) throw nb::python_error();
  each_object(values, [&](uint64_t row, nb::object object) {
    PyList_SetItem(all.ptr(), static_cast<Py_ssize_t>(row), object.release().ptr());
  });
  return all;
}

// Puts the values of a column into an array of the same length.
void fill_objects(const Batch& batch, uint64_t column, nb::handle array) {
  const Values& values = batch.rows.columns.at(column);
  Py_buffer buffer;
  if (PyObject_GetBuffer(array.ptr(), &buffer,
                         PyBUF_WRITABLE | PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) != 0) {
    throw nb::python_error();
  }
  const std::unique_ptr<Py_buffer, decltype(&PyBuffer_Release)> held(&buffer, PyBuffer_Release);
  const auto rows = static_cast<uint64_t>(buffer.len) / sizeof(PyObject*);
  if (buffer.format == nullptr || std::strcmp(buffer.format, "O") != 0 || rows != values.rows) {
    refuse_argument("array", concat("an array of ", values.rows, " objects"), array);
  }
  auto** objects = static_cast<PyObject**>(buffer.buf);
  each_object(values, [&](uint64_t row, nb::object object) {
    const nb::object old = nb::steal(std::exchange(objects[row], object.release().ptr()));
  });
}

nb::list rows_list(const Batch& batch) {
  std::vector<nb::list> columns;
  nb::list names, all;
  for (uint64_t i = 0; i < batch.rows.columns.size(); ++i) {
    columns.push_back(column_list(batch, i));
    names.append(text_object((*batch.rows.schema)[i].name));
  }
  for (uint64_t row = 0; row < batch.rows.rows; ++row) {
    nb::dict one;
    for (uint64_t i = 0; i < columns.size(); ++i) one[names[i]] = columns[i][row];
    all.append(one);
  }
  return all;
}

nb::object json_rows(const Batch& batch) {
  StringSink sink;
  {
    const nb::gil_scoped_release release;
    JsonRows rows(*batch.rows.schema);
    rows.set(batch.rows);
    for (uint64_t row = 0; row < batch.rows.rows; ++row) {
      rows.append(sink, row);
      sink.append('\n');
    }
  }
  return text_object(sink.text());
}

RowBatch picked_rows(const RowBatch& batch, std::span<const uint32_t> indices) {
  keep_fault_handler();
  const auto pick = [&] { return rows_of(batch, indices, {}); };
  return batch.source == nullptr ? pick() : unless_changed(*batch.source, pick);
}

// Returns (the rows with these numbers, their indices in the batch).
std::pair<Batch, nb::object> picked(const Batch& batch, nb::handle rows) {
  if (batch.rows.rows > UINT32_MAX) {
    fail(ErrorKind::Limit, {}, "rows are picked from at most ", UINT32_MAX, ", the batch has ",
         batch.rows.rows);
  }
  const RowList list = rows_of(rows, batch.rows.rows);
  std::vector<uint32_t> indices(list.view.begin(), list.view.end());
  for (uint64_t i = 0; list.range && i < list.range->rows(); ++i) {
    indices.push_back(static_cast<uint32_t>(list.range->first + i));
  }
  Batch some{{}, batch.arrow};
  {
    const nb::gil_scoped_release release;
    some.rows = picked_rows(batch.rows, indices);
  }
  return {std::move(some), numbers_object({indices.begin(), indices.end()})};
}

// Returns the first rows as the command line prints them.
nb::object table_text(const Batch& batch, uint64_t rows, uint32_t width) {
  std::vector<uint32_t> indices(std::min(rows, batch.rows.rows));
  std::iota(indices.begin(), indices.end(), uint32_t{0});
  StringSink sink;
  {
    const nb::gil_scoped_release release;
    const RowBatch first = picked_rows(batch.rows, indices);
    ValueForm form;
    form.max_items = kMaxItems;
    const auto writer = cli::make_table_rows(sink, *first.schema, form, {.width = width});
    writer->write(first);
    writer->finish();
  }
  return text_object(sink.text());
}

std::vector<std::string> texts(const Batch& batch, uint64_t column) {
  std::vector<std::string> all;
  ValueForm form;
  form.max_items = kMaxItems;
  const Values& values = batch.rows.columns.at(column);
  for (uint64_t row = 0; row < values.rows; ++row) {
    StringSink repaired;
    append_utf8(repaired, to_text(values, row, form));
    all.emplace_back(repaired.text());
  }
  return all;
}

}  // namespace

void bind_batch(nb::module_& module) {
  nb::class_<Batch>(module, "BatchData", "Rows in memory; see heron.Batch.")
      .def("__init__", [](Batch* self, const Batch& other) { new (self) Batch(other); })
      .def("__len__", [](const Batch& batch) { return batch.rows.rows; })
      .def("_names",
           [](const Batch& batch) {
             nb::list names;
             for (const Field& field : *batch.rows.schema) names.append(text_object(field.name));
             return names;
           })
      .def("_types",
           [](const Batch& batch) {
             nb::list types;
             for (const Field& field : *batch.rows.schema) types.append(field.type.name());
             return types;
           })
      .def("_fields", [](const Batch& batch) { return field_tuples(*batch.rows.schema); })
      .def("_index", index_of, nb::arg("column"))
      .def("_row", [](const Batch& batch, nb::handle row) {
        return row_dict(batch.rows, row_of(row, batch.rows.rows));
      }, nb::arg("row"))
      .def("_pick", picked, nb::arg("rows"))
      .def("_table", table_text, nb::arg("rows"), nb::arg("width"))
      .def("_column_list", column_list)
      .def("_fill_objects", fill_objects, nb::arg("column"), nb::arg("array"))
      .def("_rows_list", rows_list)
      .def("_value",
           [](const Batch& batch, uint64_t column, nb::handle row) {
             const Values& values = batch.rows.columns.at(column);
             return value_object(values, row_of(row, values.rows));
           })
      .def("_has_key_values",
           [](const Batch& batch, uint64_t column) {
             const Values& values = batch.rows.columns.at(column);
             return values.type.is(Type::Key) && !values.children.empty();
           })
      .def("_null_count", [](const Batch& batch,
                             uint64_t column) { return batch.rows.columns.at(column).null_count; })
      .def("_jsonl", json_rows)
      .def("_texts", texts)
      .def("_cells",
           [](const Batch& batch, uint64_t column) { return values_cells(batch.rows, column); })
      .def("_schema_capsule",
           [](const Batch& batch) { return schema_capsule(*batch.rows.schema, batch.arrow); })
      .def(
          "_array_capsules",
          [](const Batch& batch, std::optional<uint64_t> column) {
            return array_capsules(batch.rows, column, batch.arrow);
          },
          nb::arg("column").none())
      .def(
          "_stream_capsule",
          [](const Batch& batch, std::optional<uint64_t> column,
             std::string_view texts) {
            ArrowOptions options = batch.arrow;
            options.texts = arrow_texts(texts);
            return batches_capsule(batch.rows, column, options);
          },
          nb::arg("column").none(), nb::arg("texts") = "stored");
}

}  // namespace heron::python
