// What the ops on a compressed payload are held against: plain loops over the same file, mapped
// plainly, compiled for this very processor, that check nothing. Parsing the tree is the least that
// opening can cost. The others are the plain way, not the least: filling all words while parsing;
// and, from a table of all nodes, a walk from the root for every bit. Of TreeZip, with fewer than
// 64 features in all and addresses without wrap-around.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plain.h"

namespace heron::bench {

// What the head of a file tells, and where its bits lie.
struct StoredTree {
  explicit StoredTree(const PlainMap& map);

  uint64_t payload_bytes;
  unsigned feat_addr, feat_prev;
  const std::byte* bits;  // feat_prev initial ones, then the tree
  const std::byte* end;

  uint64_t payload_bits() const { return payload_bytes * 8; }
};

// Parses the whole tree.
uint64_t count_branches(const StoredTree& tree);

// All payload bytes of a tree that does not look back, from words that are zeroed first.
void fill(const StoredTree& tree, std::vector<uint64_t>& words);

struct NodeTable {
  explicit NodeTable(const StoredTree& tree);

  struct Branch {
    uint32_t side[2];  // 0 and 1: a leaf; n: branch n - 1
    uint32_t feature;
  };
  std::vector<Branch> branches;  // side 0 of the first, which is none, is the root
  unsigned feat_addr;
  bool looks_back = false;
};

// The last 63 payload bits before `bit`, newest lowest.
uint64_t history_before(std::span<const std::byte> payload, uint64_t bit);

// Adds bits first .. last - 1 to zeros; `into` begins with the byte where `first` is.
void walk(const NodeTable& table, uint64_t first, uint64_t last, uint64_t history, std::byte* into);

}  // namespace heron::bench
