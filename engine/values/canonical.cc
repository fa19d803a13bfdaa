#include "values/canonical.h"

#include "values/cells.h"

namespace heron::inline v0 {

void make_canonical(Values& values, Arena& arena) {
  if (values.type.is(Type::Key)) {
    for (Values& of_keys : values.children) make_canonical(of_keys, arena);
  }
  if (!values.type.is_float()) return;
  visit_cell_type(values.type, [&]<class T>() {
    if constexpr (std::is_floating_point_v<T>) {
      auto* cells = arena.allocate_array<T>(values.rows);
      for (uint64_t row = 0; row < values.rows; ++row) {
        cells[row] = canonical(load_cell<T>(values.data.data, row));
      }
      values.data = {reinterpret_cast<const std::byte*>(cells), values.rows * sizeof(T)};
    }
  });
}

}  // namespace heron::inline v0
