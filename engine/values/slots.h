// The slots of a vector, row by row.
#pragma once

#include <cstdint>

#include "heron/values.h"

namespace heron::inline v0 {

// A view of one row of a vector: the values must outlive it.
struct Slots {
  Slots(const Values& vector, uint64_t row) noexcept
      : length(static_cast<uint64_t>(vector.get<int32_t>(row))),
        items(vector.children[0].children[0]),
        first(vector.children[0].extent(row)),
        stored(vector.children[0].extent(row + 1) - first),
        indices(vector.children[1].children[0].data.as<int32_t>() +
                vector.children[1].extent(row)) {}
  bool is_dense() const noexcept { return stored == length; }
  // The slot of a stored item.
  uint64_t slot(uint64_t i) const noexcept {
    return is_dense() ? i : static_cast<uint64_t>(indices[i]);
  }

  uint64_t length;
  const Values& items;
  uint64_t first;          // index in `items` of the first stored item
  uint64_t stored;         // number of stored items
  const int32_t* indices;  // unless dense
};

}  // namespace heron::inline v0
