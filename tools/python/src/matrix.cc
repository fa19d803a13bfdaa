// Rows as a dense matrix, in memory of the caller's; and rows of such a matrix.
#include <algorithm>
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
  uint64_t shape(int dimension) const noexcept {
    return dimension < buffer_.ndim ? static_cast<uint64_t>(buffer_.shape[dimension]) : 0;
  }
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

// Copies rows of a matrix of floats, `width` elements each, from number `first` on, in any order.
class RowGather {
 public:
  RowGather(std::span<const float> from, uint64_t width, uint64_t first) noexcept
      : from_(from.data()), rows_(from.size() / width), width_(width), first_(first) {}

  void run(std::span<const uint64_t> rows, float* out) const {
    for (const uint64_t row : rows) {
      if (row - first_ >= rows_) throw nb::index_error("no such row in memory");
    }
    switch (width_) {  // a copy of a size that is known is some loads and stores
      case 1: return copy<1>(rows, out);
      case 2: return copy<2>(rows, out);
      case 3: return copy<3>(rows, out);
      case 4: return copy<4>(rows, out);
      case 5: return copy<5>(rows, out);
      case 6: return copy<6>(rows, out);
      case 7: return copy<7>(rows, out);
      case 8: return copy<8>(rows, out);
      default: return copy<0>(rows, out);
    }
  }

 private:
  static constexpr uint64_t kRowsAhead = 24, kMostBytesAhead = 512, kLineFloats = 16;

  template <uint64_t kWidth>  // 0: any
  void copy(std::span<const uint64_t> rows, float* out) const noexcept {
    const uint64_t width = kWidth == 0 ? width_ : kWidth;
    const uint64_t ahead = std::min(width, kMostBytesAhead / sizeof(float));
    for (uint64_t i = 0; i < rows.size(); ++i) {
      if (i + kRowsAhead < rows.size()) {
        const float* next = from_ + (rows[i + kRowsAhead] - first_) * width;
        for (uint64_t c = 0; c < ahead; c += kLineFloats) __builtin_prefetch(next + c);
        __builtin_prefetch(next + ahead - 1);
      }
      std::memcpy(out + i * width, from_ + (rows[i] - first_) * width, width * sizeof(float));
    }
  }

  const float* from_;
  const uint64_t rows_, width_, first_;
};

void gather_rows(nb::handle from, uint64_t first, nb::handle rows, nb::handle out) {
  const FloatBuffer kept(from), buffer(out);
  const uint64_t width = kept.shape(1);
  const RowList list = rows_of(rows, first + kept.shape(0));
  if (kept.is_double() || buffer.is_double() || list.range ||
      buffer.values<float>().size() != list.size() * width) {
    throw nb::type_error("gather_rows: expected matrices of float32 and an array of rows");
  }
  if (width == 0) return;
  const nb::gil_scoped_release release;
  RowGather(kept.values<float>(), width, first).run(list.view, buffer.values<float>().data());
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
  module.def("gather_rows", gather_rows, nb::arg("matrix"), nb::arg("first"), nb::arg("rows"),
             nb::arg("out"));
  module.def("are_many_faster", are_many_faster, nb::arg("data"), nb::arg("columns").none());
  module.def("matrix_shape", matrix_shape, nb::arg("data"), nb::arg("rows").none(),
             nb::arg("columns").none());
}

}  // namespace heron::python
