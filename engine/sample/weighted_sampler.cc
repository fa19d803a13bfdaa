// WeightedSampler: Vose's alias method, with every step specified in SAMPLING.md, so that other
// programs build the same table.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/fail.h"
#include "base/hash_mix.h"
#include "heron/error.h"
#include "heron/sampler.h"

namespace heron::inline v0 {
namespace {

constexpr double kOne = 0x1p53;

// Checks the weights and returns their sum.
double check_weights(std::span<const double> weights) {
  if (weights.empty() || weights.size() > std::numeric_limits<uint32_t>::max()) {
    fail(ErrorKind::Argument, "", "weights: expected 1 to 4294967295, got ", weights.size());
  }
  double sum = 0;
  for (uint64_t i = 0; i < weights.size(); ++i) {
    if (!(weights[i] >= 0) || !std::isfinite(weights[i])) {
      fail(ErrorKind::Argument, "", "weights: expected finite numbers from 0 on, got ", weights[i],
           " for row ", i);
    }
    sum += weights[i];
  }
  if (!(sum > 0) || !std::isfinite(sum)) {
    fail(ErrorKind::Argument, "", "weights: expected a finite sum above 0, got ", sum);
  }
  return sum;
}

}  // namespace

WeightedSampler::WeightedSampler(std::span<const double> weights) {
  const double sum = check_weights(weights);
  const uint64_t rows = weights.size();
  const auto many = static_cast<double>(rows);
  std::vector<double> shares(rows);
  std::vector<uint32_t> small, large;
  for (uint64_t i = 0; i < rows; ++i) {
    shares[i] = weights[i] / sum * many;
    (shares[i] < 1 ? small : large).push_back(static_cast<uint32_t>(i));
  }
  limits_.assign(rows, static_cast<uint64_t>(kOne));
  aliases_.resize(rows);
  while (!small.empty() && !large.empty()) {
    const uint32_t to = small.back(), from = large.back();
    small.pop_back();
    limits_[to] = static_cast<uint64_t>(shares[to] * kOne);
    aliases_[to] = from;
    shares[from] = shares[from] + shares[to] - 1;
    if (shares[from] < 1) {
      large.pop_back();
      small.push_back(from);
    }
  }
  // Rounding can leave rows in `small`, which keep their limit; but rows of weight 0 must never be
  // drawn.
  const auto heaviest =
      static_cast<uint32_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
  for (const uint32_t row : small) {
    if (weights[row] != 0) continue;
    limits_[row] = 0;
    aliases_[row] = heaviest;
  }
}

void WeightedSampler::draw(const SamplerOptions& options, uint64_t position,
                           std::span<uint64_t> out) const {
  SamplerOptions uniform = options;
  uniform.replace = true;
  Sampler(aliases_.size(), uniform).draw(position, out);
  const std::array<uint64_t, 8> keys = sampler_keys(options.seed, options.epoch);
  constexpr uint64_t kAhead = 16;
  for (uint64_t i = 0; i < out.size(); ++i) {
    if (i + kAhead < out.size()) {
      __builtin_prefetch(&limits_[out[i + kAhead]]);
      __builtin_prefetch(&aliases_[out[i + kAhead]]);
    }
    const uint64_t global = options.rank + options.world_size * (position + i);
    const uint64_t bits = mix_hash(mix_hash(global + keys[2]) + keys[3]) >> 11;
    if (bits >= limits_[out[i]]) out[i] = aliases_[out[i]];
  }
}

}  // namespace heron::inline v0
