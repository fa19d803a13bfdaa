// The nodes of one tree: its five arrays as columns, and the checks that make a walk from the root
// safe.
#pragma once

#include "balsa/objects.h"
#include "columns/fixed_column.h"

namespace heron::inline v0::balsa {

// Returns an array of a tree without damage, as stored: left, right ui32; feature, label ui08;
// value fl32 or fl64.
FixedColumn array_of(const Tree& tree, Array array, const ByteSource& bytes, std::endian order,
                     const std::string& name);

// Reads a tree without damage, except its split values, and returns the number of its leaves.
// Throws Error(Corrupt) unless its nodes obey the rules of tree_rules.h.
// Reads 10 bytes per node, in blocks. If a child precedes its parent (known writers never do that),
// the check takes another 13 bytes of memory per node.
uint64_t check_tree(const Tree& tree, const ByteSource& bytes, std::endian order,
                    const Context& context);

}  // namespace heron::inline v0::balsa
