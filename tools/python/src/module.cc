// The extension module: heron/__init__.py is what users see of it.
#include "data.h"

NB_MODULE(_heron, module) {
  using namespace heron::python;
  nb::set_leak_warnings(false);  // modules and classes hold objects at exit
  module.doc() = "What heron is made of; use the package heron.";
  module.attr("version") = std::string(heron::version());
  bind_errors(module);
  watch_signals();
  bind_cells(module);
  bind_batch(module);
  bind_tables(module);
  bind_query(module);
  bind_sampler(module);
  bind_loader(module);
  bind_aggregate(module);
  bind_splits(module);
  bind_write(module);
  bind_forest(module);
  bind_forest_writer(module);
  module.def("keep_fault_handler", [] { heron::keep_fault_handler(); });
  module.def("is_forked_child", [] { return heron::is_forked_child(); });
  module.def("format_options", heron::python::format_option_tuples);
}
