// A node's level is the number of branches above it; at most one branch per level is open, that is,
// not parsed to its end. A leaf ends the open branches below the lowest one with a right side to
// come, all at the same bit, so the outermost of them is the largest: one comparison shows whether
// any is large enough for the index.
#include "treezip/read/survey.h"

#include <algorithm>
#include <array>

#include "treezip/read/node_reader.h"

namespace heron::inline v0::treezip {
namespace {

// The number of branches between checks of the Context.
constexpr uint64_t kRoundBranches = uint64_t{1} << 18;
// An index may exceed the bytes of the tree by this many bytes.
constexpr uint64_t kIndexSlack = uint64_t{64} << 10;

enum class Found : uint8_t { More, Whole, Outgrown /* the index */, Bad };

template <unsigned kWords>
class Pass {
 public:
  Pass(const TreeFile& file, uint64_t least_bits)
      : file_(file),
        reader_{file.bits(), file.header().features(), has_x86_64_v3()},
        position_{.at = file.tree_begin(), .free = FeatureSet<kWords>(reader_.features)},
        least_bits_(least_bits) {}

  // Returns false if the index would outgrow the tree.
  bool run(const Context& context) {
    for (;;) {
      switch (dispatch<Round>(this)) {
        case Found::Whole: return true;
        case Found::Outgrown: return false;
        case Found::Bad: fail_here();
        case Found::More: context.step(position_.at, reader_.stream.bits());
      }
    }
  }

  Survey result() && {
    Survey survey;
    survey.branches = branches_;
    survey.leaves = branches_ + 1;
    survey.implied_leaves = implied_leaves_;
    survey.depth = depth_;
    survey.tree_bits = position_.at - file_.tree_begin();
    survey.used = used_;
    for (unsigned feature = reader_.features; feature-- > file_.header().feat_addr;) {
      if (!used_[feature]) continue;
      survey.looks_back = feature - file_.header().feat_addr + 1;
      return survey;
    }
    survey.index = {root_, std::move(entries_), least_bits_};
    return survey;
  }

 private:
  struct Level {
    uint64_t begin;
    unsigned feature;
    FeatureSet<kWords> free{0};  // F below the branch
    SkipTarget left;             // set after the left side
  };

  struct Round {
    HERON_INLINE static Found run(Pass* pass) {
      NodePosition<FeatureSet<kWords>> position = pass->position_;
      uint64_t branches = 0;
      Found found = Found::More;
      while (found == Found::More && branches < kRoundBranches) {
        const uint64_t begin = position.at;
        const bool implied = position.after_leaf;
        unsigned value = 0;
        const Node node = pass->reader_.read(position, value);
        if (node == Node::Branch) {
          ++branches;
          pass->open(begin, position, value);
        } else if (node == Node::Leaf) {
          pass->implied_leaves_ += implied ? 1 : 0;
          found = pass->leaf(position, value != 0);
        } else {
          found = Found::Bad;
        }
      }
      pass->position_ = position;
      pass->branches_ += branches;
      return found;
    }
  };

  HERON_INLINE void open(uint64_t begin, const NodePosition<FeatureSet<kWords>>& left,
                         unsigned feature) {
    Level& level = levels_[left.level - 1];
    level.begin = begin;
    level.feature = feature;
    level.free = left.free;
    used_.set(feature);
    if (feature >= file_.header().feat_addr) [[unlikely]]
      least_bits_ = UINT64_MAX;
    rights_[right_count_++] = static_cast<uint16_t>(left.level);
  }

  // Handles a leaf of that bit that ends at `position`, which moves to the next right side.
  HERON_INLINE Found leaf(NodePosition<FeatureSet<kWords>>& position, bool bit) {
    depth_ = std::max(depth_, position.level);
    const unsigned top = right_count_ == 0 ? 0 : rights_[right_count_ - 1];
    SkipTarget whole = SkipTarget::leaf(bit);
    if (top != position.level) {
      const uint64_t begin = levels_[top].begin;
      whole = SkipTarget::bits(begin);
      if (position.at - begin >= least_bits_) [[unlikely]] {
        whole = index_levels(top, position.level, position.at, bit);
        const uint64_t tree_bytes = (position.at - file_.tree_begin()) / 8;
        if (entries_.size() * sizeof(SkipEntry) > tree_bytes + kIndexSlack) return Found::Outgrown;
      }
    }
    if (right_count_ == 0) {
      root_ = whole;
      return Found::Whole;
    }
    --right_count_;
    levels_[top - 1].left = whole;
    position.enter_right(top, bit);
    position.free = levels_[top - 1].free;
    return Found::More;
  }

  // The open branches from level `top` to above `below` end at `end` with a right leaf: adds
  // entries for the large ones and returns the target of the topmost.
  SkipTarget index_levels(unsigned top, unsigned below, uint64_t end, bool leaf) {
    SkipTarget target = SkipTarget::leaf(leaf);
    for (unsigned at = below; at-- > top;) {
      const Level& level = levels_[at];
      if (end - level.begin < least_bits_) {
        target = SkipTarget::bits(level.begin);
      } else {
        entries_.emplace_back(level.feature, level.left, target);
        target = SkipTarget::entry(entries_.size() - 1);
      }
    }
    return target;
  }

  [[noreturn]] void fail_here() const {
    NodePosition<FeatureSet<kWords>> position = position_;
    unsigned value = 0;
    const Node node = reader_.read(position, value);
    const unsigned count = reader_.features - position.level;
    if (node == Node::NoFeature) {
      file_.fail_at(ErrorKind::Corrupt, position.at, "expected a leaf, all ", reader_.features,
                    " features being used above, got a branch");
    }
    if (node == Node::NoSuchIndex) {
      file_.fail_at(ErrorKind::Corrupt, position.at + 1, "expected the index of one of ", count,
                    " features, got ",
                    low_bits(reader_.stream.peek(position.at + 1), index_bits(count)));
    }
    file_.fail_at(ErrorKind::Corrupt, reader_.stream.bits(), "expected ",
                  position.at < reader_.stream.bits() ? "the rest of a node" : "a node",
                  ", got the end of the file");
  }

  const TreeFile& file_;
  const NodeReader reader_;
  NodePosition<FeatureSet<kWords>> position_;  // position before the next node

  std::array<Level, 64 * kWords> levels_;
  std::array<uint16_t, 64 * kWords> rights_;  // levels of the right sides to come
  unsigned right_count_ = 0;

  uint64_t branches_ = 0;
  uint64_t implied_leaves_ = 0;
  unsigned depth_ = 0;
  std::bitset<kMaxFeatures> used_;

  uint64_t least_bits_;  // minimum size for an entry; all ones once previous bits are tested
  std::vector<SkipEntry> entries_;
  SkipTarget root_;
};

template <unsigned kWords>
Survey survey_with(const TreeFile& file, uint64_t least_bits, const Context& context) {
  for (;; least_bits *= 2) {
    const auto pass = std::make_unique<Pass<kWords>>(file, least_bits);
    if (pass->run(context)) return std::move(*pass).result();
  }
}

}  // namespace

Survey survey(const TreeFile& file, uint64_t index_bits, const Context& context) {
  const uint64_t least_bits = std::max<uint64_t>(index_bits, 1);
  return file.header().features() <= 64 ? survey_with<1>(file, least_bits, context)
                                        : survey_with<8>(file, least_bits, context);
}

}  // namespace heron::inline v0::treezip
