// The columns that a condition names, and what their values are.
#pragma once

#include <map>

#include "expression/syntax.h"
#include "heron/dataset.h"

namespace heron::inline v0 {

// What a condition may ask of a column of a table. Remembers which were asked for.
class NamedColumns {
 public:
  NamedColumns(const Table& table, const SourceText& source) : table_(table), source_(source) {}

  // Nothing if no column has that name.
  std::optional<uint64_t> find(std::string_view name) const { return table_.find_column(name); }
  // Throws Error(Argument) that shows the name if no column has it, and why the column cannot be
  // read if it cannot.
  uint64_t resolve(const Syntax& name);
  // Of one that was resolved: of keys what they stand for, if for anything.
  const Type& type(uint64_t column) const { return types_.at(column); }
  // `"price" (float64)`.
  std::string described(uint64_t column) const;
  // Ascending.
  std::vector<uint64_t> resolved() const;

 private:
  const Table& table_;
  const SourceText& source_;
  std::map<uint64_t, Type> types_;
};

}  // namespace heron::inline v0
