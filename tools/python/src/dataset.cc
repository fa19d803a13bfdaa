// Open files: options, tables, schema; single rows and rows by number.
#include "data.h"

namespace heron::python {
namespace {

void open_data(Data* self, std::vector<std::string> paths, std::optional<std::string> table,
               const nb::dict& options, unsigned threads, const std::string& times,
               bool binary_text, nb::object progress) {
  auto data = std::make_unique<Data>();
  data->paths = std::move(paths);
  data->options = open_options(options);
  data->arrow = arrow_options(times, binary_text);
  data->call.threads = threads;
  data->call.metrics = std::make_shared<QueryMetrics>();
  data->call.progress = progress;
  data->dataset = engine_call(data->call, [&](const Context& context) {
    return open(data->paths, data->options, context);
  });
  data->call.progress = nb::none();
  const nb::gil_scoped_release release;
  try {
    data->table = data->dataset->table(table.value_or(""));
  } catch (const Error& error) {
    if (table || error.kind() != ErrorKind::Argument) throw;  // else a file without tables
  }
  new (self) Data(std::move(*data));
}

// ---- rows ----

PyObject* raise_current() noexcept {
  try {
    throw;
  } catch (nb::python_error& error) {
    error.restore();
  } catch (const nb::builtin_exception& error) {
    PyErr_SetString(error.type() == nb::exception_type::index_error  ? PyExc_IndexError
                    : error.type() == nb::exception_type::type_error ? PyExc_TypeError
                                                                     : PyExc_ValueError,
                    error.what());
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& error) {
    // The translators of nanobind run for functions that it calls.
    nb::object rethrow = nb::module_::import_("heron._heron").attr("_rethrow");
    const std::exception_ptr current = std::current_exception();
    PyObject* held = PyCapsule_New(const_cast<std::exception_ptr*>(&current), nullptr, nullptr);
    PyObject* none = PyObject_CallFunctionObjArgs(rethrow.ptr(), held, nullptr);
    Py_XDECREF(held);
    Py_XDECREF(none);
    if (PyErr_Occurred() == nullptr) PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

nb::object taken(Data& data, nb::handle rows, nb::handle columns) {
  const RowList list = rows_of(rows, data.of_rows()->rows());
  const Projection projection = data.columns(columns);
  RowBatch batch = engine_call(data.call, [&](const Context& context) {
    return list.range ? heron::read(projection, *list.range, context)
                      : heron::take(projection, list.view, context);
  });
  return nb::cast(Batch{std::move(batch), data.arrow});
}

// What users see of a Batch: heron.Batch. Never released, as classes of modules are not.
nb::object& batch_class() {
  static nb::object* known = new nb::object();
  return *known;
}

PyObject* subscript(PyObject* self, PyObject* index) noexcept {
  try {
    Data& data = *nb::inst_ptr<Data>(self);
    if (PyLong_CheckExact(index)) {
      const Py_ssize_t row = PyNumber_AsSsize_t(index, PyExc_IndexError);
      if (row == -1 && PyErr_Occurred() != nullptr) return nullptr;
      return data.reader().dict(row_of(row, data.of_rows()->rows()));
    }
    if (PyUnicode_Check(index)) {
      return nb::handle(self).attr("column")(nb::handle(index)).release().ptr();
    }
    if (PyIndex_Check(index) && !PySequence_Check(index)) {
      const Py_ssize_t row = PyNumber_AsSsize_t(index, PyExc_IndexError);
      if (row == -1 && PyErr_Occurred() != nullptr) return nullptr;
      return data.reader().dict(row_of(row, data.of_rows()->rows()));
    }
    const nb::object batch = taken(data, index, nb::none());
    return batch_class()(batch).release().ptr();
  } catch (...) {
    return raise_current();
  }
}

Py_ssize_t length(PyObject* self) noexcept {
  try {
    return static_cast<Py_ssize_t>(nb::inst_ptr<Data>(self)->of_rows()->rows());
  } catch (...) {
    raise_current();
    return -1;
  }
}

PyObject* tuple_of(PyObject* self, PyObject* row) noexcept {
  try {
    Data& data = *nb::inst_ptr<Data>(self);
    const Py_ssize_t at = PyNumber_AsSsize_t(row, PyExc_IndexError);
    if (at == -1 && PyErr_Occurred() != nullptr) return nullptr;
    return data.reader().tuple(row_of(at, data.of_rows()->rows()));
  } catch (...) {
    return raise_current();
  }
}

PyMethodDef g_methods[] = {
    {"tuple", tuple_of, METH_O,
     "tuple(row) -> tuple\n\nA row as a plain tuple, in the order of the default columns: faster "
     "than the dict\nthat `ds[row]` gives. IndexError if there is no such row."},
    {nullptr, nullptr, 0, nullptr}};
PyType_Slot g_slots[] = {{Py_mp_subscript, reinterpret_cast<void*>(subscript)},
                         {Py_mp_length, reinterpret_cast<void*>(length)},
                         {Py_sq_length, reinterpret_cast<void*>(length)},
                         {Py_tp_methods, reinterpret_cast<void*>(g_methods)},
                         {0, nullptr}};

// Rows of some columns: rows[i] as a tuple or dict or, of one column, its value.
struct Rows {
  enum class Form : uint8_t { Tuple, Dict, Value };
  std::shared_ptr<const Table> table;
  std::unique_ptr<RowReader> reader;
  Form form = Form::Tuple;
};

PyObject* row_subscript(PyObject* self, PyObject* index) noexcept {
  try {
    Rows& rows = *nb::inst_ptr<Rows>(self);
    const Py_ssize_t at = PyNumber_AsSsize_t(index, PyExc_IndexError);
    if (at == -1 && PyErr_Occurred() != nullptr) return nullptr;
    const uint64_t row = row_of(at, rows.table->rows());
    if (rows.form == Rows::Form::Tuple) return rows.reader->tuple(row);
    if (rows.form == Rows::Form::Dict) return rows.reader->dict(row);
    return rows.reader->value(row);
  } catch (...) {
    return raise_current();
  }
}

Py_ssize_t row_length(PyObject* self) noexcept {
  return static_cast<Py_ssize_t>(nb::inst_ptr<Rows>(self)->table->rows());
}

PyType_Slot g_rows_slots[] = {{Py_mp_subscript, reinterpret_cast<void*>(row_subscript)},
                              {Py_mp_length, reinterpret_cast<void*>(row_length)},
                              {Py_sq_length, reinterpret_cast<void*>(row_length)},
                              {0, nullptr}};

void make_rows(Rows* self, Data& data, nb::handle columns, const std::string& form) {
  auto reader = std::make_unique<RowReader>(data.columns(columns));
  const auto kind = form == "dict"    ? Rows::Form::Dict
                    : form == "value" ? Rows::Form::Value
                                      : Rows::Form::Tuple;
  new (self) Rows{data.of_rows(), std::move(reader), kind};
}

// ---- descriptions ----

nb::tuple field_tuple(const Field& field) {
  nb::dict metadata;
  for (const Metadata& one : field.metadata) {
    metadata[text_object(one.name)] =
        one.value == nullptr ? text_object(one.text) : value_object(one.value->columns[0], 0);
  }
  return nb::make_tuple(text_object(field.name), field.type.name(), text_object(field.encoding),
                        field.nullable, field.readable, text_object(field.reason), metadata);
}

nb::list schema_list(Data& data) {
  {
    const nb::gil_scoped_release release;
    data.of_rows()->schema();
  }
  nb::list all;
  for (const Field& field : data.table->schema()) all.append(field_tuple(field));
  return all;
}

nb::dict table_dict(const Table& table) {
  nb::dict all;
  all["name"] = text_object(table.name());
  all["rows"] = table.rows();
  all["columns"] = table.column_count();
  all["blocks"] = table.block_count();
  return all;
}

nb::dict info(Data& data) {
  const Dataset& dataset = *data.dataset;
  nb::dict all, header;
  nb::list tables, containers;
  for (const auto& table : dataset.tables()) tables.append(table_dict(*table));
  for (const std::string& container : dataset.containers()) containers.append(container);
  for (const auto& [name, text] : dataset.header()) header[text_object(name)] = text_object(text);
  all["path"] = text_object(dataset.path());
  all["format"] = dataset.format();
  all["containers"] = containers;
  all["size_bytes"] = dataset.size_bytes();
  all["tables"] = tables;
  all["header"] = header;
  return all;
}

std::vector<std::string> names(Data& data) {
  std::vector<std::string> all;
  for (uint64_t i = 0; i < data.of_rows()->column_count(); ++i) {
    all.push_back(data.table->column_name(i));
  }
  return all;
}

// Names and numbers of columns, resolved without the GIL: the first look at names builds them all.
Projection resolve(const std::shared_ptr<const Table>& table, nb::handle wanted) {
  std::vector<std::variant<uint64_t, std::string>> items;
  for (const nb::handle item : wanted) {
    if (nb::isinstance<nb::str>(item)) {
      items.emplace_back(nb::cast<std::string>(item));
    } else {
      items.emplace_back(nb::cast<uint64_t>(item));
    }
  }
  const nb::gil_scoped_release release;
  std::vector<uint64_t> numbers;
  for (const auto& item : items) {
    if (const auto* number = std::get_if<uint64_t>(&item)) {
      numbers.push_back(*number);
      continue;
    }
    const auto& name = std::get<std::string>(item);
    const std::optional<uint64_t> found = table->find_column(name);
    if (!found) Projection(table, {std::string_view(name)});  // throws, with the nearest name
    numbers.push_back(*found);
  }
  return Projection(table, std::span<const uint64_t>(numbers));
}

bool is_same_tuple(nb::handle a, nb::handle b) {
  if (a.ptr() == b.ptr()) return true;
  if (PyUnicode_Check(b.ptr())) return false;  // else "ab" would be ("a", "b")
  if (!PySequence_Check(b.ptr()) || PyObject_Size(a.ptr()) != PyObject_Size(b.ptr())) return false;
  for (Py_ssize_t i = 0; i < PyObject_Size(a.ptr()); ++i) {
    const nb::object item = nb::steal(PySequence_GetItem(b.ptr(), i));
    if (!item.is_valid()) throw nb::python_error();
    PyObject* known = PyTuple_GetItem(a.ptr(), i);
    if (known != item.ptr() && PyObject_RichCompareBool(known, item.ptr(), Py_EQ) != 1) {
      return false;
    }
  }
  return true;
}

}  // namespace

const std::shared_ptr<const Table>& Data::of_rows() const {
  if (table == nullptr) dataset->table();  // throws
  return table;
}

const Projection& Data::columns(nb::handle wanted) {
  if (wanted.is_none()) {
    if (!default_columns) {
      std::optional<Projection> made;
      {
        const nb::gil_scoped_release release;
        made.emplace(of_rows());
      }
      if (!default_columns) default_columns = std::move(made);  // else another thread was first
    }
    return *default_columns;
  }
  if (last_columns && is_same_tuple(last_wanted, wanted)) return *last_columns;
  nb::object tuple = nb::isinstance<nb::str>(wanted) || PyLong_Check(wanted.ptr())
                         ? nb::object(nb::make_tuple(wanted))
                         : nb::steal(PySequence_Tuple(wanted.ptr()));
  if (!tuple.is_valid()) throw nb::python_error();
  Projection resolved = resolve(of_rows(), tuple);
  last_columns = std::move(resolved);
  last_wanted = std::move(tuple);
  return *last_columns;
}

RowReader& Data::reader() {
  if (!default_reader) {
    auto made = std::make_unique<RowReader>(columns(nb::none()));  // releases the GIL meanwhile
    if (!default_reader) default_reader = std::move(made);
  }
  return *default_reader;
}

void bind_dataset(nb::module_& module) {
  module.def("set_batch_class", [](nb::object known) { batch_class() = std::move(known); });
  module.def("_rethrow", [](nb::handle held) {
    std::rethrow_exception(
        *static_cast<std::exception_ptr*>(PyCapsule_GetPointer(held.ptr(), nullptr)));
  });
  nb::class_<Rows>(module, "Rows", nb::type_slots(g_rows_slots),
                   "Single rows of some columns, by number: what Dataset.rows() gives.")
      .def("__init__", make_rows, nb::arg("data"), nb::arg("columns").none(), nb::arg("form"));
  nb::class_<Data>(module, "Data", nb::type_slots(g_slots), "An open table; see heron.Dataset.")
      .def("__init__", open_data, nb::arg("paths"), nb::arg("table").none(), nb::arg("options"),
           nb::arg("threads"), nb::arg("times"), nb::arg("binary_text"), nb::arg("progress").none())
      .def("_fields", schema_list)
      .def("_names", names)
      .def("_info", info)
      .def("_table_name", [](Data& data) { return text_object(data.of_rows()->name()); })
      .def("_key_columns", [](Data& data) { return data.of_rows()->key_columns(); })
      .def("_block_count", [](Data& data) { return data.of_rows()->block_count(); })
      .def("_group_count", [](Data& data) { return data.of_rows()->group_count(); })
      .def("_group_column", [](Data& data) { return data.of_rows()->group_column(); })
      .def("_block",
           [](Data& data, uint64_t index) {
             const RowRange rows = data.of_rows()->block(index);
             return std::pair(rows.first, rows.last);
           })
      .def("_group",
           [](Data& data, uint64_t index) {
             const RowRange rows = data.of_rows()->group(index);
             return std::pair(rows.first, rows.last);
           })
      .def("_format", [](Data& data) { return data.dataset->format(); })
      .def("_check_unchanged", [](Data& data) { data.of_rows()->check_unchanged(); })
      .def(
          "_metrics", [](Data& data) -> QueryMetrics& { return *data.call.metrics; },
          nb::rv_policy::reference_internal)
      .def("_counters",
           [](Data& data) {
             nb::dict all;
             for (const Counter& one : data.dataset->counters()) {
               all[text_object(one.name)] = one.value;
             }
             return all;
           })
      .def(
          "_set_progress",
          [](Data& data, nb::object progress) { data.call.progress = std::move(progress); },
          nb::arg("progress").none())
      .def(
          "_schema_capsule",
          [](Data& data, nb::handle columns) {
            return schema_capsule(*data.columns(columns).schema(), data.arrow);
          },
          nb::arg("columns").none())
      .def("_take", taken, nb::arg("rows").none(), nb::arg("columns").none());
}

}  // namespace heron::python
