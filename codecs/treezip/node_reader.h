// The grammar of the tree (layout.h), one node at a time: what the survey and every decoder that
// parses share. Whatever the bits are, a read ends, and moves on by a bit at least if it finds a
// node; a tree of them is never deeper than there are features.
#pragma once

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
