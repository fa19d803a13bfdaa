// Binds splits: parts of tables for workers in other processes, and the rows that they read.
#include "data.h"

namespace heron::python {
namespace {

// Returns the rows at these positions among the rows in `rows` that pass `where`.
nb::object selected_rows(Data& data, nb::object where, std::pair<uint64_t, uint64_t> rows,
                         nb::handle positions) {
  const Query query = query_of(data, {nb::none(), where, rows, {}, {}}, false);
  const RowList list = rows_of(positions, UINT64_MAX >> 1);
  return numbers_object(engine_call(data.call, [&](const Context& context) {
    const Selection selection(query, context);
    return selection.rows(list.view, context);
  }));
}

nb::list split_list(Data& data, nb::object columns, nb::object where, uint64_t target_bytes) {
  const Query query = query_of(data, {columns, where, {}, {}, {}});
  const auto all = engine_call(
      data.call, [&](const Context& context) { return splits(query, target_bytes, context); });
  nb::list out;
  for (const Split& one : all) {
    out.append(nb::make_tuple(one.rows.first, one.rows.last, one.bytes, one.min_rows, one.max_rows,
                              one.estimated_rows));
  }
  return out;
}

}  // namespace

void bind_splits(nb::module_& module) {
  module.def("selected_rows", selected_rows, nb::arg("data"), nb::arg("where").none(),
             nb::arg("rows"), nb::arg("positions"));
  module.def("splits", split_list, nb::arg("data"), nb::arg("columns").none(),
             nb::arg("where").none(), nb::arg("target_bytes"));
}

}  // namespace heron::python
