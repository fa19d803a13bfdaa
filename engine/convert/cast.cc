#include "convert/cast.h"

#include <algorithm>
#include <limits>

#include "base/fail.h"
#include "base/utf8.h"
#include "convert/cast_decimals.h"
#include "convert/cast_nested.h"
#include "convert/cast_numbers.h"
#include "convert/cast_times.h"
#include "convert/number_types.h"
#include "values/assemble.h"
#include "values/bitmap.h"
#include "values/cells.h"
#include "values/validity.h"
#include "values/value_words.h"

namespace heron::inline v0 {
namespace {

using Fault = std::optional<CastFault>;

// Casts between types that share no values: only nulls can be cast.
Fault cast_nulls(const Values& values, const Type& to, Arena& arena, Values& into) {
  for (uint64_t row = 0; row < values.rows; ++row) {
    if (!values.is_null(row)) return CastFault{row, value_words(values, row)};
  }
  into = all_null(to, values.rows, arena);
  return std::nullopt;
}

// Casts numbers, decimals or times.
template <class CastCells>
Fault cast_fixed(const Values& values, const Type& to, Arena& arena, Values& into,
                 CastCells cast_cells) {
  into = Values(to, values.rows);
  into.validity = values.validity;
  into.null_count = values.null_count;
  const std::optional<uint64_t> row = cast_cells(values, into, arena);
  if (row) return CastFault{*row, value_words(values, *row)};
  return std::nullopt;
}

void cast_text(const Values& values, const Type& to, Arena& arena, Values& into) {
  const uint64_t first = values.extent(0);
  into = values;
  into.type = to;
  into.data = {values.data.data + first, values.data.bytes - first};
  into.offsets = cast_offsets(values, to.has_large_offsets(), first, arena);
}

// Returns the values of keys that have values.
Values key_values(const Values& keys, Arena& arena) {
  const Values& values = keys.children[0];
  if (values.rows > UINT32_MAX) {
    fail(ErrorKind::Limit, {}, "keys have more than ", UINT32_MAX, " values");
  }
  auto* rows = arena.allocate_array<uint32_t>(keys.rows);
  visit_unsigned_type(keys.type, [&]<class T>() {
    const T* numbers = keys.data.as<T>();
    for (uint64_t i = 0; i < keys.rows; ++i) {
      rows[i] = keys.is_null(i) ? 0 : static_cast<uint32_t>(numbers[i] - 1);
    }
  });
  Values picked = pick(values, {rows, keys.rows}, arena);
  drop_nulls_of(keys, picked, arena);
  return picked;
}

Fault cast_key(const Values& keys, const Type& to, NullFloat nulls, Arena& arena, Values& into) {
  if (keys.null_count == keys.rows) return cast_nulls(keys, to, arena, into);
  if (!keys.children.empty()) return cast(key_values(keys, arena), to, nulls, arena, into);
  Values numbers = keys;
  numbers.type = keys.type.item();
  return cast(numbers, to, nulls, arena, into);
}

Fault cast_to_other(const Values& values, const Type& to, NullFloat nulls, Arena& arena,
                    Values& into) {
  const Type& from = values.type;
  if (from.is(Type::Null) || !castable(from, to)) return cast_nulls(values, to, arena, into);
  if (from.is(Type::Key)) return cast_key(values, to, nulls, arena, into);
  if (from.is_nested()) return cast_nested(values, to, nulls, arena, into);
  if (is_number(from)) return cast_fixed(values, to, arena, into, cast_numbers);
  if (are_times_alike(from, to)) return cast_fixed(values, to, arena, into, cast_times);
  if (from.is(Type::Decimal)) return cast_fixed(values, to, arena, into, cast_decimals);
  if (from.is_binary() && to.is_text()) {
    for (uint64_t row = 0; row < values.rows; ++row) {
      const std::string_view bytes = values.is_null(row) ? "" : values.text(row);
      if (valid_utf8_prefix(bytes) != bytes.size()) {
        return CastFault{row, value_words(values, row)};
      }
    }
  }
  cast_text(values, to, arena, into);
  return std::nullopt;
}

template <class T>
void nulls_as_nan(Values& values, Arena& arena) {
  const T* from = values.data.as<T>();
  T* cells = arena.allocate_array<T>(values.rows);
  for (uint64_t i = 0; i < values.rows; ++i) {
    cells[i] = values.validity.bit(i) ? from[i] : std::numeric_limits<T>::quiet_NaN();
  }
  values.data = {reinterpret_cast<const std::byte*>(cells), values.rows * sizeof(T)};
  values.validity = {};
  values.null_count = 0;
}

}  // namespace

std::optional<CastFault> cast(const Values& values, const Type& to, NullFloat nulls, Arena& arena,
                              Values& into) {
  if (values.type != to || (to.is_nested() && nulls == NullFloat::AsNaN)) {
    if (Fault fault = cast_to_other(values, to, nulls, arena, into)) return fault;
  } else {
    into = values;
  }
  if (nulls == NullFloat::AsNaN && into.null_count != 0) {
    if (to.is(Type::Float32)) nulls_as_nan<float>(into, arena);
    if (to.is(Type::Float64)) nulls_as_nan<double>(into, arena);
  }
  return std::nullopt;
}

}  // namespace heron::inline v0
