// A set of texts, in which many are looked up.
#pragma once

#include <bit>
#include <string_view>
#include <vector>

#include "values/text_cells.h"

namespace heron::inline v0 {

// A hash table over the ends of texts, at most a quarter full: most texts that are not in it end at
// an empty slot. Immutable, thread-safe.
class TextTable {
 public:
  // The texts must outlive it, and differ.
  explicit TextTable(const std::vector<std::string_view>& texts);

  bool contains(std::string_view text, const TextEnds& ends) const {
    for (uint64_t at = hash(ends) >> shift_;; at = (at + 1) & (slots_.size() - 1)) {
      const Slot& slot = slots_[at];
      if (slot.text.data() == nullptr) return false;
      if (slot.ends == ends && is_equal_between(slot.text, text)) return true;
    }
  }

 private:
  struct Slot {
    std::string_view text = {};  // null data: an empty slot
    TextEnds ends = {};
  };

  static uint64_t hash(const TextEnds& ends) {
    constexpr uint64_t kOdd = 0x9e3779b97f4a7c15, kOther = 0xd6e8feb86659fd93;
    const uint64_t mixed = (ends.first ^ std::rotl(ends.last * kOther, 32)) + ends.bytes;
    return (mixed ^ (mixed >> 32)) * kOdd;
  }

  std::vector<Slot> slots_;  // the size is a power of two
  unsigned shift_ = 0;
};

}  // namespace heron::inline v0
