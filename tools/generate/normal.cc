#include "generate/normal.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

namespace heron::generate {
namespace {

constexpr uint64_t kPairs = 256;  // computed at a time: as many as fit in the first cache

// Converts a draw to a number from 1 up to but excluding 2, in steps of 2^-52.
double one_to_two(uint64_t draw) {
  return std::bit_cast<double>((draw >> 12) | std::bit_cast<uint64_t>(1.0));
}

// Returns the logarithm of a positive normal number: ln(2^e m) = e ln 2 + 2 artanh((m - 1) / (m +
// 1)), m from 1/sqrt 2 to sqrt 2.
double logarithm(double x) {
  constexpr uint64_t kHalfRoot = std::bit_cast<uint64_t>(std::numbers::sqrt2 / 2);
  constexpr uint64_t kBias = 1024;  // keeps the exponent positive
  const uint64_t bits = std::bit_cast<uint64_t>(x) - kHalfRoot + (kBias << 52);
  const uint64_t biased = bits >> 52;
  const double m = std::bit_cast<double>(std::bit_cast<uint64_t>(x) - ((biased - kBias) << 52));
  // Puts an integer below 2^52 into the mantissa of 2^52: faster than a conversion, because it
  // vectorizes.
  constexpr double kTwo52 = 4503599627370496.0;
  const double e =
      std::bit_cast<double>(biased | std::bit_cast<uint64_t>(kTwo52)) - (kTwo52 + double{kBias});

  const double s = (m - 1) / (m + 1);
  const double q = s * s;  // at most 0.0295
  double sum = 1.0 / 15;
  for (int odd = 13; odd >= 1; odd -= 2) sum = sum * q + 1.0 / odd;
  return e * std::numbers::ln2 + 2 * s * sum;
}

struct Point {
  double x, y;
};

// Returns the end point of a turn of t circles, t from -1/2 to 1/2: the series of a quarter of the
// angle, doubled twice.
Point on_circle(double t) {
  const double a = t * (std::numbers::pi / 2);
  const double q = a * a;  // at most 0.617
  double cosine = 1, sine = 1;
  for (int n = 14; n >= 2; n -= 2) {
    cosine = 1 - cosine * q * (1.0 / ((n - 1) * n));
    sine = 1 - sine * q * (1.0 / (n * (n + 1)));
  }
  sine *= a;
  for (int doubling = 0; doubling < 2; ++doubling) {
    const double twice = 2 * sine * cosine;
    cosine = 1 - 2 * sine * sine;
    sine = twice;
  }
  return {cosine, sine};
}

template <class T>
void fill(const Draws& draws, uint64_t first, std::span<T> into) {
  uint64_t radius_draws[kPairs], angle_draws[kPairs];
  T normals[2 * kPairs];
  for (uint64_t pair = first / 2; !into.empty(); pair += kPairs) {
    for (uint64_t i = 0; i < kPairs; ++i) {
      radius_draws[i] = draws[2 * (pair + i)];
      angle_draws[i] = draws[2 * (pair + i) + 1];
    }
    for (uint64_t i = 0; i < kPairs; ++i) {
      const double radius = std::sqrt(-2 * logarithm(2 - one_to_two(radius_draws[i])));
      const Point point = on_circle(one_to_two(angle_draws[i]) - 1.5);
      normals[2 * i] = static_cast<T>(radius * point.x);
      normals[2 * i + 1] = static_cast<T>(radius * point.y);
    }
    const uint64_t skip = first - 2 * pair;
    const uint64_t count = std::min<uint64_t>(into.size(), 2 * kPairs - skip);
    std::copy_n(normals + skip, count, into.begin());
    into = into.subspan(count);
    first += count;
  }
}

}  // namespace

void fill_normals(const Draws& draws, uint64_t first, std::span<float> into) {
  fill(draws, first, into);
}

void fill_normals(const Draws& draws, uint64_t first, std::span<double> into) {
  fill(draws, first, into);
}

}  // namespace heron::generate
