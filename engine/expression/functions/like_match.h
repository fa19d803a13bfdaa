// Patterns of `like`, prepared for matching many texts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "expression/bound_predicate.h"

namespace heron::inline v0 {

// Immutable, thread-safe; keeps no reference to the pattern. A match takes time in proportion to at
// most text times pattern.
class LikeMatch {
 public:
  explicit LikeMatch(const LikePattern& pattern);

  bool operator()(std::string_view text) const;

  // Every match has at least least_bytes() bytes, beginning() at its beginning, ending() at its
  // end, and contained(), the longest text of the pattern, somewhere. Each text may be empty.
  uint64_t least_bytes() const noexcept { return least_bytes_; }
  std::string_view beginning() const noexcept;
  std::string_view ending() const noexcept;
  std::string_view contained() const noexcept;
  // Returns whether every text that contains contained() is a match.
  bool is_contained_enough() const noexcept;

 private:
  // The texts and characters between two %.
  using Run = std::vector<LikePattern::Piece>;

  std::vector<Run> runs_;  // at least one; the first and the last may be empty
  uint64_t least_bytes_ = 0;
};

}  // namespace heron::inline v0
