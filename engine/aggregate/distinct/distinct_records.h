// Number records and text records of a DistinctLog, and sets of the records of one partition.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "aggregate/distinct/distinct_log.h"
#include "aggregate/distinct/distinct_set.h"
#include "base/zeroed_array.h"

namespace heron::inline v0 {

// A record of a number is its eight bytes. One thread at a time.
class NumberRecords {
 public:
  static void add(uint64_t bits, DistinctLog& to) {
    std::memcpy(to.add(sketch_hash(bits) % DistinctLog::kPartitions, sizeof bits), &bits,
                sizeof bits);
  }

  void reserve(uint64_t records) { numbers_.reserve(records); }
  void insert(std::span<const std::byte> records);
  template <class Use>
  void for_each(Use use) const {
    numbers_.for_each(use);
  }
  uint64_t size() const noexcept { return numbers_.size(); }

 private:
  NumberSet numbers_;
};

// A record of a text is its length in eight bytes, then its bytes. One thread at a time.
class TextRecords {
 public:
  static void add(std::string_view text, DistinctLog& to) {
    const uint64_t bytes = text.size();
    std::byte* record = to.add(hash_of(text) % DistinctLog::kPartitions, sizeof bytes + bytes);
    std::memcpy(record, &bytes, sizeof bytes);
    if (bytes != 0) std::memcpy(record + sizeof bytes, text.data(), bytes);
  }

  void reserve(uint64_t records);
  void insert(std::span<const std::byte> records);
  template <class Use>
  void for_each(Use use) const {
    for (uint64_t at = 0; at < records_.size();) {
      const std::string_view text = text_at(records_.data() + at);
      use(text);
      at += sizeof(uint64_t) + text.size();
    }
  }
  uint64_t size() const noexcept { return size_; }

 private:
  // A slot is 0 if it is free; else the offset of a record, plus 1, below a part of its hash.
  static constexpr int kOffsetBits = 40;
  static constexpr uint64_t kOffset = (uint64_t{1} << kOffsetBits) - 1;

  static std::string_view text_at(const std::byte* record) noexcept {
    uint64_t bytes;
    std::memcpy(&bytes, record, sizeof bytes);
    return {reinterpret_cast<const char*>(record + sizeof bytes), bytes};
  }
  // Inserts the text of a record.
  void insert(std::string_view text, uint64_t hash);

  ZeroedArray<uint64_t> slots_;  // a power of two, at most half of them in use
  int shift_ = 64;
  uint64_t size_ = 0;
  ZeroedArray<std::byte> records_;  // one for each text
};

}  // namespace heron::inline v0
