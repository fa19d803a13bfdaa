// Assigns a schema's columns to the parts of a file: targets, queries, features.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heron/writer.h"

namespace heron::inline v0::jforests {

struct FeatureRole {
  uint64_t column = 0;
  // The stored name, a byte per character. Empty for a feature without a name of its own, which the
  // schema names f1, f2 ... by its index among the features.
  std::string name;
  // The range from the schema's metadata "min" and "max".
  std::optional<double> min, max;
};

struct Roles {
  uint64_t target = 0;
  std::optional<uint64_t> query;
  std::vector<FeatureRole> features;
};

// Returns the names of the label and group columns, which may be absent.
std::string_view label_name(const WriteOptions& options);
std::string_view group_name(const WriteOptions& options);

// Throws an Error that names `path`: Unsupported (no target, a column of an unsupported type),
// Argument (a column named in options is absent or named twice; a range that is not a number).
Roles assign_roles(const std::string& path, const Schema& schema, const WriteOptions& options);

}  // namespace heron::inline v0::jforests
