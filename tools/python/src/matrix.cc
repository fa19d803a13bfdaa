// Rows as a dense matrix, in memory of the caller's; and rows of such a matrix.
#include <algorithm>
#include <cmath>
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

constexpr float kExactIntegers = 1 << 24;  // float32 rounds some of the integers beyond
constexpr uint64_t kRowsOfTile = 256;      // whose cells are still in a cache

// Whether any value is not below that. Compiled to vector instructions: a tenth of the time of one
// value after the other.
bool any_is_large(std::span<const float> values) {
  constexpr size_t kAtOnce = 16;
  const size_t whole = values.size() / kAtOnce * kAtOnce;
  uint32_t found = 0;
  for (size_t i = 0; i < whole; i += kAtOnce) {
    for (size_t k = 0; k < kAtOnce; ++k) {
      found |= static_cast<uint32_t>(std::abs(values[i + k]) >= kExactIntegers);  // NaN is not
    }
  }
  for (const float value : values.subspan(whole)) found |= std::abs(value) >= kExactIntegers;
  return found != 0;
}

// The columns of integers of which a value in the matrix is not below that.
std::vector<uint64_t> rounded_columns(const Projection& columns, std::span<const float> matrix) {
  struct Slot {
    uint64_t at, column;
  };
  std::vector<Slot> slots;
  uint64_t width = 0;
  const Schema& schema = *columns.schema();
  for (uint64_t c = 0; c < schema.size(); ++c) {
    const Type& type = schema[c].type;
    const Type& item = type.is(Type::Vector) ? type.item() : type;
    const uint64_t count = type.is(Type::Vector) ? type.size() : 1;
    for (uint64_t i = 0; i < count; ++i, ++width) {
      if (item.is_integer() && item.width() >= sizeof(float)) slots.push_back({width, c});
    }
  }
  std::vector<uint64_t> rounded;
  const uint64_t rows = width == 0 ? 0 : matrix.size() / width;
  for (uint64_t first = 0; first < rows && !slots.empty(); first += kRowsOfTile) {
    const uint64_t last = std::min(rows, first + kRowsOfTile);
    if (!any_is_large(matrix.subspan(first * width, (last - first) * width))) continue;
    std::erase_if(slots, [&](const Slot& slot) {
      bool exact = true;
      for (uint64_t row = first; row < last; ++row) {
        exact &= !(std::abs(matrix[row * width + slot.at]) >= kExactIntegers);  // nor NaN
      }
      if (!exact && (rounded.empty() || rounded.back() != slot.column)) {
        rounded.push_back(slot.column);
      }
      return !exact;
    });
  }
  std::sort(rounded.begin(), rounded.end());
  rounded.erase(std::unique(rounded.begin(), rounded.end()), rounded.end());
  return rounded;
}

// Returns the names of columns of integers that float32 may have rounded.
nb::list matrix_into(Data& data, nb::handle rows, nb::handle columns, nb::handle out,
                     bool refuse_nulls, const Stop* stop) {
  const RowList list = rows_of(rows, data.rows());
  const Projection projection = data.columns(columns);
  const FloatBuffer buffer(out);
  const MatrixNull nulls = refuse_nulls ? MatrixNull::Refuse : MatrixNull::NaN;
  nb::list rounded;
  if (buffer.is_double()) {
    fill(data, projection, list, buffer.values<double>(), nulls, stop);
    return rounded;
  }
  fill(data, projection, list, buffer.values<float>(), nulls, stop);
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

// Whether rows in any order are read faster the more of them there are: not where the cells of a
// row lie side by side in memory.
bool are_many_faster(Data& data, nb::handle columns) {
  const Projection projection = data.columns(columns);
  if (projection.size() == 0) return false;
  const std::optional<MappedCells> cells = mapped_cells(data.of_rows(), projection.indices()[0]);
  return !cells || cells->stride == cells->width;
}

// Copies rows of a matrix of floats, `width` elements each, from number `first` on, in any order.
template <class T>
class RowGather {
 public:
  RowGather(std::span<const T> from, uint64_t width, uint64_t first) noexcept
      : from_(from.data()), rows_(from.size() / width), width_(width), first_(first) {}

  void run(std::span<const uint64_t> rows, T* out) const {
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
  static constexpr uint64_t kRowsAhead = 24, kMostBytesAhead = 512, kOfALine = 64 / sizeof(T);

  template <uint64_t kWidth>  // 0: any
  void copy(std::span<const uint64_t> rows, T* out) const noexcept {
    const uint64_t width = kWidth == 0 ? width_ : kWidth;
    const uint64_t ahead = std::min(width, kMostBytesAhead / sizeof(T));
    for (uint64_t i = 0; i < rows.size(); ++i) {
      if (i + kRowsAhead < rows.size()) {
        const T* next = from_ + (rows[i + kRowsAhead] - first_) * width;
        for (uint64_t c = 0; c < ahead; c += kOfALine) __builtin_prefetch(next + c);
        __builtin_prefetch(next + ahead - 1);
      }
      std::memcpy(out + i * width, from_ + (rows[i] - first_) * width, width * sizeof(T));
    }
  }

  const T* from_;
  const uint64_t rows_, width_, first_;
};

template <class T>
void gather(const FloatBuffer& from, uint64_t first, const RowList& rows, const FloatBuffer& out) {
  const uint64_t width = from.shape(1);
  if (rows.range || out.values<T>().size() != rows.size() * width) {
    throw nb::type_error("gather_rows: expected matrices of one type and an array of rows");
  }
  if (width == 0) return;
  const nb::gil_scoped_release release;
  RowGather<T>(from.values<T>(), width, first).run(rows.view, out.values<T>().data());
}

void gather_rows(nb::handle from, uint64_t first, nb::handle rows, nb::handle out) {
  const FloatBuffer kept(from), buffer(out);
  const RowList list = rows_of(rows, first + kept.shape(0));
  if (kept.is_double() != buffer.is_double()) {
    throw nb::type_error("gather_rows: expected matrices of one type");
  }
  if (kept.is_double()) return gather<double>(kept, first, list, buffer);
  gather<float>(kept, first, list, buffer);
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
