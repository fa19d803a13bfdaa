// Converts row numbers from the objects in which Python programs hold them.
#include <cstring>

#include "base/fail.h"
#include "common.h"

namespace heron::python {
namespace {

[[noreturn]] void no_row(const std::string& row, uint64_t rows) {
  throw nb::index_error(concat("no row ", row, ", the table has ", rows).c_str());
}

uint64_t checked(int64_t row, uint64_t rows) {
  const auto from_end = row < 0 ? row + static_cast<int64_t>(rows) : row;
  if (from_end < 0 || static_cast<uint64_t>(from_end) >= rows) no_row(std::to_string(row), rows);
  return static_cast<uint64_t>(from_end);
}

template <class T>
void copy_rows(const Py_buffer& buffer, uint64_t rows, std::vector<uint64_t>& out) {
  const Py_ssize_t count = buffer.shape[0];
  const Py_ssize_t stride = buffer.strides == nullptr ? buffer.itemsize : buffer.strides[0];
  out.resize(static_cast<size_t>(count));
  const char* at = static_cast<const char*>(buffer.buf);
  for (Py_ssize_t i = 0; i < count; ++i, at += stride) {
    T row;
    std::memcpy(&row, at, sizeof row);
    if constexpr (std::is_signed_v<T>) {
      out[static_cast<size_t>(i)] = checked(row, rows);
    } else {
      if (row >= rows) no_row(std::to_string(row), rows);
      out[static_cast<size_t>(i)] = row;
    }
  }
}

void rows_of_mask(const Py_buffer& buffer, uint64_t rows, std::vector<uint64_t>& out) {
  const auto count = static_cast<uint64_t>(buffer.shape[0]);
  if (count != rows) {
    throw nb::index_error(
        concat("expected a mask of ", rows, " bools, one a row, got ", count).c_str());
  }
  const Py_ssize_t stride = buffer.strides == nullptr ? 1 : buffer.strides[0];
  const char* at = static_cast<const char*>(buffer.buf);
  for (uint64_t i = 0; i < count; ++i, at += stride) {
    if (*at != 0) out.push_back(i);
  }
}

constexpr std::string_view kRows = "a number, slice, list of numbers or mask of bools";

// Returns whether an object is a bool of Python or NumPy.
bool is_bool(nb::handle object) {
  if (PyBool_Check(object.ptr())) return true;
  if (PyLong_CheckExact(object.ptr()) || nb::hasattr(object, "__len__")) return false;
  const nb::object type = nb::getattr(object, "dtype", nb::none());
  const nb::object kind = nb::getattr(type, "kind", nb::none());
  return nb::isinstance<nb::str>(kind) && nb::cast<std::string_view>(kind) == "b";
}

int64_t number_of(nb::handle row) {
  if (!PyLong_CheckExact(row.ptr())) {
    if (is_bool(row)) {
      throw nb::type_error("a bool is no row number; a mask of bools, one a row, chooses rows");
    }
    if (!PyIndex_Check(row.ptr()) || nb::hasattr(row, "__len__")) {
      refuse_argument("row", "a row number", row);
    }
  }
  const Py_ssize_t number = PyNumber_AsSsize_t(row.ptr(), PyExc_IndexError);
  if (number != -1 || PyErr_Occurred() == nullptr) return number;
  if (!PyErr_ExceptionMatches(PyExc_IndexError)) throw nb::python_error();
  PyErr_Clear();
  throw nb::index_error(concat("no row ", nb::str(row).c_str()).c_str());
}

// Returns false if the buffer does not hold integers or bools.
bool read_buffer(const Py_buffer& buffer, uint64_t rows, std::vector<uint64_t>& out) {
  const char* format = buffer.format == nullptr ? "B" : buffer.format;
  if (*format == '@' || *format == '=' || *format == '<') ++format;
  if (format[0] == '\0' || format[1] != '\0') return false;
  switch (format[0]) {
    case '?': rows_of_mask(buffer, rows, out); return true;
    case 'b': copy_rows<int8_t>(buffer, rows, out); return true;
    case 'B': copy_rows<uint8_t>(buffer, rows, out); return true;
    case 'h': copy_rows<int16_t>(buffer, rows, out); return true;
    case 'H': copy_rows<uint16_t>(buffer, rows, out); return true;
    case 'i': copy_rows<int32_t>(buffer, rows, out); return true;
    case 'I': copy_rows<uint32_t>(buffer, rows, out); return true;
    case 'l':
    case 'q': copy_rows<int64_t>(buffer, rows, out); return true;
    case 'L':
    case 'Q': copy_rows<uint64_t>(buffer, rows, out); return true;
    default: return false;
  }
}

bool from_buffer(nb::handle object, uint64_t rows, RowList& out) {
  Py_buffer buffer;
  if (PyObject_GetBuffer(object.ptr(), &buffer, PyBUF_FORMAT | PyBUF_STRIDES) != 0) {
    PyErr_Clear();
    return false;
  }
  struct Release {
    Py_buffer* held;
    ~Release() { PyBuffer_Release(held); }
  } release{&buffer};
  if (buffer.ndim == 0) return false;  // a single number
  if (buffer.ndim != 1) throw nb::type_error("expected row numbers in one dimension");
  if (!read_buffer(buffer, rows, out.list)) refuse_argument("rows", kRows, object);
  return true;
}

void from_slice(nb::handle slice, uint64_t rows, RowList& out) {
  Py_ssize_t first, last, step;
  if (PySlice_Unpack(slice.ptr(), &first, &last, &step) != 0) throw nb::python_error();
  const Py_ssize_t count =
      PySlice_AdjustIndices(static_cast<Py_ssize_t>(rows), &first, &last, step);
  if (step == 1) {
    const auto from = static_cast<uint64_t>(first);
    out.range = RowRange{from, from + static_cast<uint64_t>(count)};
    return;
  }
  out.list.reserve(static_cast<size_t>(count));
  for (Py_ssize_t i = 0; i < count; ++i) {
    out.list.push_back(static_cast<uint64_t>(first + i * step));
  }
}

// Adds the rows of a range, which exist if its first and last row do.
void from_range(nb::handle range, uint64_t rows, RowList& out) {
  const Py_ssize_t count = PyObject_Size(range.ptr());
  if (count < 0) throw nb::python_error();
  if (count == 0) return;
  const auto step = nb::cast<int64_t>(range.attr("step"));
  const auto start = nb::cast<int64_t>(range.attr("start"));
  const int64_t end = start + step * (count - 1);
  const uint64_t first = checked(start, rows);
  checked(end, rows);
  if (step == 1 && (start < 0) == (end < 0)) {
    out.range = RowRange{first, first + static_cast<uint64_t>(count)};
    return;
  }
  out.list.reserve(static_cast<size_t>(count));
  for (Py_ssize_t i = 0; i < count; ++i) out.list.push_back(checked(start + step * i, rows));
}

// Adds the rows of an iterable, whose items are all row numbers, or all bools.
void from_iterable(nb::handle object, uint64_t rows, RowList& out) {
  if (PyUnicode_Check(object.ptr()) || PyBytes_Check(object.ptr()) ||
      !nb::hasattr(object, "__iter__")) {
    refuse_argument("rows", kRows, object);
  }
  const nb::object items = nb::steal(PySequence_List(object.ptr()));
  if (!items.is_valid()) throw nb::python_error();
  const Py_ssize_t count = PyList_Size(items.ptr());
  const bool is_mask = count > 0 && is_bool(PyList_GetItem(items.ptr(), 0));
  if (is_mask && static_cast<uint64_t>(count) != rows) {
    throw nb::index_error(
        concat("expected a mask of ", rows, " bools, one a row, got ", count).c_str());
  }
  out.list.reserve(static_cast<size_t>(count));
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* item = PyList_GetItem(items.ptr(), i);
    if (!is_mask) {
      out.list.push_back(checked(number_of(item), rows));
      continue;
    }
    if (!is_bool(item)) refuse_argument("rows", "a mask of bools alone", item);
    if (PyObject_IsTrue(item) == 1) out.list.push_back(static_cast<uint64_t>(i));
  }
}

template <class T>
void append_integers(const Py_buffer& buffer, std::vector<int64_t>& out) {
  const Py_ssize_t stride = buffer.strides == nullptr ? buffer.itemsize : buffer.strides[0];
  const char* at = static_cast<const char*>(buffer.buf);
  out.reserve(static_cast<size_t>(buffer.shape[0]));
  for (Py_ssize_t i = 0; i < buffer.shape[0]; ++i, at += stride) {
    T key;
    std::memcpy(&key, at, sizeof key);
    out.push_back(key);
  }
}

}  // namespace

