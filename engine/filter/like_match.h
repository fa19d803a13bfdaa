// Patterns of `like`, prepared for matching many texts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "expression/condition.h"

namespace heron::inline v0 {

// Immutable, thread-safe; keeps no reference to the pattern. A match takes time in proportion to at
// most text times pattern.
class LikeMatch {
 public:
  explicit LikeMatch(const LikePattern& pattern);

  bool operator()(std::string_view text) const {
    if (text.size() < least_bytes_) return false;
    if (!only_texts_) return matches_runs(text);
    return matches_texts(text);
  }

 private:
  // The texts and characters between two %.
  using Run = std::vector<LikePattern::Piece>;

  bool matches_texts(std::string_view text) const;
  bool matches_runs(std::string_view text) const;

  std::vector<Run> runs_;  // at least one; the first and the last may be empty
  uint64_t least_bytes_ = 0;
  bool only_texts_ = true;  // no _ in the pattern
};

}  // namespace heron::inline v0
