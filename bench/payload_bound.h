// The comparison for ops on a compressed payload: plain loops over the same file in a plain map,
// compiled for this CPU, without checks. Parsing the tree is a lower bound of opening. The others
// are the plain way, not a lower bound: filling all words while parsing; and a walk from the root
// for every bit, in a table of all nodes. For TreeZip files with fewer than 64 features in all and
// addresses without wrap-around.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plain.h"

namespace heron::bench {

// The fields of a file's header, and its bits.
struct StoredTree {
  explicit StoredTree(const PlainMap& map);

  uint64_t payload_bytes;
  unsigned feat_addr, feat_prev;
  const std::byte* bits;  // feat_prev initial bits, then the tree
  const std::byte* end;

  uint64_t payload_bits() const { return payload_bytes * 8; }
};

// Parses the whole tree.
uint64_t count_branches(const StoredTree& tree);

// Sets all payload bytes of a tree without previous bits, in words that are zeroed first.
void fill(const StoredTree& tree, std::vector<uint64_t>& words);

struct NodeTable {
  explicit NodeTable(const StoredTree& tree);

  struct Branch {
    uint32_t side[2];  // 0 and 1: a leaf; n: branch n - 1
    uint32_t feature;
  };
  std::vector<Branch> branches;  // side 0 of the first, a placeholder, is the root
  unsigned feat_addr;
  bool looks_back = false;
};

// Returns the last 63 payload bits before `bit`, newest lowest.
uint64_t history_before(std::span<const std::byte> payload, uint64_t bit);

// Adds bits first .. last - 1 to zeros; `into` begins with the byte of `first`.
void walk(const NodeTable& table, uint64_t first, uint64_t last, uint64_t history, std::byte* into);

}  // namespace heron::bench
