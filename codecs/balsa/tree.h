// The nodes of one tree: its five arrays as columns, and the promises that a walk from the root
// relies on.
#pragma once

#include "balsa/objects.h"
#include "columns/fixed_column.h"

namespace heron::inline v0::balsa {

// Of a tree without damage, as stored: left, right ui32; feature, label ui08; value fl32 or fl64.
FixedColumn array_of(const Tree& tree, Array array, const ByteSource& bytes, std::endian order,
                     const std::string& name);

// Reads a tree without damage whole, except its split values, and gives the number of its leaves.
// Throws Error(Corrupt) unless
// - every label is below class_count,
// - every inner node splits on a feature below feature_count and has two children that are nodes
//   and not the root,
// - no walk down from the root comes to a node twice. Two ways may lead to one node: what cannot be
//   reached, or can be reached twice, is harmless.
// 10 bytes a node are read in blocks. Children that do not all come behind their parent (every
// known writer puts them there) cost another 13 bytes of memory a node while they are followed.
uint64_t check_tree(const Tree& tree, const ByteSource& bytes, std::endian order,
                    const Context& context);

}  // namespace heron::inline v0::balsa
