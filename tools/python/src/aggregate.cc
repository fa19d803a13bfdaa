// Converts states of aggregates, to be merged in another process.
#include <cstring>

#include "data.h"

namespace heron::python {
namespace {

struct PartialState {
  PartialAggregate state;
  ArrowOptions arrow;

  nb::bytes bytes() const {
    std::vector<std::byte> all;
    {
      const nb::gil_scoped_release release;
      all = state.bytes();
    }
    return nb::bytes(all.data(), all.size());
  }
  void append(const PartialState& next) {
    const nb::gil_scoped_release release;
    state.append(next.state);
  }
  nb::dict values() const {
    RowBatch results;
    {
      const nb::gil_scoped_release release;
      results = state.result();
    }
    return row_dict(results, 0);
  }
  Batch groups(const std::vector<std::pair<std::string, bool>>& order,
               std::optional<uint64_t> limit) const {
    std::vector<OrderBy> by;
    for (const auto& [column, descending] : order) {
      by.push_back({column, descending ? Descending : Ascending});
    }
    const nb::gil_scoped_release release;
    RowBatch all = state.result(by, limit.value_or(Query::kNoLimit));
    make_counts_signed(all, all.columns.size() - state.names().size());
    return {std::move(all), arrow};
  }
};

PartialState* make_state(Data& data, std::vector<std::string> by, const std::string& text,
                         nb::object where, std::optional<std::pair<uint64_t, uint64_t>> rows,
                         uint64_t first_row, uint64_t table_rows) {
  Query query = query_of(data, {nb::none(), where, rows, {}, {}}, false);
  if (!by.empty()) query.by = std::move(by);
  const auto aggregates = parse_aggregates(*query.table, text);
  return new PartialState{
      engine_call(data.call,
                  [&](const Context& context) {
                    return PartialAggregate(query, aggregates, {first_row, table_rows}, context);
                  }),
      data.arrow};
}

PartialState* loaded(nb::bytes bytes, const std::string& times, bool binary_text) {
  const std::span view(reinterpret_cast<const std::byte*>(bytes.c_str()), bytes.size());
  const nb::gil_scoped_release release;
  return new PartialState{PartialAggregate(view), arrow_options(times, binary_text)};
}

}  // namespace

void bind_aggregate(nb::module_& module) {
  nb::class_<PartialState>(module, "PartialState", "What heron.AggregateState is made of.")
      .def("bytes", &PartialState::bytes)
      .def("append", &PartialState::append, nb::arg("next"))
      .def("has_groups", [](const PartialState& self) { return self.state.has_groups(); })
      .def("values", &PartialState::values)
      .def("groups", &PartialState::groups, nb::arg("order_by"), nb::arg("limit").none());
  module.def("partial_aggregate", make_state, nb::arg("data"), nb::arg("by"), nb::arg("what"),
             nb::arg("where").none(), nb::arg("rows").none(), nb::arg("first_row"),
             nb::arg("table_rows"), nb::rv_policy::take_ownership);
  module.def("partial_aggregate_of", loaded, nb::arg("bytes"), nb::arg("times"),
             nb::arg("binary_text"), nb::rv_policy::take_ownership);
}

}  // namespace heron::python
