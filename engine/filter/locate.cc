// Locates what a filter reads of a morsel, for readahead.
#include <algorithm>

#include "columns/prefetch.h"
#include "filter/filter.h"
#include "filter/filter_plan.h"
#include "table/internals.h"

namespace heron::inline v0 {

void Filter::locate(const Morsel& morsel, unsigned round, Prefetch& bytes,
                    const Context& context) const {
  FilterFragment& fragment = *fragments_[morsel.fragment];
  const std::vector<FilterFragment::Leaf>& leaves = fragment.leaves(context);
  const FilterNode* node = root_.get();
  while (!node->parts.empty()) node = &node->parts.front();
  if (!node->is_leaf) return;
  const FilterFragment::Leaf& leaf = leaves[node->leaf];
  const uint64_t zones = leaf.zones->size();
  const uint64_t zone_rows = zones == 0 ? fragment.table().rows() : leaf.zones->zone_rows();
  for (RowRange rows = morsel.rows; rows.first < morsel.rows.last; rows.first = rows.last) {
    const uint64_t zone = rows.first / zone_rows;
    rows.last = std::min(rows.first + (zone_rows - rows.first % zone_rows), morsel.rows.last);
    const Zone* known = zones == 0 ? nullptr : leaf.zones->find(zone);
    const bool decided =
        known != nullptr &&
        leaf.predicate->prune(*known, leaf.zones->rows_of(zone).rows()) != PruneResult::Some;
    if (!decided) leaf.column->locate({{}, rows}, round, bytes, context);
  }
}

}  // namespace heron::inline v0
