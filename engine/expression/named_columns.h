// The columns that a predicate names, and their types.
#pragma once

#include <map>

#include "expression/syntax.h"
#include "heron/table.h"

namespace heron::inline v0 {

// Resolves column names of a table and remembers which were used.
class NamedColumns {
 public:
  NamedColumns(const Table& table, const SourceText& source) : table_(table), source_(source) {}

  // Returns nullopt if no column has that name.
  std::optional<uint64_t> find(std::string_view name) const { return table_.find_column(name); }
  // Throws Error(Argument) that shows the name if no column has it, and the column's own error if
  // it cannot be read.
  uint64_t resolve(const Syntax& name);
  // Returns the type of a resolved column; for keys, the type of their values, if any.
  const Type& type(uint64_t column) const { return types_.at(column); }
  // Returns the values of a resolved column's keys if these are texts in an order of their own, else
  // null.
  const Values* texts_in_own_order(uint64_t column) const;
  // The column for error texts: `"price" (float64)`.
  std::string described(uint64_t column) const;
  // The resolved columns, ascending.
  std::vector<uint64_t> resolved() const;

 private:
  const Table& table_;
  const SourceText& source_;
  std::map<uint64_t, Type> types_;
};

}  // namespace heron::inline v0
