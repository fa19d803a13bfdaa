#include "treezip/read/node_table.h"

#include <algorithm>
#include <array>

#include "treezip/read/node_reader.h"

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
    parse<kMaxFeatures / 64 + 1>(file, survey.branches, context);
  }
  make_entries();
}

// Parses the tree. A branch on a feature that is 0 for every bit is replaced with its left side;
// its right side is written to the unused word.
template <class Key>
template <unsigned kFeatureWords>
void NodeTable<Key>::parse(const TreeFile& file, uint64_t branches, const Context& context) {
  using Features = FeatureSet<kFeatureWords>;
  struct Right {
    Features free{0};
    unsigned level;
    Word* side;
  };
  const unsigned features = file.header().features();
  const NodeReader reader{file.bits(), features, has_x86_64_v3()};
  NodePosition<Features> position{.at = file.tree_begin(), .free = Features(features)};
  std::array<Right, 64 * kFeatureWords> rights;
  unsigned right_count = 0;
  const uint64_t end = kLeaves + branches;
  uint64_t number = kLeaves;
  Word* side = &root_;
  for (unsigned value = 0;;) {
    const Node node = reader.read(position, value);
    if (node == Node::Branch) {
      if (number == end) break;  // the file has changed
      Right& right = rights[right_count++];
      right = {position.free, position.level, words_ + 2 * end};
      if (const auto bit = shape_.bit_of(value, Key::kHistoryBegin)) {
        *side = static_cast<Word>(number << Key::kTestBits | *bit);
        side = words_ + 2 * number;
        right.side = side + 1;
      }
      if (++number % kStepBranches == 0) context.check_cancelled();
    } else {
      if (node != Node::Leaf) break;  // the file has changed
      *side = leaf(value != 0);
      if (right_count == 0) break;
      const Right& right = rights[--right_count];
      position.enter_right(right.level, value != 0);
      position.free = right.free;
      side = right.side;
    }
  }
  parsed_bits_ = position.at - file.tree_begin();
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
