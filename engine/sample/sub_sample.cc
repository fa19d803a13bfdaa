// The sub-sample of programs that shuffle by java.util.Random, and the rows of groups. SAMPLING.md
// in this folder specifies the rule.
#include <algorithm>
#include <numeric>
#include <utility>

#include "base/fail.h"
#include "heron/error.h"
#include "heron/sampler.h"
#include "sample/java_random.h"

namespace heron::inline v0 {
namespace {

constexpr uint64_t kMaxCount = INT32_MAX;  // the generator's largest bound

// Returns 0 .. count - 1, shuffled from the back.
std::vector<uint32_t> shuffled(uint32_t count, uint64_t seed, const Context& context) {
  constexpr uint32_t kDrawsAtOnce = 1 << 16;
  std::vector<uint32_t> order(count);
  std::iota(order.begin(), order.end(), uint32_t{0});
  JavaRandom random(seed);
  for (uint32_t left = count; left >= 2; --left) {
    if (left % kDrawsAtOnce == 0) context.check_cancelled();
    std::swap(order[left - 1], order[random.below(left)]);
  }
  return order;
}

}  // namespace

std::vector<uint64_t> sub_sample(uint64_t count, double rate, uint64_t seed,
                                 const Context& context) {
  if (!(rate >= 0)) {
    fail(ErrorKind::Argument, "", "sub-sample: expected a rate of 0 or more, got ", rate);
  }
  if (count > kMaxCount) {
    fail(ErrorKind::Limit, "", "sub-sample: of at most ", kMaxCount, ", got ", count);
  }
  std::vector<uint64_t> sample;
  if (rate >= 1) {
    sample.resize(count);
    std::iota(sample.begin(), sample.end(), uint64_t{0});
  } else {
    const std::vector<uint32_t> order = shuffled(static_cast<uint32_t>(count), seed, context);
    const auto kept = static_cast<std::ptrdiff_t>(static_cast<double>(count) * rate);
    sample.assign(order.begin(), order.begin() + kept);
    std::sort(sample.begin(), sample.end());
  }
  return sample;
}

std::vector<uint64_t> rows_of_groups(const Table& table, std::span<const uint64_t> groups) {
  uint64_t count = 0;
  for (const uint64_t group : groups) count += table.group(group).rows();
  std::vector<uint64_t> rows(count);
  auto end = rows.begin();
  for (const uint64_t group : groups) {
    const RowRange range = table.group(group);
    const auto first = std::exchange(end, end + static_cast<std::ptrdiff_t>(range.rows()));
    std::iota(first, end, range.first);
  }
  return rows;
}

}  // namespace heron::inline v0
