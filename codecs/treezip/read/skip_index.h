// The skip index has an entry for every branch of at least `least_bits`, too long to parse just to
// skip it. The tree's bits stay in the file, and smaller branches are parsed again when needed.
#pragma once

#include <cstdint>
#include <vector>

namespace heron::inline v0::treezip {

// A side of a branch: a leaf, an entry of the index, or a smaller subtree.
class SkipTarget {
 public:
  enum class Kind : uint8_t { Leaf, Entry, Bits };

  static constexpr SkipTarget leaf(bool bit) { return SkipTarget(Kind::Leaf, bit ? 1 : 0); }
  static constexpr SkipTarget entry(uint64_t number) { return SkipTarget(Kind::Entry, number); }
  // A smaller subtree, which is a branch, from bit `at` of the stream on.
  static constexpr SkipTarget bits(uint64_t at) { return SkipTarget(Kind::Bits, at); }

  Kind kind() const noexcept { return static_cast<Kind>(packed_ & 3); }
  uint64_t value() const noexcept { return packed_ >> 2; }

  constexpr SkipTarget() = default;

 private:
  friend class SkipEntry;
  constexpr SkipTarget(Kind kind, uint64_t value)
      : packed_(value << 2 | static_cast<uint64_t>(kind)) {}
  uint64_t packed_ = 0;  // the upper 5 bits are 0: streams have fewer than 2^57 bits
};

// An entry takes 16 bytes: both sides, and the feature in their unused bits.
class SkipEntry {
 public:
  SkipEntry(unsigned feature, SkipTarget left, SkipTarget right)
      : left_(left.packed_ | uint64_t{feature & 31} << kShift),
        right_(right.packed_ | uint64_t{feature >> 5} << kShift) {}

  unsigned feature() const noexcept {
    return static_cast<unsigned>(left_ >> kShift | right_ >> kShift << 5);
  }
  SkipTarget side(bool right) const noexcept {
    SkipTarget target;
    target.packed_ = (right ? right_ : left_) & ((uint64_t{1} << kShift) - 1);
    return target;
  }

 private:
  static constexpr unsigned kShift = 59;
  uint64_t left_, right_;
};

struct SkipIndex {
  SkipTarget root;
  std::vector<SkipEntry> entries;
  uint64_t least_bits = 0;  // minimum size of the subtrees with an entry

  uint64_t bytes() const noexcept { return entries.size() * sizeof(SkipEntry); }
};

}  // namespace heron::inline v0::treezip
