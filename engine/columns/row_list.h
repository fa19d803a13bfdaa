// A range of rows as a list.
#pragma once

#include <numeric>
#include <span>

#include "base/arena.h"
#include "heron/values.h"

namespace heron::inline v0 {

inline std::span<const uint64_t> list_rows(RowRange rows, Arena& arena) {
  uint64_t* list = arena.allocate_array<uint64_t>(rows.rows());
  std::iota(list, list + rows.rows(), rows.first);
  return {list, rows.rows()};
}

}  // namespace heron::inline v0
