#include "treezip/survey.h"

#include <algorithm>
#include <array>
#include <memory>

#include "treezip/features.h"

namespace heron::inline v0::treezip {
namespace {

// Between two looks at the Context.
constexpr uint64_t kRoundBranches = uint64_t{1} << 18;
// What an index may take besides as many bytes as the tree has.
constexpr uint64_t kIndexSlack = uint64_t{64} << 10;

enum class Found : uint8_t { Round, Whole, Outgrown, Truncated, NoFeature, NoSuchIndex };

// Where a pass is: the next node, its level (the root's is 0), and F.
template <unsigned kWords>
struct Place {
  uint64_t at;
  unsigned level = 0;
  bool after_leaf = false;  // the left sibling is a leaf
  bool sibling = false;     // its bit
  FeatureSet<kWords> free;
};

// A pass over the tree in rounds of some branches. Of every level at most one branch is open, that
// is, not parsed to its end.
template <unsigned kWords>
struct Pass {
  struct Level {
    uint64_t begin;
    FeatureSet<kWords> free{0};  // below it
    unsigned feature;
    SkipTarget left;  // set once the left side is whole
  };

  Pass(const TreeFile& file, uint64_t index_bits)
      : stream(file.bits()),
        header(file.header()),
        place{.at = file.tree_begin(), .free = FeatureSet<kWords>(header.features())},
        least_bits(index_bits) {}

  const BitStream stream;
  const Header header;
  Place<kWords> place;

  std::array<Level, 64 * kWords> levels;
  std::array<uint16_t, 64 * kWords> lefts;  // levels whose left side is open, lowest first
  unsigned left_count = 0;

  uint64_t branches = 0;
  uint64_t implied_leaves = 0;
  unsigned depth = 0;
  std::bitset<kMostFeatures> used;
  bool looks_back = false;

  uint64_t least_bits;
  std::vector<SkipEntry> entries;
  SkipTarget root;

  // The open branches from level `top` on end at `end`, with that right side: what the topmost
  // is from outside.
  SkipTarget close(unsigned top, unsigned below, uint64_t end, SkipTarget right) {
    for (unsigned level = below; level-- > top;) {
      const Level& branch = levels[level];
      if (end - branch.begin < least_bits || looks_back) {
        right = SkipTarget::bits(branch.begin);
      } else {
        entries.emplace_back(branch.feature, branch.left, right);
        right = SkipTarget::entry(entries.size() - 1);
      }
    }
    return right;
  }
};

template <unsigned kWords>
struct Round {
  HERON_INLINE static Found run(Pass<kWords>* pass, bool has_pdep) {
    const BitStream stream = pass->stream;
    const uint64_t end = stream.bits();
    const unsigned features = pass->header.features();
    Place<kWords> place = pass->place;
    uint64_t branches = 0, implied = 0;
    unsigned depth = pass->depth, left_count = pass->left_count;
    Found found = Found::Round;
    for (;;) {
      const uint64_t bits = stream.peek(place.at);
      if (place.at >= end) {
        found = Found::Truncated;
        break;
      }
      if ((bits & 1) != 0) {
        if (branches == kRoundBranches) break;
        const unsigned count = features - place.level;
        if (count == 0) {
          found = Found::NoFeature;
          break;
        }
        const unsigned width = index_bits(count);
        const auto index = static_cast<unsigned>(low_bits(bits >> 1, width));
        if (width >= end - place.at) {
          place.at = end;
          found = Found::Truncated;
          break;
        }
        if (index >= count) {
          found = Found::NoSuchIndex;
          break;
        }
        auto& level = pass->levels[place.level];
        level.begin = place.at;
        level.feature = place.free.at(index, has_pdep);
        place.free.remove(level.feature);
        level.free = place.free;
        pass->used.set(level.feature);
        pass->lefts[left_count++] = static_cast<uint16_t>(place.level++);
        place.at += 1 + width;
        place.after_leaf = false;
        ++branches;
      } else {
        const bool bit = place.after_leaf ? !place.sibling : (bits & 2) != 0;
        implied += place.after_leaf ? 1 : 0;
        if (!place.after_leaf && place.at + 1 >= end) {
          place.at = end;
          found = Found::Truncated;
          break;
        }
        place.at += place.after_leaf ? 1 : 2;
        depth = std::max(depth, place.level);
        const unsigned top = left_count == 0 ? 0 : pass->lefts[left_count - 1] + 1U;
        SkipTarget whole = SkipTarget::leaf(bit);
        place.after_leaf = top == place.level;
        if (!place.after_leaf) {
          whole = SkipTarget::bits(pass->levels[top].begin);
          if (place.at - pass->levels[top].begin >= pass->least_bits) [[unlikely]] {
            whole = pass->close(top, place.level, place.at, SkipTarget::leaf(bit));
          }
        }
        if (left_count == 0) {
          pass->root = whole;
          found = Found::Whole;
          break;
        }
        --left_count;
        place.sibling = bit;
        place.level = top;
        pass->levels[top - 1].left = whole;
        place.free = pass->levels[top - 1].free;
      }
    }
    pass->place = place;
    pass->branches += branches;
    pass->implied_leaves += implied;
    pass->depth = depth;
    pass->left_count = left_count;
    return found;
  }
};

template <unsigned kWords>
Survey survey_with(const TreeFile& file, uint64_t index_bits_, const Context& context) {
  auto pass = std::make_unique<Pass<kWords>>(file, index_bits_);
  Found f;
  while ((f = dispatch<Round<kWords>>(pass.get(), has_x86_64_v3())) == Found::Round) {
    context.step(pass->place.at, file.bits().bits());
  }
  Survey s;
  s.branches = pass->branches;
  s.leaves = s.branches + 1;
  s.implied_leaves = pass->implied_leaves;
  s.depth = pass->depth;
  s.tree_bits = pass->place.at - file.tree_begin();
  s.used = pass->used;
  s.index.root = pass->root;
  s.index.entries = std::move(pass->entries);
  s.index.least_bits = index_bits_;
  return s;
}

}  // namespace

Survey survey(const TreeFile& file, uint64_t index_bits, const Context& context) {
  return file.header().features() <= 64 ? survey_with<1>(file, index_bits, context)
                                        : survey_with<8>(file, index_bits, context);
}

}  // namespace heron::inline v0::treezip
