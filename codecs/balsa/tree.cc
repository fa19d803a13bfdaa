#include "balsa/tree.h"

#include <algorithm>

#include "balsa/tree_rules.h"
#include "base/fail.h"
#include "columns/packed_cells.h"

namespace heron::inline v0::balsa {
namespace {

constexpr uint64_t kNodesAtOnce = 65536;

class Checker {
 public:
  Checker(const Tree& tree, const ByteSource& bytes, std::endian order, const Context& context)
      : tree_(tree),
        bytes_(bytes),
        order_(order),
        context_(context),
        arena_(context.memory),
        rules_(tree.nodes, tree.class_count, tree.feature_count) {}

  uint64_t check() {
    for (uint64_t first = 0; first < tree_.nodes; first += kNodesAtOnce) {
      context_.check_cancelled();
      arena_.reset();
      const RowRange nodes{first, first + std::min(tree_.nodes - first, kNodesAtOnce)};
      require(rules_.check({first, nodes.rows(), read<uint32_t>(kLeft, nodes),
                            read<uint32_t>(kRight, nodes), read<uint8_t>(kFeature, nodes),
                            read<uint8_t>(kLabel, nodes)}));
    }
    if (rules_.needs_paths()) {
      arena_.reset();
      const RowRange all{0, tree_.nodes};
      const auto* left = read<uint32_t>(kLeft, all);
      const auto* right = read<uint32_t>(kRight, all);
      require(rules_.check_paths(left, right, arena_));
    }
    return rules_.leaves();
  }

 private:
  template <class T>
  const T* read(Array array, RowRange nodes) {
    const FixedColumn cells = array_of(tree_, array, bytes_, order_, {});
    return reinterpret_cast<const T*>(
        packed_cells(*cells.flat(), nodes, arena_, context_, CellUse::AsIndices));
  }

  void require(const std::string& fault) const {
    if (fault.empty()) return;
    bytes_.check_lost();
    fail(ErrorKind::Corrupt, bytes_.name(), "tree at byte ", tree_.offset, ": ", fault);
  }

  const Tree& tree_;
  const ByteSource& bytes_;
  std::endian order_;
  const Context& context_;
  Arena arena_;
  TreeRules rules_;
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
