// Writes a tree as bits, in the order of the grammar.
#pragma once

#include <cstdint>

#include "bytes/appender.h"
#include "treezip/features.h"

namespace heron::inline v0::treezip {

// Writes a leaf; after a leaf as left sibling it has the other bit, which is not written.
template <class Sink>
HERON_INLINE void put_leaf(Sink& out, bool bit, bool left_is_leaf) {
  if (left_is_leaf) {
    out.put(0, 1);
  } else {
    out.put(bit ? 2 : 0, 2);
  }
}
// Writes a branch on the feature with `index` smaller ones among the `count` left.
template <class Sink>
HERON_INLINE void put_branch(Sink& out, unsigned index, unsigned count) {
  out.put(uint64_t{index} << 1 | 1, 1 + index_bits(count));
}

// The bits of a small subtree, at most 56.
struct TreeBits {
  uint64_t bits = 0;
  unsigned count = 0;

  HERON_INLINE void put(uint64_t more, unsigned more_bits) {
    bits |= more << count;
    count += more_bits;
  }
};

// Writes the bits of a tree. One thread at a time. Throws Error(Write) as the file does.
class TreeWriter {
 public:
  explicit TreeWriter(Appender& out) noexcept : out_(out) {}

  // Appends the lowest `count` bits of `bits`, whose others are 0; count <= 56.
  HERON_INLINE void put(uint64_t bits, unsigned count) {
    pending_ |= bits << pending_bits_;
    pending_bits_ += count;
    if (pending_bits_ >= 64) {
      append(sizeof pending_);
      pending_bits_ -= 64;
      pending_ = bits >> (count - pending_bits_);  // a shift by less than 64, as count is less
    }
  }
  HERON_INLINE void leaf(bool bit, bool left_is_leaf) { put_leaf(*this, bit, left_is_leaf); }
  HERON_INLINE void branch(unsigned index, unsigned count) { put_branch(*this, index, count); }
  // Fills the last byte with zeros. Nothing may be written afterwards.
  void finish() { append((pending_bits_ + 7) / 8); }

 private:
  void append(unsigned bytes) {
    out_.append({reinterpret_cast<const std::byte*>(&pending_), bytes});
  }

  Appender& out_;
  uint64_t pending_ = 0;  // bits of an incomplete word, low first
  unsigned pending_bits_ = 0;
};

}  // namespace heron::inline v0::treezip
