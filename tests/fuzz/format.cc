// The fuzzer of one format, HERON_FUZZ_FORMAT: the input is a file of it. The payload of a
// container is queried as bytes, and in its detected format. With HERON_FUZZ_ALL=1, as for the
// files of ctest, an input gets every query, else some: the payload in one of both ways.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "files/formats.h"
#include "fuzz/structured.h"
#include "kit/interrogate.h"

namespace {

constexpr const char* kFormat = HERON_FUZZ_FORMAT;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t bytes) {
  static const bool is_container = heron::format_named(kFormat).unwrap != nullptr;
  const auto file = std::as_bytes(std::span(data, bytes));
  static const bool all = std::getenv("HERON_FUZZ_ALL") != nullptr;
  if (!all) {
    heron::interrogate_in_part(file, is_container && bytes % 2 != 0 ? "" : kFormat);
    return 0;
  }
  heron::interrogate(file, kFormat);
  if (is_container) heron::interrogate(file, "");
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t capacity,
                                          unsigned seed) {
  return heron::mutate_file(kFormat, {data, capacity}, size, seed);
}
