// Writes rows as a dense matrix into the caller's memory.
#include <cstring>

#include "data.h"

namespace heron::python {
namespace {

constexpr std::string_view kFloats = "an array of float32 or float64";

// A writable buffer of floats.
class FloatBuffer {
 public:
  explicit FloatBuffer(nb::handle object) {
    if (!PyObject_CheckBuffer(object.ptr())) refuse_argument("out", kFloats, object);
    if (PyObject_GetBuffer(object.ptr(), &buffer_,
                           PyBUF_WRITABLE | PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) != 0) {
      throw nb::python_error();
    }
    const char* format = buffer_.format == nullptr ? "B" : buffer_.format;
    if (std::strcmp(format, "f") != 0 && std::strcmp(format, "d") != 0) {
      PyBuffer_Release(&buffer_);
      refuse_argument("out", kFloats, object);
    }
    is_double_ = format[0] == 'd';
  }
  ~FloatBuffer() { PyBuffer_Release(&buffer_); }
  FloatBuffer(const FloatBuffer&) = delete;
  FloatBuffer& operator=(const FloatBuffer&) = delete;

  bool is_double() const noexcept { return is_double_; }
  template <class T>
  std::span<T> values() const noexcept {
    return {static_cast<T*>(buffer_.buf), static_cast<size_t>(buffer_.len) / sizeof(T)};
  }

 private:
  Py_buffer buffer_;
  bool is_double_;
};

// Calls for at most this many rows cannot be interrupted: they are quick.
constexpr uint64_t kMaxUninterruptedRows = 4096;

template <class T>
void fill(Data& data, const Projection& columns, const RowList& rows, std::span<T> out,
          MatrixNull nulls) {
  const auto read = [&](const Context& context) {
    if (rows.range) return matrix<T>(columns, *rows.range, out, nulls, context);
    matrix<T>(columns, rows.view, out, nulls, context);
  };
  if (rows.size() > kMaxUninterruptedRows) return engine_call(data.call, read);
  const nb::gil_scoped_release release;
  keep_fault_handler();
  read({});
}

// Returns the names of columns of integers that float32 may have rounded.
nb::list matrix_into(Data& data, nb::handle rows, nb::handle columns, nb::handle out,
                     bool refuse_nulls) {
  const RowList list = rows_of(rows, data.rows());
  const Projection projection = data.columns(columns);
  const FloatBuffer buffer(out);
  const MatrixNull nulls = refuse_nulls ? MatrixNull::Refuse : MatrixNull::NaN;
  nb::list rounded;
  if (buffer.is_double()) {
    fill(data, projection, list, buffer.values<double>(), nulls);
    return rounded;
  }
  fill(data, projection, list, buffer.values<float>(), nulls);
  std::vector<uint64_t> found;
  {
    const nb::gil_scoped_release release;
    found = rounded_columns(projection, buffer.values<float>());
  }
  for (const uint64_t column : found) {
    rounded.append(text_object((*projection.schema())[column].name));
  }
  return rounded;
}

std::pair<uint64_t, uint64_t> matrix_shape(Data& data, nb::handle rows, nb::handle columns) {
  const RowList list = rows_of(rows, data.rows());
  return {list.size(), matrix_width(data.columns(columns))};
}

}  // namespace

void bind_matrix(nb::module_& module);

void bind_matrix(nb::module_& module) {
  module.def("matrix_into", matrix_into, nb::arg("data"), nb::arg("rows").none(),
             nb::arg("columns").none(), nb::arg("out"), nb::arg("refuse_nulls") = false);
  module.def("matrix_shape", matrix_shape, nb::arg("data"), nb::arg("rows").none(),
             nb::arg("columns").none());
}

}  // namespace heron::python
