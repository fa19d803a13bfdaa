#include "rows/row_order.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace heron::inline v0 {

std::span<const IndexedRow> nearly_sorted(std::span<const uint64_t> rows, uint64_t table_rows,
                                          Arena& arena) {
  assert(rows.size() <= UINT32_MAX && table_rows <= UINT32_MAX);
  // Limits the buckets, so that the line of each bucket to which rows are added stays in cache.
  constexpr unsigned kMaxBucketBits = 11, kMinRowBits = 10;
  const auto bits = static_cast<unsigned>(std::bit_width(table_rows));
  const unsigned row_bits = std::max(bits, kMaxBucketBits + kMinRowBits) - kMaxBucketBits;
  const uint64_t buckets = (table_rows >> row_bits) + 1;
  auto* sorted = arena.allocate_array<IndexedRow>(rows.size());
  auto* next = arena.allocate_array<uint32_t>(buckets + 1);  // index of each bucket's next row
  std::fill_n(next, buckets + 1, 0);
  for (const uint64_t row : rows) ++next[(row >> row_bits) + 1];
  for (uint64_t i = 0; i < buckets; ++i) next[i + 1] += next[i];
  for (uint64_t i = 0; i < rows.size(); ++i) {
    sorted[next[rows[i] >> row_bits]++] = {static_cast<uint32_t>(rows[i]),
                                           static_cast<uint32_t>(i)};
  }
  return {sorted, rows.size()};
}

}  // namespace heron::inline v0
