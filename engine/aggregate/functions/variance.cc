// variance of a sample (var_samp): the squared distances from the mean, summed and divided by the
// number of values less one; null for fewer than two values, NaN if one is not finite or its square
// is beyond float64. Integers are taken as float64. The sums of the values and of their squares are
// exact, so that no order shows; what follows of them is computed in pairs of doubles, so that a
// large mean takes nothing from a small variance.
#include <cmath>

#include "aggregate/exact_sum.h"
#include "aggregate/functions/function.h"
#include "aggregate/functions/group_states.h"

namespace heron::inline v0 {
namespace {

DoublePair product(double a, double b) {
  const double high = a * b;
  return {high, std::fma(a, b, -high)};
}

struct GroupVariance {
  uint64_t add(double value) {
    ++count;
    const DoublePair square = product(value, value);
    return values.add(value) + squares.add(square.high) + squares.add(square.low);
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
using Variances = GroupStates<GroupVariance, T>;

}  // namespace

std::unique_ptr<AggregateState> make_variances(const StateOf& of) {
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
