// The order in which rows are drawn, by itself.
#include "common.h"

namespace heron::python {

void bind_sampler(nb::module_& module) {
  nb::class_<Sampler>(module, "Sampler", "What heron.Sampler is made of.")
      .def(
          "__init__",
          [](Sampler* self, uint64_t rows, uint64_t seed, uint64_t epoch, bool replace,
             uint64_t rank, uint64_t world) {
            new (self) Sampler(
                rows,
                {.seed = seed, .epoch = epoch, .replace = replace, .rank = rank, .world = world});
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
}

}  // namespace heron::python
