// Mutates files of a format for libFuzzer: by turns its numbers (kit/number_runs.h) and any bytes.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <string_view>

#include "kit/number_runs.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t capacity);

namespace heron::inline v0 {

// Returns the new size of the file, which lies in the first `size` bytes of the buffer.
inline size_t mutate_file(std::string_view format, std::span<uint8_t> buffer, size_t size,
                          unsigned seed) {
  std::mt19937_64 random(seed);
  const auto runs = number_runs(format, std::as_bytes(buffer.first(size)));
  constexpr unsigned kNumbersOf8 = 5;  // numbers are mutated in 5 of 8 inputs
  if (runs.empty() || random() % 8 >= kNumbersOf8)
    return LLVMFuzzerMutate(buffer.data(), size, buffer.size());
  return mutate_numbers(std::as_writable_bytes(buffer), size, runs, random);
}

}  // namespace heron::inline v0
