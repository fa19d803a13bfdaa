// Encodes node by node, left to right, with the labels alone (labels.h). The features unused above
// a node are the address bits of its cube, in order, followed by those beyond all addresses: a
// feature's index in the list is its bit in the cube.
//
// The left half of a node overwrites the node's words, and the right one is appended, so that both
// halves, and theirs, and so on, take no more than the node again. Nodes of up to 64 samples are
// one word. The subtrees of the last four features recur, so they are cached as bits.
#include "base/arena.h"
#include "treezip/bits.h"
#include "treezip/write/encode.h"
#include "treezip/write/encode_progress.h"
#include "treezip/write/entropy.h"
#include "treezip/write/labels.h"

namespace heron::inline v0::treezip {
namespace {

// A subtree with this many unused features has up to 16 samples and 49 bits: 1, 2, 4 and 8 branches
// of 3, 3, 2 and 1 bits and 8 pairs of leaves of 3. A word holds the number of bits too.
constexpr unsigned kRecurring = 4;

struct Samples {
  uint64_t length = 0;  // number of samples
  uint64_t ones = 0;    // number of ones among their labels
  unsigned unused = 0;  // number of unused features

  bool is_leaf() const noexcept { return ones == 0 || ones == length; }
  // This does not use has_single_bit, which counts all bits.
  bool is_whole_cube() const noexcept { return (length & (length - 1)) == 0; }
  uint64_t words() const noexcept { return words_of(length); }
};

// The sides of a split by bit `feature` of the cube.
struct Split {
  Split(const Samples& node, unsigned split_by, uint64_t ones_with)
      : feature(split_by),
        right{addresses_with(split_by, node.length), ones_with, node.unused - 1},
        left{node.length - right.length, node.ones - right.ones, node.unused - 1} {}

  unsigned feature;
  Samples right, left;
};

class DenseEncoder {
 public:
  DenseEncoder(uint64_t samples, TreeWriter& out, const Context& context)
      : out_(out), samples_(samples), progress_(0, samples, context), arena_(context.memory) {
    // The free words hold right halves, each of which may round up to a word more, and a spare
    // word.
    const uint64_t words = words_of(samples) + 2 * kAddressBits;
    recurring_ = arena_.allocate_array<uint64_t>(kRecurringEntries + words);
    free_words_ = recurring_ + kRecurringEntries;
    std::fill_n(recurring_, kRecurringEntries, 0);
  }

  void run(uint64_t* labels, unsigned feat_addr) {
    Samples root{.length = samples_, .ones = 0, .unused = feat_addr};
    for (uint64_t at = 0; at < root.words(); ++at) root.ones += count_ones(labels[at], fast_);
    put_node(labels, root, false);
  }

 private:
  static constexpr uint64_t kRecurringEntries = uint64_t{2} << (1U << kRecurring);

  // Returns the best split. `ones_with` returns how many ones have bit j set.
  template <class Count>
  HERON_INLINE Split best_split(const Samples& node, const Count& ones_with) {
    const unsigned bits = differing_bits(node.length);
    Score best;
    for (unsigned j = 0; j < bits; ++j) {
      const Split split(node, j, ones_with(j));
      const Score score = score_of(entropy_, {split.left.length, split.left.ones},
                                   {split.right.length, split.right.ones}, j);
      if (score < best) best = score;
    }
    return Split(node, best.feature, ones_with(best.feature));
  }

  // Returns the best split of a complete cube of up to 64: either side is a half.
  template <class Count>
  HERON_INLINE Split best_halves(const Samples& node, const Count& ones_with) {
    const double* const entropies = entropy_.row(node.length / 2).data();
    double best = Score{}.entropy;
    uint64_t best_ones = 0;
    unsigned feature = 0;
    const unsigned bits = differing_bits(node.length);
    for (unsigned j = 0; j < bits; ++j) {
      const uint64_t ones = ones_with(j);
      const double score = entropies[node.ones - ones] + entropies[ones];
      const bool is_better = score < best;
      best = is_better ? score : best;
      best_ones = is_better ? ones : best_ones;
      feature = is_better ? j : feature;
    }
    return Split(node, feature, best_ones);
  }

