// Converts columns of features to the keys of points.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/arena.h"
#include "forest/packed_forest.h"
#include "heron/schema.h"
#include "heron/values.h"

namespace heron::inline v0 {

// Throws Error(Argument) unless a column of that type can be a feature: bools, integers, floats.
void check_feature_type(const std::string& source, const Field& field);

// The names of the columns, for errors, and whether their nulls are NaN.
struct FeatureColumns {
  const std::string& source;
  const Schema& schema;             // a field per feature
  bool nulls_as_nan = false;
};

// Makes the keys of all rows of the columns, in groups, in the arena. The first of them is row
// `first_row` of the source.
// Throws Error(Argument), naming source, column and row, for a null unless nulls are NaN, and for
// an integer that no double is equal to.
PointKeys keys_of(const PackedForest& forest, const FeatureColumns& columns,
                  std::span<const Values> values, uint64_t first_row, Arena& arena);

}  // namespace heron::inline v0
