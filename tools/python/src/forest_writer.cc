// Writes forests into files, tree by tree: heron.balsa makes the arrays.
#include "base/fail.h"
#include "data.h"

namespace heron::python {
namespace {

// The cells of a contiguous buffer whose format is one of `letters`: I, B, f, d of the struct
// module.
class TreeCells {
 public:
  TreeCells(std::string_view name, nb::handle object, std::string_view letters) {
    if (PyObject_GetBuffer(object.ptr(), &buffer_, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) != 0) {
      throw nb::python_error();
    }
    const std::string_view format = buffer_.format == nullptr ? "" : buffer_.format;
    if (buffer_.ndim == 1 && format.size() == 1 && letters.find(format) != letters.npos) return;
    PyBuffer_Release(&buffer_);
    throw nb::type_error(concat(name, ": expected a flat array of type ", letters).c_str());
  }
  ~TreeCells() { PyBuffer_Release(&buffer_); }
  TreeCells(const TreeCells&) = delete;
  TreeCells& operator=(const TreeCells&) = delete;

  char letter() const noexcept { return buffer_.format[0]; }
  template <class T>
  std::span<const T> view() const noexcept {
    return {static_cast<const T*>(buffer_.buf), static_cast<size_t>(buffer_.len) / sizeof(T)};
  }

 private:
  Py_buffer buffer_{};
};

// A forest that is written tree by tree.
struct ForestFile {
  CallOptions call;
  std::unique_ptr<ForestWriter> writer;  // null: published or dropped
  uint64_t nodes = 0;

  ForestFile(const std::string& path, const ForestShape& shape, const nb::dict& given) {
    call.file = path;
    const WriteOptions options = write_options(given);
    // The Context of the writer must outlive it, so it is not that of a call.
    engine_call(call, [&](const Context&) { writer = create_forest(path, shape, options); });
  }

  ForestWriter& open() {
    if (writer == nullptr) fail(ErrorKind::Argument, call.file, "the forest is closed");
    return *writer;
  }
  void add(nb::handle left, nb::handle right, nb::handle feature, nb::handle value,
           nb::handle label) {
    const TreeCells lefts("left", left, "I"), rights("right", right, "I"),
        features("feature", feature, "B"), values("value", value, "fd"),
        labels("label", label, "B");
    TreeNodes tree{lefts.view<uint32_t>(), rights.view<uint32_t>(), features.view<uint8_t>(),
                   values.view<double>(), labels.view<uint8_t>()};
    if (values.letter() == 'f') tree.value = values.view<float>();
    ForestWriter& forest = open();
    engine_call(call, [&](const Context& context) {
      context.check_cancelled();
      forest.add(tree);
    });
    nodes += tree.left.size();
  }
  // Returns the size of the file.
  uint64_t finish() {
    ForestWriter& forest = open();
    return engine_call(call, [&](const Context&) {
      forest.close();
      forest.publish();
      const uint64_t bytes = forest.bytes_written();
      writer.reset();
      return bytes;
    });
  }
};

}  // namespace

void bind_forest_writer(nb::module_& module) {
  nb::class_<ForestFile>(module, "ForestFile", "A forest being written; see heron.balsa.")
      .def(
          "__init__",
          [](ForestFile* self, const std::string& path, uint64_t class_count,
             uint64_t feature_count, const nb::dict& options) {
            new (self) ForestFile(path, {class_count, feature_count}, options);
          },
          nb::arg("path"), nb::arg("class_count"), nb::arg("feature_count"), nb::arg("options"))
      .def("add", &ForestFile::add, nb::arg("left"), nb::arg("right"), nb::arg("feature"),
           nb::arg("value"), nb::arg("label"))
      .def("finish", &ForestFile::finish)
      .def("drop", [](ForestFile& forest) { forest.writer.reset(); })
      .def_prop_ro("trees",
                   [](const ForestFile& forest) {
                     return forest.writer == nullptr ? 0 : forest.writer->trees();
                   })
      .def_ro("nodes", &ForestFile::nodes);
  module.def(
      "merge_forests",
      [](const std::vector<std::string>& paths, const std::string& path, const nb::dict& given,
         const nb::dict& opening, unsigned threads, nb::object progress) {
        const CallOptions call{threads, std::move(progress), nullptr, path};
        const ConvertOptions options = convert_options(given);
        const OpenOptions open_as = open_options(opening);
        return report_dict(engine_call(call, [&](const Context& context) {
          std::vector<RowSourcePtr> forests;
          for (const std::string& one : paths) {
            const auto file = heron::open(one, open_as, context);
            const auto& nodes = file->table();
            forests.push_back(table_rows(Query(nodes), context));
          }
          return merge_forests(forests, path, options, context);
        }));
      },
      nb::arg("paths"), nb::arg("path"), nb::arg("options"), nb::arg("open_options"),
      nb::arg("threads"), nb::arg("progress").none());
}

}  // namespace heron::python
