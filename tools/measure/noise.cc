#include "measure/noise.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace heron::measure {
namespace {

constexpr uint64_t kDraws = 2000;
constexpr uint64_t kOutside = kDraws / 200;  // draws outside the interval on each side

// Draws `count` numbers below `count`, in runs of neighbours; the largest is a neighbour of 0.
void draw_runs(uint64_t count, std::mt19937_64& random, std::vector<uint64_t>& drawn) {
  const auto run = std::max<uint64_t>(1, std::llround(std::sqrt(static_cast<double>(count))));
  drawn.clear();
  while (drawn.size() < count) {
    const uint64_t start = random() % count;
    for (uint64_t i = 0; i < run && drawn.size() < count; ++i) {
      drawn.push_back((start + i) % count);
    }
  }
}

double median_of(std::span<const double> values, std::span<const uint64_t> drawn,
                 std::vector<double>& memory) {
  memory.clear();
  for (const uint64_t i : drawn) memory.push_back(values[i]);
  return median(memory);
}

}  // namespace

double median(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const uint64_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

RatioInterval ratio_interval(std::span<const double> values, std::span<const double> reference,
                             bool paired) {
  if (paired) {
    const uint64_t count = std::min(values.size(), reference.size());
    values = values.first(count);
    reference = reference.first(count);
  }
  std::mt19937_64 random(20261124);
  std::vector<uint64_t> drawn;
  std::vector<double> memory, ratios;
  for (uint64_t i = 0; i < kDraws; ++i) {
    draw_runs(values.size(), random, drawn);
    const double above = median_of(values, drawn, memory);
    if (!paired) draw_runs(reference.size(), random, drawn);
    ratios.push_back(above / median_of(reference, drawn, memory));
  }
  std::sort(ratios.begin(), ratios.end());
  return {median(values) / median(reference), ratios[kOutside], ratios[kDraws - 1 - kOutside]};
}

}  // namespace heron::measure
