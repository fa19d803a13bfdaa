#include "columns/order_by_part.h"

#include <algorithm>
#include <numeric>

namespace heron::inline v0 {

const uint32_t* order_by_part(const uint32_t* part_of, uint64_t count, uint64_t parts,
                              Arena& arena) {
  auto* order = arena.allocate_array<uint32_t>(count);
  if (parts > count) {
    std::iota(order, order + count, 0);
    std::sort(order, order + count,
              [part_of](uint32_t a, uint32_t b) { return part_of[a] < part_of[b]; });
    return order;
  }
  auto* next = arena.allocate_array<uint32_t>(parts + 1);  // where a part's next position goes
  std::fill_n(next, parts + 1, 0);
  for (uint64_t i = 0; i < count; ++i) ++next[part_of[i] + 1];
  std::partial_sum(next, next + parts, next);
  for (uint64_t i = 0; i < count; ++i) order[next[part_of[i]]++] = static_cast<uint32_t>(i);
  return order;
}

}  // namespace heron::inline v0
