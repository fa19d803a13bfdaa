#include "columns/byte_order.h"

#include <cstring>

#include "base/cpu.h"
#include "columns/cells.h"

namespace heron::inline v0 {
namespace {

// A block at a time by way of the stack, so that the compiler need not ask whether the two overlap.
template <class T>
struct SwapCells {
  HERON_INLINE static void run(const std::byte* from, uint64_t count, std::byte* to) {
    constexpr uint64_t kBlock = 64 / sizeof(T);
    uint64_t i = 0;
    for (; i + kBlock <= count; i += kBlock) {
      T block[kBlock];
      std::memcpy(block, from + i * sizeof(T), sizeof block);
      for (T& cell : block) cell = byte_reversed(cell);
      std::memcpy(to + i * sizeof(T), block, sizeof block);
    }
    for (; i < count; ++i) {
      const T cell = byte_reversed(load_cell<T>(from, i));
      std::memcpy(to + i * sizeof(T), &cell, sizeof cell);
    }
  }
};

}  // namespace

void swap_cells(const std::byte* from, uint64_t count, uint32_t width, std::byte* to) noexcept {
  switch (width) {
    case 1:
      if (from != to && count != 0) std::memcpy(to, from, count);
      break;
    case 2: dispatch<SwapCells<uint16_t>>(from, count, to); break;
    case 4: dispatch<SwapCells<uint32_t>>(from, count, to); break;
    default: dispatch<SwapCells<uint64_t>>(from, count, to); break;
  }
}

}  // namespace heron::inline v0
