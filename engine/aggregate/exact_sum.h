// Exact sums of floats: rounded once, at the end, so that neither the order of the values nor how
// they are dealt out to parts shows.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "aggregate/state_bytes.h"

namespace heron::inline v0 {

// Any sum of up to 2^40 doubles: digits of 32 bits, from the least that a double has on.
class WideSum {
 public:
  void add(double value);
  void add(const WideSum& other);
  // To the nearest double, ties to even.
  double rounded() const;

  void save(StateWriter& to) const;
  void load(StateReader& from);

 private:
  static constexpr int kDigits = 68;
  static constexpr uint32_t kMostAdds = 1u << 29;

  void carry();

  std::array<int64_t, kDigits> digits_{};  // each but the last becomes 0 .. 2^32 - 1 by carry()
  uint32_t adds_ = 0;                      // since then
  bool up_ = false, down_ = false, nan_ = false;  // infinities and NaNs seen
};

// The parts of an ExactSum.
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

// Some doubles, whose sum is exact; if the values are too different for that, a WideSum, which the
// doubles then hold the address of: the first is NaN, the second has its bits. Plain bytes, so that
// arrays of it are small and grow fast: a copy shares the WideSum, and free(), for one of the
// copies, releases it. Two parts suit values of about one size, four the squares of such.
template <int kParts>
class ExactSum {
 public:
  // add, merge and load return by how many bytes a WideSum grew. A call of add would take as long as
  // what it does.
  [[gnu::always_inline]] uint64_t add(double value) {
    double parts[kParts], error = value;
    for (int i = 0; i < kParts; ++i) parts[i] = two_sum(parts_[i], error, error);
    if (error != 0) return add_wide(parts_, value);  // so is NaN: of infinities, or it is wide
    std::copy_n(parts, kParts, parts_);
    return 0;
  }
  uint64_t merge(const ExactSum& next) {
    if (is_wide(next.parts_)) return merge_wide(parts_, next.parts_);
    uint64_t bytes = 0;
    for (const double part : next.parts_) bytes += add(part);
    return bytes;
  }
  // To the nearest double, ties to even.
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
  // The rounded sum, and exactly what rounding took from it (Knuth).
  static double two_sum(double a, double b, double& error) {
    const double sum = a + b, part = sum - a;
    error = (a - (sum - part)) + (b - part);
    return sum;
  }

  double parts_[kParts] = {};
};

}  // namespace heron::inline v0
