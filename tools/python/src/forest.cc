// Binds forests: they classify one point, a matrix of points, or points read as rows.
#include <numeric>
#include <variant>

#include "base/fail.h"
#include "base/hints.h"
#include "data.h"
#include "heron/forest.h"
#include "points.h"

namespace heron::python {
namespace {

struct ForestData {
  Forest forest;
  std::shared_ptr<const Closed> closed;
  CallOptions call;
  // The tick of the last check of the fault handler for a single point.
  mutable std::atomic<int64_t> checked_tick{-1};

  // Throws ArgumentError if the dataset was closed.
  const Forest& get() const {
    closed->check();
    return forest;
  }
  CallOptions call_on(std::optional<unsigned> threads) const {
    CallOptions made = call;
    if (threads) made.threads = *threads;
    return made;
  }
};

void open_forest(ForestData* self, Data& data, const std::optional<std::string>& table) {
  const std::shared_ptr<const File> file = data.file();
  std::optional<Forest> forest;
  {
    const nb::gil_scoped_release release;
    if (table) forest.emplace(file->table(*table));
    else forest.emplace(file);
  }
  new (self) ForestData{*std::move(forest), data.closed, data.call};
}

std::vector<float> weights_of(const Forest& forest, nb::handle weights) {
  if (!weights.is_valid() || weights.is_none()) return {};
  std::vector<double> given;
  if (is_list_or_tuple(weights)) {
    given.resize(static_cast<size_t>(PyObject_Size(weights.ptr())));
    copy_numbers(forest.name(), "weights", weights, given);
  } else {
    const NumberBuffer buffer("weights", weights);
    if (buffer.dimensions() != 1) {
      fail(ErrorKind::Argument, forest.name(), "expected weights in 1 dimension, got ",
           buffer.dimensions());
    }
    given.resize(buffer.size(0));
    buffer.copy(forest.name(), 0, 1, given.data());
  }
  if (given.empty() && forest.class_count() != 0) {  // the engine takes no weights as all 1
    fail(ErrorKind::Argument, forest.name(), "expected ", forest.class_count(),
         " weights, one per class, got 0");
  }
  std::vector<float> out(given.size());
  for (size_t i = 0; i < given.size(); ++i) out[i] = static_cast<float>(given[i]);
  return out;
}

// ---- one point ----

// A single point checks the fault handler once in a tick: that costs as much as a small forest.
template <class T>
uint8_t label_of_one(const ForestData& self, std::span<const T> point,
                     std::span<const float> weights) {
  const Forest& forest = self.get();
  const nb::gil_scoped_release release;
  const int64_t tick = tick_of_the_clock();
  if (self.checked_tick.load(std::memory_order_relaxed) != tick) {
    keep_fault_handler();
    self.checked_tick.store(tick, std::memory_order_relaxed);
  }
  return forest.predict_one(point, weights);
}

PyObject* predict_one(PyObject* self, PyObject* const* arguments, Py_ssize_t count,
                      PyObject* names) noexcept {
  try {
    const ForestData& forest = *nb::inst_ptr<ForestData>(self);
    nb::handle point, weights;
    nb::handle* const slots[] = {&point, &weights};
    bool is_known = count <= 2;
    for (Py_ssize_t i = 0; i < count && is_known; ++i) *slots[i] = arguments[i];
    for (Py_ssize_t i = 0; names != nullptr && i < PyTuple_Size(names); ++i) {
      PyObject* const name = PyTuple_GetItem(names, i);
      const bool is_weights = PyUnicode_CompareWithASCIIString(name, "weights") == 0;
      is_known &= is_weights || PyUnicode_CompareWithASCIIString(name, "point") == 0;
      is_known &= !slots[is_weights]->is_valid();
      *slots[is_weights] = arguments[count + i];
    }
    if (!is_known || !point.is_valid()) {
      throw nb::type_error("predict_one() takes a point and weights of the classes");
    }
    nb::object array;  // an object that only NumPy converts, such as a tensor
    if (!is_list_or_tuple(point) && PyObject_CheckBuffer(point.ptr()) == 0 &&
        nb::hasattr(point, "__array__")) {
      array = nb::module_::import_("numpy").attr("asarray")(point);
      point = array;
    }
    const std::vector<float> given = weights_of(forest.forest, weights);
    const OnePoint one(forest.forest.name(), point, forest.forest.feature_count());
    const uint8_t label =
        one.visit([&](const auto values) { return label_of_one(forest, values, given); });
    return PyLong_FromLong(label);
  } catch (...) {
    return raise_current();
  }
}

PyMethodDef g_forest_methods[] = {
    {"predict_one", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(predict_one)),
     METH_FASTCALL | METH_KEYWORDS,
     "predict_one(point, weights=None) -> int\n\nThe label of one point: a list, tuple or "
     "one-dimensional array of a number for each\nfeature. Quicker for a few points than "
     "predict(): copies and remembers nothing."},
    {nullptr, nullptr, 0, nullptr}};
PyType_Slot g_forest_slots[] = {{Py_tp_methods, static_cast<void*>(g_forest_methods)}, {}};

// ---- a matrix ----

// Bytes that NumPy views as a writable array of answers, and the number of points.
struct Answers {
  explicit Answers(uint64_t points, uint64_t bytes)
      : points(points),
        bytearray(nb::steal(
            PyByteArray_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(bytes)))) {
    if (!bytearray.is_valid()) throw nb::python_error();
  }
  template <class T>
  T* to() const {
    return reinterpret_cast<T*>(PyByteArray_AsString(bytearray.ptr()));
  }
  nb::tuple both() const { return nb::make_tuple(bytearray, points); }

