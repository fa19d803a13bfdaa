#include "filter/zone_ranges.h"

#include <algorithm>
#include <type_traits>

namespace heron::inline v0 {
namespace {

constexpr Interval<uint64_t> kNothing{1, 0};

// Returns whether no text before `low` has the same number: the first eight bytes, padded with
// zeros.
bool only_text_of_its_number_from(const std::string& low) {
  return low.size() <= 8 && (low.empty() || low.back() != '\0');
}

// Returns the interval from one number to another; either may be excluded.
Interval<uint64_t> without_ends(uint64_t low, bool no_low, uint64_t high, bool no_high) {
  if ((no_low && low == UINT64_MAX) || (no_high && high == 0)) return kNothing;
  return {low + no_low, high - no_high};
}

Interval<uint64_t> inside(const TextInterval& interval) {
  const bool no_low = !only_text_of_its_number_from(interval.low);
  if (!interval.below) {
    return without_ends(in_order(interval.low), no_low, UINT64_MAX, false);
  }
  return without_ends(in_order(interval.low), no_low, in_order(*interval.below), true);
}
Interval<uint64_t> around(const TextInterval& interval) {
  const uint64_t low = in_order(interval.low);
  if (!interval.below) return {low, UINT64_MAX};
  return without_ends(low, false, in_order(*interval.below),
                      only_text_of_its_number_from(*interval.below));
}

// Returns the high half of a row id.
uint64_t high_half(UInt128 id) {
  return static_cast<uint64_t>(id >> 64);
}
Interval<uint64_t> inside(const Interval<UInt128>& interval) {
  return without_ends(high_half(interval.low), static_cast<uint64_t>(interval.low) != 0,
                      high_half(interval.high), static_cast<uint64_t>(interval.high) != UINT64_MAX);
}
Interval<uint64_t> around(const Interval<UInt128>& interval) {
  return {high_half(interval.low), high_half(interval.high)};
}

// A decimal's number belongs to others, too, if it is the least or the greatest.
Interval<uint64_t> around(const Interval<Int128>& interval) {
  return {in_order(interval.low), in_order(interval.high)};
}
Interval<uint64_t> inside(const Interval<Int128>& interval) {
  const auto [low, high] = around(interval);
  return without_ends(low, low == 0 || low == UINT64_MAX, high, high == 0 || high == UINT64_MAX);
}

template <class T>
Interval<uint64_t> around(const Interval<T>& interval) {
  return {in_order(interval.low), in_order(interval.high)};
}
template <class T>
Interval<uint64_t> inside(const Interval<T>& interval) {
  return around(interval);
}

// Appends an interval; merges it with the last one if they are adjacent.
void append(std::vector<Interval<uint64_t>>& intervals, Interval<uint64_t> next) {
  if (next.low > next.high) return;
  if (!intervals.empty() && intervals.back().high >= next.low - (next.low != 0)) {
    intervals.back().high = std::max(intervals.back().high, next.high);
  } else {
    intervals.push_back(next);
  }
}

// Returns the first interval that does not end below `low`; null if there is none.
const Interval<uint64_t>* first_from(const std::vector<Interval<uint64_t>>& intervals,
                                     uint64_t low) {
  const auto at = std::partition_point(
      intervals.begin(), intervals.end(),
      [low](const Interval<uint64_t>& interval) { return interval.high < low; });
  return at == intervals.end() ? nullptr : &*at;
}

}  // namespace

ZoneRanges::ZoneRanges(const ValueSet& set) : nan_(set.nan) {
  std::visit(
      [this](const auto& intervals) {
        for (const auto& interval : intervals) {
          append(inside_, inside(interval));
          append(around_, around(interval));
        }
      },
      set.intervals);
}

PruneResult ZoneRanges::prune(const Zone& zone, uint64_t zone_rows) const {
  const bool some_nan = nan_ && zone.nans != 0;
  if (!meets(zone) && !some_nan) return PruneResult::None;
  const bool all =
      zone.null_count == 0 && (zone.nans == 0 || nan_) && (covers(zone) || zone.nans == zone_rows);
  return all ? PruneResult::All : PruneResult::Some;
}

bool ZoneRanges::meets(const Zone& zone) const {
  if (!zone.has_bounds()) return false;
  const Interval<uint64_t>* first = first_from(around_, zone.low);
  return first != nullptr && first->low <= zone.high;
}

bool ZoneRanges::covers(const Zone& zone) const {
  if (!zone.has_bounds()) return false;
  const Interval<uint64_t>* first = first_from(inside_, zone.low);
  return first != nullptr && first->low <= zone.low && zone.high <= first->high;
}

}  // namespace heron::inline v0
