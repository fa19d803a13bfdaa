#include "values/codes.h"

#include "values/cells.h"

namespace heron::inline v0 {
namespace {

// Writes code + kAdded for each row, or `null`. Returns the first row whose code is outside.
template <unsigned kAdded, class Number>
std::optional<uint64_t> convert_codes(const Values& codes, uint64_t size, Number null,
                                      Number* numbers) {
  return visit_integer_type(codes.type, [&]<class Code>() -> std::optional<uint64_t> {
    const Code* from = codes.data.as<Code>();
    for (uint64_t i = 0; i < codes.rows; ++i) {
      const auto code = static_cast<uint64_t>(from[i]);
      const bool is_null = codes.null_count != 0 && codes.is_null(i);
      if (code >= size && !is_null) return i;
      numbers[i] = is_null ? null : static_cast<Number>(code + kAdded);
    }
    return std::nullopt;
  });
}

}  // namespace

std::optional<uint64_t> read_codes(const Values& codes, uint64_t size, uint32_t null,
                                   uint32_t* indices) {
  return convert_codes<0>(codes, size, null, indices);
}

std::optional<uint64_t> read_keys(const Values& codes, uint64_t size, Arena& arena, Values& keys) {
  keys.rows = codes.rows;
  keys.validity = codes.validity;
  keys.null_count = codes.null_count;
  return visit_unsigned_type(keys.type, [&]<class Number>() {
    auto* numbers = arena.allocate_array<Number>(codes.rows);
    keys.data = {reinterpret_cast<const std::byte*>(numbers), codes.rows * sizeof(Number)};
    return convert_codes<1>(codes, size, Number{0}, numbers);
  });
}

}  // namespace heron::inline v0
