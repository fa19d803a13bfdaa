// Binds tables of open files: schema, single rows, rows by number.
#include "base/fail.h"
#include "data.h"

namespace heron::python {

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
  } catch (const std::exception&) {
    // nanobind's translators of exceptions run only for functions that nanobind calls.
    nb::object rethrow = nb::module_::import_("heron._heron").attr("_rethrow");
    const std::exception_ptr current = std::current_exception();
    PyObject* held = PyCapsule_New(const_cast<std::exception_ptr*>(&current), nullptr, nullptr);
    PyObject* none = PyObject_CallFunctionObjArgs(rethrow.ptr(), held, nullptr);
    Py_XDECREF(held);
    Py_XDECREF(none);
    if (PyErr_Occurred() == nullptr) PyErr_NoMemory();
  }
  return nullptr;
}

namespace {

// ---- rows ----

nb::object taken(Data& data, nb::handle rows, nb::handle columns) {
  const RowList list = rows_of(rows, data.rows());
  const Projection projection = data.columns(columns);
  RowBatch batch = engine_call(data.call, [&](const Context& context) {
    return list.range ? heron::read(projection, *list.range, context)
                      : heron::take(projection, list.view, context);
  });
  return nb::cast(Batch{std::move(batch), data.arrow});
}

// Classes that users see: heron.Batch, and the base of expressions and columns. Never released, as
// classes of modules are not.
struct Classes {
  nb::object batch, operand;
};
Classes& classes() {
  static auto* known = new Classes();
  return *known;
}

// Returns whether an index is a list or tuple of columns: its first item is a name or expression.
bool is_of_columns(PyObject* index) {
  PyObject* first = nullptr;
  if (PyList_Check(index) && PyList_Size(index) > 0) first = PyList_GetItem(index, 0);
  if (PyTuple_Check(index) && PyTuple_Size(index) > 0) first = PyTuple_GetItem(index, 0);
  return first != nullptr && (PyUnicode_Check(first) || nb::isinstance(first, classes().operand));
}

PyObject* subscript(PyObject* self, PyObject* index) noexcept {
  try {
    Data& data = *nb::inst_ptr<Data>(self);
    if (PyUnicode_Check(index)) {
      return nb::handle(self).attr("column")(nb::handle(index)).release().ptr();
    }
    if (PyLong_CheckExact(index) || (PyIndex_Check(index) && !PySequence_Check(index))) {
      return data.reader()->dict(row_of(index, data.rows()));
    }
    if (nb::isinstance(index, classes().operand)) {
      return nb::handle(self).attr("filter")(nb::handle(index)).release().ptr();
    }
    if (is_of_columns(index)) {
      return nb::handle(self).attr("select")(nb::handle(index)).release().ptr();
    }
    if (index == Py_None) {
      refuse_argument("rows", "a row, rows, the name of a column or a predicate", index);
    }
    const nb::object batch = taken(data, index, nb::none());
    return classes().batch(batch).release().ptr();
  } catch (...) {
    return raise_current();
  }
}

Py_ssize_t length(PyObject* self) noexcept {
  try {
    return static_cast<Py_ssize_t>(nb::inst_ptr<Data>(self)->rows());
  } catch (...) {
    raise_current();
    return -1;
  }
}

PyObject* tuple_of(PyObject* self, PyObject* row) noexcept {
  try {
    Data& data = *nb::inst_ptr<Data>(self);
    return data.reader()->tuple(row_of(row, data.rows()));
  } catch (...) {
    return raise_current();
  }
}

PyMethodDef g_data_methods[] = {
    {"tuple", tuple_of, METH_O,
     "tuple(row) -> tuple\n\nA row as a plain tuple, in the order of the default columns: faster "
     "than the dict\nthat `ds[row]` gives. IndexError if there is no such row."},
    {nullptr, nullptr, 0, nullptr}};
PyType_Slot g_data_slots[] = {{Py_mp_subscript, reinterpret_cast<void*>(subscript)},
                              {Py_mp_length, reinterpret_cast<void*>(length)},
                              {Py_sq_length, reinterpret_cast<void*>(length)},
                              {Py_tp_methods, reinterpret_cast<void*>(g_data_methods)},
                              {0, nullptr}};

// Rows of some columns: rows[i] is a tuple or dict or, for one column, its value.
struct Rows {
  enum class Form : uint8_t { Tuple, Dict, Value };
  std::shared_ptr<const Table> table;
  std::shared_ptr<const Closed> closed;
  std::unique_ptr<RowReader> reader;
  Form form = Form::Tuple;
};

PyObject* row_subscript(PyObject* self, PyObject* index) noexcept {
  try {
    Rows& rows = *nb::inst_ptr<Rows>(self);
    rows.closed->check();
    const uint64_t row = row_of(index, rows.table->rows());
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
  if (form != "dict" && form != "value" && form != "tuple") {
    fail(ErrorKind::Argument, {}, "form: expected \"tuple\", \"dict\" or \"value\", got \"", form,
         '"');
  }
  const Projection projection = data.columns(columns);
  if (form == "value" && projection.size() != 1) {
    fail(ErrorKind::Argument, {}, "form: \"value\" is of one column, got ", projection.size());
  }
  const auto kind = form == "dict"    ? Rows::Form::Dict
                    : form == "value" ? Rows::Form::Value
                                      : Rows::Form::Tuple;
  new (self) Rows{data.of_rows(), data.closed, std::make_unique<RowReader>(projection), kind};
}

// Resolves names and numbers of columns and expressions, all of columns of `table`, without the
// GIL: the first look-up of a name builds all of them. With expressions, the projection is of a
// table that extends this one.
Projection resolve(const std::shared_ptr<const Table>& table, nb::handle requested) {
  std::vector<std::variant<uint64_t, std::string>> items;
  for (const nb::handle item : requested) {
    if (nb::isinstance<nb::str>(item)) {
      items.emplace_back(argument<std::string>("columns", item));
      continue;
    }
    if (nb::isinstance(item, classes().operand)) {
      items.emplace_back(argument<std::string>("columns", item.attr("_column")()));
      continue;
    }
    uint64_t number = 0;
    if (PyBool_Check(item.ptr()) || !PyIndex_Check(item.ptr()) || !nb::try_cast(item, number)) {
      refuse_argument("columns", "the name or number of a column", item);
    }
    items.emplace_back(number);
  }
  const nb::gil_scoped_release release;
  std::vector<std::string> names;
  for (auto& item : items) {
    if (const auto* number = std::get_if<uint64_t>(&item)) {
      names.push_back(table->column_name(*number));
    } else {
      names.push_back(std::get<std::string>(std::move(item)));
    }
  }
  return Columns(std::move(names)).of(table);
}

bool is_same_tuple(nb::handle a, nb::handle b) {
  if (a.ptr() == b.ptr()) return true;
  if (PyUnicode_Check(b.ptr())) return false;  // otherwise "ab" would equal ("a", "b")
  if (!PySequence_Check(b.ptr()) || PyObject_Size(a.ptr()) != PyObject_Size(b.ptr())) return false;
  for (Py_ssize_t i = 0; i < PyObject_Size(a.ptr()); ++i) {
    const nb::object item = nb::steal(PySequence_GetItem(b.ptr(), i));
    if (!item.is_valid()) throw nb::python_error();
    PyObject* known = PyTuple_GetItem(a.ptr(), i);
    if (known == item.ptr()) continue;
    const int is_equal = PyObject_RichCompareBool(known, item.ptr(), Py_EQ);
    if (is_equal < 0) PyErr_Clear();  // the comparison of an expression, for example
    if (is_equal != 1) return false;
  }
  return true;
}

}  // namespace

void Closed::check() const {
  if (is) fail(ErrorKind::Argument, path, "the file was closed");
}

std::shared_ptr<const File> Data::file() const {
  closed->check();
  return opened;
}

std::shared_ptr<const Table> Data::of_rows() const {
  closed->check();
  return table != nullptr ? table : opened->table();  // throws if the file has no tables
}

// Releases the objects; calls of other threads hold those that they use.
void Data::close() {
  closed->is = true;
  default_reader.reset();
  default_columns.reset();
  last_columns.reset();
  last_requested = nb::object();
  table.reset();
  opened.reset();
}

const Projection& Data::columns(nb::handle requested) {
  const std::shared_ptr<const Table> held = of_rows();
  if (requested.is_none()) {
    if (!default_columns) {
      std::optional<Projection> made;
      {
        const nb::gil_scoped_release release;
        made.emplace(held);
      }
      if (!default_columns) default_columns = std::move(made);  // unless another thread was first
    }
    return *default_columns;
  }
  if (last_columns && is_same_tuple(last_requested, requested)) return *last_columns;
  const bool is_one = nb::isinstance<nb::str>(requested) || PyLong_Check(requested.ptr()) ||
                      nb::isinstance(requested, classes().operand);
  if (!is_one && (PyBytes_Check(requested.ptr()) || !nb::hasattr(requested, "__iter__"))) {
    refuse_argument("columns", "names or numbers of columns", requested);
  }
  nb::object tuple = is_one ? nb::object(nb::make_tuple(requested))
                            : nb::steal(PySequence_Tuple(requested.ptr()));
  if (!tuple.is_valid()) throw nb::python_error();
  Projection resolved = resolve(held, tuple);
  last_columns = std::move(resolved);
  last_requested = std::move(tuple);
  return *last_columns;
}

std::shared_ptr<RowReader> Data::reader() {
  if (!default_reader) {
    auto made = std::make_shared<RowReader>(columns(nb::none()));  // releases the GIL meanwhile
    closed->check();
    if (!default_reader) default_reader = std::move(made);
  }
  return default_reader;
}

namespace {

// Returns the counts of QueryMetrics, with the file's bytes_prefetched.
nb::dict metrics_of(const Data& data) {
  const QueryMetrics& metrics = *data.call.metrics;
  nb::dict all;
  all["zones"] = metrics.zones.load();
  all["zones_skipped"] = metrics.zones_skipped.load();
  all["values_tested"] = metrics.values_tested.load();
  all["bytes_tested"] = metrics.bytes_tested.load();
  all["bytes_selected"] = metrics.bytes_selected.load();
  all["columns"] = metrics.columns.load();
  all["rows_selected"] = metrics.rows_selected.load();
  all["bytes_prefetched"] = data.file()->bytes_prefetched();
  return all;
}

void bind_rows(nb::module_& module) {
  nb::class_<Rows>(module, "Rows", nb::type_slots(g_rows_slots),
                   "Single rows of some columns, by number: what Table.rows() gives.")
      .def("__init__", make_rows, nb::arg("data"), nb::arg("columns").none(), nb::arg("form"));
  module.def("set_classes", [](nb::object batch, nb::object operand) {
    classes() = {std::move(batch), std::move(operand)};
  });
}

}  // namespace

void bind_tables(nb::module_& module) {
  bind_rows(module);
  module.def("_rethrow", [](nb::handle held) {
    std::rethrow_exception(
        *static_cast<std::exception_ptr*>(PyCapsule_GetPointer(held.ptr(), nullptr)));
  });
  nb::class_<Data> data(module, "Data", nb::type_slots(g_data_slots),
                        "An open file, or a table of it; see heron.File and heron.Table.");
  bind_file(module, data);
  data      .def("_fields", schema_list)
      .def("_names", names)
      .def("_table_name", [](Data& data) { return text_object(data.of_rows()->name()); })
      .def("_key_columns", [](Data& data) { return data.of_rows()->key_columns(); })
      .def("_block_count", [](Data& data) { return data.of_rows()->block_count(); })
      .def("_group_count", [](Data& data) { return data.of_rows()->group_count(); })
      .def("_group_column", [](Data& data) { return data.of_rows()->group_column(); })
      .def(
          "_block",
          [](Data& data, uint64_t index) {
            const RowRange rows = data.of_rows()->block(index);
            return std::pair(rows.first, rows.last);
          },
          nb::arg("index"))
      .def(
          "_group",
          [](Data& data, uint64_t index) {
            const RowRange rows = data.of_rows()->group(index);
            return std::pair(rows.first, rows.last);
          },
          nb::arg("index"))
      .def("_metrics", metrics_of)
      .def("_counters",
           [](Data& data) {
             nb::dict all;
             for (const Counter& one : data.file()->counters()) {
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
