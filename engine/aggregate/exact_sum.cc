#include "aggregate/exact_sum.h"

#include <bit>
#include <cmath>
#include <limits>

namespace heron::inline v0 {
namespace {

constexpr int kDigitBits = 32;
constexpr int kMinExponent = -1074;  // exponent of the last bit of the least double

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
  int at = exponent - 53 - kMinExponent;
  // Below the least exponent there are zeros only.
  const auto wide = at < 0 ? static_cast<Int128>(mantissa >> -at)
                           : static_cast<Int128>(mantissa) << (at % kDigitBits);
  const auto size = static_cast<UInt128>(wide < 0 ? -wide : wide);
  const uint64_t digit = at < 0 ? 0 : static_cast<uint64_t>(at / kDigitBits);
  for (uint64_t i = 0; i < 3; ++i) {
    const auto part = static_cast<int64_t>(static_cast<uint32_t>(size >> (i * kDigitBits)));
    digits_[digit + i] += wide < 0 ? -part : part;
  }
  if (++adds_ == kMaxAdds) carry();
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
  // `head` has 96 bits from the highest digit on; `rest` is whether any bit below is set, which
  // decides a tie.
  UInt128 head = 0;
  for (int i = top; i > top - 3; --i) {
    head = head << kDigitBits | static_cast<uint32_t>(i < 0 ? 0 : sum.digits_[i]);
  }
  bool rest = false;
  for (int i = 0; i < top - 2; ++i) rest |= sum.digits_[i] != 0;
  if (head == 0) return 0;
  int bits = 96;
  while ((head >> (bits - 1) & 1) == 0) --bits;
  int scale = (top - 2) * kDigitBits + kMinExponent;  // exponent of the last bit of `head`
  const int drop = std::max(bits - 53, kMinExponent - scale);
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
    const int64_t least = last ? -int64_t{INT32_MAX} : 0;
    const int64_t most = last ? int64_t{INT32_MAX} : int64_t{UINT32_MAX};
    if (digits[i] < least || digits[i] > most) StateReader::fail_damaged();
    digits_[i] = digits[i];
  }
  const auto flags = from.take<uint8_t>();
  up_ = (flags & 1) != 0;
  down_ = (flags & 2) != 0;
  nan_ = (flags & 4) != 0;
}

namespace {

WideSum* wide_of(std::span<const double> parts) noexcept {
  return std::bit_cast<WideSum*>(parts[1]);
}

}  // namespace

uint64_t add_wide(std::span<double> parts, double value) {
  if (is_wide(parts)) return wide_of(parts)->add(value), 0;
  auto* wide = new WideSum(total_of(parts));
  wide->add(value);
  parts[0] = std::numeric_limits<double>::quiet_NaN();
  parts[1] = std::bit_cast<double>(wide);
  return sizeof(WideSum);
}

uint64_t merge_wide(std::span<double> parts, std::span<const double> next) {
  const uint64_t bytes = is_wide(parts) ? 0 : add_wide(parts, 0);
  wide_of(parts)->add(total_of(next));
  return bytes;
}

WideSum total_of(std::span<const double> parts) {
  if (is_wide(parts)) return *wide_of(parts);
  WideSum sum;
  for (const double part : parts) sum.add(part);
  return sum;
}

void save_sum(std::span<const double> parts, StateWriter& to) {
  to.put(is_wide(parts));
  if (is_wide(parts)) return wide_of(parts)->save(to);
  for (const double part : parts) to.put(part);
}

uint64_t load_sum(std::span<double> parts, StateReader& from) {
  if (from.take_bool()) {
    const uint64_t bytes = add_wide(parts, 0);
    wide_of(parts)->load(from);
    return bytes;
  }
  for (double& part : parts) {
    const auto stored = from.take<double>();
    if (std::isnan(stored)) StateReader::fail_damaged();  // it would mark a pointer, to be freed
    part = stored;
  }
  return 0;
}

void free_sum(std::span<const double> parts) noexcept {
  if (is_wide(parts)) delete wide_of(parts);
}

}  // namespace heron::inline v0