  // Writes the subtree of a node. Overwrites the words.
  void put_node(uint64_t* words, const Samples& node, bool left_is_leaf) {
    if (node.is_leaf()) {
      out_.leaf(node.ones != 0, left_is_leaf);
      progress_.add(node.length);
    } else if (node.length <= 64) {
      put_word(out_, words[0], node);
      progress_.add(node.length);
    } else {
      put_branch_of_words(words, node);
    }
  }

  void put_branch_of_words(uint64_t* words, const Samples& node) {
    if (node.length >= EncodeProgress::kStep) progress_.report();
    OnesWith ones;
    count_ones(words, node.words(), ones);
    const Split split = best_split(node, [&](unsigned j) { return ones[j]; });
    const unsigned j = split.feature;
    out_.branch(j, node.unused);
    uint64_t* const before = free_words_;
    uint64_t* right = words;
    if (j + 1 == differing_bits(node.length)) {
      right += split.left.words();  // both halves have the same number of words
    } else if (split.left.is_leaf()) {
      take_half(words, node.words(), j, true, right);
    } else {
      if (!split.right.is_leaf()) {
        right = free_words_;
        free_words_ += split.right.words() + 1;  // take_half may write one word more
        take_half(words, node.words(), j, true, right);
      }
      take_half(words, node.words(), j, false, words);
    }
    put_node(words, split.left, false);
    put_node(right, split.right, split.left.is_leaf());
    free_words_ = before;
  }

  // Writes the subtree of a node of up to 64 samples that is not a leaf.
  template <class Sink>
  void put_word(Sink& out, uint64_t word, const Samples& node) {
    if (std::is_same_v<Sink, TreeWriter> && node.unused == kRecurring) {
      const uint64_t bits = recurring_bits(word, node);
      out.put(low_bits(bits, kCountShift), static_cast<unsigned>(bits >> kCountShift));
      return;
    }
    const auto ones_with = [&](unsigned j) {
      return uint64_t{count_ones(word & kBitsWith[j], fast_)};
    };
    const Split split =
        node.is_whole_cube() ? best_halves(node, ones_with) : best_split(node, ones_with);
    const unsigned j = split.feature;
    put_branch(out, j, node.unused);
    put_side(out, half_of(word, j, false, fast_), split.left, false);
    put_side(out, half_of(word, j, true, fast_), split.right, split.left.is_leaf());
  }
  template <class Sink>
  HERON_INLINE void put_side(Sink& out, uint64_t word, const Samples& node, bool left_is_leaf) {
    if (node.is_leaf()) {
      put_leaf(out, node.ones != 0, left_is_leaf);
    } else {
      put_word(out, word, node);
    }
  }

  // Returns the subtree's bits, with their number from kCountShift on.
  uint64_t recurring_bits(uint64_t word, const Samples& node) {
    uint64_t& entry = recurring_[word | uint64_t{1} << node.length];
    if (entry == 0) {
      TreeBits tree;
      put_word(tree, word, node);
      entry = tree.bits | uint64_t{tree.count} << kCountShift;
    }
    return entry;
  }
  static constexpr unsigned kCountShift = 56;

  TreeWriter& out_;
  const uint64_t samples_;
  EncodeProgress progress_;
  const bool fast_ = has_x86_64_v3();
  EntropyCache entropy_;
  Arena arena_;
  uint64_t* recurring_;  // by labels, with a 1 behind the last one; 0: not cached
  uint64_t* free_words_;
};

}  // namespace

void encode_dense(uint64_t* labels, uint64_t count, unsigned feat_addr, TreeWriter& out,
                  const Context& context) {
  DenseEncoder(count, out, context).run(labels, feat_addr);
}

}  // namespace heron::inline v0::treezip
