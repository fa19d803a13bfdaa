// Helpers to make the columns of presets.
#pragma once

#include <string>

#include "base/arena.h"
#include "heron/values.h"

namespace heron::generate {

inline void add_column(Schema& schema, std::string name, Type type) {
  schema.push_back({.name = std::move(name),
                    .type = std::move(type),
                    .encoding = {},
                    .reason = {},
                    .metadata = {}});
}

// Allocates the cells of a fixed-width column.
template <class T>
std::span<T> make_cells(Values& values, Arena& arena) {
  const std::span cells(arena.allocate_array<T>(values.rows), values.rows);
  values.data = {reinterpret_cast<const std::byte*>(cells.data()), cells.size_bytes()};
  return cells;
}

}  // namespace heron::generate
