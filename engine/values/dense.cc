// Picks the items of a sparse row one by one, and a zero for every other slot.
#include <algorithm>
#include <numeric>

#include "base/arena.h"
#include "base/fail.h"
#include "values/assemble.h"

namespace heron::inline v0 {
namespace {

// The value of a slot that is not stored, as one row.
Values zero_of(const Values& items) {
  alignas(16) static constexpr std::byte kZeros[16] = {};
  Values zero(items.type, 1);
  zero.data = {kZeros, sizeof kZeros};
  if (items.type.has_bytes()) zero.offsets = {kZeros, sizeof kZeros};
  if (items.type.is(Type::Key)) {
    zero.validity = {kZeros, 1};
    zero.children = items.children;
  }
  zero.null_count = zero.is_null(0);
  return zero;
}

// Adds offsets to all slots of every row; returns the number of slots. Throws Error(Limit).
uint64_t add_offsets(const Values& vectors, uint64_t max_slots, Values& lists, Arena& arena) {
  auto* offsets = arena.allocate_array<int64_t>(vectors.rows + 1);
  uint64_t slots = 0;
  offsets[0] = 0;
  for (uint64_t row = 0; row < vectors.rows; ++row) {
    const auto length = static_cast<uint64_t>(vectors.get<int32_t>(row));
    if (length > max_slots - slots) {
      fail(ErrorKind::Limit, {}, "vectors of more than ", max_slots,
           " slots together; read fewer rows at once");
    }
    slots += length;
    offsets[row + 1] = static_cast<int64_t>(slots);
  }
  lists.offsets = {reinterpret_cast<const std::byte*>(offsets), (vectors.rows + 1) * 8};
  return slots;
}

// Returns for each slot the index of its item or, if it is not stored, items.rows.
const uint32_t* items_of_slots(const Values& vectors, uint64_t slots, Arena& arena) {
  const Values& stored = vectors.children[0];
  const Values& position_lists = vectors.children[1];
  const auto* positions = position_lists.children[0].data.as<int32_t>();
  auto* items = arena.allocate_array<uint32_t>(slots);
  std::fill_n(items, slots, static_cast<uint32_t>(stored.children[0].rows));
  uint32_t* row_items = items;
  for (uint64_t row = 0; row < vectors.rows; ++row) {
    const auto first = static_cast<uint32_t>(stored.extent(row));
    const auto length = static_cast<uint64_t>(vectors.get<int32_t>(row));
    const uint64_t count = stored.extent(row + 1) - first;
    const int32_t* position = positions + position_lists.extent(row);
    if (count == length) {
      std::iota(row_items, row_items + length, first);
    } else {
      for (uint32_t i = 0; i < count; ++i) row_items[position[i]] = first + i;
    }
    row_items += length;
  }
  return items;
}

}  // namespace

Values dense(const Values& vectors, Arena& arena, uint64_t max_slots) {
  if (!vectors.type.is(Type::Vector)) {
    fail(ErrorKind::Argument, {}, "expected vectors, got values of type ", vectors.type.name());
  }
  const Values& stored = vectors.children[0];
  const Values& items = stored.children[0];
  Values lists(stored.type, vectors.rows);
  const uint64_t slots = add_offsets(vectors, max_slots, lists, arena);
  if (stored.extent(vectors.rows) - stored.extent(0) == slots) return stored;
  if (items.rows >= UINT32_MAX) {
    fail(ErrorKind::Limit, {}, "vectors that store more than ", UINT32_MAX - 1,
         " items together; read fewer rows at once");
  }
  const Values all = concatenate(items.type, std::vector<Values>{items, zero_of(items)}, arena);
  lists.children.push_back(pick(all, {items_of_slots(vectors, slots, arena), slots}, arena));
  return lists;
}

}  // namespace heron::inline v0
