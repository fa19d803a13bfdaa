// Parses the tree (layout.h), one node at a time, for the survey and all decoders. Whatever the
// bits are, a read ends, and advances by at least a bit if it finds a node; a tree of nodes is
// never deeper than the number of features.
#pragma once

#include <array>

#include "treezip/bits.h"
#include "treezip/features.h"

namespace heron::inline v0::treezip {

// Replaces FeatureSet where only the extent of a node is needed.
struct NoFeatures {
  HERON_INLINE unsigned at(unsigned, bool) const noexcept { return 0; }
  HERON_INLINE void remove(unsigned) noexcept {}
};

// The position before a node. Its level is the number of branches above it.
template <class Features>
struct NodePosition {
  uint64_t at = 0;  // bit of the stream
  unsigned level = 0;
  bool after_leaf = false;  // the left sibling is a leaf
  bool sibling = false;     // the bit of the left sibling
  Features free;            // F of the grammar

  // Moves to the right side of the branch above `right_level`, where `free` must be that of the
  // branch; the node that was read last is the leaf `bit`.
  HERON_INLINE void enter_right(unsigned right_level, bool bit) noexcept {
    after_leaf = level == right_level;
    sibling = bit;
    level = right_level;
  }
};

// Returns the extent of a node without a leaf as left sibling, from its first bits: `below`
// computes the extent of a node with one feature less. If the bits are no tree, it is the extent of
// some tree.
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

// Indexed by the first bits of a node with two features left: its extent.
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

// The maximum number of features left with which the extent of a node needs no stack and one peek.
inline constexpr unsigned kShallow = 4;

// Returns the extent of a node with kCount features left, kCount <= kShallow: 49 bits or fewer.
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

  // Reads the node at `position` and advances: after a branch to its left side, with the feature as
  // value; after a leaf, with its bit as value and nothing else changed. Does not advance at
  // errors. `position.level` is not above `features`.
  template <class Features>
  HERON_INLINE Node read(NodePosition<Features>& position, unsigned& value) const noexcept {
    const uint64_t bits = stream.peek(position.at);
    const uint64_t rest = stream.bits() - position.at;
    if (position.at >= stream.bits()) [[unlikely]]
      return Node::Truncated;
    if ((bits & 1) == 0) {
      value = position.after_leaf ? !position.sibling : bits >> 1 & 1;
      const unsigned length = position.after_leaf ? 1 : 2;
      if (length > rest) [[unlikely]]
        return Node::Truncated;
      position.at += length;
      return Node::Leaf;
    }
    const unsigned count = features - position.level;
    if (count == 0) [[unlikely]]
      return Node::NoFeature;
    const unsigned width = index_bits(count);
    const auto index = static_cast<unsigned>(low_bits(bits >> 1, width));
    if (width >= rest) [[unlikely]]
      return Node::Truncated;
    if (index >= count) [[unlikely]]
      return Node::NoSuchIndex;
    value = position.free.at(index, has_pdep);
    position.free.remove(value);
    position.at += 1 + width;
    ++position.level;
    position.after_leaf = false;
    return Node::Branch;
  }
};

}  // namespace heron::inline v0::treezip
