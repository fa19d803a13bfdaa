// What a schema's columns become in a file: one the targets, one the queries, the others features.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heron/writer.h"

namespace heron::inline v0::jforests {

struct FeatureRole {
  uint64_t column = 0;
  // As the file will hold it: a byte a character. Empty for a feature without a name of its own,
  // which the schema calls f1, f2 ... by its place among the features.
  std::string name;
  // The range that the schema's metadata "min" and "max" give.
  std::optional<double> min, max;
};

struct Roles {
  uint64_t target = 0;
  std::optional<uint64_t> query;
  std::vector<FeatureRole> features;
};

// The columns that are these, if they are there.
std::string_view label_name(const WriteOptions& options);
std::string_view group_name(const WriteOptions& options);

// Throws Error that names `path`: Unsupported (no target, a column of a type that the file cannot
// hold), Argument (a column that options name is not there, or is to be both; a range that is no
// number).
Roles assign_roles(const std::string& path, const Schema& schema, const WriteOptions& options);

}  // namespace heron::inline v0::jforests
