// Counts latencies in memory that does not grow with their number: buckets have equal width within
// each power of two, so that the error is relative.
#pragma once

#include <cstdint>
#include <vector>

namespace heron::measure {

class Histogram {
 public:
  // Has 2^bits buckets for each power of two: a quantile is off by at most 2^-(bits + 1) of itself.
  // A histogram of 7 bits takes 38 KiB.
  explicit Histogram(unsigned bits = 7);

  // Adds a value in nanoseconds; a value above kMaximum (five hours) counts as kMaximum.
  void add(uint64_t value, uint64_t times = 1);
  // Adds a histogram with the same number of bits.
  void add(const Histogram& other);
  void clear();

  uint64_t count() const noexcept { return count_; }
  // Returns the smallest value; 0 if there are none.
  uint64_t min() const noexcept { return count_ == 0 ? 0 : min_; }
  uint64_t max() const noexcept { return max_; }
  double mean() const noexcept;
  // Returns a value that a share of `q` of all values do not exceed; within min() and max().
  uint64_t quantile(double q) const noexcept;
  // Returns whether there are enough samples for the quantile: on average at least one is above it.
  // The median needs 2, 90 % needs 10, 99 % 100, 99.9 % 1000.
  bool has_quantile(double q) const noexcept;

  struct Bucket {
    uint64_t end;  // all its values are below
    uint64_t count;
  };
  // Returns the buckets that are not empty, ascending, in a histogram of `bits`, which may be
  // fewer.
  std::vector<Bucket> buckets(unsigned bits) const;

  static constexpr unsigned kMaxBits = 44;
  static constexpr uint64_t kMaximum = (uint64_t{1} << kMaxBits) - 1;

 private:
  static uint64_t index_of(uint64_t value, unsigned bits) noexcept;
  // Returns the first value of a bucket.
  static uint64_t start_of(uint64_t index, unsigned bits) noexcept;

  unsigned bits_;
  std::vector<uint64_t> counts_;
  uint64_t count_ = 0;
  uint64_t min_ = UINT64_MAX;
  uint64_t max_ = 0;
  double sum_ = 0;
};

}  // namespace heron::measure