  uint64_t points;
  nb::object bytearray;
};

struct Question {
  std::vector<float> weights;
  bool votes = false;
  uint64_t bytes_a_point(const Forest& forest) const {
    return votes ? forest.class_count() * sizeof(uint32_t) : 1;
  }
};

// Classifies `count` points.
template <class T>
void classify(const Forest& forest, const Question& question, const T* points, uint64_t count,
              std::byte* to, const Context& context) {
  const std::span matrix(points, count * forest.feature_count());
  if (question.votes) {
    const uint64_t votes = count * forest.class_count();
    return forest.votes(matrix, std::span(reinterpret_cast<uint32_t*>(to), votes), context);
  }
  forest.predict(matrix, std::span(reinterpret_cast<uint8_t*>(to), count),
                 std::span<const float>(question.weights), context);
}

// Returns the number of points to convert at a time if they are not floats.
uint64_t points_at_once(const Forest& forest) {
  constexpr uint64_t kBytes = 16 << 20;
  return kBytes / sizeof(double) / std::max<uint64_t>(forest.feature_count(), 1);
}

nb::tuple classify_buffer(const ForestData& self, nb::handle points, const Question& question,
                          const CallOptions& call) {
  const Forest& forest = self.get();
  const uint64_t features = forest.feature_count();
  const NumberBuffer matrix("points", points);
  if (matrix.dimensions() != 2) {
    fail(ErrorKind::Argument, forest.name(), "expected a matrix of points, a row for each, got an ",
         "array of ", matrix.dimensions(), matrix.dimensions() == 1 ? " dimension" : " dimensions");
  }
  if (matrix.size(1) != features) {
    fail_with_hint(ErrorKind::Argument, hint::kFeatureColumns, forest.name(), "expected ", features,
                   " features, got a matrix of ", matrix.size(1),
                   matrix.size(1) == 1 ? " column" : " columns");
  }
  const uint64_t count = matrix.size(0);
  const Answers answers(count, count * question.bytes_a_point(forest));
  auto* to = answers.to<std::byte>();
  engine_call(call, [&](const Context& context) {
    if (const float* floats = matrix.in_place<float>()) {
      return classify(forest, question, floats, count, to, context);
    }
    if (const double* doubles = matrix.in_place<double>()) {
      return classify(forest, question, doubles, count, to, context);
    }
    const uint64_t at_once = std::min(points_at_once(forest), count);
    std::vector<double> copies(at_once * features);
    for (uint64_t first = 0; first < count; first += at_once) {
      const uint64_t some = std::min(at_once, count - first);
      matrix.copy(forest.name(), first, some, copies.data());
      classify(forest, question, copies.data(), some, to, context);
      to += some * question.bytes_a_point(forest);
    }
  });
  return answers.both();
}

