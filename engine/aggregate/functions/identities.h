// The identities of values, which distinguish them: a number or some bytes, those of a text, a
// binary or the cell of a decimal.
#pragma once

#include "aggregate/distinct/distinct_set.h"
#include "aggregate/functions/group_states.h"

namespace heron::inline v0 {

// Adds numbers of type T to the sketch.
template <class T>
void add_to(HyperLogLog& sketch, const ValidRows& valid) {
  HyperLogLog::Adder adder(sketch);
  valid.for_each([adder, cells = valid.values.data.data](uint64_t row) mutable {
    adder.add(sketch_hash(distinct_bits(load_cell<T>(cells, row))));
  });
}

// The identity of a decimal that is not null.
inline std::string_view decimal_bytes(const Values& values, uint64_t row) noexcept {
  return {values.data.as<char>() + row * sizeof(Int128), sizeof(Int128)};
}
// The identity of a decimal as its units.
inline Int128 units_of(std::string_view identity) noexcept {
  Int128 units = 0;
  std::memcpy(&units, identity.data(), sizeof units);
  return units;
}

// Calls use(i, identity) for each value. The identity, a uint64_t or a text, is the same for values
// that are not distinct.
template <class Use>
void for_identities(const Values& values, const GroupedRows& grouped, Use use) {
  const Type& type = values.type;
  const bool has_key_values = type.is(Type::Key) && !values.children.empty();
  if (type.has_bytes()) {
    for_valid(values, grouped, [&](uint64_t i, uint32_t row) { use(i, values.text(row)); });
  } else if (type.is(Type::Decimal)) {
    for_valid(values, grouped,
              [&](uint64_t i, uint32_t row) { use(i, decimal_bytes(values, row)); });
  } else if (has_key_values && values.children[0].type.is(Type::Decimal)) {
    visit_cell_type(type, [&]<class T>() {
      for_valid(values, grouped, [&](uint64_t i, uint32_t row) {
        const uint64_t key = static_cast<uint64_t>(cell_of<T>(values, row)) - 1;
        if (!values.children[0].is_null(key)) use(i, decimal_bytes(values.children[0], key));
      });
    });
  } else if (has_number_cells(type) && !has_key_values) {
    visit_cell_type(type, [&]<class T>() {
      for_valid(values, grouped,
                [&](uint64_t i, uint32_t row) { use(i, distinct_bits(cell_of<T>(values, row))); });
    });
  } else {
    for_valid(values, grouped, [&](uint64_t i, uint32_t row) {
      std::visit(
          [&](const auto& value) {
            using Value = std::remove_cvref_t<decltype(value)>;
            if constexpr (std::is_same_v<Value, std::string_view>)
              use(i, value);
            else if constexpr (!std::is_same_v<Value, std::monostate> &&
                               !std::is_same_v<Value, Int128>)
              use(i, distinct_bits(value));
          },
          scalar_at(values, row));
    });
  }
}

}  // namespace heron::inline v0
