// Bytes of a payload whose tree does not look back, from the tree: the subtrees that some of them
// lead to are visited once, those between them are parsed past where the index does not tell where
// they end, and every leaf 1 is laid over its cube.
#pragma once

#include <algorithm>

#include "heron/context.h"
#include "treezip/cube.h"
#include "treezip/header.h"
#include "treezip/skip_index.h"

namespace heron::inline v0::treezip {

// Bytes of a payload, and the least aligned block around them, of 64-bit words.
struct Stretch {
  uint64_t block;  // its first byte
  uint64_t free;   // which bits of an address are within the block; 2^k - 1, k from 6 to 62
  BitRange bits;   // the stretch within the block

  // `bytes` > 0; a stretch that crosses no multiple of 2^58.
  Stretch(uint64_t offset, uint64_t bytes) noexcept {
    const uint64_t last = offset + bytes - 1;
    const int width = std::max<int>(std::bit_width(offset ^ last), 3);
    const uint64_t in_block = (uint64_t{1} << width) - 1;
    block = offset & ~in_block;
    free = in_block << 3 | 7;
    bits = {(offset - block) * 8, (last - block + 1) * 8};
  }
};

struct FillCost {
  uint64_t branches = 0;  // visited or parsed past; what is shallow and parsed past counts as one
  uint64_t words = 0;     // laid over, once for every leaf
  uint64_t bits = 0;      // parsed

  // At most that of every branch and a step a word, each of whose bits is laid once at most.
  uint64_t steps() const noexcept { return branches + words / 64; }
};

// Lays the stretch over the words it is in, which begin at `words` and are 0. Of the first and the
// last word, bits that are not of the stretch become anything. Throws Error(Cancelled).
FillCost fill(const TreeFile& file, const SkipIndex& index, const Stretch& stretch,
              std::byte* words, const Context& context);

}  // namespace heron::inline v0::treezip
