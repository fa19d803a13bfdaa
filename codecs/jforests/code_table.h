// The distinct scaled values of one feature, which become its dictionary, and the code of each
// value.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "jforests/layout.h"
#include "jforests/scaling.h"

namespace heron::inline v0::jforests {

// Call clear(), then add values, seal, and look them up. If there are too many values to store, not
// all are kept.
class CodeTable {
 public:
  CodeTable() : seen_(kLargestScaled + 1), codes_(kLargestScaled + 1) {}

  // Removes all values except 0, which every dictionary has.
  void clear();
  void add(int32_t value) {
    if (is_usual(value)) {
      seen_[static_cast<uint32_t>(value)] = 1;
    } else if (outside_.size() <= kMaxShortValues) {
      outside_.insert(value);
    }
  }
  void seal();

  // The values ascend; more than kMaxShortValues if too many were added, which then have no codes.
  const std::vector<int32_t>& values() const noexcept { return values_; }
  // Returns the index of an added value. For 0 it is always 0, whatever value has that index,
  // because the reference sets no index for a scaled value of 0.
  uint16_t code(int32_t value) const {
    return is_usual(value) ? codes_[static_cast<uint32_t>(value)] : code_outside(value);
  }

 private:
  // Values inside the feature's range scale to usual values.
  static bool is_usual(int32_t value) noexcept { return value >= 0 && value <= kLargestScaled; }
  uint16_t code_outside(int32_t value) const;

  std::vector<uint8_t> seen_;  // flags of the usual values
  std::set<int32_t> outside_;  // the other values
  std::vector<int32_t> values_;
  std::vector<uint16_t> codes_;  // codes of the usual values
};

}  // namespace heron::inline v0::jforests
