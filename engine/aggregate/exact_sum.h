// Exact sums of floats, rounded once, at the end, so that neither the order of the values nor how
// they are split into parts shows.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "aggregate/state_bytes.h"

namespace heron::inline v0 {

// Holds any sum of up to 2^40 doubles in digits of 32 bits, from the lowest bit of a double on.
class WideSum {
 public:
  void add(double value);
  void add(const WideSum& other);
  // The sum, rounded to the nearest double, ties to even.
  double rounded() const;

  void save(StateWriter& to) const;
  void load(StateReader& from);

 private:
  static constexpr int kDigits = 68;
  static constexpr uint32_t kMaxAdds = 1u << 29;

  void carry();

  std::array<int64_t, kDigits> digits_{};  // carry() brings each but the last into 0 .. 2^32 - 1
  uint32_t adds_ = 0;                      // additions since carry()
  bool up_ = false, down_ = false, nan_ = false;  // infinities and NaNs seen
};

// Functions of the parts of an ExactSum. is_wide(): the parts hold the address of a WideSum.
inline bool is_wide(std::span<const double> parts) noexcept {
  return parts[0] != parts[0];
}
uint64_t add_wide(std::span<double> parts, double value);
uint64_t merge_wide(std::span<double> parts, std::span<const double> next);
WideSum total_of(std::span<const double> parts);
void save_sum(std::span<const double> parts, StateWriter& to);
uint64_t load_sum(std::span<double> parts, StateReader& from);
void free_sum(std::span<const double> parts) noexcept;

// The unevaluated sum of two doubles; `high` is the nearest double to it.
struct DoublePair {
  double high = 0, low = 0;
};

// Holds an exact sum in kParts doubles or, if the values are too different for that, in a WideSum:
// the first double is then NaN, the second has the bits of its address. An ExactSum is plain bytes,
// so that arrays of it are small and grow fast: a copy shares the WideSum, and free(), for one of
// the copies, releases it. Two parts suit values of about one size, four the squares of such.
template <int kParts>
class ExactSum {
 public:
  // add, merge and load return by how many bytes a WideSum grew. add is inlined: a call would take
  // as long as its work.
  [[gnu::always_inline]] uint64_t add(double value) {
    double parts[kParts], error = value;
    for (int i = 0; i < kParts; ++i) parts[i] = two_sum(parts_[i], error, error);
    if (error != 0) return add_wide(parts_, value);  // error is NaN for infinities and wide sums
    std::copy_n(parts, kParts, parts_);
    return 0;
  }
  uint64_t merge(const ExactSum& next) {
    if (is_wide(next.parts_)) return merge_wide(parts_, next.parts_);
    uint64_t bytes = 0;
    for (const double part : next.parts_) bytes += add(part);
    return bytes;
  }
  // The sum, rounded to the nearest double, ties to even.
  double rounded() const {
    return kParts == 2 && !is_wide(parts_) ? parts_[0] + parts_[1] : total_of(parts_).rounded();
  }
  // The sum to twice the precision.
  DoublePair pair() const {
    WideSum sum = total_of(parts_);
    const double high = sum.rounded();
    sum.add(-high);
    return {high, sum.rounded()};
  }
  void save(StateWriter& to) const { save_sum(parts_, to); }
  uint64_t load(StateReader& from) { return load_sum(parts_, from); }
  void free() noexcept { free_sum(parts_); }

 private:
  // Returns the rounded sum and sets `error` to exactly what rounding took from it (Knuth).
  static double two_sum(double a, double b, double& error) {
    const double sum = a + b, part = sum - a;
    error = (a - (sum - part)) + (b - part);
    return sum;
  }

  double parts_[kParts] = {};
};

}  // namespace heron::inline v0
