// variance of a sample (var_samp): the squared distances from the mean, summed and divided by the
// number of values less one; null for fewer than two values, NaN if one is not finite or its square
// is beyond float64. Integers and decimals are taken as float64. The sums of the values and of their squares are
// exact, so that no order shows; the variance is computed from them in pairs of doubles, so that a
// large mean takes nothing from a small variance.
#include <array>
#include <cmath>

#include "aggregate/aggregate_kernels.h"
#include "aggregate/exact_sum.h"
#include "aggregate/functions/as_floats.h"
#include "aggregate/functions/function.h"
#include "aggregate/functions/group_states.h"

namespace heron::inline v0 {
namespace {

DoublePair product(double a, double b) {
  const double high = a * b;
  return {high, std::fma(a, b, -high)};
}

// The sizes of values for which square_of() is exact: what it splits neither overflows nor leaves
// the normal numbers.
constexpr double kMinSplit = 0x1p-480, kMaxSplit = 0x1p+500;

// Computes the square and what rounding took from it (Dekker), without a call: few machines that
// this is compiled for are known to have fma.
template <class Number>
HERON_INLINE void square_of(const Number& value, Number& high, Number& low) {
  const Number scaled = value * 134'217'729.0;  // 2^27 + 1
  const Number upper = scaled - (scaled - value), lower = value - upper;
  high = value * value;
  low = ((upper * upper - high) + 2.0 * (upper * lower)) + lower * lower;
}

// Adds a number to an exact sum (Knuth). What is left of it at the end, `left`, is lost: see
// ExactSum.
template <class Number, size_t kParts>
HERON_INLINE void add_to_parts(const Number& value, std::array<Number, kParts>& parts,
                               Number& left) {
  left = value;
  for (Number& part : parts) {
    const Number sum = part + left, added = sum - part;
    left = (part - (sum - added)) + (left - added);
    part = sum;
  }
}

// The sums of some values and of their squares, in four lanes.
struct SumsOfSquares {
  std::array<Doubles, 2> values{};
  std::array<Doubles, 4> squares{};
};

// Adds a multiple of four values. Returns whether the sums are exact.
struct AddSquares {
  HERON_INLINE static bool run(const double* values, uint64_t count, SumsOfSquares* sums) {
    SumsOfSquares all;
    Masks is_lost{};
    for (uint64_t i = 0; i < count; i += 4) {
      Doubles four, high, low, left;
      std::memcpy(&four, values + i, sizeof four);
      const Doubles size = four < 0.0 ? -four : four;
      is_lost |= (four != 0.0) & ~((size >= kMinSplit) & (size <= kMaxSplit));
      square_of(four, high, low);
      add_to_parts(four, all.values, left);
      is_lost |= left != 0.0;
      add_to_parts(high, all.squares, left);
      is_lost |= left != 0.0;
      add_to_parts(low, all.squares, left);
      is_lost |= left != 0.0;
    }
    *sums = all;
    return (is_lost[0] | is_lost[1] | is_lost[2] | is_lost[3]) == 0;
  }
};

struct GroupVariance {
  HERON_INLINE uint64_t add(double value) {
    ++count;
    DoublePair square;
    const double size = std::fabs(value);
    if (size >= kMinSplit && size <= kMaxSplit) [[likely]]
      square_of(value, square.high, square.low);
    else
      square = product(value, value);
    return values.add(value) + squares.add(square.high) + squares.add(square.low);
  }
  uint64_t add_all(const double* some, uint64_t number) {
    SumsOfSquares sums;
    uint64_t bytes = 0;
    if (number % 4 != 0 || !dispatch<AddSquares>(some, number, &sums)) {
      for (uint64_t i = 0; i < number; ++i) bytes += add(some[i]);
      return bytes;
    }
    count += number;
    for (int lane = 0; lane < 4; ++lane) {
      for (const Doubles& part : sums.values) bytes += values.add(part[lane]);
      for (const Doubles& part : sums.squares) bytes += squares.add(part[lane]);
    }
    return bytes;
  }
  uint64_t merge(const GroupVariance& next) {
    count += next.count;
    return values.merge(next.values) + squares.merge(next.squares);
  }
  ScalarView result(const Aggregate& one) const {
    if (count < 2) return {};
    const auto n = static_cast<double>(count);
    const DoublePair sum = values.pair(), all = squares.pair();
    // (n x squares - sum x sum) / n / (n - 1)
    const DoublePair left = product(n, all.high), right = product(sum.high, sum.high);
    const double low = left.low + n * all.low - right.low - 2 * sum.high * sum.low;
    const double variance = std::max(0.0, (left.high - right.high) + low) / n / (n - 1);
    const bool is_finite = std::isfinite(left.high) && std::isfinite(right.high);
    const double found = is_finite ? variance : std::nan("");
    return one.function == Aggregate::Function::Stddev ? std::sqrt(found) : found;
  }
  void save(StateWriter& to) const {
    to.put(count);
    values.save(to);
    squares.save(to);
  }
  uint64_t load(StateReader& from) {
    count = from.take<uint64_t>();
    const uint64_t bytes = values.load(from);
    return bytes + squares.load(from);
  }

  void free() noexcept {
    values.free();
    squares.free();
  }

  uint64_t count = 0;
  ExactSum<2> values;
  ExactSum<4> squares;
};

template <class T>
class Variances : public GroupStates<GroupVariance, T> {
 public:
  void update_block(const SelectedValues& block) override {
    const auto valid = block.valid();
    if (!valid) return;
    std::array<double, 512> some;
    uint64_t count = 0;
    const auto flush = [&] {
      this->own_bytes_ += this->all_[0].add_all(some.data(), count);
      count = 0;
    };
    valid->for_each([&](uint64_t row) {
      some[count++] = static_cast<double>(cell_of<T>(valid->values, row));
      if (count == some.size()) flush();
    });
    flush();
  }
};

}  // namespace

std::unique_ptr<AggregateState> make_variances(const StateOf& of) {
  if (of.type.is(Type::Decimal)) return std::make_unique<AsFloats<Variances<double>>>();
  return make_of_cells<Variances>(of.type);
}

extern const AggregateFunction kVariance{
    .name = "variance",
    .accepts = is_numeric,
    .lacks = " have no variance",
    .type = float_type,
    .state = [](const StateOf&) -> StateMaker { return make_variances; },
    .alias = "var_samp"};

}  // namespace heron::inline v0
