// The order in which floats are summed, by column or by row, so that the same file gives the same
// sum on any machine, mapped or not: blocks of 4,096 rows; in each, 16 lanes of float64, the rows
// dealt out to them in turn as long as there are 16; the lanes added one after the other, then the
// rows that are left; and the blocks added one after the other.
#pragma once

#include <cstdint>

namespace heron::inline v0 {

inline constexpr uint64_t kSumBlockRows = 4096;
inline constexpr uint64_t kSumLanes = 16;

}  // namespace heron::inline v0
