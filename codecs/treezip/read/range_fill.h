// Decodes a range of bytes from a tree without previous bits: visits each subtree with bits in the
// range once, parses past those between unless the index locates their end, and lays every leaf 1
// over its cube.
#pragma once

#include <algorithm>
#include <vector>

#include "heron/context.h"
#include "treezip/header.h"
#include "treezip/read/cube.h"
#include "treezip/read/skip_index.h"

namespace heron::inline v0::treezip {

// A range of bytes, and the smallest aligned block of 64-bit words around it.
struct AlignedRange {
  uint64_t block;  // first byte of the block
  uint64_t free;   // the bits of an address within the block; 2^k - 1, k from 6 to 62
  BitRange bits;   // the range within the block

  // `bytes` > 0; the range crosses no multiple of 2^58.
  AlignedRange(uint64_t offset, uint64_t bytes) noexcept {
    const uint64_t last = offset + bytes - 1;
    const int width = std::max<int>(std::bit_width(offset ^ last), 3);
    const uint64_t in_block = (uint64_t{1} << width) - 1;
    block = offset & ~in_block;
    free = in_block << 3 | 7;
    bits = {(offset - block) * 8, (last - block + 1) * 8};
  }
};

struct FillCost {
  uint64_t branches = 0;  // branches visited or parsed past; a shallow subtree counts as one
  uint64_t words = 0;     // words laid over, once per leaf
  uint64_t bits = 0;      // bits parsed

  // Returns at most one step per branch and per word, because each bit of a word is laid at most
  // once.
  uint64_t steps() const noexcept { return branches + words / 64; }
};

// Decodes the range into its words, which begin at `words` and are 0. Bits outside the range in the
// first and the last word are undefined. Throws Error(Cancelled).
FillCost fill(const TreeFile& file, const SkipIndex& index, const AlignedRange& range,
              std::byte* words, const Context& context);

// Adds the ranges of the file that hold the subtrees that filling the range parses. Reads the index
// alone.
void locate(const TreeFile& file, const SkipIndex& index, const AlignedRange& range,
            std::vector<ByteRange>& bytes);

}  // namespace heron::inline v0::treezip
