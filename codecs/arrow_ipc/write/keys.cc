#include "arrow_ipc/write/keys.h"

#include <algorithm>

#include "arrow_ipc/write/values.h"
#include "base/fail.h"
#include "values/value_words.h"

namespace heron::inline v0::arrow_ipc {
namespace {

// Returns whether values of keys can be those of a dictionary, once times are in nanoseconds.
bool is_stored(const Type& type) {
  return type.is(Type::Bool) || type.is_integer() || type.is_float() || type.has_bytes() ||
         type.is(Type::Decimal) || type.is(Type::Date32) || type.is(Type::Timestamp) ||
         type.is(Type::Duration) || type.is(Type::Time) || type.is(Type::RowId);
}

}  // namespace

bool KeyDictionaries::add(const Schema& schema, const RowBatch& batch, const std::string& path) {
  if (!written_.add(schema, batch, path)) return false;
  for (uint64_t column = 0; column < schema.size(); ++column) {
    if (const Values* values = written_.of(column)) {
      add_column(column, schema[column].name, *values, path);
    }
  }
  return true;
}

void KeyDictionaries::add_column(uint64_t column, const std::string& name, const Values& values,
                                 const std::string& path) {
  KeyDictionary& added = all_.emplace_back();
  added.column = column;
  added.values = values;
  const bool has_ticks = in_nanoseconds(values.type) != values.type;
  if (has_ticks && !values.type.is(Type::DateTimeOffset)) {
    if (const auto fault = in_nanoseconds(values, arena_, added.values)) {
      fail(ErrorKind::Limit, path, "column \"", name, "\": the value of key ", *fault + 1,
           ": expected a time that nanoseconds in 64 bits hold, 1677 to 2262, got ",
           value_words(values, *fault));
    }
  }
  if (!is_stored(added.values.type)) {
    fail(ErrorKind::Unsupported, path, "column \"", name,
         "\": Arrow files do not store keys with values of type ", values.type.name());
  }
  added.changes = changed_rows(added.values, {0, added.values.rows}) != 0;
  if (added.changes) added.values = with_utf8(added.values, arena_);
}

const KeyDictionary* KeyDictionaries::of(uint64_t column) const noexcept {
  const auto at = std::lower_bound(
      all_.begin(), all_.end(), column,
      [](const KeyDictionary& one, uint64_t number) { return one.column < number; });
  return at != all_.end() && at->column == column ? &*at : nullptr;
}

Type code_type_of(const Type& key) {
  return key.item().is(Type::UInt64) ? Type(Type::Int64) : key.item();
}

}  // namespace heron::inline v0::arrow_ipc
