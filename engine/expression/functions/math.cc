// Functions of numbers. Integers stay integers where the result is one; the others follow IEEE 754:
// sqrt(-1) is NaN, ln(0) is -infinity.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "expression/functions/cell_kernels.h"
#include "expression/functions/function.h"

namespace heron::inline v0 {
namespace {

// `Of` is a struct, so that its code is compiled per CPU.
template <class Of>
void float_kernel(const KernelCall& call) {
  call.vector.has_no_nan =
      !map_to_floats(Of(), call.rows, call.result<double>(), call.argument<double>(0));
}

// Computes active rows only, for functions that cost more than looking up which rows are needed.
template <double (*kOf)(double)>
void slow_float_kernel(const KernelCall& call) {
  const double* from = call.argument<double>(0);
  double* to = call.result<double>();
  call.each([&](uint64_t i) { to[i] = kOf(from[i]); });
}

struct SquareRoot {
  double operator()(double x) const { return std::sqrt(x); }
};
struct Magnitude {
  double operator()(double x) const { return std::abs(x); }
};
struct Floor {
  double operator()(double x) const { return std::floor(x); }
};
struct Ceil {
  double operator()(double x) const { return std::ceil(x); }
};
struct Trunc {
  double operator()(double x) const { return std::trunc(x); }
};
// std::round() in instructions that vectors have, too: a half less the smallest step never carries
// a number below a half over it, and rounding of the sum carries a half.
struct Round {
  double operator()(double x) const {
    return std::trunc(x + std::copysign(0x1.fffffffffffffp-2, x));
  }
};

double natural_log(double x) {
  return std::log(x);
}
double log_of_10(double x) {
  return std::log10(x);
}
double log_of_2(double x) {
  return std::log2(x);
}
double exponential(double x) {
  return std::exp(x);
}

void power_kernel(const KernelCall& call) {
  const double* base = call.argument<double>(0);
  const double* exponent = call.argument<double>(1);
  double* to = call.result<double>();
  call.each([&](uint64_t i) { to[i] = std::pow(base[i], exponent[i]); });
}

template <class T>
void abs_of(const KernelCall& call) {
  using Sum = std::conditional_t<std::is_same_v<T, Int128>, UInt128, uint64_t>;
  map_each([](T x) { return x < 0 ? static_cast<T>(Sum{} - static_cast<Sum>(x)) : x; }, call.rows,
           call.result<T>(), call.argument<T>(0));
}

void abs_kernel(const KernelCall& call) {
  switch (call.arguments[0].kind) {
    case ValueKind::Float: return float_kernel<Magnitude>(call);
    case ValueKind::Wide: return abs_of<Int128>(call);
    default: return abs_of<int64_t>(call);
  }
}

template <class T>
void sign_of_each(const KernelCall& call) {
  map_each([](T x) { return int64_t{x > 0} - int64_t{x < 0}; }, call.rows, call.result<int64_t>(),
           call.argument<T>(0));
}

void sign_kernel(const KernelCall& call) {
  switch (call.arguments[0].kind) {
    case ValueKind::Float: return sign_of_each<double>(call);
    case ValueKind::Wide: return sign_of_each<Int128>(call);
    default: return sign_of_each<int64_t>(call);
  }
}

bool is_finite(double x) {
  constexpr uint64_t kExponent = uint64_t{0x7FF} << 52;
  return (std::bit_cast<uint64_t>(x) & kExponent) != kExponent;
}

double power_of_ten(int64_t digits) {
  return std::pow(10.0, static_cast<double>(std::clamp<int64_t>(digits, 0, 400)));
}

// Rounds at a digit behind the point, or before it. Where the factor is too large, a value behind
// the point stays and one before it is 0.
template <class Rounding>
struct BehindPoint {
  double factor;
  double operator()(double value) const {
    const double rounded = Rounding()(value * factor) / factor;
    return is_finite(rounded) ? rounded : value;
  }
};
template <class Rounding>
struct BeforePoint {
  double factor;
  double operator()(double value) const {
    const double rounded = Rounding()(value / factor) * factor;
    const double other = is_finite(value) ? 0 : value;
    return is_finite(rounded) ? rounded : other;
  }
};

// Rounds to a multiple of 10^-digits: `away` from zero from its half on, else towards zero.
Int128 at_digits(int64_t value, int64_t digits, bool away) {
  if (digits >= 0) return value;
  if (digits < -19) return 0;
  Int128 factor = 1;
  for (int64_t i = digits; i < 0; ++i) factor *= 10;
  const Int128 half = away ? factor / 2 : 0;
  const Int128 shifted = value < 0 ? value - half : value + half;
  return shifted / factor * factor;
}

template <bool kAway>
void digits_kernel(const KernelCall& call) {
  const auto* digits = call.argument<int64_t>(1);
  if (call.arguments[0].kind == ValueKind::Float) {
    using Rounding = std::conditional_t<kAway, Round, Trunc>;
    const double* from = call.argument<double>(0);
    double* to = call.result<double>();
    const auto behind = [](int64_t n) { return BehindPoint<Rounding>{power_of_ten(n)}; };
    const auto before = [](int64_t n) { return BeforePoint<Rounding>{power_of_ten(n)}; };
    if (!call.expression.parts[1].is_constant()) {
      return call.each([&](uint64_t i) {
        const int64_t n = std::max<int64_t>(digits[i], -INT64_MAX);
        to[i] = n < 0 ? before(-n)(from[i]) : behind(n)(from[i]);
      });
    }
    const int64_t n = std::max<int64_t>(digits[0], -INT64_MAX);
    call.vector.has_no_nan = n < 0 ? !map_to_floats(before(-n), call.rows, to, from)
                                   : !map_to_floats(behind(n), call.rows, to, from);
    return;
  }
  const auto* from = call.argument<int64_t>(0);
  auto* to = call.result<int64_t>();
  call.each([&](uint64_t i) {
    const Int128 rounded = at_digits(from[i], digits[i], kAway);
    if (rounded > INT64_MAX || rounded < INT64_MIN)
      call.fail("type int64 does not hold round(", from[i], ", ", digits[i], ')');
    to[i] = static_cast<int64_t>(rounded);
  });
}

template <void (*kFloats)(const KernelCall&)>
void rounding_kernel(const KernelCall& call) {
  if (call.arguments[0].kind == ValueKind::Float) return kFloats(call);
  if (call.arguments[0].kind == ValueKind::Wide) {
    std::copy_n(call.argument<Int128>(0), call.rows, call.result<Int128>());
  } else {
    std::copy_n(call.argument<int64_t>(0), call.rows, call.result<int64_t>());
  }
}

ValueKind holding(const Interval<Int128>& range) {
  return range.low < INT64_MIN || range.high > INT64_MAX ? ValueKind::Wide : ValueKind::Integer;
}

void become_number(Expression& call) {
  call.type = call.value == ValueKind::Float  ? Type::Float64
              : call.value == ValueKind::Wide ? Type::Int128
                                              : Type::Int64;
}

void shape_abs(Expression& call, const SourceText&) {
  Expression& part = call.parts[0];
  call.value = part.value;
  if (part.value != ValueKind::Float) {
    const auto& [low, high] = part.range;
    const Int128 most = std::max(
        low == std::numeric_limits<Int128>::min() ? std::numeric_limits<Int128>::max() : -low,
        high);
    call.range = {low > 0 ? low : 0, most};
    call.value = part.value == ValueKind::Wide ? ValueKind::Wide : holding(call.range);
    part = converted(std::move(part), call.value);
  }
  become_number(call);
}

void shape_rounding(Expression& call, const SourceText&) {
  Expression& part = call.parts[0];
  if (call.parts.size() == 2 && part.value == ValueKind::Wide)
    part = narrowed(std::move(part), Type::Int64);
  call.value = part.value;
  call.range = call.parts.size() == 2 ? integer_range(Type::Int64) : part.range;
  become_number(call);
}

using P = Parameter;
constexpr Function kMathFunctions[] = {
    {"abs",
     "number",
     {P::Number},
     1,
     1,
     Result::Shaped,
     abs_kernel,
     "its distance from 0",
     false,
     shape_abs},
    {"sign", "number", {P::Number}, 1, 1, Result::Int64, sign_kernel, "-1, 0 or 1; 0 for NaN"},
    {"round",
     "number",
     {P::Number},
     1,
     1,
     Result::Shaped,
     rounding_kernel<float_kernel<Round>>,
     "the nearest whole number, halves away from 0",
     false,
     shape_rounding},
    {"round",
     "number, digits",
     {P::Number, P::Integer},
     2,
     2,
     Result::Shaped,
     digits_kernel<true>,
     "rounded to digits behind the point; below 0: before it",
     false,
     shape_rounding},
    {"trunc",
     "number",
     {P::Number},
     1,
     1,
     Result::Shaped,
     rounding_kernel<float_kernel<Trunc>>,
     "the whole number towards 0",
     false,
     shape_rounding},
    {"trunc",
     "number, digits",
     {P::Number, P::Integer},
     2,
     2,
     Result::Shaped,
     digits_kernel<false>,
     "cut to digits behind the point; below 0: before it",
     false,
     shape_rounding},
    {"floor",
     "number",
     {P::Number},
     1,
     1,
     Result::Shaped,
     rounding_kernel<float_kernel<Floor>>,
     "the largest whole number that is not above it",
     false,
     shape_rounding},
    {"ceil",
     "number",
     {P::Number},
     1,
     1,
     Result::Shaped,
     rounding_kernel<float_kernel<Ceil>>,
     "the smallest whole number that is not below it",
     false,
     shape_rounding},
    {"sqrt",
     "number",
     {P::Float},
     1,
     1,
     Result::Float64,
     float_kernel<SquareRoot>,
     "the square root; NaN below 0"},
    {"ln",
     "number",
     {P::Float},
     1,
     1,
     Result::Float64,
     slow_float_kernel<natural_log>,
     "the natural logarithm; NaN below 0, -infinity of 0"},
    {"log10",
     "number",
     {P::Float},
     1,
     1,
     Result::Float64,
     slow_float_kernel<log_of_10>,
     "the logarithm to base 10"},
    {"log2",
     "number",
     {P::Float},
     1,
     1,
     Result::Float64,
     slow_float_kernel<log_of_2>,
     "the logarithm to base 2"},
    {"exp",
     "number",
     {P::Float},
     1,
     1,
     Result::Float64,
     slow_float_kernel<exponential>,
     "e to the power of the number"},
    {"power",
     "base, exponent",
     {P::Float, P::Float},
     2,
     2,
     Result::Float64,
     power_kernel,
     "the base to the power of the exponent, in float64"},
};

}  // namespace

std::span<const Function> math_functions() {
  return kMathFunctions;
}

}  // namespace heron::inline v0
