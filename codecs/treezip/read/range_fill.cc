#include "treezip/read/range_fill.h"

#include <array>

#include "treezip/read/canvas.h"
#include "treezip/read/node_reader.h"

namespace heron::inline v0::treezip {
namespace {

// The number of steps between checks of the Context.
constexpr uint64_t kRoundSteps = uint64_t{1} << 16;

template <unsigned kWords>
struct Fill {
  using Features = FeatureSet<kWords>;
  static constexpr unsigned kLevels = 64 * kWords;

  // The right side of a branch whose left side is being visited.
  struct Right {
    Features free{0};  // F of the grammar
    uint64_t bit;      // address bit, if the branch tests one of the block
    unsigned level;
    bool is_in_range;
  };
  // The sides of a branch that have bits in the range, and the address bit that separates them if
  // both have.
  struct Sides {
    uint64_t bit;
    bool left, right;
  };

  HERON_INLINE Cube cube(const Features& free, uint64_t fixed) const {
    return {(free.lowest() & tested) | (range.free & ~tested), fixed};
  }

  // Returns which sides of a branch have bits in the range, from F and the fixed bits of its left
  // side. kInside: all bits below the branch are known to be in the range.
  template <bool kInside>
  HERON_INLINE Sides sides(unsigned feature, const Features& free, uint64_t fixed) const {
    const uint64_t bit = feature < 64 ? uint64_t{1} << feature & tested : 0;
    if (bit == 0) {  // a bit of the block's number, or beyond all addresses
      const bool is_of_block = feature >= 3 && feature < kAddressBits;
      const bool right = is_of_block && (range.block >> (feature - 3) & 1) != 0;
      return {0, !right, right};
    }
    if constexpr (kInside) return {bit, true, true};
    const Cube left = cube(free, fixed), right = cube(free, fixed | bit);
    if (left.fixed >= range.bits.begin && (right.fixed | right.free) < range.bits.end) {
      return {bit, true, true};
    }
    return {bit, left.meets(range.bits), right.meets(range.bits)};
  }

  // Returns where the branch at `at` ends; the end of the stream if it is invalid. A left leaf is
  // skipped with its branch, so that single leaves have their bit.
  HERON_INLINE uint64_t end_of_branch(uint64_t at, unsigned level, uint64_t& branches) const {
    const BitStream stream = reader.stream;
    std::array<uint16_t, kLevels> rights;
    unsigned right_count = 0;
    while (at < stream.bits()) {
      const uint64_t bits = stream.peek(at);
      const unsigned count = reader.features - level;
      if (count <= kShallow) {
        at += shallow_extent(bits, count);
        ++branches;
      } else if ((bits & 1) != 0) {
        const unsigned head = 1 + index_bits(count);
        const uint64_t below = bits >> head;
        at += head;
        ++level;
        ++branches;
        if ((below & 1) != 0) {
          rights[right_count++] = static_cast<uint16_t>(level);
          continue;
        }
        if ((below & 4) != 0) {
          at += 2;
          continue;
        }
        at += 3;
      } else {
        at += 2;
      }
      if (right_count == 0) return at;
      level = rights[--right_count];
    }
    return stream.bits();
  }

  // Parses past the node at `position`, whose right sibling is next.
  HERON_INLINE void pass(NodePosition<Features>& position, uint64_t& branches) const {
    if ((reader.stream.peek(position.at) & 1) != 0) {
      position.at = end_of_branch(position.at, position.level, branches);
      position.after_leaf = false;
    } else {
      unsigned value = 0;
      reader.read(position, value);
      position.after_leaf = true;
      position.sibling = value != 0;
    }
  }

  // Lays the part of a subtree in the file that is in the range; ends with the last leaf in the
  // range, or at invalid bits. A branch with two leaves is one step: only its 1 is laid.
  template <bool kInside>
  HERON_INLINE void subtree(NodePosition<Features> position, uint64_t fixed) {
    const uint64_t begin = position.at;
    std::array<Right, kLevels> rights;
    unsigned right_count = 0, in_range_count = 0;
    uint64_t branches = 0;
    for (;;) {
      unsigned value = 0;
      const Node node = reader.read(position, value);
      if (node == Node::Branch) {
        ++branches;
        const Sides side = sides<kInside>(value, position.free, fixed);
        if (!side.left) {
          pass(position, branches);
          fixed |= side.bit;
          continue;
        }
        const uint64_t next = reader.stream.peek(position.at);
        if ((next & 5) != 0 || !side.right) {
          Right& right = rights[right_count++];
          right.free = position.free;
          right.bit = side.bit;
          right.level = position.level;
          right.is_in_range = side.right;
          in_range_count += side.right ? 1 : 0;
          continue;
        }
        position.at += 3;
        canvas.lay_if(true, cube(position.free, (next & 2) != 0 ? fixed : fixed | side.bit));
        value = 0;
      } else if (node == Node::Leaf) {
        canvas.lay_if(value != 0, cube(position.free, fixed));
      } else {
        break;
      }
      if (in_range_count == 0) break;
      const Right* right = &rights[--right_count];
      position.enter_right(right->level, value != 0);
      while (!right->is_in_range) {
        pass(position, branches);
        right = &rights[--right_count];
        position.level = right->level;
        position.after_leaf = false;
      }
      --in_range_count;
      position.free = right->free;
      fixed = (fixed & ~position.free.lowest()) | right->bit;
    }
    cost.branches += branches;
    cost.bits += position.at - begin;
  }

