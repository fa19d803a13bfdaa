// Keys of few possible values as codes, which find their group in an array.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "aggregate/keys/group_index.h"
#include "exec/selected_rows.h"
#include "rows/charge.h"

namespace heron::inline v0 {

// The codes of key columns that are all bools, integers of 8 or 16 bits, keys of as few values, or
// stored as codes: a code for each combination of values, nulls included. The dictionaries of many
// files are unified. Thread-safe.
class KeyCodes {
 public:
  // Returns nullopt for other columns, for more codes than an array is worth, and if the Context's
  // budget has no memory for them. The table must outlive this.
  static std::optional<KeyCodes> make(const Table& table, std::span<const uint64_t> columns,
                                      const Context& context);

  // All codes are below size().
  uint32_t size() const noexcept { return size_; }
  // Returns whether that key column is stored as codes.
  bool in_dictionary(uint64_t column) const noexcept { return !columns_[column].codes.empty(); }
  // Returns the codes of selected rows, whose first columns are the key columns. The codes live in
  // the arena.
  std::span<const uint32_t> codes_of(const SelectedRows& rows, Arena& arena) const;

 private:
  struct KeyColumnCodes {
    uint32_t size = 0;  // the number of codes; the last one is null
    // For a column stored as codes: the code of each value and, by dictionary, of each stored code,
    // at least of all codes of a byte.
    NumberIndex values;
    std::map<const Dictionary*, std::vector<uint32_t>> codes;
    std::unordered_map<std::string_view, uint32_t> texts;  // instead of `values`
  };
  uint64_t bytes() const;
  static std::optional<KeyColumnCodes> codes_for(const Table& table, uint64_t column,
                                                 const Context& context);
  static std::optional<KeyColumnCodes> codes_for_texts(
      std::span<const Dictionary* const> dictionaries);
  template <class Use>
  static void visit(const KeyColumnCodes& column, const Values& values,
                    const Dictionary* dictionary, Use use);

  uint32_t size_ = 1;
  std::vector<KeyColumnCodes> columns_;
  std::unique_ptr<Charge> charge_;
};

}  // namespace heron::inline v0
