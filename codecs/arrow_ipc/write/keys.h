// The values of keys, which a file stores once, as ordered dictionaries. A schema says only that a
// column has keys; the first batch has their values.
#pragma once

#include <string>
#include <vector>

#include "base/arena.h"
#include "format/written_keys.h"
#include "heron/values.h"

namespace heron::inline v0::arrow_ipc {

// The dictionary of a column.
struct KeyDictionary {
  uint64_t column = 0;   // index in the schema; the number of the dictionary in the file, too
  Values values;         // of the keys 1, 2, .., as the file stores them
  bool changes = false;  // some of the values are texts that are not UTF-8
};

// One thread at a time.
class KeyDictionaries {
 public:
  // Adds the values of the keys in a batch with rows, and returns true for the first one. Throws
  // Error: Argument (a later batch has other values), Unsupported (values of a type that Arrow
  // files do not store), Limit (times that nanoseconds do not hold).
  bool add(const Schema& schema, const RowBatch& batch, const std::string& path);

  const std::vector<KeyDictionary>& all() const noexcept { return all_; }
  // Returns the dictionary of the keys in a column; null: it has no keys, they have no values, or
  // there was no batch.
  const KeyDictionary* of(uint64_t column) const noexcept;

 private:
  void add_column(uint64_t column, const std::string& name, const Values& values,
                  const std::string& path);

  WrittenKeys written_;
  Arena arena_;                     // of values that are converted
  std::vector<KeyDictionary> all_;  // by column, ascending
};

// Returns the type of codes of keys: that of their numbers, but for uint64, since the specification
// advises against codes of it.
Type code_type_of(const Type& key);

}  // namespace heron::inline v0::arrow_ipc
