// Groups row numbers by the part of a column that each lies in, and puts the parts' values back
// into the order of the rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/arena.h"
#include "heron/values.h"

namespace heron::inline v0 {

class RowsByPart {
 public:
  // The i-th row lies in part part_of[i], below `parts`. Uses a counting sort for many rows. The
  // arena must outlive this.
  RowsByPart(std::span<const uint32_t> part_of, uint64_t parts, Arena& arena);

  // How many parts have rows; k below counts those.
  uint64_t size() const noexcept { return begins_.size() - 1; }
  uint64_t part(uint64_t k) const noexcept { return part_of_[order_[begins_[k]]]; }
  // Returns the indices of the part's rows, in the order of part_of.
  std::span<const uint32_t> indices(uint64_t k) const noexcept {
    return {order_ + begins_[k], begins_[k + 1] - begins_[k]};
  }
  // Returns the values of all rows in their order; pieces[k] holds the values of indices(k), and
  // all are of this type.
  Values restore(const Type& type, std::span<const Values> pieces) const;

 private:
  std::span<const uint32_t> part_of_;
  Arena& arena_;
  uint32_t* order_;
  bool ascends_;                  // order_ is 0, 1, ..
  std::vector<uint64_t> begins_;  // start in order_ of each part with rows; and the end
};

}  // namespace heron::inline v0
