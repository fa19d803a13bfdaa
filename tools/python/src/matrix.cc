// Rows as a dense matrix, in memory of the caller's.
#include <cstring>

#include "data.h"

namespace heron::python {
namespace {

// A writable buffer of floats.
class FloatBuffer {
 public:
  explicit FloatBuffer(nb::handle object) {
    if (PyObject_GetBuffer(object.ptr(), &buffer_,
                           PyBUF_WRITABLE | PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) != 0) {
      throw nb::python_error();
    }
    const char* format = buffer_.format == nullptr ? "B" : buffer_.format;
    if (std::strcmp(format, "f") != 0 && std::strcmp(format, "d") != 0) {
      PyBuffer_Release(&buffer_);
      throw nb::type_error("out: expected an array of float32 or float64");
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

constexpr uint64_t kFewRows = 4096;

// Ends calls on other threads.
struct Stop {
  std::atomic<bool> flag{false};
};

template <class T>
void fill(Data& data, const Projection& columns, const RowList& rows, std::span<T> out,
          MatrixNull nulls, const Stop* stop) {
  const auto ask = [&](const Context& context) {
    if (rows.range) return matrix<T>(columns, *rows.range, out, nulls, context);
    matrix<T>(columns, rows.view, out, nulls, context);
  };
  if (stop != nullptr) {
    return engine_call(data.call, [&](const Context& context) {
      Context stoppable = context;
      stoppable.cancel = &stop->flag;
      ask(stoppable);
    });
  }
  if (rows.size() > kFewRows) return engine_call(data.call, ask);
  const nb::gil_scoped_release release;  // too quick to be stopped
  keep_fault_handler();
  ask({});
}

void matrix_into(Data& data, nb::handle rows, nb::handle columns, nb::handle out, bool refuse_nulls,
                 const Stop* stop) {
  const RowList list = rows_of(rows, data.of_rows()->rows());
  const Projection projection = data.columns(columns);
  const FloatBuffer buffer(out);
  const MatrixNull nulls = refuse_nulls ? MatrixNull::Refuse : MatrixNull::NaN;
  if (buffer.is_double()) {
    fill(data, projection, list, buffer.values<double>(), nulls, stop);
  } else {
    fill(data, projection, list, buffer.values<float>(), nulls, stop);
  }
}

std::pair<uint64_t, uint64_t> matrix_shape(Data& data, nb::handle rows, nb::handle columns) {
  const RowList list = rows_of(rows, data.of_rows()->rows());
  return {list.size(), matrix_width(data.columns(columns))};
}

// Whether rows in any order are read faster the more of them there are: not where the cells of a
// row lie side by side in memory.
bool are_many_faster(Data& data, nb::handle columns) {
  const Projection projection = data.columns(columns);
  if (projection.size() == 0) return false;
  const std::optional<MappedCells> cells = mapped_cells(data.of_rows(), projection.indices()[0]);
  return !cells || cells->stride == cells->width;
}

}  // namespace

void bind_matrix(nb::module_& module);

void bind_matrix(nb::module_& module) {
  nb::class_<Stop>(module, "Stop", "Ends calls on other threads, by set().")
      .def(nb::init<>())
      .def("set", [](Stop& stop) { stop.flag = true; });
  module.def("matrix_into", matrix_into, nb::arg("data"), nb::arg("rows").none(),
             nb::arg("columns").none(), nb::arg("out"), nb::arg("refuse_nulls") = false,
             nb::arg("stop") = nb::none());
  module.def("are_many_faster", are_many_faster, nb::arg("data"), nb::arg("columns").none());
  module.def("matrix_shape", matrix_shape, nb::arg("data"), nb::arg("rows").none(),
             nb::arg("columns").none());
}

}  // namespace heron::python
