#include "convert/number_range.h"

#include <algorithm>
#include <cmath>

#include "convert/number_types.h"

namespace heron::inline v0 {
namespace {

// The range of numbers of one type; empty if least is above largest.
template <class T>
struct Extremes {
  T least = std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                                 : std::numeric_limits<T>::max();
  T largest = std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                   : std::numeric_limits<T>::lowest();
  bool has_fraction = false;

  HERON_INLINE void add(T value) {
    least = value < least ? value : least;
    largest = value > largest ? value : largest;
    // The difference of infinities or NaNs is a NaN, which is not above 0.
    if constexpr (std::is_floating_point_v<T>) has_fraction |= value - std::floor(value) > 0;
  }
};

template <class T>
struct FindExtremes {
  HERON_INLINE static Extremes<T> run(const T* cells, uint64_t count) {
    Extremes<T> extremes;
    for (uint64_t i = 0; i < count; ++i) extremes.add(cells[i]);
    return extremes;
  }
};

template <class T>
Extremes<T> extremes_of(const Values& values) {
  if constexpr (!std::is_same_v<T, bool>) {
    if (values.null_count == 0) return dispatch<FindExtremes<T>>(values.data.as<T>(), values.rows);
  }
  Extremes<T> extremes;
  for (uint64_t row = 0; row < values.rows; ++row) {
    if (values.is_null(row)) continue;
    if constexpr (std::is_same_v<T, bool>) {
      extremes.add(values.get_bool(row));
    } else {
      extremes.add(cell_of<T>(values, row));
    }
  }
  return extremes;
}

}  // namespace

void widen(std::optional<NumberRange>& range, const Values& values) {
  visit_number_type(values.type, [&]<class T>() {
    const Extremes<T> extremes = extremes_of<T>(values);
    if (extremes.least > extremes.largest) return;
    const auto least = static_cast<double>(extremes.least);
    const auto largest = static_cast<double>(extremes.largest);
    if (!range) range = NumberRange{least, largest, true};
    range->least = std::min(range->least, least);
    range->largest = std::max(range->largest, largest);
    range->whole &= !extremes.has_fraction && std::isfinite(least) && std::isfinite(largest);
  });
}

}  // namespace heron::inline v0
