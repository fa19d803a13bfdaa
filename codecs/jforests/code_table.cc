#include "jforests/code_table.h"

#include <algorithm>

namespace heron::inline v0::jforests {

void CodeTable::clear() {
  std::fill(seen_.begin(), seen_.end(), uint8_t{0});
  seen_[0] = 1;
  outside_.clear();
}

void CodeTable::seal() {
  const auto usual = outside_.lower_bound(0);
  values_.assign(outside_.begin(), usual);
  for (int32_t value = 0; value <= kLargestScaled; ++value) {
    const auto i = static_cast<uint32_t>(value);
    if (seen_[i] == 0) continue;
    codes_[i] = static_cast<uint16_t>(values_.size());
    values_.push_back(value);
  }
  values_.insert(values_.end(), usual, outside_.end());
  codes_[0] = 0;
}

uint16_t CodeTable::code_outside(int32_t value) const {
  const auto found = std::lower_bound(values_.begin(), values_.end(), value);
  return static_cast<uint16_t>(found - values_.begin());
}

}  // namespace heron::inline v0::jforests