// Classifies a list or tuple of points, each as predict_one() takes one.
nb::tuple classify_list(const ForestData& self, nb::handle points, const Question& question,
                        const CallOptions& call) {
  const Forest& forest = self.get();
  const uint64_t features = forest.feature_count();
  std::vector<double> copies;
  uint64_t count = 0;
  for (const nb::handle point : points) {
    if (!is_list_or_tuple(point) && PyObject_CheckBuffer(point.ptr()) == 0) {
      refuse_argument(concat("points[", count, ']'), "a list, tuple or array of numbers", point);
    }
    const OnePoint one(concat(forest.name(), ": point ", count), point, features);
    one.visit(
        [&](const auto values) { copies.insert(copies.end(), values.begin(), values.end()); });
    ++count;
  }
  const Answers answers(count, count * question.bytes_a_point(forest));
  auto* to = answers.to<std::byte>();
  engine_call(call, [&](const Context& context) {
    classify(forest, question, copies.data(), count, to, context);
  });
  return answers.both();
}

nb::tuple classify_matrix(const ForestData& self, nb::handle points, nb::handle weights, bool votes,
                          std::optional<unsigned> threads) {
  const Question question{weights_of(self.get(), weights), votes};
  const CallOptions call = self.call_on(threads);
  if (is_list_or_tuple(points)) return classify_list(self, points, question, call);
  return classify_buffer(self, points, question, call);
}

// ---- rows ----

using ColumnNames = std::vector<std::variant<uint64_t, std::string>>;

ColumnNames names_of(nb::handle columns) {
  ColumnNames names;
  if (columns.is_none()) return names;
  for (const nb::handle item : columns) {
    uint64_t number = 0;
    if (nb::isinstance<nb::str>(item)) {
      names.emplace_back(argument<std::string>("columns", item));
    } else if (!PyBool_Check(item.ptr()) && PyIndex_Check(item.ptr()) &&
               nb::try_cast(item, number)) {
      names.emplace_back(number);
    } else {
      refuse_argument("columns", "the name or number of a column", item);
    }
  }
  return names;
}

std::vector<std::string> in_schema(const ColumnNames& names, const RowSource& source) {
  std::vector<std::string> out;
  for (const auto& name : names) {
    if (const auto* text = std::get_if<std::string>(&name)) {
      out.push_back(*text);
      continue;
    }
    const auto number = std::get<uint64_t>(name);
    if (number >= source.schema().size()) {
      fail(ErrorKind::Argument, source.name(), "no column ", number, ", the points have ",
           source.schema().size());
    }
    out.push_back(source.schema()[number].name);
  }
  return out;
}

struct RowsQuestion {
  Question question;
  ColumnNames columns;
  bool nulls_as_nan = false;
};

// Classifies rows; `make` makes the source of the points.
template <class Make>
nb::tuple classify_rows(const ForestData& self, const RowsQuestion& of, const CallOptions& call,
                        const Make& make) {
  const Forest& forest = self.get();
  uint64_t points = 0;
  const auto found = engine_call(call, [&](const Context& context) {
    const RowSourcePtr source = make(context);
    const bool votes = of.question.votes;
    const RowSourcePtr rows = predictions(forest, source,
                                          {.features = in_schema(of.columns, *source),
                                           .weights = of.question.weights,
                                           .votes = votes,
                                           .nulls_as_nan = of.nulls_as_nan});
    // Column 0 has the labels, those behind it votes.
    const uint64_t classes = forest.class_count();
    std::vector<uint64_t> columns(votes ? classes : 1);
    std::iota(columns.begin(), columns.end(), votes ? 1 : 0);
    std::vector<std::byte> bytes;
    const auto stream = rows->read(columns, context);
    for (RowBatch batch; stream->next(batch);) {
      const uint64_t before = bytes.size();
      bytes.resize(before + batch.rows * of.question.bytes_a_point(forest));
      for (uint64_t i = 0; i < columns.size(); ++i) {
        const Values& values = batch.columns[i];
        if (!votes) {
          std::copy_n(values.data.data, batch.rows, bytes.data() + before);
          continue;
        }
        auto* to = reinterpret_cast<uint32_t*>(bytes.data() + before) + i;
        for (uint64_t row = 0; row < batch.rows; ++row) {
          to[row * classes] = values.get<uint32_t>(row);
        }
      }
      points += batch.rows;
    }
    return bytes;
  });
  const Answers answers(points, found.size());
  std::copy(found.begin(), found.end(), answers.to<std::byte>());
  return answers.both();
}

