#include "balsa/forest.h"

#include "balsa/tree.h"

namespace heron::inline v0::balsa {

Forest::Forest(const ByteSource& bytes, std::endian order, Ensemble ensemble)
    : bytes_(bytes), order_(order), ensemble_(std::move(ensemble)) {
  for (const Tree& tree : trees()) {
    nodes_ += tree.nodes;
    is_damaged_ |= tree.damage != nullptr;
  }
  runs_ = std::make_shared<const Runs>(trees().size(), nodes_, [this] {
    std::vector<uint64_t> starts{0};
    starts.reserve(trees().size() + 1);
    for (const Tree& tree : trees()) starts.push_back(starts.back() + tree.nodes);
    return starts;
  });
}

const Tree& Forest::whole(uint64_t tree) const {
  const Tree& got = trees()[tree];
  if (got.damage != nullptr) throw *got.damage;
  return got;
}

uint64_t Forest::leaves(uint64_t tree, const Context& context) const {
  std::call_once(checks_once_, [this] { checks_ = std::vector<Checked>(trees().size()); });
  Checked& checked = checks_[tree];
  std::call_once(checked.once, [&] {
    try {
      checked.leaves = check_tree(whole(tree), bytes_, order_, context);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::Corrupt) throw;  // says nothing of the tree: ask again
      checked.error = std::make_unique<const Error>(error);
    }
  });
  if (checked.error != nullptr) throw *checked.error;
  return checked.leaves;
}

}  // namespace heron::inline v0::balsa
