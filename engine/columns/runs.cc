#include "columns/runs.h"

#include <algorithm>
#include <bit>

namespace heron::inline v0 {

Runs::Runs(std::vector<uint64_t> starts) : Runs(starts.size() - 1, starts.back(), nullptr) {
  starts_ = std::move(starts);
  once_.run([this] { index(); });
}

const std::vector<uint64_t>& Runs::starts() const {
  once_.run([this] {
    starts_ = load_();
    index();
  });
  return starts_;
}

// About as many buckets as runs, so that most buckets hold one or two.
void Runs::index() const {
  if (rows_ == 0) return;
  const auto bits_of = [](uint64_t number) { return static_cast<int>(std::bit_width(number)); };
  shift_ = std::max(0, bits_of(rows_) - bits_of(count_));
  const uint64_t buckets = ((rows_ - 1) >> shift_) + 1;
  buckets_.reserve(buckets + 1);
  uint32_t run = 0;
  for (uint64_t bucket = 0; bucket < buckets; ++bucket) {
    while (starts_[run + 1] <= bucket << shift_) ++run;
    buckets_.push_back(run);
  }
  buckets_.push_back(static_cast<uint32_t>(count_ - 1));
}

uint64_t Runs::run_of(uint64_t row) const {
  const std::vector<uint64_t>& all = starts();
  const uint64_t bucket = row >> shift_;
  // The last run that starts at or before the row, after empty runs that start there too.
  const auto first = all.begin() + buckets_[bucket];
  const auto last = all.begin() + buckets_[bucket + 1] + 1;
  return static_cast<uint64_t>(std::upper_bound(first, last, row) - all.begin()) - 1;
}

}  // namespace heron::inline v0
