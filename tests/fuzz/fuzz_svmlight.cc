#include <cstddef>
#include <cstdint>
#include <span>

#include "kit/interrogate.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t bytes) {
  heron::interrogate(std::as_bytes(std::span(data, bytes)), "svmlight");
  return 0;
}
