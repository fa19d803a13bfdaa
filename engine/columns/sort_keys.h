// Keys as strings of bytes: that of one row is below another's, byte by byte, where its values are,
// one after the other, in the order of keys: null first, false < true, numbers by value with
// -0.0 before 0.0, texts by bytes, keys by their stored numbers. A NaN is as good as null: what
// has sorted rows stores the one as the other.
//
// Of each value: a byte 0 if it is null, else a byte 1 and
//   bool, numbers, times   its cell, the first byte the highest, changed so that negative ones come
//                          first
//   text                   its bytes, of each 0 a 0 and a 255, and a 0 as its end
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "columns/byte_order.h"
#include "heron/values.h"

namespace heron::inline v0 {

// Whether values of the type have sort keys: not lists, vectors, datetimeoffsets and row ids.
bool has_order(const Type& type);

// Throws Error(Argument) that names `file` if there are not as many columns, or one of the first
// has a type without an order: a list, a vector, a datetimeoffset or a row id.
void check_key_columns(std::string_view file, const Schema& schema, uint64_t key_columns);

// Of the rows of a batch. Its memory is used again for the next.
class SortKeys {
 public:
  // The first columns have passed check_key_columns().
  void assign(const RowBatch& batch, uint64_t key_columns);

  uint64_t rows() const noexcept { return starts_.empty() ? 0 : starts_.size() - 1; }
  // Never empty.
  std::string_view operator[](uint64_t row) const noexcept {
    return {bytes_.data() + starts_[row], starts_[row + 1] - starts_[row]};
  }
  // The first row whose key is not above that of the row before; `before` is that of what comes
  // before the first one, empty: nothing. rows() if there is none.
  uint64_t first_not_ascending(std::string_view before) const noexcept;
  // Of all that it holds.
  uint64_t bytes() const noexcept {
    return bytes_.capacity() + starts_.capacity() * sizeof starts_[0];
  }

 private:
  std::vector<uint64_t> starts_;  // of each row's key, and the end of the last
  std::vector<char> bytes_;
};

// How many first bytes of both are the same.
inline uint64_t shared_bytes(std::string_view a, std::string_view b) noexcept {
  const auto shorter = a.begin() + static_cast<std::ptrdiff_t>(std::min(a.size(), b.size()));
  return static_cast<uint64_t>(std::mismatch(a.begin(), shorter, b.begin()).first - a.begin());
}

// Eight bytes of a key from `first` on, no more than it has, as a number, the first the highest: of
// keys that are the same before, the order of the numbers is theirs, unless they are equal.
inline uint64_t key_prefix(std::string_view key, uint64_t first) noexcept {
  uint64_t prefix = 0;
  std::memcpy(&prefix, key.data() + first, std::min(key.size() - first, sizeof prefix));
  return std::endian::native == std::endian::little ? byte_reversed(prefix) : prefix;
}

// A row's key for people: (id = 5, name = "b").
std::string key_text(const Schema& schema, const RowBatch& batch, uint64_t key_columns,
                     uint64_t row);

}  // namespace heron::inline v0
