#include "format/written_keys.h"

#include "base/fail.h"
#include "columns/dictionaries/unified_dictionary.h"

namespace heron::inline v0 {
namespace {

const Values* values_in(const RowBatch& batch, uint64_t column) {
  const Values& values = batch.columns[column];
  return holds_keys(values.type) ? key_values_in(values) : nullptr;
}

// Returns whether both are the same memory. The first batch keeps its memory, so that nothing else
// can be at the same address.
bool are_shared(const Values& a, const Values& b) noexcept {
  return a.rows == b.rows && a.type == b.type && a.data.data == b.data.data &&
         a.offsets.data == b.offsets.data;
}

}  // namespace

bool WrittenKeys::add(const Schema& schema, const RowBatch& batch, const std::string& path) {
  if (!has_first_) {
    first_ = batch;
    return has_first_ = true;
  }
  for (uint64_t column = 0; column < schema.size(); ++column) {
    const Values* values = values_in(batch, column);
    const Values* first = of(column);
    if (values == first) continue;  // both null
    const bool both = values != nullptr && first != nullptr;
    if (both && (are_shared(*values, *first) || same_key_values(*values, *first))) continue;
    fail(ErrorKind::Argument, path, "column \"", schema[column].name,
         "\": the keys of a batch do not have the same values as those of the first batch");
  }
  return false;
}

const Values* WrittenKeys::of(uint64_t column) const {
  return has_first_ ? values_in(first_, column) : nullptr;
}

}  // namespace heron::inline v0
