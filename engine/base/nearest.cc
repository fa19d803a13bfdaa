#include "base/nearest.h"

#include <algorithm>
#include <numeric>

#include "base/fail.h"
#include "heron/error.h"

namespace heron::inline v0 {
namespace {

constexpr size_t kLongest = 64;

char lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same(char a, char b) noexcept {
  return lower(a) == lower(b);
}

bool begins_with(std::string_view name, std::string_view start) noexcept {
  return name.size() >= start.size() && std::equal(start.begin(), start.end(), name.begin(), same);
}

}  // namespace

Nearest::Nearest(std::string_view target)
    : target_(target), least_(std::max<uint64_t>(target.size() / 3, 1) + 1) {}

void Nearest::consider(std::string_view name, std::string_view shown) {
  if (name.size() > kLongest || target_.size() > kLongest) return;
  uint64_t distance = distance_to(name);
  if (target_.size() > 1 && begins_with(name, target_)) distance = std::min<uint64_t>(distance, 1);
  if (distance >= least_) return;
  least_ = distance;
  found_ = shown;
}

// Optimal string alignment: row_[n] is the distance of the part of target_ read so far to the first
// n characters of name; row_before_ of the part without its last character.
uint64_t Nearest::distance_to(std::string_view name) {
  row_.resize(name.size() + 1);
  row_before_.resize(row_.size());
  std::iota(row_.begin(), row_.end(), uint64_t{0});
  std::vector<uint64_t> next(row_.size());
  for (uint64_t w = 1; w <= target_.size(); ++w) {
    next[0] = w;
    for (uint64_t n = 1; n <= name.size(); ++n) {
      const bool is_same = same(target_[w - 1], name[n - 1]);
      next[n] = std::min({row_[n] + 1, next[n - 1] + 1, row_[n - 1] + !is_same});
      const bool is_swapped =
          w > 1 && n > 1 && same(target_[w - 1], name[n - 2]) && same(target_[w - 2], name[n - 1]);
      if (is_swapped) next[n] = std::min(next[n], row_before_[n - 2] + 1);
    }
    row_before_.swap(row_);
    row_.swap(next);
  }
  return row_.back();
}

std::string Nearest::question() const {
  return found_.empty() ? std::string() : concat("; did you mean \"", found_, "\"?");
}

}  // namespace heron::inline v0
