// The grammar of the tree (layout.h), one node at a time: what the survey and every decoder that
// parses share. Whatever the bits are, a read ends, and moves on by a bit at least if it finds a
// node; a tree of them is never deeper than there are features.
#pragma once

#include <array>

#include "treezip/bits.h"
#include "treezip/features.h"

namespace heron::inline v0::treezip {

// In the place of a FeatureSet, where a node's extent is all that is asked.
struct NoFeatures {
  HERON_INLINE unsigned at(unsigned, bool) const noexcept { return 0; }
  HERON_INLINE void remove(unsigned) noexcept {}
};

// Before a node. Its level is the number of branches above it.
template <class Features>
struct Place {
  uint64_t at = 0;  // bit of the stream
  unsigned level = 0;
  bool after_leaf = false;  // the left sibling is a leaf
  bool sibling = false;     // its bit
  Features free;            // F

  // The node is the right side of the branch above `right_level`, F being as it was there; the last
  // node that was read is the leaf `bit`.
  HERON_INLINE void enter_right(unsigned right_level, bool bit) noexcept {
    after_leaf = level == right_level;
    sibling = bit;
    level = right_level;
  }
};

// The extent of a node no left sibling of which is a leaf, from its first bits: `Below` tells that
// of one with a feature less. If that is no tree, any extent that some tree has.
template <unsigned kCount, class Below>
HERON_INLINE constexpr unsigned extent_over(uint64_t bits, const Below& below) noexcept {
  if ((bits & 1) == 0) return 2;
  constexpr unsigned kHead = 1 + index_bits(kCount);
  const uint64_t left = bits >> kHead;
  const unsigned left_bits = below(left);
  const uint64_t right = left >> left_bits;
  const bool implied = ((left | right) & 1) == 0;
  return kHead + left_bits + below(right) - (implied ? 1 : 0);
}

// [its first bits]: the extent of a node where two features are left.
struct ExtentTable {
  std::array<uint8_t, 1 << 10> of_two{};

  constexpr ExtentTable() {
    constexpr auto kOne = [](uint64_t bits) {
      return extent_over<1>(bits, [](uint64_t) { return 2U; });
    };
    for (unsigned bits = 0; bits < of_two.size(); ++bits) {
      of_two[bits] = static_cast<uint8_t>(extent_over<2>(bits, kOne));
    }
  }
};
inline constexpr ExtentTable kExtentTable;

// Where no more features are left, a node's extent takes no stack to find, and one peek.
inline constexpr unsigned kShallow = 4;

// That of a node where kCount features are left, kCount <= kShallow: 49 bits or fewer.
template <unsigned kCount>
HERON_INLINE unsigned extent(uint64_t bits) noexcept {
  if constexpr (kCount == 0) {
    return 2;
  } else if constexpr (kCount == 2) {
    return kExtentTable.of_two[bits % kExtentTable.of_two.size()];
  } else {
    return extent_over<kCount>(bits, [](uint64_t below) { return extent<kCount - 1>(below); });
  }
}
HERON_INLINE unsigned shallow_extent(uint64_t bits, unsigned count) noexcept {
  switch (count) {
    case 4: return extent<4>(bits);
    case 3: return extent<3>(bits);
    case 2: return extent<2>(bits);
    case 1: return extent<1>(bits);
    default: return extent<0>(bits);
  }
}

enum class Node : uint8_t { Branch, Leaf, Truncated, NoFeature, NoSuchIndex };

struct NodeReader {
  BitStream stream;
  unsigned features;
  bool has_pdep;

  // Reads the node at `place`, and moves it: behind a branch to its left side, the value being the
  // feature; behind a leaf, the value being its bit, with nothing else changed. Does not move to
  // errors. `place.level` is not above `features`.
  template <class Features>
  HERON_INLINE Node read(Place<Features>& place, unsigned& value) const noexcept {
    const uint64_t bits = stream.peek(place.at);
    const uint64_t rest = stream.bits() - place.at;
    if (place.at >= stream.bits()) [[unlikely]]
      return Node::Truncated;
    if ((bits & 1) == 0) {
      value = place.after_leaf ? !place.sibling : bits >> 1 & 1;
      const unsigned length = place.after_leaf ? 1 : 2;
      if (length > rest) [[unlikely]]
        return Node::Truncated;
      place.at += length;
      return Node::Leaf;
    }
    const unsigned count = features - place.level;
    if (count == 0) [[unlikely]]
      return Node::NoFeature;
    const unsigned width = index_bits(count);
    const auto index = static_cast<unsigned>(low_bits(bits >> 1, width));
    if (width >= rest) [[unlikely]]
      return Node::Truncated;
    if (index >= count) [[unlikely]]
      return Node::NoSuchIndex;
    value = place.free.at(index, has_pdep);
    place.free.remove(value);
    place.at += 1 + width;
    ++place.level;
    place.after_leaf = false;
    return Node::Branch;
  }
};

}  // namespace heron::inline v0::treezip
