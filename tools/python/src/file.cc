// Binds open files: opening them and their tables, and what they say of themselves.
#include "base/fail.h"
#include "data.h"
#include "files/open_folder.h"

namespace heron::python {
namespace {

Data open_file(std::vector<std::string> paths, const nb::dict& options, unsigned threads,
               const std::string& times, bool binary_text, nb::object progress) {
  Data data;
  data.paths = std::move(paths);
  if (!data.paths.empty()) data.closed->path = data.call.file = data.paths[0];
  data.options = open_options(options);
  data.arrow = arrow_options(times, binary_text);
  data.call.threads = threads;
  data.call.metrics = std::make_shared<QueryMetrics>();
  data.call.progress = progress;
  data.opened = engine_call(data.call, [&](const Context& context) {
    return open(data.paths, data.options, context);
  });
  data.call.progress = nb::none();
  return data;
}

// A table of an open file, which it shares; both are closed together. Without a name, the first; if
// the file has no tables, all that is of rows throws.
void open_table(Data* self, const Data& file, std::optional<std::string> table) {
  auto data = std::make_unique<Data>();
  data->opened = file.file();
  data->closed = file.closed;
  data->paths = file.paths;
  data->options = file.options;
  data->arrow = file.arrow;
  data->call = file.call;
  data->call.metrics = std::make_shared<QueryMetrics>();
  {
    const nb::gil_scoped_release release;
    try {
      data->table = data->opened->table(table.value_or(""));
    } catch (const Error& error) {
      if (table || error.kind() != ErrorKind::Argument) throw;  // otherwise the file has no tables
    }
  }
  new (self) Data(std::move(*data));
}

// The paths to open for a folder of a format: those of the files that are its one table, or its own
// if it has several; none if no format knows the folder.
std::vector<std::string> folder_paths(const std::string& path) {
  const KnownFolder folder = known_folder(path, {});
  if (folder.tables.size() > 1) return {path};
  return folder.format == nullptr ? std::vector<std::string>() : folder.tables.front().paths;
}

}  // namespace

void bind_file(nb::module_& module, nb::class_<Data>& data) {
  data.def("__init__", open_table, nb::arg("file"), nb::arg("table").none())
      .def("_info", info)
      .def("_tables", tables)
      .def("_entries", entries)
      .def("_format",
           [](Data& data) {
             const auto file = data.file();
             return data.table == nullptr ? file->format() : data.table->format();
           })
      .def("_check_unchanged", [](Data& data) { data.of_rows()->check_unchanged(); })
      .def("_close", &Data::close)
      .def_prop_ro("_closed", [](const Data& data) { return data.closed->is; });
  module.def("open_file", open_file, nb::arg("paths"), nb::arg("options"), nb::arg("threads"),
             nb::arg("times"), nb::arg("binary_text"), nb::arg("progress").none());
  module.def("folder_paths", folder_paths, nb::arg("path"));
}

}  // namespace heron::python
