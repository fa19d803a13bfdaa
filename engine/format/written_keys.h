// The values of keys as a writer receives them: a schema does not have them, but every batch does.
#pragma once

#include <string>

#include "heron/values.h"

namespace heron::inline v0 {

// Returns whether a key has values to count, all of which its stored type can number.
inline bool is_whole_key(const Type& key) noexcept {
  return key.size() != 0 && key.size() <= UINT64_MAX >> (64 - 8 * key.width());
}

// For formats that store the values of a column's keys once. One thread at a time.
class WrittenKeys {
 public:
  // Keeps the first batch, and returns true for it. Throws Error(Argument), which names the column,
  // for a later batch whose keys have other values. Batches have rows.
  bool add(const Schema& schema, const RowBatch& batch, const std::string& path);

  // Returns the values of the keys in a column, at any depth; null: it has no keys, they have no
  // values, or there was no batch. Valid as long as this.
  const Values* of(uint64_t column) const;

 private:
  bool has_first_ = false;
  RowBatch first_;
};

}  // namespace heron::inline v0
