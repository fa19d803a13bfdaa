// Binds the orders in which rows are drawn, without a dataset.
#include <nanobind/stl/shared_ptr.h>

#include "data.h"
#include "points.h"

namespace heron::python {
namespace {

EpochOrder order_of(Data& data, nb::object where,
                    std::optional<std::pair<uint64_t, uint64_t>> range, nb::object rows,
                    uint64_t shuffle, uint64_t locality) {
  const Query query = query_of(data, {nb::none(), where, range, {}, {}}, false);
  ShuffleOptions options{.shuffle = static_cast<Shuffle>(shuffle), .locality = locality};
  if (!rows.is_none()) {
    const RowList list = rows_of(rows, query.table->rows());
    options.rows.emplace(list.view.begin(), list.view.end());
  }
  return engine_call(
      data.call, [&](const Context& context) { return EpochOrder(query, options, context); });
}

EpochShard shard_of(const EpochOrder& order, uint64_t seed, uint64_t epoch, bool replace,
                    uint64_t rank, uint64_t world, uint64_t batch_rows,
                    const std::vector<std::tuple<uint64_t, uint64_t, uint64_t>>& before,
                    bool drop_last, std::shared_ptr<const WeightedSampler> weights,
                    std::optional<uint64_t> draws) {
  EpochOptions options{{seed, epoch, replace, rank, world}, batch_rows, drop_last, {}, draws};
  options.weights = std::move(weights);
  for (const auto& [stage_world, rows, batches] : before) {
    options.before.push_back({stage_world, rows, batches});
  }
  const nb::gil_scoped_release release;
  return EpochShard(order, std::move(options));
}

}  // namespace

void bind_sampler(nb::module_& module) {
  nb::class_<Sampler>(module, "Sampler", "What heron.Sampler is made of.")
      .def(
          "__init__",
          [](Sampler* self, uint64_t rows, uint64_t seed, uint64_t epoch, bool replace,
             uint64_t rank, uint64_t world) {
            new (self) Sampler(rows, {.seed = seed,
                                      .epoch = epoch,
                                      .replace = replace,
                                      .rank = rank,
                                      .world_size = world});
          },
          nb::arg("rows"), nb::arg("seed") = 0, nb::arg("epoch") = 0, nb::arg("replace") = false,
          nb::arg("rank") = 0, nb::arg("world") = 1)
      .def_prop_ro("size", &Sampler::size)
      .def(
          "draw",
          [](const Sampler& sampler, uint64_t position, uint64_t count) {
            std::vector<uint64_t> rows(count);
            {
              const nb::gil_scoped_release release;
              sampler.draw(position, rows);
            }
            return numbers_object(std::move(rows), true);
          },
          nb::arg("position"), nb::arg("count"));
  nb::class_<WeightedSampler>(module, "WeightedSampler", "An alias table of weights.")
      .def(
          "__init__",
          [](WeightedSampler* self, nb::handle weights) {
            const NumberBuffer numbers("weights", weights);
            std::vector<double> copied(numbers.size(0));
            const nb::gil_scoped_release release;
            numbers.copy("weights", 0, 1, copied.data());
            new (self) WeightedSampler(copied);
          },
          nb::arg("weights"));
  nb::class_<EpochShard>(module, "EpochShard", "The batches that a rank reads of an epoch.")
      .def_prop_ro("batches", &EpochShard::batches)
      .def(
          "group_sizes",
          [](const EpochShard& shard, uint64_t first, uint64_t last) {
            return numbers_object(shard.group_sizes(first, last));
          },
          nb::arg("first"), nb::arg("last"));
  nb::class_<EpochOrder>(module, "EpochOrder", "The rows of each epoch, in units to shuffle.")
      .def("rows", [](const EpochOrder& order) { return numbers_object(order.rows()); })
      .def("shard", shard_of, nb::arg("seed"), nb::arg("epoch"), nb::arg("replace"),
           nb::arg("rank"), nb::arg("world"), nb::arg("batch_rows"), nb::arg("before"),
           nb::arg("drop_last") = false, nb::arg("weights") = nb::none(),
           nb::arg("draws") = nb::none());
  module.def("epoch_order", order_of, nb::arg("data"), nb::arg("where") = nb::none(),
             nb::arg("range") = nb::none(), nb::arg("rows") = nb::none(), nb::arg("shuffle") = 1,
             nb::arg("locality") = 1);
}

}  // namespace heron::python
