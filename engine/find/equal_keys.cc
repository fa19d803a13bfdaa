#include "find/equal_keys.h"

#include "columns/dictionaries/key_column.h"
#include "table/internals.h"
#include "values/cells.h"
#include "values/validity.h"

namespace heron::inline v0 {
namespace {

void merge(Values& keys, std::span<const uint64_t> first_equal, Arena& arena) {
  auto* valid = arena.allocate_array<uint8_t>(keys.rows);
  visit_unsigned_type(keys.type, [&]<class T>() {
    auto* numbers = arena.allocate_array<T>(keys.rows);
    for (uint64_t row = 0; row < keys.rows; ++row) {
      const auto number = static_cast<uint64_t>(load_cell<T>(keys.data.data, row));
      const uint64_t merged = keys.is_null(row) ? 0 : first_equal[number - 1];
      numbers[row] = static_cast<T>(merged);
      valid[row] = merged != 0;
    }
    keys.data = {reinterpret_cast<const std::byte*>(numbers), keys.rows * sizeof(T)};
  });
  set_validity_from_flags(keys, valid, arena);
}

}  // namespace

EqualKeys::EqualKeys(const Projection& columns, const Context& context) {
  for (const Column* column : internals(columns).columns()) {
    const KeyValues* values = column->key_values();
    first_equal_.push_back(values == nullptr ? std::span<const uint64_t>()
                                             : std::span(values->first_equal(context)));
    any_ |= !first_equal_.back().empty();
  }
}

std::vector<Values> EqualKeys::merged(std::span<const Values> columns, Arena& arena) const {
  std::vector<Values> all(columns.begin(), columns.end());
  for (uint64_t i = 0; i < first_equal_.size(); ++i) {
    if (!first_equal_[i].empty()) merge(all[i], first_equal_[i], arena);
  }
  return all;
}

}  // namespace heron::inline v0
