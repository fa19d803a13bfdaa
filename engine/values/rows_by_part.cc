#include "values/rows_by_part.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "values/assemble.h"

namespace heron::inline v0 {
namespace {

void sort_by_part(std::span<const uint32_t> part_of, uint32_t* order) {
  std::iota(order, order + part_of.size(), 0);
  std::sort(order, order + part_of.size(),
            [part_of](uint32_t a, uint32_t b) { return part_of[a] < part_of[b]; });
}

void count_by_part(std::span<const uint32_t> part_of, uint64_t parts, uint32_t* order,
                   Arena& arena) {
  auto* next = arena.allocate_array<uint32_t>(parts + 1);  // next index in `order` of each part
  std::fill_n(next, parts + 1, 0);
  for (const uint32_t part : part_of) ++next[part + 1];
  std::partial_sum(next, next + parts, next);
  for (uint64_t i = 0; i < part_of.size(); ++i)
    order[next[part_of[i]]++] = static_cast<uint32_t>(i);
}

// Cells without nulls are scattered directly.
bool are_plain_cells(const Type& type, std::span<const Values> pieces) {
  return type.width() != 0 && !type.is(Type::Key) &&
         std::none_of(pieces.begin(), pieces.end(),
                      [](const Values& piece) { return piece.null_count != 0; });
}

template <uint64_t Width>
void scatter(const std::byte* from, std::span<const uint32_t> indices, std::byte* to) {
  for (const uint32_t index : indices) {
    std::memcpy(to + index * Width, from, Width);
    from += Width;
  }
}

void scatter(const std::byte* from, uint32_t width, std::span<const uint32_t> indices,
             std::byte* to) {
  switch (width) {
    case 1: return scatter<1>(from, indices, to);
    case 2: return scatter<2>(from, indices, to);
    case 4: return scatter<4>(from, indices, to);
    case 8: return scatter<8>(from, indices, to);
    default: return scatter<16>(from, indices, to);
  }
}

}  // namespace

RowsByPart::RowsByPart(std::span<const uint32_t> part_of, uint64_t parts, Arena& arena)
    : part_of_(part_of),
      arena_(arena),
      order_(arena.allocate_array<uint32_t>(part_of.size())),
      ascends_(std::is_sorted(part_of.begin(), part_of.end())) {
  if (ascends_) {
    std::iota(order_, order_ + part_of.size(), 0);
  } else if (parts > part_of.size()) {
    sort_by_part(part_of, order_);
  } else {
    count_by_part(part_of, parts, order_, arena);
  }
  for (uint64_t i = 0; i < part_of.size(); ++i) {
    if (i == 0 || part_of[order_[i]] != part_of[order_[i - 1]]) begins_.push_back(i);
  }
  begins_.push_back(part_of.size());
}

Values RowsByPart::restore(const Type& type, std::span<const Values> pieces) const {
  const uint64_t rows = part_of_.size();
  if (ascends_) return concatenate(type, pieces, arena_);
  if (are_plain_cells(type, pieces)) {
    Values values(type, rows);
    std::byte* cells = arena_.allocate(rows * type.width());
    for (uint64_t k = 0; k < size(); ++k) {
      scatter(pieces[k].data.data, type.width(), indices(k), cells);
    }
    values.data = {cells, rows * type.width()};
    return values;
  }
  auto* where = arena_.allocate_array<uint32_t>(rows);  // indices in the concatenated pieces
  for (uint64_t i = 0; i < rows; ++i) where[order_[i]] = static_cast<uint32_t>(i);
  return pick(concatenate(type, pieces, arena_), {where, rows}, arena_);
}

}  // namespace heron::inline v0
