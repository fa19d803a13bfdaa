// The patterns of `like`, made ready to be put to many texts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "expression/condition.h"

namespace heron::inline v0 {

// Immutable, thread-safe; keeps nothing of the pattern. A match takes time in proportion to text
// times pattern at most.
class LikeMatch {
 public:
  explicit LikeMatch(const LikePattern& pattern);

  bool operator()(std::string_view text) const {
    if (text.size() < least_bytes_) return false;
    if (!only_texts_) return matches_runs(text);
    return matches_texts(text);
  }

 private:
  // What stands between two %: texts and characters, one after the other.
  using Run = std::vector<LikePattern::Piece>;

  bool matches_texts(std::string_view text) const;
  bool matches_runs(std::string_view text) const;

  std::vector<Run> runs_;  // at least one; the first and the last may be empty
  uint64_t least_bytes_ = 0;
  bool only_texts_ = true;  // no _ in it
};

}  // namespace heron::inline v0