nb::tuple classify_stream(const ForestData& self, nb::handle points, nb::handle columns,
                          nb::handle weights, bool votes, bool nulls_as_nan,
                          std::optional<unsigned> threads) {
  const RowsQuestion question{
      {weights_of(self.get(), weights), votes}, names_of(columns), nulls_as_nan};
  ArrowArrayStream stream = stream_of(points);
  return classify_rows(self, question, self.call_on(threads), [&](const Context&) {
    return arrow_rows(&stream, ArrowPasses::One, "points");
  });
}

nb::tuple classify_table(const ForestData& self, Data& points, nb::object columns, nb::object where,
                         std::optional<std::pair<uint64_t, uint64_t>> rows,
                         std::optional<uint64_t> limit,
                         std::vector<std::pair<std::string, bool>> order, nb::handle weights,
                         bool votes, bool nulls_as_nan, std::optional<unsigned> threads) {
  const RowsQuestion question{{weights_of(self.get(), weights), votes}, {}, nulls_as_nan};
  const Query query = query_of(points, {columns, where, rows, limit, std::move(order)});
  return classify_rows(self, question, self.call_on(threads),
                       [&](const Context& context) { return table_rows(query, context); });
}

nb::dict summary(const ForestData& self) {
  const Forest& forest = self.get();
  const ForestStats found =
      engine_call(self.call, [&](const Context& context) { return stats(forest, context); });
  nb::list trees;
  for (const ForestStats::Tree& tree : found.trees) {
    nb::dict one;
    one["nodes"] = tree.nodes;
    one["leaves"] = tree.leaves;
    one["depth"] = tree.depth;
    trees.append(one);
  }
  nb::dict all;
  all["trees"] = trees;
  all["splits_of_feature"] = nb::cast(found.splits_of_feature);
  all["leaves_of_class"] = nb::cast(found.leaves_of_class);
  return all;
}

}  // namespace

void bind_forest(nb::module_& module) {
  nb::class_<ForestData>(module, "ForestData", nb::type_slots(g_forest_slots), "See heron.Forest.")
      .def("__init__", open_forest, nb::arg("data"), nb::arg("table").none())
      .def("_of_matrix", classify_matrix, nb::arg("points"), nb::arg("weights").none(),
           nb::arg("votes"), nb::arg("threads").none())
      .def("_of_stream", classify_stream, nb::arg("points"), nb::arg("columns").none(),
           nb::arg("weights").none(), nb::arg("votes"), nb::arg("nulls_as_nan"),
           nb::arg("threads").none())
      .def("_of_table", classify_table, nb::arg("points"), nb::arg("columns").none(),
           nb::arg("where").none(), nb::arg("rows").none(), nb::arg("limit").none(),
           nb::arg("order_by"), nb::arg("weights").none(), nb::arg("votes"),
           nb::arg("nulls_as_nan"), nb::arg("threads").none())
      .def("_summary", summary)
      .def("_pack",
           [](const ForestData& self) {
             const Forest& forest = self.get();
             engine_call(self.call, [&](const Context& context) { forest.pack(context); });
           })
      .def_prop_ro("_name", [](const ForestData& self) { return text_object(self.forest.name()); })
      .def_prop_ro("_tree_count", [](const ForestData& self) { return self.get().tree_count(); })
      .def_prop_ro("_class_count", [](const ForestData& self) { return self.get().class_count(); })
      .def_prop_ro("_feature_count",
                   [](const ForestData& self) { return self.get().feature_count(); })
      .def_prop_ro("_packed_bytes",
                   [](const ForestData& self) { return self.get().packed_bytes(); })
      .def_prop_ro("_closed", [](const ForestData& self) { return self.closed->is; });
}

}  // namespace heron::python
