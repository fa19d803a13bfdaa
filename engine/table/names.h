// Column names, repaired: never empty, unique, without control characters. A computed column keeps
// a name that another column has; a search for the name finds only the other column.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "format/table_source.h"

namespace heron::inline v0 {

class Names {
 public:
  // Throws Error(Limit) if there are 2^32 columns, or if the stored names together are longer than
  // the file can hold unless columns share names; a null file skips the latter check.
  explicit Names(const TableSource& source, const ByteSource* file = nullptr);

  const std::string& operator[](uint64_t column) const { return names_[column]; }
  // Returns the column of that name, or the number of columns if there is none.
  uint64_t find(std::string_view name) const;

 private:
  struct Slot {
    static constexpr uint32_t kEmpty = UINT32_MAX;
    uint32_t hash = 0;  // lower half of the name's hash
    uint32_t column = kEmpty;

    bool is_empty() const noexcept { return column == kEmpty; }
  };

  // Returns the index of the slot of that name, or of the empty slot for it.
  uint64_t slot_of(std::string_view name, uint64_t hash) const;

  std::vector<std::string> names_;
  // A hash table without nodes, since there may be a million names.
  std::vector<Slot> slots_;
};

// Returns the error text for an unknown name, with the most similar name.
std::string no_column_text(const Table& table, std::string_view name);
// Returns "; did you mean "price"?" for a name that the schema does not have, or an empty text.
std::string similar_column(const Schema& schema, std::string_view name);

}  // namespace heron::inline v0
