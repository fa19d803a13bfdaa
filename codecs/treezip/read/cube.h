// A cube: bits whose addresses agree in some bits and are free in the others, as selected by a path
// of the tree. Addresses are within an aligned block of the payload.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "base/cpu.h"
#include "treezip/layout.h"

namespace heron::inline v0::treezip {

// A range of addresses, `begin` < `end` < 2^63.
struct BitRange {
  uint64_t begin = 0;
  uint64_t end = 0;
};

struct Cube {
  uint64_t free = 0;   // the bits of an address that may be 0 or 1
  uint64_t fixed = 0;  // the values of the other bits; 0 where bits are free

  // Returns the first address of the cube not below `least`; UINT64_MAX if there is none.
  HERON_INLINE uint64_t first_from(uint64_t least) const noexcept {
    const uint64_t differs = (least ^ fixed) & ~free;
    if (differs == 0) return least;
    uint64_t bit = std::bit_floor(differs);
    if ((fixed & bit) != 0) return fixed | (least & free & (0 - bit));
    const uint64_t rising = free & ~least & (0 - bit);
    if (rising == 0) return UINT64_MAX;
    bit = rising & (0 - rising);
    return fixed | bit | (least & free & (0 - bit));
  }
  HERON_INLINE bool meets(BitRange range) const noexcept {
    return first_from(range.begin) < range.end;
  }
  HERON_INLINE bool is_inside(BitRange range) const noexcept {
    return fixed >= range.begin && (fixed | free) < range.end;
  }
  bool operator==(const Cube&) const noexcept = default;
  // Returns the cube of the words, which have 64 addresses each.
  HERON_INLINE Cube words() const noexcept {
    return {free >> kWordFeatures, fixed >> kWordFeatures};
  }
};

// Indexed by a cube of 3 bits, free * 8 + fixed: which of 64 addresses it contains, by the lower
// and the upper three of their six bits.
struct LaneTable {
  std::array<uint64_t, 64> lower{}, upper{};

  constexpr LaneTable() {
    for (unsigned cube = 0; cube < 64; ++cube) {
      for (unsigned lane = 0; lane < 64; ++lane) {
        const unsigned fixed = cube & 7 & ~(cube >> 3);
        if ((lane & 7 & ~(cube >> 3)) == fixed) lower[cube] |= uint64_t{1} << lane;
        if ((lane >> 3 & ~(cube >> 3)) == fixed) upper[cube] |= uint64_t{1} << lane;
      }
    }
  }
};
inline constexpr LaneTable kLaneTable;

// Returns the lanes that a cube has in each of its words.
HERON_INLINE uint64_t lanes_of(const Cube& cube) noexcept {
  return kLaneTable.lower[(cube.free & 7) << 3 | (cube.fixed & 7)] &
         kLaneTable.upper[(cube.free & 0x38) | (cube.fixed >> 3 & 7)];
}

}  // namespace heron::inline v0::treezip
