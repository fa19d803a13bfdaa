// The fuzzer of the format that the program is named after, fuzz_<format>: an input is a file of
// it. The payload of a container is queried as bytes and in its detected format. Unless does_all(),
// it is queried in one of both ways, an input gets some of the queries, and a container instead of
// the file is left to its own fuzzer: decoding a few of them took half of the time of fuzz_jay.
#include <cerrno>  // program_invocation_short_name
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "files/formats.h"
#include "fuzz/structured.h"
#include "kit/choice.h"
#include "kit/interrogate.h"

namespace {

const std::string& format() {
  static const std::string name =
      std::string(program_invocation_short_name).substr(std::string_view("fuzz_").size());
  return name;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t bytes) {
  static const bool is_container = heron::format_named(format()).unwrap != nullptr;
  const auto file = std::as_bytes(std::span(data, bytes));
  if (!heron::does_all()) {
    if (!is_container && heron::begins_as_container(file)) return 0;
    heron::interrogate_in_part(file, is_container && bytes % 2 != 0 ? "" : format());
    return 0;
  }
  heron::interrogate(file, format());
  if (is_container) heron::interrogate(file, "");
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t capacity,
                                          unsigned seed) {
  return heron::mutate_file(format(), {data, capacity}, size, seed);
}
