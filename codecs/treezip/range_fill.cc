#include "treezip/range_fill.h"

#include <array>
#include <cstring>

#include "treezip/node_reader.h"

namespace heron::inline v0::treezip {
namespace {

// Between two looks at the Context.
constexpr uint64_t kRoundSteps = uint64_t{1} << 16;

// Where words are laid.
struct Canvas {
  uint64_t begin, end;  // of the block
  std::byte* out;       // of `begin`

  HERON_INLINE void lay(uint64_t word, uint64_t lanes) const noexcept {
    std::byte* at = out + (word - begin) * sizeof word;
    uint64_t value;
    std::memcpy(&value, at, sizeof value);
    value |= lanes;
    std::memcpy(at, &value, sizeof value);
  }

  // Lays 1 bits over those of a cube, which has some here; answers over how many words.
  HERON_INLINE uint64_t lay(const Cube& cube) const noexcept {
    const uint64_t lanes = lanes_of(cube);
    const Cube words = cube.words();
    uint64_t word = words.fixed >= begin ? words.fixed : words.first_from(begin);
    const uint64_t run = words.free & ~(words.free + 1);  // the free bits at the lower end
    const uint64_t rest = words.free & ~run;
    uint64_t count = 0;
    for (;;) {
      const uint64_t stop = std::min((word | run) + 1, end);
      count += stop - word;
      for (; word < stop; ++word) lay(word, lanes);
      const uint64_t next = ((word - 1) | ~rest) + 1;
      if ((next & rest) == 0) break;
      word = (next & rest) | words.fixed;
      if (word >= end) break;
    }
    return count;
  }
};

// What leads to a node: F, and the addresses of the stretch's block.
template <unsigned kWords>
struct Path {
  FeatureSet<kWords> free;
  uint64_t fixed = 0;
};

template <unsigned kWords>
struct Fill {
  using Features = FeatureSet<kWords>;
  static constexpr unsigned kLevels = 64 * kWords;

  // The right side of a branch whose left side is being visited.
  struct Right {
    Features free{0};  // F
    uint64_t bit;      // of the address, if the branch asks one of the block
    unsigned level;
    bool wanted;
  };
  struct Sides {
    uint64_t bit;
    bool left, right;
  };

  HERON_INLINE Cube cube(const Features& free, uint64_t fixed) const {
    return {free.lowest() & stretch.free, fixed};
  }

  // Which sides of a branch are wanted, F and the fixed bits being those of its left side.
  HERON_INLINE Sides sides(unsigned feature, const Features& free, uint64_t fixed) const {
    const uint64_t bit = feature < 64 ? uint64_t{1} << feature & stretch.free : 0;
    if (bit == 0) {
      const bool right = feature < kAddressBits && (stretch.block >> (feature - 3) & 1) != 0;
      return {0, !right, right};
    }
    const Cube left = cube(free, fixed), right = cube(free, fixed | bit);
    if (left.fixed >= stretch.bits.begin && (right.fixed | right.free) < stretch.bits.end) {
      return {bit, true, true};
    }
    return {bit, left.meets(stretch.bits), right.meets(stretch.bits)};
  }

  // Parses past the node at `place`; false if that is no tree.
  HERON_INLINE bool skip(Place<Features>& place, uint64_t& branches) const {
    Place<NoFeatures> below{place.at, place.level, place.after_leaf, place.sibling, {}};
    std::array<uint16_t, kLevels> rights;
    unsigned right_count = 0;
    unsigned value = 0;
    bool leaf = true;
    for (;;) {
      const Node node = reader.read(below, value);
      if (node == Node::Branch) {
        rights[right_count++] = static_cast<uint16_t>(below.level);
        ++branches;
        leaf = false;
      } else if (node == Node::Leaf) {
        if (right_count == 0) break;
        below.enter_right(rights[--right_count], value != 0);
      } else {
        return false;
      }
    }
    place.after_leaf = leaf;
    place.sibling = value != 0;
    place.at = below.at;
    return true;
  }

