#include "treezip/node_table.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "treezip/features.h"

namespace heron::inline v0::treezip {
namespace {

constexpr uint64_t kStepBranches = uint64_t{1} << 18;

// Where a parse is, and which features are left there.
template <unsigned kFeatureWords>
class TreeCursor {
 public:
  explicit TreeCursor(const TreeFile& file) noexcept
      : bits_(file.bits()),
        at_(file.tree_begin()),
        count_(file.header().features()),
        features_(count_),
        has_pdep_(has_x86_64_v3()) {}

  uint64_t at() const noexcept { return at_; }
  HERON_INLINE bool is_branch() noexcept {
    peeked_ = bits_.peek(at_);
    return (peeked_ & 1) != 0;
  }

  // Its feature, which is used below it; none if there is no such feature.
  HERON_INLINE std::optional<unsigned> branch() noexcept {
    if (count_ == 0) return {};
    const unsigned width = index_bits(count_);
    const auto index = static_cast<unsigned>(low_bits(peeked_ >> 1, width));
    if (index >= count_) return {};
    at_ += 1 + width;
    left_leaf_ = -1;
    const unsigned feature = features_.at(index, has_pdep_);
    features_.remove(feature);
    path_[path_length_++] = feature;
    --count_;
    return feature;
  }
  HERON_INLINE bool leaf() noexcept {
    const bool bit = left_leaf_ < 0 ? (peeked_ & 2) != 0 : left_leaf_ == 0;
    at_ += left_leaf_ < 0 ? 2 : 1;
    left_leaf_ = bit ? 1 : 0;
    return bit;
  }
  // Both sides of the branch above are done.
  HERON_INLINE void leave() noexcept {
    features_.add(path_[--path_length_]);
    ++count_;
    left_leaf_ = -1;
  }

 private:
  const BitStream& bits_;
  uint64_t at_;
  uint64_t peeked_ = 0;
  unsigned count_;
  FeatureSet<kFeatureWords> features_;
  std::array<unsigned, kMostFeatures> path_;
  unsigned path_length_ = 0;
  int left_leaf_ = -1;  // the bit of the left sibling, if that is a leaf
  const bool has_pdep_;
};

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
  TreeCursor<kFeatureWords> cursor(file);
  std::array<Word*, kMostFeatures> rights;  // by level; null once that side is under way
  unsigned level = 0;
  const uint64_t end = kLeaves + branches;
  uint64_t number = kLeaves;
  Word* side = &root_;
  for (;;) {
    if (cursor.is_branch()) {
      const auto feature = cursor.branch();
      if (!feature || number == end) break;  // the file has changed
      rights[level] = words_ + 2 * end;
      if (const auto bit = shape_.bit_of(*feature, Key::kHistoryBegin)) {
        *side = static_cast<Word>(number << Key::kTestBits | *bit);
        side = words_ + 2 * number;
        rights[level] = side + 1;
      }
      ++level;
      if (++number % kStepBranches == 0) context.check_cancelled();
    } else {
      *side = leaf(cursor.leaf());
      while (level > 0 && rights[level - 1] == nullptr) {
        --level;
        cursor.leave();
      }
      if (level == 0) break;
      side = std::exchange(rights[level - 1], nullptr);
    }
  }
  parsed_bits_ = cursor.at() - file.tree_begin();
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