Integers::Integers(nb::handle object) {
  read_ = PyObject_CheckBuffer(object.ptr()) != 0 ? read_buffer(object) : read_list(object);
}

Integers::~Integers() {
  if (buffer_.obj != nullptr) PyBuffer_Release(&buffer_);
}

bool Integers::read_buffer(nb::handle object) {
  if (PyObject_GetBuffer(object.ptr(), &buffer_, PyBUF_FORMAT | PyBUF_STRIDES) != 0) {
    PyErr_Clear();
    buffer_.obj = nullptr;
    return false;
  }
  if (buffer_.ndim != 1) return false;
  const std::string_view format = buffer_.format == nullptr ? "B" : buffer_.format;
  if (format == "i") {
    append_integers<int32_t>(buffer_, copies_);
  } else if ((format != "l" && format != "q") || buffer_.itemsize != sizeof(int64_t)) {
    return false;
  } else {
    const bool packed = buffer_.strides == nullptr || buffer_.strides[0] == buffer_.itemsize;
    if (packed && reinterpret_cast<uintptr_t>(buffer_.buf) % alignof(int64_t) == 0) {
      view_ = {static_cast<const int64_t*>(buffer_.buf), static_cast<size_t>(buffer_.shape[0])};
      return true;
    }
    append_integers<int64_t>(buffer_, copies_);
  }
  view_ = copies_;
  return true;
}

