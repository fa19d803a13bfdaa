#include "aggregate/exact_sum.h"

#include <cmath>
#include <limits>

namespace heron::inline v0 {
namespace {

constexpr int kDigitBits = 32;
constexpr int kLeastExponent = -1074;  // of the last bit of the least double

}  // namespace

void WideSum::add(double value) {
  if (!std::isfinite(value)) {
    nan_ |= value != value;
    up_ |= value > 0;
    down_ |= value < 0;
    return;
  }
  if (value == 0) return;
  int exponent;
  const auto mantissa = static_cast<int64_t>(std::ldexp(std::frexp(value, &exponent), 53));
  int at = exponent - 53 - kLeastExponent;
  // Below the least exponent there are zeros only.
  const auto wide = at < 0 ? static_cast<Int128>(mantissa >> -at)
                           : static_cast<Int128>(mantissa) << (at % kDigitBits);
  const auto size = static_cast<UInt128>(wide < 0 ? -wide : wide);
  const uint64_t digit = at < 0 ? 0 : static_cast<uint64_t>(at / kDigitBits);
  for (uint64_t i = 0; i < 3; ++i) {
    const auto part = static_cast<int64_t>(static_cast<uint32_t>(size >> (i * kDigitBits)));
    digits_[digit + i] += wide < 0 ? -part : part;
  }
  if (++adds_ == kMostAdds) carry();
}

void WideSum::carry() {
  int64_t over = 0;
  for (int i = 0; i + 1 < kDigits; ++i) {
    digits_[i] += over;
    over = digits_[i] >> kDigitBits;
    digits_[i] -= over * (int64_t{1} << kDigitBits);
  }
  digits_[kDigits - 1] += over;
  adds_ = 0;
}

void WideSum::add(const WideSum& other) {
  WideSum next = other;
  next.carry();
  carry();
  for (int i = 0; i < kDigits; ++i) digits_[i] += next.digits_[i];
  adds_ = 1;
  up_ |= next.up_;
  down_ |= next.down_;
  nan_ |= next.nan_;
}

double WideSum::rounded() const {
  using Limits = std::numeric_limits<double>;
  if (nan_ || (up_ && down_)) return Limits::quiet_NaN();
  if (up_ || down_) return up_ ? Limits::infinity() : -Limits::infinity();
  WideSum sum = *this;
  sum.carry();
  const bool negative = sum.digits_[kDigits - 1] < 0;
  if (negative) {
    for (int64_t& digit : sum.digits_) digit = -digit;
    sum.carry();
  }
  int top = kDigits - 1;
  while (top > 0 && sum.digits_[top] == 0) --top;
  // 96 bits from the highest digit on, and whether any bit below is set, which decides a tie.
  UInt128 head = 0;
  for (int i = top; i > top - 3; --i) {
    head = head << kDigitBits | static_cast<uint32_t>(i < 0 ? 0 : sum.digits_[i]);
  }
  bool rest = false;
  for (int i = 0; i < top - 2; ++i) rest |= sum.digits_[i] != 0;
  if (head == 0) return 0;
  int bits = 96;
  while ((head >> (bits - 1) & 1) == 0) --bits;
  int scale = (top - 2) * kDigitBits + kLeastExponent;  // of the last bit of `head`
  const int drop = std::max(bits - 53, kLeastExponent - scale);
  if (drop > 0) {
    const UInt128 tail = head & ((UInt128{1} << drop) - 1), half = UInt128{1} << (drop - 1);
    head >>= drop;
    if (tail > half || (tail == half && (rest || (head & 1) != 0))) ++head;
    scale += drop;
  }
  const double size = std::ldexp(static_cast<double>(static_cast<uint64_t>(head)), scale);
  return negative ? -size : size;
}

void WideSum::save(StateWriter& to) const {
  WideSum sum = *this;
  sum.carry();
  to.put_all(std::vector<int64_t>(sum.digits_.begin(), sum.digits_.end()));
  to.put(static_cast<uint8_t>(up_ | down_ << 1 | nan_ << 2));
}

void WideSum::load(StateReader& from) {
  const auto digits = from.take_all<int64_t>();
  if (digits.size() != kDigits) StateReader::fail_damaged();
  for (int i = 0; i < kDigits; ++i) {
    const bool last = i == kDigits - 1;
    if (last ? std::abs(digits[i]) > INT32_MAX : digits[i] < 0 || digits[i] > UINT32_MAX) {
      StateReader::fail_damaged();
    }
    digits_[i] = digits[i];
  }
  const auto flags = from.take<uint8_t>();
  up_ = (flags & 1) != 0;
  down_ = (flags & 2) != 0;
  nan_ = (flags & 4) != 0;
}

void ExactSums::add_wide(uint32_t group, double value) {
  wide_[group].add(value);
}

void ExactSums::add(uint32_t group, const ExactSums& other, uint32_t of_other) {
  add(group, other.sums_[of_other].high);
  add(group, other.sums_[of_other].low);
  const auto wide = other.wide_.find(of_other);
  if (wide != other.wide_.end()) wide_[group].add(wide->second);
}

double ExactSums::rounded(uint32_t group) const {
  const auto& [high, low] = sums_[group];
  const auto wide = wide_.find(group);
  if (wide == wide_.end()) return high + low;
  WideSum sum = wide->second;
  sum.add(high);
  sum.add(low);
  return sum.rounded();
}

void ExactSums::save(StateWriter& to) const {
  std::vector<double> flat;
  flat.reserve(sums_.size() * 2);
  for (const auto& [high, low] : sums_) flat.insert(flat.end(), {high, low});
  to.put_all(flat);
  to.put(uint64_t{wide_.size()});
  for (const auto& [group, sum] : wide_) {
    to.put(group);
    sum.save(to);
  }
}

void ExactSums::load(StateReader& from) {
  const auto flat = from.take_all<double>();
  sums_.resize(flat.size() / 2);
  for (uint64_t i = 0; i < sums_.size(); ++i) sums_[i] = {flat[2 * i], flat[2 * i + 1]};
  const uint64_t count = from.take_count(sizeof(uint32_t));
  for (uint64_t i = 0; i < count; ++i) {
    const auto group = from.take<uint32_t>();
    if (group >= sums_.size()) StateReader::fail_damaged();
    wide_[group].load(from);
  }
}

}  // namespace heron::inline v0
