#include "expression/named_columns.h"

#include "base/fail.h"
#include "columns/dictionaries/key_column.h"
#include "table/internals.h"
#include "table/names.h"

namespace heron::inline v0 {

uint64_t NamedColumns::resolve(const Syntax& name) {
  const auto column = table_.find_column(name.text);
  if (!column) {
    source_.fail_at(ErrorKind::Argument, name.first, no_column_text(table_, name.text));
  }
  if (types_.contains(*column)) return *column;
  const Column& named = internals(table_).column(*column);
  named.check_readable();
  const KeyValues* values = named.key_values();
  types_.emplace(*column, values == nullptr ? named.type() : values->type({}));
  return *column;
}

const Values* NamedColumns::texts_in_own_order(uint64_t column) const {
  const KeyValues* keys = internals(table_).column(column).key_values();
  const bool has_texts = keys != nullptr && keys->are_ordered() && type(column).is_text();
  return has_texts ? &keys->values({}) : nullptr;
}

std::string NamedColumns::described(uint64_t column) const {
  return concat('"', table_.column_name(column), "\" (", type(column).name(), ')');
}

std::vector<uint64_t> NamedColumns::resolved() const {
  std::vector<uint64_t> columns;
  for (const auto& [column, type] : types_) columns.push_back(column);
  return columns;
}

}  // namespace heron::inline v0
