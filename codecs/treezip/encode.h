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
// that, the leaf 0. The memory that takes is charged to the Context's budget; reports bits done of
// all. Throws Error: Argument (the features cannot tell two bits apart that differ;
// `name` is the payload's), Limit, Cancelled, and what the writer throws.
void encode_tree(const std::string& name, std::span<const std::byte> payload, Shape shape,
                 TreeWriter& out, const Context& context);

// The two ways it is done. Without previous bits, where feat_addr >= address_bits() > 0, so that
// every bit has an address of its own: takes twice the payload and 1 MB.
void encode_dense(std::span<const std::byte> payload, unsigned feat_addr, TreeWriter& out,
                  const Context& context);
// Any.
void encode_columns(const std::string& name, std::span<const std::byte> payload, Shape shape,
                    TreeWriter& out, const Context& context);

}  // namespace heron::inline v0::treezip
