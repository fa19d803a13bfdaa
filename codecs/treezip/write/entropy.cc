#include "treezip/write/entropy.h"

#include <cmath>

namespace heron::inline v0::treezip {
namespace {

double term(double p) {
  return p == 0 ? 0 : -p * std::log2(p);
}

}  // namespace

double entropy(uint64_t ones, uint64_t all) {
  const double p = static_cast<double>(ones) / static_cast<double>(all);
  return term(p) + term(1 - p);
}

EntropyCache::EntropyCache() : small_(small_table()), many_(size_t{1} << kIndexBits) {}

const std::array<EntropyCache::Row, EntropyCache::kSmall + 1>& EntropyCache::small_table() {
  static const auto table = [] {
    std::array<Row, kSmall + 1> rows{};
    for (uint64_t all = 1; all <= kSmall; ++all) {
      for (uint64_t ones = 0; ones <= all; ++ones) rows[all][ones] = entropy(ones, all);
    }
    return rows;
  }();
  return table;
}

}  // namespace heron::inline v0::treezip
