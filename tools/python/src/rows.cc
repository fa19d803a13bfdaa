// Row numbers, from what Python programs have them in.
#include <cstring>

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

// False: not of integers or bools.
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
  if (buffer.ndim == 0) return false;  // a number
  if (buffer.ndim != 1) throw nb::type_error("expected row numbers in one dimension");
  if (!read_buffer(buffer, rows, out.list)) {
    throw nb::type_error("expected row numbers as integers, or a mask of bools");
  }
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
  for (Py_ssize_t i = 0; i < count; ++i) {
    out.list.push_back(static_cast<uint64_t>(first + i * step));
  }
}

// The rows of a range exist if its first and last one do.
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

void from_iterable(nb::handle object, uint64_t rows, RowList& out) {
  const nb::object items = nb::steal(PySequence_List(object.ptr()));
  if (!items.is_valid()) throw nb::python_error();
  const Py_ssize_t count = PyList_Size(items.ptr());
  const bool is_mask = count > 0 && PyBool_Check(PyList_GetItem(items.ptr(), 0));
  if (is_mask && static_cast<uint64_t>(count) != rows) {
    throw nb::index_error(
        concat("expected a mask of ", rows, " bools, one a row, got ", count).c_str());
  }
  out.list.reserve(static_cast<size_t>(count));
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* item = PyList_GetItem(items.ptr(), i);
    if (is_mask) {
      if (PyObject_IsTrue(item) == 1) out.list.push_back(static_cast<uint64_t>(i));
      continue;
    }
    const Py_ssize_t row = PyNumber_AsSsize_t(item, PyExc_IndexError);
    if (row == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
    out.list.push_back(checked(row, rows));
  }
}

template <class T>
void append_integers(const Py_buffer& buffer, std::vector<Scalar>& out) {
  const Py_ssize_t stride = buffer.strides == nullptr ? buffer.itemsize : buffer.strides[0];
  const char* at = static_cast<const char*>(buffer.buf);
  out.reserve(static_cast<size_t>(buffer.shape[0]));
  for (Py_ssize_t i = 0; i < buffer.shape[0]; ++i, at += stride) {
    T key;
    std::memcpy(&key, at, sizeof key);
    out.emplace_back(int64_t{key});
  }
}

}  // namespace

bool integers_of_buffer(nb::handle object, std::vector<Scalar>& out) {
  Py_buffer buffer;
  if (PyObject_CheckBuffer(object.ptr()) == 0) return false;
  if (PyObject_GetBuffer(object.ptr(), &buffer, PyBUF_FORMAT | PyBUF_STRIDES) != 0) {
    PyErr_Clear();
    return false;
  }
  const std::string_view format = buffer.format == nullptr ? "B" : buffer.format;
  bool read = buffer.ndim == 1;
  if (read && format == "i") {
    append_integers<int32_t>(buffer, out);
  } else if (read && (format == "l" || format == "q") && buffer.itemsize == sizeof(int64_t)) {
    append_integers<int64_t>(buffer, out);
  } else {
    read = false;
  }
  PyBuffer_Release(&buffer);
  return read;
}

uint64_t row_of(Py_ssize_t row, uint64_t table_rows) {
  return checked(row, table_rows);
}

RowList rows_of(nb::handle rows, uint64_t table_rows) {
  RowList out;
  if (rows.is_none()) {
    out.range = RowRange{0, table_rows};
  } else if (PySlice_Check(rows.ptr())) {
    from_slice(rows, table_rows, out);
  } else if (PyRange_Check(rows.ptr())) {
    from_range(rows, table_rows, out);
  } else if (PyObject_CheckBuffer(rows.ptr()) && from_buffer(rows, table_rows, out)) {
    // Done.
  } else if (PyIndex_Check(rows.ptr())) {
    const Py_ssize_t row = PyNumber_AsSsize_t(rows.ptr(), PyExc_IndexError);
    if (row == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
    out.list.push_back(checked(row, table_rows));
  } else if (nb::hasattr(rows, "to_numpy")) {
    return rows_of(rows.attr("to_numpy")(), table_rows);
  } else {
    from_iterable(rows, table_rows, out);
  }
  out.view = out.list;
  return out;
}

}  // namespace heron::python
