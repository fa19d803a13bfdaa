// Rows by key, in tables whose rows are sorted by it.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "heron/context.h"
#include "heron/export.h"
#include "heron/table.h"
#include "heron/values.h"

namespace heron::inline v0 {

// Finds rows by key, by binary search, for many keys at once. Rows ascend by `columns` in key
// order: false < true, numbers by value (-0.0 equals 0.0), texts by bytes, keys by their stored
// numbers. Nulls come first or last in a column, and so do NaNs beside its other values. `keys`
// holds columns.size() scalars per key, one key after the other. Returns a row number per key: that
// of the first equal row, or kNoRow.
//
// It is not known beforehand whether rows ascend, but every row returned was compared with its key,
// and the rows that the search reads are compared with each other: the first and the last one,
// those of the search, and the neighbours of the answer. If they do not ascend, it throws
// Error(Argument) that names two rows and their values. In rows that do not ascend, an existing key
// can be missed only if none of these comparisons shows it. Throws Error(Argument) for a scalar
// that the column's type cannot hold. Cost: a row for each halving of the table, and a few more per
// call.
inline constexpr uint64_t kNoRow = UINT64_MAX;
HERON_EXPORT std::vector<uint64_t> find(const Projection& columns, std::span<const Scalar> keys,
                                        const Context& context = {});
inline std::vector<uint64_t> find(const Projection& columns, std::initializer_list<Scalar> keys,
                                  const Context& context = {}) {
  return find(columns, std::span(keys.begin(), keys.size()), context);
}
// Finds keys by one integer column, without a Scalar per key.
HERON_EXPORT std::vector<uint64_t> find(const Projection& column, std::span<const int64_t> keys,
                                        const Context& context = {});

// Returns every row equal to the key: neighbours, if rows ascend by `columns`; each is compared
// with the key. An empty range begins where the key would be. Costs and throws as find(), and reads
// the rows it returns.
HERON_EXPORT RowRange find_range(const Projection& columns, std::span<const Scalar> key,
                                 const Context& context = {});
inline RowRange find_range(const Projection& columns, std::initializer_list<Scalar> key,
                           const Context& context = {}) {
  return find_range(columns, std::span(key.begin(), key.size()), context);
}

}  // namespace heron::inline v0
