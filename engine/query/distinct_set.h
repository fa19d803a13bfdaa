// Which values there are, to count the distinct ones: sets that grow up to a limit, past which they
// only know that there are more. Sets of parts of a column, merged in its order, are the set of the
// whole, down to what is known of one that is not exact.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>
#include <vector>

#include "heron/stats.h"

namespace heron::inline v0 {

// What a number is told from others by: its bits, of floats those of the float64, all NaNs being
// one.
template <class T>
uint64_t distinct_bits(T value) noexcept {
  if constexpr (!std::is_floating_point_v<T>)
    return static_cast<uint64_t>(value);
  else
    return std::bit_cast<uint64_t>(value == value ? double{value}
                                                  : std::numeric_limits<double>::quiet_NaN());
}

// Numbers of 64 bits, up to kDistinctLimit of them. One thread at a time.
class NumberSet {
 public:
  void insert(uint64_t bits) {
    if (bits == 0) {
      has_zero_ = true;
      return;
    }
    if (full_) return;
    if (slots_.empty()) set_slots(kFirstSlots);
    uint64_t at = bits * 0x9E3779B97F4A7C15u >> shift_;
    while (slots_[at] != 0) {
      if (slots_[at] == bits) return;
      at = (at + 1) & (slots_.size() - 1);
    }
    slots_[at] = bits;
    if (++size_ > kDistinctLimit)
      full_ = true;
    else if (size_ * 2 > slots_.size())
      grow();
  }
  void merge(const NumberSet& other);

  uint64_t size() const noexcept { return std::min(size_ + has_zero_, kDistinctLimit); }
  bool is_exact() const noexcept { return size_ + has_zero_ <= kDistinctLimit; }

 private:
  static constexpr uint64_t kFirstSlots = 64;  // a wide table has many sets, most of them small

  void grow() { set_slots(slots_.size() * 2); }
  void set_slots(uint64_t count);

  std::vector<uint64_t> slots_;  // 0: free; none before the first insert
  int shift_ = 64;
  uint64_t size_ = 0;
  bool has_zero_ = false;
  bool full_ = false;
};

// Texts, up to kDistinctLimit or as many as take 64 MiB. One thread at a time.
class TextSet {
 public:
  void insert(std::string_view text);
  void merge(const TextSet& other);

  uint64_t size() const noexcept { return texts_.size(); }
  bool is_exact() const noexcept { return !full_; }

 private:
  struct Text {
    uint64_t start, bytes, hash;
  };
  std::string_view view(const Text& text) const noexcept {
    return std::string_view(characters_.data() + text.start, text.bytes);
  }
  // The slot of that text, or the free one where it belongs.
  uint64_t slot_of(std::string_view text, uint64_t hash) const noexcept;
  void grow();

  std::vector<Text> texts_;  // in the order in which they came
  std::vector<char> characters_;
  static constexpr uint64_t kFirstSlots = 32;
  std::vector<uint32_t> slots_;  // 0: free, else 1 + index in texts_; none before the first insert
  bool full_ = false;
};

}  // namespace heron::inline v0
