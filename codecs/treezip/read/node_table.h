// A tree with previous bits in memory: two words per branch, one per side. A word names a branch by
// its number and the bit of the key that it tests, so each level of a walk is one dependent load.
//
// Branches are numbered in file order, parents first, so every walk ends. Numbers 0 and 1 are the
// two leaves; both of their sides are themselves, so a walk may continue in a leaf.
#pragma once

#include "base/arena.h"
#include "treezip/read/chain_key.h"

namespace heron::inline v0::treezip {

// Immutable, thread-safe.
template <class Key>
class NodeTable {
 public:
  using Word = typename Key::Word;
  static constexpr uint64_t kLeaves = 2;

  // Fills the table in one pass over the tree, charged to the Context's budget. If the file has
  // changed since the survey, the tree differs, but has the surveyed size. Throws Error: Limit,
  // Cancelled.
  NodeTable(const TreeFile& file, const Survey& survey, const Context& context);

  // The maximum number of branches.
  static constexpr uint64_t kMaxBranches =
      (uint64_t{1} << (8 * sizeof(Word) - Key::kTestBits)) - kLeaves;

  const KeyShape& shape() const noexcept { return shape_; }
  uint64_t parsed_bits() const noexcept { return parsed_bits_; }
  uint64_t bytes() const noexcept { return bytes_; }

  // Returns the start of a walk for the bit at an address: behind the leading tests of low address
  // bits, which are equal for addresses that differ by a multiple of kEntries.
  HERON_INLINE Word entry(uint64_t address) const noexcept { return entries_[address % kEntries]; }
  static constexpr uint64_t kEntries = 4096;

  static constexpr bool is_leaf(Word word) noexcept { return word >> Key::kTestBits <= 1; }
  // Returns a leaf's bit, in the form of History::push.
  static constexpr uint64_t pushed(Word leaf) noexcept {
    return uint64_t{leaf} << (63 - Key::kTestBits);
  }

  HERON_INLINE Word next(Word word, const Key& key) const noexcept {
    return words_[key.side(word)];
  }

 private:
  static constexpr Word leaf(bool bit) { return Word{bit} << Key::kTestBits; }

  template <unsigned kFeatureWords>
  void parse(const TreeFile& file, uint64_t branches, const Context& context);
  void make_entries() noexcept;

  const KeyShape shape_;
  Arena arena_;
  Word* words_;  // sides of number n at 2n and 2n + 1; then an unused word
  Word* entries_;
  Word root_ = 0;
  uint64_t bytes_;
  uint64_t parsed_bits_ = 0;
};

extern template class NodeTable<NarrowKey>;
extern template class NodeTable<WideKey>;

}  // namespace heron::inline v0::treezip
