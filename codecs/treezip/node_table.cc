#include "treezip/node_table.h"

#include <algorithm>

#include "treezip/features.h"

namespace heron::inline v0::treezip {
namespace {

constexpr uint64_t kStepBranches = uint64_t{1} << 18;

}  // namespace

template <class Key>
NodeTable<Key>::NodeTable(const TreeFile& file, const Survey& survey, const Context& context)
    : shape_(file.header(), survey), arena_(context.memory) {
  const uint64_t words = 2 * (kLeaves + survey.branches) + 1;
  words_ = arena_.allocate_array<Word>(words + kEntries);
  entries_ = words_ + words;
  bytes_ = (words + kEntries) * sizeof(Word);
  std::fill_n(words_, words, leaf(false));
  words_[2] = words_[3] = leaf(true);
  if (file.header().features() <= 64) {
    parse<1>(file, survey.branches, context);
  } else {
    parse<kMostFeatures / 64 + 1>(file, survey.branches, context);
  }
  make_entries();
}

// A branch on a feature that is 0 for every bit is not kept, only its left side is: the right one
// goes where nobody looks.
template <class Key>
template <unsigned kFeatureWords>
void NodeTable<Key>::parse(const TreeFile& file, uint64_t branches, const Context& context) {
  struct Above {
    Word* right;  // null once that is under way
    unsigned feature;
  };
  std::array<Above, kMostFeatures> path;
  unsigned depth = 0;
  const unsigned all = file.header().features();
  FeatureSet<kFeatureWords> features(all);
  const bool has_pdep = has_x86_64_v3();
  const BitStream& bits = file.bits();
  uint64_t at = file.tree_begin();
  uint64_t number = kLeaves;
  Word* const unread = words_ + 2 * (kLeaves + branches);
  Word* side = &root_;
  int left_leaf = -1;  // the bit of the left sibling, if that is a leaf

  for (;;) {
    const uint64_t peeked = bits.peek(at);
    if ((peeked & 1) != 0) {
      const unsigned count = all - depth;
      if (count == 0 || number - kLeaves == branches) break;  // the file has changed
      const unsigned width = index_bits(count);
      const auto index = static_cast<unsigned>(low_bits(peeked >> 1, width));
      if (index >= count) break;  // likewise
      at += 1 + width;
      const unsigned feature = features.at(index, has_pdep);
      features.remove(feature);
      path[depth] = {unread, feature};
      if (const auto bit = shape_.bit_of(feature, Key::kHistoryBegin)) {
        *side = static_cast<Word>(number << Key::kTestBits | *bit);
        side = words_ + 2 * number;
        path[depth].right = side + 1;
      }
      ++number;
      ++depth;
      left_leaf = -1;
      if (number % kStepBranches == 0) context.check_cancelled();
      continue;
    }
    const bool bit = left_leaf < 0 ? (peeked & 2) != 0 : left_leaf == 0;
    at += left_leaf < 0 ? 2 : 1;
    *side = leaf(bit);
    left_leaf = bit ? 1 : 0;
    while (depth > 0 && path[depth - 1].right == nullptr) {
      features.add(path[--depth].feature);
      left_leaf = -1;
    }
    if (depth == 0) break;
    side = std::exchange(path[depth - 1].right, nullptr);
  }
  parsed_bits_ = at - file.tree_begin();
}

template <class Key>
void NodeTable<Key>::make_entries() noexcept {
  const unsigned shared_bits =
      std::min<unsigned>(shape_.address_bits(), std::countr_zero(kEntries));
  for (uint64_t low = 0; low < kEntries; ++low) {
    const Key key(shape_, low, {});
    Word word = root_;
    while (!is_leaf(word) && word % (Word{1} << Key::kTestBits) < shared_bits) {
      word = next(word, key);
    }
    entries_[low] = word;
  }
}

template class NodeTable<NarrowKey>;
template class NodeTable<WideKey>;

}  // namespace heron::inline v0::treezip
