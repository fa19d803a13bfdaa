// The order in which rows are drawn, by itself.
#include "common.h"

namespace heron::python {
namespace {

std::vector<double> doubles_of(nb::handle object) {
  Py_buffer buffer;
  if (PyObject_GetBuffer(object.ptr(), &buffer, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) != 0) {
    throw nb::python_error();
  }
  const bool are_doubles = buffer.format != nullptr && std::string_view(buffer.format) == "d";
  std::vector<double> out;
  if (are_doubles) {
    const auto* first = static_cast<const double*>(buffer.buf);
    out.assign(first, first + static_cast<size_t>(buffer.len) / sizeof(double));
  }
  PyBuffer_Release(&buffer);
  if (!are_doubles) throw nb::type_error("expected float64");
  return out;
}

}  // namespace

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
  nb::class_<WeightedSampler>(module, "WeightedSampler", "An alias table of weights.")
      .def(
          "__init__",
          [](WeightedSampler* self, nb::handle weights) {
            const std::vector<double> copied = doubles_of(weights);
            const nb::gil_scoped_release release;
            new (self) WeightedSampler(copied);
          },
          nb::arg("weights"))
      .def(
          "draw",
          [](const WeightedSampler& sampler, uint64_t seed, uint64_t epoch, uint64_t rank,
             uint64_t world, uint64_t position, uint64_t count) {
            std::vector<uint64_t> rows(count);
            {
              const nb::gil_scoped_release release;
              sampler.draw({.seed = seed, .epoch = epoch, .rank = rank, .world = world}, position,
                           rows);
            }
            return numbers_object(std::move(rows), true);
          },
          nb::arg("seed"), nb::arg("epoch"), nb::arg("rank"), nb::arg("world"), nb::arg("position"),
          nb::arg("count"));
}

}  // namespace heron::python
