// Parses the type of an array's items.
#pragma once

#include "npy/layout.h"
#include "npy/literal.h"

namespace heron::inline v0::npy {

// Parses the value of `descr`. Types that Heron does not read are kept, as long as their width is
// known. Throws Error: Corrupt, Limit, and Unsupported for pickled objects.
ItemType parse_descr(LiteralScanner& scanner);
// Parses a shape: a tuple of sizes. Throws Error: Corrupt, Limit.
std::vector<uint64_t> parse_shape(LiteralScanner& scanner);

// Returns the product, or kMaxBytes if it is larger.
uint64_t times(uint64_t a, uint64_t b) noexcept;

}  // namespace heron::inline v0::npy
