// A tree that looks back, in memory: two words a branch, what is on either side of it. A word names
// a branch by its number and by the bit of the key that it tests, so that a level of a walk is one
// load that waits for the one before.
//
// Branches are numbered as the file has them, a branch before its sides, so every walk ends.
// Numbers 0 and 1 are the two leaves; both their sides are themselves: a walk may go on in a leaf.
#pragma once

#include "base/arena.h"
#include "treezip/chain_key.h"

namespace heron::inline v0::treezip {

// Immutable, thread-safe.
template <class Key>
class NodeTable {
 public:
  using Word = typename Key::Word;
  static constexpr uint64_t kLeaves = 2;

  // One pass over the tree, charged to the Context's budget. Should the file have changed since the
  // survey, the tree is another, but one of the size that was surveyed. Throws Error: Limit,
  // Cancelled.
  NodeTable(const TreeFile& file, const Survey& survey, const Context& context);

  // So many branches fit.
  static constexpr uint64_t kMostBranches =
      (uint64_t{1} << (8 * sizeof(Word) - Key::kTestBits)) - kLeaves;

  const KeyShape& shape() const noexcept { return shape_; }
  uint64_t parsed_bits() const noexcept { return parsed_bits_; }
  uint64_t bytes() const noexcept { return bytes_; }

  // Where the walk of the bit at an address begins: behind all tests of the address's low bits that
  // come first, the same for addresses that are apart by a multiple of kEntries.
  HERON_INLINE Word entry(uint64_t address) const noexcept { return entries_[address % kEntries]; }
  static constexpr uint64_t kEntries = 4096;

  static constexpr bool is_leaf(Word word) noexcept { return word >> Key::kTestBits <= 1; }
  // A leaf's bit, as History::push wants it.
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
  Word* words_;  // the sides of number n at 2n and 2n + 1; at the end a word that nobody reads
  Word* entries_;
  Word root_ = 0;
  uint64_t bytes_;
  uint64_t parsed_bits_ = 0;
};

extern template class NodeTable<NarrowKey>;
extern template class NodeTable<WideKey>;

}  // namespace heron::inline v0::treezip
