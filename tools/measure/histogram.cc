#include "measure/histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace heron::measure {

Histogram::Histogram(unsigned bits) : bits_(bits), counts_(index_of(kMaximum, bits) + 1) {}

// Values below 2^bits have a bucket each; of larger values the first bits + 1 bits count.
uint64_t Histogram::index_of(uint64_t value, unsigned bits) noexcept {
  const auto width = static_cast<unsigned>(std::bit_width(value));
  if (width <= bits) return value;
  const unsigned shift = width - bits - 1;
  return (uint64_t{shift} << bits) + (value >> shift);
}

uint64_t Histogram::start_of(uint64_t index, unsigned bits) noexcept {
  const uint64_t size = uint64_t{1} << bits;
  if (index < 2 * size) return index;
  const uint64_t shift = index / size - 1;
  return (index - shift * size) << shift;
}

void Histogram::add(uint64_t value, uint64_t times) {
  if (times == 0) return;
  value = std::min(value, kMaximum);
  counts_[index_of(value, bits_)] += times;
  count_ += times;
  min_ = std::min(min_, value);
  max_ = std::max(max_, value);
  sum_ += static_cast<double>(value) * static_cast<double>(times);
}

void Histogram::add(const Histogram& other) {
  for (uint64_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
  count_ += other.count_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
  sum_ += other.sum_;
}

void Histogram::clear() {
  *this = Histogram(bits_);
}

double Histogram::mean() const noexcept {
  return count_ == 0 ? 0 : sum_ / static_cast<double>(count_);
}

uint64_t Histogram::quantile(double q) const noexcept {
  if (count_ == 0) return 0;
  const auto rank = static_cast<uint64_t>(
      std::max(1.0, std::ceil(std::clamp(q, 0.0, 1.0) * static_cast<double>(count_))));
  uint64_t seen = 0;
  for (uint64_t i = 0; i < counts_.size(); ++i) {
    seen += counts_[i];
    if (seen < rank) continue;
    const uint64_t start = start_of(i, bits_);
    const uint64_t middle = start + (start_of(i + 1, bits_) - start) / 2;
    return seen == count_ && counts_[i] == 1 ? max_ : std::clamp(middle, min_, max_);
  }
  return max_;
}

bool Histogram::has_quantile(double q) const noexcept {
  return std::llround(1 / (1 - q)) <= static_cast<int64_t>(count_);
}

std::vector<Histogram::Bucket> Histogram::buckets(unsigned bits) const {
  std::vector<Bucket> all;
  for (uint64_t i = 0; i < counts_.size(); ++i) {
    if (counts_[i] == 0) continue;
    const uint64_t end = start_of(index_of(start_of(i, bits_), bits) + 1, bits);
    if (all.empty() || all.back().end != end) all.push_back({end, 0});
    all.back().count += counts_[i];
  }
  return all;
}

}  // namespace heron::measure
