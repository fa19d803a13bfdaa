// Converts all cells to the nearest value of the other type and compares them with the original, in
// loops without branches. Only if one differs, or the content under a null, the row is searched.
#include "convert/cast_numbers.h"

#include <bit>
#include <type_traits>

#include "convert/number_types.h"
#include "values/bitmap.h"
#include "values/cells.h"
#include "values/validity.h"

namespace heron::inline v0 {
namespace {

// The largest float that is at most the maximum of Integer.
template <class Float, class Integer>
constexpr Float kLargest = [] {
  using F = std::numeric_limits<Float>;
  using I = std::numeric_limits<Integer>;
  if constexpr (I::digits <= F::digits) {
    return static_cast<Float>(I::max());
  } else {
    constexpr auto kHalf = static_cast<Float>(Integer{1} << (I::digits - 1));
    return kHalf * (2 - F::epsilon());
  }
}();

// Returns a To for every value, an equal one if there is one.
template <class To, class From>
HERON_INLINE To nearest(From value) {
  if constexpr (std::is_same_v<To, bool>) {
    return value != 0;
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    constexpr auto kMinimum = static_cast<From>(std::numeric_limits<To>::min());
    const From above = value > kMinimum ? value : kMinimum;  // a NaN fails this
    return static_cast<To>(above < kLargest<From, To> ? above : kLargest<From, To>);
  } else {
    return static_cast<To>(value);
  }
}

// Returns whether nearest() returned an equal value.
template <class From, class To>
HERON_INLINE bool is_equal(From value, To cast) {
  if constexpr (kHoldsEvery<From, To>) {
    return true;
  } else if constexpr (std::is_floating_point_v<From> && std::is_floating_point_v<To>) {
    return (static_cast<From>(cast) == value) | (value != value);
  } else if constexpr (std::is_floating_point_v<From>) {
    // Compared as bits, because no integer equals -0.0.
    return std::bit_cast<BitsOf<From>>(static_cast<From>(cast)) ==
           std::bit_cast<BitsOf<From>>(value);
  } else if constexpr (std::is_floating_point_v<To>) {
    return nearest<From>(cast) == value;
  } else if constexpr (std::is_same_v<To, bool>) {
    return static_cast<From>(cast) == value;
  } else {
    return std::cmp_equal(cast, value);
  }
}

// Casts all cells; returns whether all results are equal.
template <class From, class To>
struct CastCells {
  HERON_INLINE static bool run(const From* from, uint64_t count, To* to) {
    // Results are as wide as the cells, so that vectors of both have as many lanes.
    using Wider = std::conditional_t<(sizeof(From) < sizeof(To)), To, From>;
    BitsOf<Wider> differs = 0;
    for (uint64_t i = 0; i < count; ++i) {
      to[i] = nearest<To>(from[i]);
      differs |= is_equal(from[i], to[i]) ? BitsOf<Wider>{0} : BitsOf<Wider>{1};
    }
    return differs == 0;
  }
};

// Returns the cells of values; each bool becomes a byte.
template <class T>
const T* cells_of(const Values& values, Arena& arena) {
  if constexpr (std::is_same_v<T, bool>) {
    bool* cells = arena.allocate_array<bool>(values.rows);
    for (uint64_t i = 0; i < values.rows; ++i) cells[i] = values.data.bit(i);
    return cells;
  } else {
    return values.data.as<T>();
  }
}

template <class From, class To>
std::optional<uint64_t> cast_cells(const Values& values, Values& into, Arena& arena) {
  const From* from = cells_of<From>(values, arena);
  To* to = arena.allocate_array<To>(values.rows);
  const bool all_equal = dispatch<CastCells<From, To>>(from, values.rows, to);
  for (uint64_t row = 0; !all_equal && row < values.rows; ++row) {
    if (!is_equal(from[row], nearest<To>(from[row])) && !values.is_null(row)) return row;
  }
  const auto* cells = reinterpret_cast<const std::byte*>(to);
  if constexpr (std::is_same_v<To, bool>) {
    into.data = {pack_bools(cells, values.rows, arena), bitmap_bytes(values.rows)};
  } else {
    into.data = {cells, values.rows * sizeof(To)};
  }
  return std::nullopt;
}

}  // namespace

std::optional<uint64_t> cast_numbers(const Values& values, Values& into, Arena& arena) {
  return visit_number_type(values.type, [&]<class From>() {
    return visit_number_type(into.type, [&]<class To>() -> std::optional<uint64_t> {
      return cast_cells<From, To>(values, into, arena);
    });
  });
}

}  // namespace heron::inline v0
