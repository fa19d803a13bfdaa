// Payload to tree, with the splits that the original program chooses, so that files come out the
// same byte for byte (FORMAT section 8).
#pragma once

#include <optional>
#include <span>
#include <string>

#include "heron/context.h"
#include "treezip/tree_writer.h"

namespace heron::inline v0::treezip {

struct Shape {
  unsigned feat_addr = 0;
  unsigned feat_prev = 0;
};

// The bits of the last bit's address; 0 for an empty payload.
unsigned address_bits(uint64_t payload_bytes) noexcept;

// Writes the tree of the payload's bits from feat_prev on; of a payload with no more bits than
// that, the leaf 0. `payload` is a piece of an Arena, and is overwritten. What more memory that
// takes is charged to the Context's budget; reports bits done of all. Throws Error: Argument (the
// features cannot tell two bits apart that differ; `name` is the payload's), Limit, Cancelled, and
// what the writer throws.
void encode_tree(const std::string& name, std::span<std::byte> payload, Shape shape,
                 TreeWriter& out, const Context& context);

// The two ways it is done. Without previous bits, where every bit has an address of its own:
// `count` > 0 labels, zeros behind them in their last word, feat_addr bits of address or fewer.
// They are overwritten; as much memory again is taken, and 1 MB.
void encode_dense(uint64_t* labels, uint64_t count, unsigned feat_addr, TreeWriter& out,
                  const Context& context);
// Any. With F = feat_prev and the bits of the payload's addresses, of which feat_addr may have
// less, that takes (F + 2) / 8 times the payload, or 17 MB where that is more, and 6 MB at most for
// what lies on a path: charged to the budget, but for 1 MB. `payload` stays as it is. The
// 17 MB are for columns of `small_words` in all, that are made at once: with an eighth of that, a
// megabyte of text took half as long again.
inline constexpr uint64_t kSmallWords = uint64_t{1} << 20;
void encode_columns(const std::string& name, std::span<const std::byte> payload, Shape shape,
                    TreeWriter& out, const Context& context, uint64_t small_words = kSmallWords);

}  // namespace heron::inline v0::treezip
