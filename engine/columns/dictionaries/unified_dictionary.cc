#include "columns/dictionaries/unified_dictionary.h"

#include <cstring>

#include "base/fail.h"
#include "values/assemble.h"

namespace heron::inline v0 {
namespace {

bool same_value(const Values& a, const Values& b, uint64_t row) {
  if (a.is_null(row) || b.is_null(row)) return a.is_null(row) == b.is_null(row);
  if (a.type.is(Type::Bool)) return a.get_bool(row) == b.get_bool(row);
  if (a.type.has_bytes()) return a.text(row) == b.text(row);
  const uint64_t width = a.type.width();
  return std::memcmp(a.data.data + row * width, b.data.data + row * width, width) == 0;
}

}  // namespace

bool holds_keys(const Type& type) {
  return type.is(Type::Key) || (type.is_nested() && holds_keys(type.item()));
}

const Values* key_values_in(const Values& values) {
  const Values* keys = &values;
  while (keys->type.is_nested()) keys = &keys->children.front();
  return keys->children.empty() ? nullptr : &keys->children.front();
}

bool same_key_values(const Values& a, const Values& b) {
  if (a.type != b.type || a.rows != b.rows) return false;
  for (uint64_t row = 0; row < a.rows; ++row) {
    if (!same_value(a, b, row)) return false;
  }
  return true;
}

void UnifiedDictionary::check(const Values& values, const std::string& file,
                              const std::string& column) {
  const Values* behind = key_values_in(values);
  const std::scoped_lock lock(mutex_);
  if (file_.empty()) {
    if (behind != nullptr) values_ = copy(*behind, arena_);
    file_ = file;
    return;
  }
  const bool both = behind != nullptr && values_.has_value();
  if (both ? same_key_values(*behind, *values_) : behind == nullptr && !values_.has_value()) return;
  fail(ErrorKind::Argument, file, "column \"", column,
       "\": its keys do not have the same values as those in ", file_);
}

Values UnifiedKeyColumn::checked(Values values) const {
  if (values.rows != 0 && !checked_.load(std::memory_order_acquire)) {
    agreed_->check(values, file_, name());
    checked_.store(true, std::memory_order_release);
  }
  return values;
}

}  // namespace heron::inline v0