bool Integers::read_list(nb::handle object) {
  const bool is_list = PyList_CheckExact(object.ptr());
  if (!is_list && !PyTuple_CheckExact(object.ptr())) return false;
  const Py_ssize_t count = PyObject_Size(object.ptr());
  copies_.resize(static_cast<size_t>(count));
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* item = is_list ? PyList_GetItem(object.ptr(), i) : PyTuple_GetItem(object.ptr(), i);
    if (!PyLong_CheckExact(item)) return false;
    int overflow = 0;
    copies_[static_cast<size_t>(i)] = PyLong_AsLongLongAndOverflow(item, &overflow);
    if (overflow != 0) return false;
  }
  view_ = copies_;
  return true;
}

uint64_t row_of(nb::handle row, uint64_t table_rows) {
  return checked(number_of(row), table_rows);
}

RowList rows_of(nb::handle rows, uint64_t table_rows) {
  RowList out;
  if (rows.is_none()) {
    out.range = RowRange{0, table_rows};
  } else if (PySlice_Check(rows.ptr())) {
    from_slice(rows, table_rows, out);
  } else if (PyRange_Check(rows.ptr())) {
    from_range(rows, table_rows, out);
  } else if (!PyBytes_Check(rows.ptr()) && PyObject_CheckBuffer(rows.ptr()) &&
             from_buffer(rows, table_rows, out)) {
    // Done.
  } else if (PyIndex_Check(rows.ptr()) || is_bool(rows)) {
    out.list.push_back(row_of(rows, table_rows));
  } else if (nb::hasattr(rows, "to_pylist") && nb::hasattr(rows, "type")) {  // pyarrow's
    from_iterable(rows.attr("to_pylist")(), table_rows, out);
  } else if (nb::hasattr(rows, "to_numpy")) {
    return rows_of(rows.attr("to_numpy")(), table_rows);
  } else {
    from_iterable(rows, table_rows, out);
  }
  out.view = out.list;
  return out;
}

}  // namespace heron::python
