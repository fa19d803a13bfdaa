#include "aggregate/keys/determining_keys.h"

#include <algorithm>
#include <vector>

#include "expression/computed_column.h"
#include "table/internals.h"

namespace heron::inline v0 {
namespace {

// Returns whether equal keys of that column have the same bytes, so that expressions of them are
// equal.
bool has_one_form(const Column& column) {
  const Type& type = column.type();
  return !type.is(Type::Float32) && !type.is(Type::Float64) && !type.is(Type::DateTimeOffset) &&
         !type.is(Type::Key);
}

}  // namespace

Projection determining_keys(const Projection& keys) {
  const std::span<const Column* const> columns = internals(keys).columns();
  const auto is_determined = [&](const Column* column) {
    if (dynamic_cast<const ComputedColumn*>(column) == nullptr) return false;
    const std::span<const Column* const> inputs = column->inputs();
    return std::all_of(inputs.begin(), inputs.end(), [&](const Column* input) {
      return has_one_form(*input) &&
             std::find(columns.begin(), columns.end(), input) != columns.end();
    });
  };
  std::vector<uint64_t> left;
  for (uint64_t i = 0; i < columns.size(); ++i) {
    if (!is_determined(columns[i])) left.push_back(keys.indices()[i]);
  }
  if (left.empty()) left.push_back(keys.indices()[0]);
  return Projection(keys.table(), left);
}

}  // namespace heron::inline v0
