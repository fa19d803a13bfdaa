// Decides rows by zone maps before any is read.
#include "filter/filter.h"
#include "filter/filter_plan.h"
#include "table/internals.h"

namespace heron::inline v0 {
namespace {

PruneResult decided_by_zones(const FilterFragment::Leaf& leaf, RowRange rows) {
  if (leaf.zones->size() == 0) return PruneResult::Some;
  const uint64_t zone_rows = leaf.zones->zone_rows();
  std::optional<PruneResult> all;
  for (uint64_t zone = rows.first / zone_rows; zone * zone_rows < rows.last; ++zone) {
    const Zone* known = leaf.zones->find(zone);
    if (known == nullptr) return PruneResult::Some;
    const PruneResult one = leaf.predicate->prune(*known, leaf.zones->rows_of(zone).rows());
    if (all.value_or(one) != one) return PruneResult::Some;
    all = one;
  }
  return all.value_or(PruneResult::Some);
}

PruneResult opposite(PruneResult result) {
  if (result == PruneResult::Some) return result;
  return result == PruneResult::All ? PruneResult::None : PruneResult::All;
}

}  // namespace

PruneResult Filter::decide(const FilterNode& node, const Morsel& morsel,
                           const Context& context) const {
  if (const auto* always = std::get_if<Always>(node.predicate)) {
    return always->is_true ? PruneResult::All : PruneResult::None;
  }
  const bool all_of = std::holds_alternative<AllOf>(*node.predicate);
  if (all_of || std::holds_alternative<AnyOf>(*node.predicate)) {
    const PruneResult neutral = all_of ? PruneResult::All : PruneResult::None;
    PruneResult result = neutral;
    for (const FilterNode& part : node.parts) {
      const PruneResult one = decide(part, morsel, context);
      if (one == opposite(neutral)) return one;
      if (one == PruneResult::Some) result = one;
    }
    return result;
  }
  if (std::holds_alternative<NoneOf>(*node.predicate)) {
    return opposite(decide(node.parts.front(), morsel, context));
  }
  if (!node.is_leaf) return PruneResult::Some;
  return decided_by_zones(fragments_[morsel.fragment]->leaves(context)[node.leaf], morsel.rows);
}

PruneResult Filter::decide(const Morsel& morsel, const Context& context) const {
  return decide(*root_, morsel, context);
}

}  // namespace heron::inline v0
