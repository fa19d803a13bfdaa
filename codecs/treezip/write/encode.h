// Encodes a payload as a tree with the splits that the original program chooses, so that files are
// equal byte for byte (FORMAT section 8).
#pragma once

#include <optional>
#include <span>
#include <string>

#include "heron/context.h"
#include "treezip/write/tree_writer.h"

namespace heron::inline v0::treezip {

struct Shape {
  unsigned feat_addr = 0;
  unsigned feat_prev = 0;
};

// Returns the number of bits in the last bit's address; 0 for an empty payload.
unsigned address_bits(uint64_t payload_bytes) noexcept;

// Writes the tree of the payload's bits from feat_prev on; for a payload of no more than feat_prev
// bits, the leaf 0. `payload` is allocated in an Arena, and is overwritten. Other memory is charged
// to the Context's budget; progress counts bits. Throws Error: Argument (two different bits have
// the same features; `name` is the payload's), Limit, Cancelled, and what the writer throws.
void encode_tree(const std::string& name, std::span<std::byte> payload, Shape shape,
                 TreeWriter& out, const Context& context);

// Encodes a tree without previous bits, if every bit has its own address: `count` > 0 labels,
// padded with zeros in their last word, with up to feat_addr address bits. Overwrites the labels;
// takes as much memory again, and 1 MB.
void encode_dense(uint64_t* labels, uint64_t count, unsigned feat_addr, TreeWriter& out,
                  const Context& context);
// Encodes any tree. With F = feat_prev plus the bits of the payload's addresses, limited by
// feat_addr, it takes (F + 2) / 8 times the payload, or 17 MB if that is more, and at most 6 MB for
// a path: charged to the budget, except 1 MB. Does not change `payload`. The 17 MB are for columns
// of `small_words` in all, made at once: with an eighth of that, a megabyte of text took half as
// long again.
inline constexpr uint64_t kSmallWords = uint64_t{1} << 20;
void encode_columns(const std::string& name, std::span<const std::byte> payload, Shape shape,
                    TreeWriter& out, const Context& context, uint64_t small_words = kSmallWords);

}  // namespace heron::inline v0::treezip
