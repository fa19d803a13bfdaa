#include "payload_bound.h"

#include <algorithm>
#include <bit>
#include <utility>

#ifdef __BMI2__
#include <immintrin.h>
#endif

namespace heron::bench {
namespace {

constexpr uint64_t kHeaderBytes = 32;
constexpr unsigned kBranch = 2;  // a branch, not a leaf of 0 or 1

unsigned select_bit(uint64_t mask, unsigned index) {
#ifdef __BMI2__
  mask = _pdep_u64(uint64_t{1} << index, mask);
#else
  for (; index > 0; --index) mask &= mask - 1;
#endif
  return static_cast<unsigned>(std::countr_zero(mask));
}

// Walks the tree once. A Maker has a type Position, of a node in the tree; leaf(position, bit); and
// branch(position, feature), which returns the positions of both sides.
template <class Maker>
class Parser {
 public:
  Parser(const StoredTree& tree, Maker& maker)
      : maker_(maker), bits_(tree.bits), bytes_(tree.end - tree.bits), at_(tree.feat_prev) {}

  // Returns the leaf's bit, or kBranch.
  unsigned node(typename Maker::Position position, uint64_t features,
                unsigned left_sibling = kBranch) {
    const uint64_t word = peek();
    if ((word & 1) == 0) {
      const bool is_implied = left_sibling != kBranch;
      const auto bit = static_cast<unsigned>(is_implied ? 1 - left_sibling : word >> 1 & 1);
      at_ += is_implied ? 1 : 2;
      maker_.leaf(position, bit);
      return bit;
    }
    const auto width = std::bit_width(static_cast<unsigned>(std::popcount(features)) - 1);
    at_ += 1 + static_cast<unsigned>(width);
    const auto index = static_cast<unsigned>(word >> 1 & ((1U << width) - 1));
    const unsigned feature = select_bit(features, index);
    features &= ~(uint64_t{1} << feature);
    const auto [left, right] = maker_.branch(position, feature);
    node(right, features, node(left, features));
    return kBranch;
  }

 private:
  uint64_t peek() const {
    const uint64_t byte = at_ / 8;
    if (byte + sizeof(uint64_t) <= bytes_) return load<uint64_t>(bits_ + byte) >> at_ % 8;
    uint64_t word = 0;
    std::memcpy(&word, bits_ + byte, bytes_ - byte);
    return word >> at_ % 8;
  }

  Maker& maker_;
  const std::byte* bits_;
  uint64_t bytes_;
  uint64_t at_;
};

template <class Maker>
void parse(const StoredTree& tree, Maker& maker, typename Maker::Position root) {
  const uint64_t features = (uint64_t{1} << (tree.feat_addr + tree.feat_prev)) - 1;
  Parser<Maker>(tree, maker).node(root, features);
}

struct Counter {
  struct Position {};

  uint64_t branches = 0;

  void leaf(Position, unsigned) {}
  std::pair<Position, Position> branch(Position, unsigned) {
    ++branches;
    return {};
  }
};

// Sets the bits of the leaves that are 1. A node's Position is a cube: the bits in `lanes` of the
// words whose indices equal `fixed` where `free` is 0.
struct Filler {
  struct Position {
    uint64_t free, fixed, lanes;
  };

  std::vector<uint64_t>& words;

  void leaf(const Position& position, unsigned bit) {
    if (bit == 0) return;
    const uint64_t run = uint64_t{1} << std::countr_one(position.free);
    const uint64_t starts = position.free & ~(run - 1);
    uint64_t start = 0;
    do {
      const uint64_t first = position.fixed | start;
      if (first >= words.size()) return;
      for (uint64_t i = first; i < std::min(first + run, words.size()); ++i) {
        words[i] |= position.lanes;
      }
      start = (start - starts) & starts;
    } while (start != 0);
  }
  std::pair<Position, Position> branch(const Position& position, unsigned feature) {
    constexpr uint64_t kLanes[] = {0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0,
                                   0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000};
    Position left = position, right = position;
    if (feature < std::size(kLanes)) {
      left.lanes &= ~kLanes[feature];
      right.lanes &= kLanes[feature];
    } else {
      const uint64_t bit = uint64_t{1} << (feature - std::size(kLanes));
      left.free = right.free = position.free & ~bit;
      right.fixed |= bit;
    }
    return {left, right};
  }
};

struct TableMaker {
  struct Position {
    uint32_t branch, side;
  };

  NodeTable& table;

  void leaf(Position position, unsigned bit) {
    table.branches[position.branch].side[position.side] = bit;
  }
  std::pair<Position, Position> branch(Position position, unsigned feature) {
    const auto number = static_cast<uint32_t>(table.branches.size());
    table.branches[position.branch].side[position.side] = number + 1;
    table.branches.push_back({{}, feature});
    table.looks_back |= feature >= table.feat_addr;
    return {{number, 0}, {number, 1}};
  }
};

}  // namespace

StoredTree::StoredTree(const PlainMap& map)
    : payload_bytes(load<uint64_t>(map.base() + 8)),
      feat_addr(load<uint8_t>(map.base() + 18)),
      feat_prev(load<uint8_t>(map.base() + 19)),
      bits(map.base() + kHeaderBytes),
      end(map.base() + map.bytes()) {}

uint64_t count_branches(const StoredTree& tree) {
  Counter counter;
  parse(tree, counter, {});
  return counter.branches;
}

void fill(const StoredTree& tree, std::vector<uint64_t>& words) {
  words.assign((tree.payload_bytes + 7) / 8, 0);
  Filler filler{words};
  const uint64_t all_words = (uint64_t{1} << std::max(tree.feat_addr, 6U)) / 64;
  parse(tree, filler, {.free = all_words - 1, .fixed = 0, .lanes = ~uint64_t{0}});
  const uint64_t initial = (uint64_t{1} << tree.feat_prev) - 1;
  words[0] = (words[0] & ~initial) | (load<uint64_t>(tree.bits) & initial);
}

NodeTable::NodeTable(const StoredTree& tree) : branches(1), feat_addr(tree.feat_addr) {
  TableMaker maker{*this};
  parse(tree, maker, {0, 0});
}

uint64_t history_before(std::span<const std::byte> payload, uint64_t bit) {
  uint64_t history = 0;
  for (uint64_t at = bit < 63 ? 0 : bit - 63; at < bit; ++at) {
    history = history << 1 | (std::to_integer<uint64_t>(payload[at / 8]) >> at % 8 & 1);
  }
  return history;
}

void walk(const NodeTable& table, uint64_t first, uint64_t last, uint64_t history,
          std::byte* into) {
  const NodeTable::Branch* branches = table.branches.data();
  const uint64_t address_mask = (uint64_t{1} << table.feat_addr) - 1;
  into -= first / 8;
  for (uint64_t bit = first; bit < last; ++bit) {
    const uint64_t key = (bit & address_mask) | history << table.feat_addr;
    uint32_t node = branches[0].side[0];
    while (node >= kBranch) {
      const NodeTable::Branch& branch = branches[node - 1];
      node = branch.side[key >> branch.feature & 1];
    }
    history = history << 1 | node;
    into[bit / 8] |= static_cast<std::byte>(node << bit % 8);
  }
}

}  // namespace heron::bench
