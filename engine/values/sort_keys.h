// Keys as byte strings that sort, byte by byte, as the rows' values do, column after column, in key
// order: null first, false < true, numbers by value (-0.0 is 0.0), texts by bytes, keys by their
// stored numbers. A NaN sorts as null, because formats that store sorted rows store both alike.
//
// Each value is a byte 0 if it is null, else a byte 1 and
//   bool, numbers, times   its cell, big-endian, transformed so that negative ones come first
//   text, binary           its bytes, but 0 as 1 and 1, 1 as 1 and 2, and a 0 at the end
// all of them inverted where the order descends. No key is the beginning of another.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heron/values.h"
#include "values/byte_order.h"

namespace heron::inline v0 {

// Returns whether values of the type have sort keys: not lists, vectors, datetimeoffsets and row
// ids.
bool has_order(const Type& type);

// Throws Error(Argument) that names `file` if there are fewer columns, or one of the key columns
// has a type without an order: a list, a vector, a datetimeoffset or a row id.
void check_key_columns(std::string_view file, const Schema& schema, uint64_t key_columns);

// The keys of the rows of some columns. Reuses its memory for the next ones.
class SortKeys {
 public:
  // Makes the keys of columns of `rows` rows whose types have an order. Their bytes may change
  // meanwhile, as those of a mapped file do when it is written to: keys are then made of the bytes
  // that were read, and are no longer than their columns allow. `descending` has a flag for each
  // column; empty: none.
  void assign(std::span<const Values> columns, uint64_t rows,
              std::span<const uint8_t> descending = {});
  // Makes the keys of the first columns of a batch, which have passed check_key_columns().
  void assign(const RowBatch& batch, uint64_t key_columns) {
    assign(std::span(batch.columns).first(key_columns), batch.rows);
  }

  uint64_t rows() const noexcept { return starts_.empty() ? 0 : starts_.size() - 1; }
  // A key is never empty.
  std::string_view operator[](uint64_t row) const noexcept {
    return {bytes_.data() + starts_[row], starts_[row + 1] - starts_[row]};
  }
  // The first row whose key is not above that of the row before; `before` is the key before the
  // first row, empty: none. rows() if there is no such row.
  uint64_t first_not_ascending(std::string_view before) const noexcept;
  // Bytes of memory that it holds.
  uint64_t bytes() const noexcept {
    return bytes_.capacity() + starts_.capacity() * sizeof starts_[0];
  }

 private:
  std::vector<uint64_t> starts_;  // start of each row's key, and the end of the last
  std::vector<char> bytes_;
};

// The value of the first column of a key: a bool, number, time or text.
Scalar first_value(std::string_view key, const Type& type, bool descending);

// Sets `kept` to each i for which row rows[i] of the first key column may sort before `key` or
// equal to it. Rows whose value equals that of the key are kept only if `equal`.
void find_not_behind(std::string_view key, const Values& column, bool descending, bool equal,
                     std::span<const uint32_t> rows, std::vector<uint32_t>& kept);

// The length of the common prefix.
inline uint64_t shared_bytes(std::string_view a, std::string_view b) noexcept {
  const auto shorter = a.begin() + static_cast<std::ptrdiff_t>(std::min(a.size(), b.size()));
  return static_cast<uint64_t>(std::mismatch(a.begin(), shorter, b.begin()).first - a.begin());
}

// Up to eight bytes of a key from `first` on as a big-endian number: among keys with the same bytes
// before, different numbers order the keys.
inline uint64_t key_prefix(std::string_view key, uint64_t first) noexcept {
  uint64_t prefix = 0;
  std::memcpy(&prefix, key.data() + first, std::min(key.size() - first, sizeof prefix));
  return std::endian::native == std::endian::little ? byte_reversed(prefix) : prefix;
}

// A row's key for error texts: (id = 5, name = "b").
std::string key_text(const Schema& schema, const RowBatch& batch, uint64_t key_columns,
                     uint64_t row);

}  // namespace heron::inline v0
