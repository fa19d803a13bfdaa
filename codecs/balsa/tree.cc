#include "balsa/tree.h"

#include <algorithm>
#include <cstring>

#include "columns/packed_cells.h"

namespace heron::inline v0::balsa {
namespace {

constexpr uint64_t kNodesAtOnce = 65536;

class Checker {
 public:
  Checker(const Tree& tree, const ByteSource& bytes, std::endian order, const Context& context)
      : tree_(tree), bytes_(bytes), order_(order), context_(context), arena_(context.memory) {}

  uint64_t check() {
    for (uint64_t first = 0; first < tree_.nodes; first += kNodesAtOnce) {
      context_.check_cancelled();
      arena_.reset();
      check_nodes({first, first + std::min(tree_.nodes - first, kNodesAtOnce)});
    }
    if (!forward_) follow();
    return leaves_;
  }

 private:
  enum class Way : uint8_t { Unseen, Left /* being followed */, Right, Done };

  template <class T>
  const T* read(Array array, RowRange nodes) {
    const FixedColumn cells = array_of(tree_, array, bytes_, order_, {});
    return reinterpret_cast<const T*>(
        packed_cells(*cells.flat(), nodes, arena_, context_, CellUse::AsPlaces));
  }

  void check_nodes(RowRange nodes) {
    const auto* left = read<uint32_t>(kLeft, nodes);
    const auto* right = read<uint32_t>(kRight, nodes);
    const auto* feature = read<uint8_t>(kFeature, nodes);
    const auto* label = read<uint8_t>(kLabel, nodes);
    for (uint64_t i = 0; i < nodes.rows(); ++i) {
      const uint64_t node = nodes.first + i;
      if (label[i] >= tree_.class_count) broken(node, "a label", label[i], 0, tree_.class_count);
      if (left[i] == 0) {
        ++leaves_;
        continue;
      }
      if (left[i] >= tree_.nodes) broken(node, "a left child", left[i], 1, tree_.nodes);
      if (right[i] == 0 || right[i] >= tree_.nodes) {
        broken(node, "a right child", right[i], 1, tree_.nodes);
      }
      if (feature[i] >= tree_.feature_count) {
        broken(node, "a split feature", feature[i], 0, tree_.feature_count);
      }
      forward_ &= left[i] > node && right[i] > node;
    }
  }

  // If every child follows its parent, no walk returns to a node. Else all paths are followed, each
  // node once, with the path to the current node on a stack.
  void follow() {
    arena_.reset();
    const auto* left = read<uint32_t>(kLeft, {0, tree_.nodes});
    const auto* right = read<uint32_t>(kRight, {0, tree_.nodes});
    auto* ways = arena_.allocate_array<Way>(tree_.nodes);
    std::memset(ways, 0, tree_.nodes);
    auto* stack = arena_.allocate_array<uint32_t>(tree_.nodes);  // no node is on it twice
    uint64_t depth = 1;
    stack[0] = 0;
    while (depth > 0) {
      const uint32_t node = stack[depth - 1];
      Way& way = ways[node];
      if (left[node] == 0 || way == Way::Right) {
        way = Way::Done;
        --depth;
        continue;
      }
      const uint32_t child = way == Way::Unseen ? left[node] : right[node];
      // Checked again, because this is another copy than the one that was checked.
      if (child >= tree_.nodes) broken(node, "a child", child, 1, tree_.nodes);
      way = way == Way::Unseen ? Way::Left : Way::Right;
      if (ways[child] == Way::Unseen) {
        stack[depth++] = child;
      } else if (ways[child] != Way::Done) {
        fail_tree("node ", node, ": expected a child that is not above it, got node ", child);
      }
    }
  }

  [[noreturn]] void broken(uint64_t node, std::string_view what, uint32_t got, uint32_t least,
                           uint32_t end) const {
    if (least >= end) fail_tree("node ", node, ": expected no node with ", what, ", got ", got);
    fail_tree("node ", node, ": expected ", what, " from ", least, " to ", end - 1, ", got ", got);
  }
  template <class... Parts>
  [[noreturn]] void fail_tree(const Parts&... parts) const {
    bytes_.check_lost();
    fail(ErrorKind::Corrupt, bytes_.name(), "tree at byte ", tree_.offset, ": ", parts...);
  }

  const Tree& tree_;
  const ByteSource& bytes_;
  std::endian order_;
  const Context& context_;
  Arena arena_;
  uint64_t leaves_ = 0;
  bool forward_ = true;
};

}  // namespace

FixedColumn array_of(const Tree& tree, Array array, const ByteSource& bytes, std::endian order,
                     const std::string& name) {
  const Scalar& scalar = scalar_of(array, tree.wide);
  FixedCells cells;
  cells.cells = {&bytes, tree.arrays[array], uint64_t{tree.nodes} * scalar.bytes};
  cells.order = order;
  return FixedColumn(scalar.type, tree.nodes, {name, std::string(scalar.id)}, cells);
}

uint64_t check_tree(const Tree& tree, const ByteSource& bytes, std::endian order,
                    const Context& context) {
  return Checker(tree, bytes, order, context).check();
}

}  // namespace heron::inline v0::balsa