  // A side of an entry's branch that was not visited yet.
  struct Todo {
    SkipTarget target;
    Features free{0};
    uint64_t fixed;
    unsigned level;
  };

  HERON_INLINE void prefetch(SkipTarget target) const {
    const bool entry = target.kind() == SkipTarget::Kind::Entry;
    __builtin_prefetch(entry ? static_cast<const void*>(index->entries.data() + target.value())
                             : reader.stream.data + target.value() / 8);
  }

  // Calls visit(todo) for each subtree that the range needs and the index has no entry for.
  template <class Visit>
  HERON_INLINE void walk_index(Visit visit) {
    std::array<Todo, kLevels + 1> todo;
    unsigned count = 0;
    todo[count++] = {index->root, Features(reader.features), 0, 0};
    while (count > 0) {
      Todo now = todo[--count];
      while (now.target.kind() == SkipTarget::Kind::Entry) {
        const SkipEntry& entry = index->entries[now.target.value()];
        now.free.remove(entry.feature());
        ++now.level;
        ++cost.branches;
        const Sides side = sides<false>(entry.feature(), now.free, now.fixed);
        if (side.left && side.right) {
          todo[count++] = {entry.side(true), now.free, now.fixed | side.bit, now.level};
          prefetch(entry.side(true));
        }
        now.target = entry.side(!side.left);
        if (!side.left) now.fixed |= side.bit;
      }
      visit(now);
    }
  }

  HERON_INLINE static FillCost run(Fill* fill_) {
    Fill& fill = *fill_;
    uint64_t looked = 0;
    fill.walk_index([&](const Todo& now) {
      if (now.target.kind() == SkipTarget::Kind::Leaf) {
        fill.canvas.lay_if(now.target.value() != 0, fill.cube(now.free, now.fixed));
      } else {
        const NodePosition<Features> position{
            .at = now.target.value(), .level = now.level, .free = now.free};
        if (fill.cube(now.free, now.fixed).is_inside(fill.range.bits)) {
          fill.template subtree<true>(position, now.fixed);
        } else {
          fill.template subtree<false>(position, now.fixed);
        }
      }
      const uint64_t steps = fill.cost.steps();
      if (steps - looked >= kRoundSteps) {
        fill.context->check_cancelled();
        looked = steps;
      }
    });
    fill.canvas.finish();
    fill.cost.words = fill.canvas.words_laid();
    return fill.cost;
  }

  NodeReader reader;
  const SkipIndex* index;
  AlignedRange range;
  uint64_t tested;  // the bits within the block that features test
  Canvas canvas;
  const Context* context;
  FillCost cost{};
};

template <unsigned kWords>
FillCost fill_with(const TreeFile& file, const SkipIndex& index, const AlignedRange& range,
                   std::byte* words, const Context& context) {
  Fill<kWords> fill{{file.bits(), file.header().features(), has_x86_64_v3()},
                    &index,
                    range,
                    low_bits(range.free, file.header().feat_addr),
                    Canvas(range.bits, words),
                    &context};
  return dispatch<Fill<kWords>>(&fill);
}

template <unsigned kWords>
void locate_with(const TreeFile& file, const SkipIndex& index, const AlignedRange& range,
                 std::vector<ByteRange>& bytes) {
  using Subtree = typename Fill<kWords>::Todo;
  Fill<kWords> fill{{file.bits(), file.header().features(), has_x86_64_v3()},
                    &index,
                    range,
                    low_bits(range.free, file.header().feat_addr),
                    Canvas(range.bits, nullptr),
                    nullptr};
  fill.walk_index([&](const Subtree& now) {
    if (now.target.kind() != SkipTarget::Kind::Bits) return;
    const uint64_t begin = now.target.value() / 8;
    const uint64_t most = std::min(index.least_bits / 8 + 2, file.bits().bytes - begin);
    bytes.push_back({sizeof(StoredHeader) + begin, most});
  });
}

}  // namespace

void locate(const TreeFile& file, const SkipIndex& index, const AlignedRange& range,
            std::vector<ByteRange>& bytes) {
  if (file.header().features() <= 64) return locate_with<1>(file, index, range, bytes);
  locate_with<8>(file, index, range, bytes);
}

FillCost fill(const TreeFile& file, const SkipIndex& index, const AlignedRange& range,
              std::byte* words, const Context& context) {
  return file.header().features() <= 64 ? fill_with<1>(file, index, range, words, context)
                                        : fill_with<8>(file, index, range, words, context);
}

}  // namespace heron::inline v0::treezip
