#include "balsa/forest.h"

#include "balsa/tree.h"
#include "base/fail.h"

namespace heron::inline v0::balsa {

Forest::Forest(const ByteSource& bytes, std::endian order, Ensemble ensemble)
    : bytes_(bytes), order_(order), ensemble_(std::move(ensemble)) {
  for (const Tree& tree : trees()) nodes_ += tree.nodes;
  runs_ = std::make_shared<const Runs>(trees().size(), nodes_, [this] {
    std::vector<uint64_t> starts{0};
    starts.reserve(trees().size() + 1);
    for (const Tree& tree : trees()) starts.push_back(starts.back() + tree.nodes);
    return starts;
  });
}

template <class F>
void Forest::Check::run(F check) {
  once_.run([&] {
    try {
      check();
    } catch (const Error& error) {
      const bool damage =
          error.kind() == ErrorKind::Corrupt || error.kind() == ErrorKind::Unsupported;
      if (!damage) throw;  // not damage of the tree: the next call runs the check again
      error_ = std::make_unique<const Error>(error);
    }
  });
  if (error_ != nullptr) throw *error_;
}

Forest::Checks& Forest::checks(uint64_t tree) const {
  checks_once_.run([this] { checks_ = std::vector<Checks>(trees().size()); });
  return checks_[tree];
}

const Tree& Forest::whole(uint64_t tree, const Context& context) const {
  const Tree& got = trees()[tree];
  if (got.damage != nullptr) throw *got.damage;
  if (!got.walked) {
    checks(tree).headers.run([&] { check_headers(got, bytes_, order_, context); });
  }
  return got;
}

StoredTree Forest::tree(uint64_t tree, const Context& context) const {
  const Tree& got = whole(tree, context);
  const auto check = [&](std::string_view what, unsigned of_tree, unsigned of_forest) {
    if (of_tree == of_forest) return;
    fail(ErrorKind::Corrupt, bytes_.name(), "tree ", tree, " at byte ", got.offset, ": expected ",
         what, ' ', of_forest, ", as its forest has, got ", of_tree);
  };
  check("class_count", got.class_count, class_count());
  check("feature_count", got.feature_count, feature_count());
  return {got.offset,
          got.nodes,
          got.wide,
          got.arrays[kLeft],
          got.arrays[kRight],
          got.arrays[kFeature],
          got.arrays[kValue],
          got.arrays[kLabel]};
}

uint64_t Forest::leaves(uint64_t tree, const Context& context) const {
  Checks& known = checks(tree);
  known.nodes.run(
      [&] { known.leaves = check_tree(whole(tree, context), bytes_, order_, context); });
  return known.leaves;
}

}  // namespace heron::inline v0::balsa
