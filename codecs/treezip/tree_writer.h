// Bits of a stream in the order of the tree's grammar.
#pragma once

#include <cstdint>

#include "bytes/appender.h"
#include "treezip/features.h"

namespace heron::inline v0::treezip {

// One thread at a time. Throws Error(Io) as the file does.
class TreeWriter {
 public:
  explicit TreeWriter(Appender& out) noexcept : out_(out) {}

  // The lowest `count` bits, count <= 56.
  HERON_INLINE void put(uint64_t bits, unsigned count) {
    pending_ |= bits << pending_bits_;
    pending_bits_ += count;
    if (pending_bits_ >= 8) flush_bytes();
  }
  // A leaf; one whose left sibling is a leaf, too, has the other bit, which is not said again.
  HERON_INLINE void leaf(bool bit, bool left_is_leaf) {
    if (left_is_leaf) {
      put(0, 1);
    } else {
      put(bit ? 2 : 0, 2);
    }
  }
  // A branch on the feature with `index` smaller ones among the `count` that are left.
  HERON_INLINE void branch(unsigned index, unsigned count) {
    put(uint64_t{index} << 1 | 1, 1 + index_bits(count));
  }
  // Fills the last byte with zeros. Nothing may follow.
  void finish() {
    if (pending_bits_ > 0) put(0, (8 - pending_bits_ % 8) % 8);
  }

 private:
  void flush_bytes() {
    const unsigned bytes = pending_bits_ / 8;
    out_.append({reinterpret_cast<const std::byte*>(&pending_), bytes});
    pending_bits_ -= 8 * bytes;
    pending_ = bytes == 8 ? 0 : pending_ >> (8 * bytes);
  }

  Appender& out_;
  uint64_t pending_ = 0;  // bits that do not make a whole byte yet, low first
  unsigned pending_bits_ = 0;
};

}  // namespace heron::inline v0::treezip
