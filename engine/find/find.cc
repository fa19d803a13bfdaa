#include <algorithm>

#include "base/fail.h"
#include "exec/whole_read.h"
#include "find/find_integers.h"
#include "find/key_search.h"
#include "rows/batch.h"
#include "table/internals.h"
#include "values/cells.h"

namespace heron::inline v0 {
namespace {

// Returns whether the scalar can be a value of the column.
bool fits(const Type& type, const Scalar& scalar) {
  if (std::holds_alternative<std::monostate>(scalar)) return true;
  const bool is_integer =
      std::holds_alternative<int64_t>(scalar) || std::holds_alternative<uint64_t>(scalar);
  if (type.has_bytes()) return std::holds_alternative<std::string>(scalar);
  if (type.is(Type::Bool)) return std::holds_alternative<bool>(scalar);
  if (type.is(Type::Decimal)) return std::holds_alternative<WideInteger>(scalar);
  if (type.is_float()) return is_integer || std::holds_alternative<double>(scalar);
  return is_integer && has_number_cells(type);
}

void check_key(const Projection& columns, std::span<const Scalar> key) {
  for (uint64_t c = 0; c < columns.size(); ++c) {
    const Column& column = *internals(columns).columns()[c];
    if (!fits(column.type(), key[c])) {
      fail(ErrorKind::Argument, bytes_of(columns).name(), "column \"", column.name(), "\" of type ",
           column.type().name(), " cannot hold that key");
    }
  }
}

}  // namespace

std::vector<uint64_t> find(const Projection& columns, std::span<const Scalar> keys,
                           const Context& context) {
  const ByteSource& bytes = bytes_of(columns);
  if (columns.size() == 0 || keys.size() % columns.size() != 0) {
    fail(ErrorKind::Argument, bytes.name(), "expected ", columns.size(), " values a key, got ",
         keys.size(), " in all");
  }
  std::vector<uint64_t> found;
  found.reserve(keys.size() / columns.size());
  unless_changed(bytes, [&] {
    KeySearch search(columns, context);
    for (; !keys.empty(); keys = keys.subspan(columns.size())) {
      context.check_cancelled();
      const auto key = keys.first(columns.size());
      check_key(columns, key);
      const RowRange rows = search.find(key);
      found.push_back(rows.rows() != 0 ? rows.first : kNoRow);
    }
    bytes.check_unchanged();
  });
  return found;
}

std::vector<uint64_t> find(const Projection& column, std::span<const int64_t> keys,
                           const Context& context) {
  const ByteSource& bytes = bytes_of(column);
  if (column.size() != 1) {
    fail(ErrorKind::Argument, bytes.name(), "expected one column to search, got ", column.size());
  }
  const auto read = [&] { return find_integers(*internals(column).columns()[0], keys, context); };
  if (auto found = unless_changed(bytes, read)) {
    bytes.check_unchanged();
    return *std::move(found);
  }
  const std::vector<Scalar> scalars(keys.begin(), keys.end());
  return find(column, std::span(scalars), context);
}

RowRange find_range(const Projection& columns, std::span<const Scalar> key,
                    const Context& context) {
  const ByteSource& bytes = bytes_of(columns);
  if (columns.size() == 0 || key.size() != columns.size()) {
    fail(ErrorKind::Argument, bytes.name(), "expected ", columns.size(), " values a key, got ",
         key.size());
  }
  check_key(columns, key);
  return unless_changed(bytes, [&] {
    KeySearch search(columns, context);
    const RowRange rows = search.find(key);
    check_stored(*columns.table(), columns.indices(), rows.rows());
    search.check_equal(rows);
    bytes.check_unchanged();
    return rows;
  });
}

}  // namespace heron::inline v0
