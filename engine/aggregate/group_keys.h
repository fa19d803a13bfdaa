// The keys of rows as numbers or bytes: equal where all values of the key columns are.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "aggregate/group_index.h"
#include "base/arena.h"
#include "heron/values.h"

namespace heron::inline v0 {

// The keys of some rows: codes if the columns have few values (key_codes.h), numbers for a single
// column of numbers, otherwise bytes.
class GroupKeys {
 public:
  // For these rows of the columns. Columns, rows and arena must outlive this.
  GroupKeys(std::span<const Values> columns, std::span<const uint32_t> rows, Arena& arena);

  explicit GroupKeys(std::span<const uint32_t> codes) : size_(codes.size()), codes_(codes.data()) {}

  bool are_codes() const noexcept { return codes_ != nullptr; }
  bool are_numbers() const noexcept { return numbers_ != nullptr; }

  uint64_t size() const noexcept { return size_; }
  // The lane of a key, one of 2^lane_bits; equal keys have the same.
  uint64_t lane(uint64_t i, unsigned lane_bits) const noexcept {
    if (lane_bits == 0) return 0;
    if (is_null(i)) return 0;
    const uint64_t hash =
        hashes_ != nullptr ? hashes_[i] : mixed(are_codes() ? codes_[i] : numbers_[i], kLaneFactor);
    return hash >> (64 - lane_bits);
  }

  // The group's number in the index of its lane.
  uint32_t find_or_add(uint64_t i, CodeIndex& index) const { return index.find_or_add(codes_[i]); }
  uint32_t find_or_add(uint64_t i, NumberIndex& index) const {
    return is_null(i) ? index.find_or_add_null() : index.find_or_add(numbers_[i]);
  }
  uint32_t find_or_add(uint64_t i, BytesIndex& index) const {
    return is_null(i) ? index.find_or_add_null() : index.find_or_add(bytes_[i], hashes_[i]);
  }
  void prefetch(uint64_t, const CodeIndex&) const {}  // it stays in the cache
  void prefetch(uint64_t i, const NumberIndex& index) const { index.prefetch(numbers_[i]); }
  void prefetch(uint64_t i, const BytesIndex& index) const { index.prefetch(hashes_[i]); }

 private:
  static constexpr uint64_t kLaneFactor = 0xD6E8FEB86659FD93u;

  void assign_numbers(const Values& column, std::span<const uint32_t> rows, Arena& arena);
  void assign_texts(const Values& column, std::span<const uint32_t> rows, Arena& arena);
  void assign_rows(std::span<const Values> columns, std::span<const uint32_t> rows, Arena& arena);
  // Whether the value of the only key column is null.
  bool is_null(uint64_t i) const noexcept { return nulls_ != nullptr && nulls_[i] != 0; }

  uint64_t size_;
  const uint32_t* codes_ = nullptr;
  const uint64_t* numbers_ = nullptr;
  const uint64_t* hashes_ = nullptr;  // of bytes
  const std::string_view* bytes_ = nullptr;
  const uint8_t* nulls_ = nullptr;  // null: no key is null
};

}  // namespace heron::inline v0
