#include "aggregate/functions/moments.h"

#include <array>
#include <cmath>

#include "values/cells.h"

namespace heron::inline v0 {
namespace {

// The sum of term(value) over valid values, in four sums so that additions need not wait for each
// other; the order depends on the rows alone.
template <class T, class Term>
double sum_of_terms(const ValidRows& valid, Term term) {
  std::array<double, 4> sums = {};
  const Values& values = valid.values;
  if (valid.bits == nullptr) {
    uint64_t row = 0;
    for (; row + sums.size() <= values.rows; row += sums.size()) {
      for (uint64_t i = 0; i < sums.size(); ++i) {
        sums[i] += term(static_cast<double>(cell_of<T>(values, row + i)));
      }
    }
    for (; row < values.rows; ++row) sums[0] += term(static_cast<double>(cell_of<T>(values, row)));
  } else {
    valid.for_each([&](uint64_t row) {
      sums[row % sums.size()] += term(static_cast<double>(cell_of<T>(values, row)));
    });
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace

void Moments::update_block(const SelectedValues& block) {
  const auto valid = block.valid();
  if (!valid) return;
  visit_cell_type(valid->values.type, [&]<class T>() {
    const auto count = static_cast<double>(valid->count);
    const double mean = sum_of_terms<T>(*valid, [](double value) { return value; }) / count;
    const double squares = sum_of_terms<T>(*valid, [mean](double value) {
      return (value - mean) * (value - mean);
    });
    const double all = count_ + count, distance = mean - mean_;
    mean_ += distance * (count / all);
    squares_ += squares + distance * distance * (count_ * (count / all));
    count_ = all;
  });
}

std::optional<double> Moments::stddev() const {
  if (count_ < 2) return std::nullopt;
  return std::isfinite(squares_) ? std::sqrt(squares_ / (count_ - 1)) : std::nan("");
}

}  // namespace heron::inline v0
