#include "values/calendar.h"

#include "values/cells.h"

namespace heron::inline v0 {
namespace {

template <class Cell>
struct AnyOutside {
  HERON_INLINE static bool run(const std::byte* cells, uint64_t count) {
    bool outside = false;
    for (uint64_t i = 0; i < count; ++i) outside |= !in_calendar(load_cell<Cell>(cells, i));
    return outside;
  }
};

template <class Cell>
uint64_t first_outside(const Values& values) noexcept {
  if (!dispatch<AnyOutside<Cell>>(values.data.data, values.rows)) return values.rows;
  uint64_t row = 0;
  while (row < values.rows && (in_calendar(values.get<Cell>(row)) || values.is_null(row))) ++row;
  return row;
}

}  // namespace

bool in_calendar(const DateTimeOffset& time) noexcept {
  return in_calendar(time.ticks) && time.minutes >= -kMostMinutes && time.minutes <= kMostMinutes &&
         in_calendar(time.ticks - time.minutes * kTicksPerMinute);
}

uint64_t first_outside_calendar(const Values& values) noexcept {
  return values.type.is(Type::DateTime) ? first_outside<int64_t>(values)
                                        : first_outside<DateTimeOffset>(values);
}

}  // namespace heron::inline v0
