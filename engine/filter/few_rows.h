// Tests the few rows of a zone that other tests have left, without reading the zone.
#pragma once

#include <optional>
#include <vector>

#include "filter/filter_plan.h"

namespace heron::inline v0 {

class Readahead;

// The number and bytes of the values that filter_few() read.
struct FewRows {
  uint64_t values = 0;
  uint64_t bytes = 0;
};

// Clears the bits of those `rows` of a zone that do not pass; bit i belongs to row `first` + i of
// the table, and bits of other rows stay. Returns nullopt, and clears no bit, if the zone is to be
// read: many of its rows are left (their pages are prefetched then) or the column stores codes or
// blocks. The rows are part of an item of `ahead`, unless it is null.
std::optional<FewRows> filter_few(const FilterFragment::Leaf& leaf, const Table& table,
                                  RowRange rows, uint64_t first, std::vector<uint64_t>& bits,
                                  Arena& arena, const Context& context, const Readahead* ahead);

}  // namespace heron::inline v0