  HERON_INLINE void subtree(Place<Features> place, uint64_t fixed) {
    const uint64_t begin = place.at;
    std::array<Right, kLevels> rights;
    unsigned right_count = 0, wanted_count = 0;
    uint64_t branches = 0, words = 0;
    for (;;) {
      unsigned value = 0;
      const Node node = reader.read(place, value);
      if (node == Node::Branch) {
        ++branches;
        const Sides side = sides(value, place.free, fixed);
        if (side.left) {
          Right& right = rights[right_count++];
          right.free = place.free;
          right.bit = side.bit;
          right.level = place.level;
          right.wanted = side.right;
          wanted_count += side.right ? 1 : 0;
        } else {
          if (!skip(place, branches)) break;
          fixed |= side.bit;
        }
      } else if (node == Node::Leaf) {
        if (value != 0) words += canvas.lay(cube(place.free, fixed));
        if (wanted_count == 0) break;
        const Right* right = &rights[--right_count];
        place.enter_right(right->level, value != 0);
        bool whole = true;
        while (!right->wanted) {
          whole = whole && skip(place, branches);
          right = &rights[--right_count];
          place.level = right->level;
          place.after_leaf = false;
        }
        if (!whole) break;
        --wanted_count;
        place.free = right->free;
        fixed = (fixed & ~place.free.lowest()) | right->bit;
      } else {
        break;
      }
    }
    cost.branches += branches;
    cost.words += words;
    cost.bits += place.at - begin;
  }

  struct Todo {
    SkipTarget target;
    Features free{0};
    uint64_t fixed;
    unsigned level;
  };

  HERON_INLINE static FillCost run(Fill* fill_) {
    Fill& fill = *fill_;
    std::array<Todo, kLevels + 1> todo;
    unsigned count = 0;
    todo[count++] = {fill.index->root, Features(fill.reader.features), 0, 0};
    uint64_t looked = 0;
    while (count > 0) {
      Todo now = todo[--count];
      while (now.target.kind() == SkipTarget::Kind::Entry) {
        const SkipEntry& entry = fill.index->entries[now.target.value()];
        now.free.remove(entry.feature());
        ++now.level;
        ++fill.cost.branches;
        const Sides side = fill.sides(entry.feature(), now.free, now.fixed);
        if (side.left && side.right) {
          todo[count++] = {entry.side(true), now.free, now.fixed | side.bit, now.level};
        }
        now.target = entry.side(!side.left);
        if (!side.left) now.fixed |= side.bit;
      }
      if (now.target.kind() == SkipTarget::Kind::Leaf) {
        if (now.target.value() != 0) {
          fill.cost.words += fill.canvas.lay(fill.cube(now.free, now.fixed));
        }
      } else {
        fill.subtree({.at = now.target.value(), .level = now.level, .free = now.free}, now.fixed);
      }
      const uint64_t steps = fill.cost.steps();
      if (steps - looked >= kRoundSteps) {
        fill.context->check_cancelled();
        looked = steps;
      }
    }
    return fill.cost;
  }

  NodeReader reader;
  const SkipIndex* index;
  Stretch stretch;
  Canvas canvas;
  const Context* context;
  FillCost cost{};
};

template <unsigned kWords>
FillCost fill_with(const TreeFile& file, const SkipIndex& index, const Stretch& stretch,
                   std::byte* words, const Context& context) {
  Fill<kWords> fill{{file.bits(), file.header().features(), has_x86_64_v3()},
                    &index,
                    stretch,
                    {stretch.bits.begin / 64, (stretch.bits.end + 63) / 64, words},
                    &context};
  return dispatch<Fill<kWords>>(&fill);
}

}  // namespace

FillCost fill(const TreeFile& file, const SkipIndex& index, const Stretch& stretch,
              std::byte* words, const Context& context) {
  return file.header().features() <= 64 ? fill_with<1>(file, index, stretch, words, context)
                                        : fill_with<8>(file, index, stretch, words, context);
}

}  // namespace heron::inline v0::treezip
