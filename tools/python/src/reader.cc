// Single rows as Python objects: a RowView for columns of cells, one take() for the others.
#include "common.h"

namespace heron::python {

struct RowReader::Cell {
  enum class From : uint8_t { View, Key, Other };
  From from = From::View;
  Type type;
  uint64_t index = 0;  // in the view, or among the others
  const Values* key_values = nullptr;
  std::vector<nb::object> shown_keys;  // made when first needed
};

namespace {

constexpr uint64_t kMostKeptKeys = 65'536;

bool in_view(const Type& type) {
  return !type.is_nested() && !type.is(Type::RowId) && !type.is(Type::DateTimeOffset) &&
         !type.is(Type::Null);
}

template <class T>
PyObject* integer(const RowView& view, uint64_t i) {
  const std::optional<T> value = view.get<T>(i);
  if (!value) Py_RETURN_NONE;
  if constexpr (std::is_signed_v<T>) {
    return PyLong_FromLongLong(*value);
  } else {
    return PyLong_FromUnsignedLongLong(*value);
  }
}

template <class T>
PyObject* real(const RowView& view, uint64_t i) {
  const std::optional<T> value = view.get<T>(i);
  if (!value) Py_RETURN_NONE;
  return PyFloat_FromDouble(static_cast<double>(*value));
}

PyObject* text(const RowView& view, uint64_t i) {
  const std::optional<std::string_view> value = view.text(i);
  if (!value) Py_RETURN_NONE;
  const auto bytes = static_cast<Py_ssize_t>(value->size());
  if (PyObject* made = PyUnicode_DecodeUTF8(value->data(), bytes, nullptr)) return made;
  PyErr_Clear();
  return text_object(*value).release().ptr();
}

template <class T>
PyObject* time(const RowView& view, const Type& type, uint64_t i) {
  const std::optional<T> value = view.get<T>(i);
  if (!value) Py_RETURN_NONE;
  return integer_time(type, *value).release().ptr();
}

PyObject* from_view(const RowView& view, const Type& type, uint64_t i) {
  switch (type.id()) {
    case Type::Bool: {
      const std::optional<bool> value = view.get<bool>(i);
      if (!value) Py_RETURN_NONE;
      return PyBool_FromLong(*value);
    }
    case Type::Int8: return integer<int8_t>(view, i);
    case Type::Int16: return integer<int16_t>(view, i);
    case Type::Int32: return integer<int32_t>(view, i);
    case Type::Int64: return integer<int64_t>(view, i);
    case Type::UInt8: return integer<uint8_t>(view, i);
    case Type::UInt16: return integer<uint16_t>(view, i);
    case Type::UInt32: return integer<uint32_t>(view, i);
    case Type::UInt64: return integer<uint64_t>(view, i);
    case Type::Float32: return real<float>(view, i);
    case Type::Float64: return real<double>(view, i);
    case Type::Text:
    case Type::LargeText: return text(view, i);
    case Type::Date32: return time<int32_t>(view, type, i);
    default: return time<int64_t>(view, type, i);
  }
}

std::optional<uint64_t> stored_key(const RowView& view, const Type& type, uint64_t i) {
  switch (type.item().id()) {
    case Type::UInt8: return view.get<uint8_t>(i);
    case Type::UInt16: return view.get<uint16_t>(i);
    case Type::UInt32: return view.get<uint32_t>(i);
    default: return view.get<uint64_t>(i);
  }
}

}  // namespace

RowReader::RowReader(Projection columns) : columns_(std::move(columns)) {
  std::vector<uint64_t> viewed, others;
  const Schema& schema = *columns_.schema();
  bool keys = false;
  for (uint64_t i = 0; i < schema.size(); ++i) {
    const Type& type = schema[i].type;
    Cell cell;
    cell.type = type;
    const bool viewable = in_view(type) && schema[i].readable;
    if (!viewable) cell.from = Cell::From::Other;
    if (viewable && type.is(Type::Key)) cell.from = Cell::From::Key;
    keys |= cell.from == Cell::From::Key;
    auto& list = viewable ? viewed : others;
    cell.index = list.size();
    list.push_back(columns_.indices()[i]);
    cells_.push_back(std::move(cell));
    names_.push_back(nb::steal(PyUnicode_InternFromString(schema[i].name.c_str())));
    if (!names_.back().is_valid()) {
      PyErr_Clear();
      names_.back() = text_object(schema[i].name);
    }
  }
  for (const nb::object& name : names_) empty_row_[name] = nb::none();
  const nb::gil_scoped_release release;
  if (!viewed.empty()) view_.emplace(Projection(columns_.table(), viewed));
  if (!others.empty()) others_.emplace(columns_.table(), others);
  slow_ = (view_ && !view_->is_direct()) || others_;
  if (!keys) return;
  key_values_ = heron::read(Projection(columns_.table(), viewed),
                            {0, std::min<uint64_t>(columns_.table()->rows(),
                                                   1)});  // whether they have values a row shows
  for (Cell& cell : cells_) {
    if (cell.from != Cell::From::Key) continue;
    const Values& sample = key_values_.columns[cell.index];
    if (!sample.children.empty()) cell.key_values = &sample.children[0];
  }
}

RowReader::~RowReader() = default;

PyObject* RowReader::key_value(const Cell& cell) {
  const std::optional<uint64_t> stored = stored_key(*view_, cell.type, cell.index);
  if (!stored) Py_RETURN_NONE;
  if (cell.key_values == nullptr) return PyLong_FromUnsignedLongLong(*stored);
  auto& shown = const_cast<std::vector<nb::object>&>(cell.shown_keys);
  if (*stored > cell.key_values->rows) return PyLong_FromUnsignedLongLong(*stored);
  if (*stored > kMostKeptKeys) {
    return value_object(*cell.key_values, *stored - 1).release().ptr();
  }
  if (shown.size() < *stored) shown.resize(*stored);
  nb::object& known = shown[*stored - 1];
  if (!known.is_valid()) known = value_object(*cell.key_values, *stored - 1);
  return nb::object(known).release().ptr();
}

PyObject* RowReader::cell(uint64_t i) {
  const Cell& cell = cells_[i];
  switch (cell.from) {
    case Cell::From::View: return from_view(*view_, cell.type, cell.index);
    case Cell::From::Key: return key_value(cell);
    case Cell::From::Other:
      return value_object(other_values_.columns[cell.index], 0).release().ptr();
  }
  return nullptr;
}

// put(i, object) takes the object over.
template <class Put>
void RowReader::read(uint64_t row, const Put& put) {
  std::unique_lock<std::mutex> lock;
  if (slow_) {
    const nb::gil_scoped_release release;
    keep_fault_handler();
    lock = std::unique_lock(mutex_);
    if (view_) view_->seek(row);
    if (others_) heron::take(*others_, std::vector{row}, other_values_);
  } else if (view_) {
    view_->seek(row);
  }
  for (uint64_t i = 0; i < cells_.size(); ++i) {
    PyObject* value = cell(i);
    if (value == nullptr) throw nb::python_error();
    put(i, value);
  }
}

PyObject* RowReader::tuple(uint64_t row) {
  nb::object out = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(cells_.size())));
  if (!out.is_valid()) throw nb::python_error();
  read(row, [&](uint64_t i, PyObject* value) {
    PyTuple_SetItem(out.ptr(), static_cast<Py_ssize_t>(i), value);
  });
  return out.release().ptr();
}

PyObject* RowReader::dict(uint64_t row) {
  // A copy has room for all names: half the time of a dict that grows.
  nb::object out = nb::steal(PyDict_Copy(empty_row_.ptr()));
  if (!out.is_valid()) throw nb::python_error();
  read(row, [&](uint64_t i, PyObject* value) {
    const nb::object held = nb::steal(value);
    if (PyDict_SetItem(out.ptr(), names_[i].ptr(), value) != 0) throw nb::python_error();
  });
  return out.release().ptr();
}

PyObject* RowReader::value(uint64_t row) {
  PyObject* out = nullptr;
  read(row, [&](uint64_t, PyObject* value) { out = value; });
  return out;
}

}  // namespace heron::python
