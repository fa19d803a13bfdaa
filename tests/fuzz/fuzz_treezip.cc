#include <cstddef>
#include <cstdint>
#include <span>

#include "kit/interrogate.h"

// Queries the payload as bytes, and in its detected format.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t bytes) {
  heron::interrogate(std::as_bytes(std::span(data, bytes)), "treezip");
  heron::interrogate(std::as_bytes(std::span(data, bytes)));
  return 0;
}
