// Sketches: their error over many cardinalities, and that merged parts equal the whole.
#include "aggregate/distinct/hyper_log_log.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "aggregate/distinct/distinct_set.h"
#include "error_of.h"
#include "heron/heron.h"

namespace heron {
namespace {

// Returns the relative errors of many sketches of `count` values each.
template <class HashOf>
std::vector<double> errors_of(uint64_t count, int sketches, HashOf hash_of) {
  std::vector<double> errors;
  for (int i = 0; i < sketches; ++i) {
    HyperLogLog sketch;
    for (uint64_t k = 0; k < count; ++k) sketch.add(hash_of(static_cast<uint64_t>(i) << 32 | k));
    errors.push_back(static_cast<double>(sketch.estimate()) / static_cast<double>(count) - 1);
  }
  return errors;
}

// Expects the documented standard error, no bias, and no estimate beyond four standard errors.
void expect_error(const std::vector<double>& errors, uint64_t count) {
  double squares = 0, sum = 0, most = 0;
  for (const double error : errors) {
    squares += error * error;
    sum += error;
    most = std::max(most, std::abs(error));
  }
  const auto sketches = static_cast<double>(errors.size());
  EXPECT_LT(std::sqrt(squares / sketches), kDistinctError * (1 + 3 / std::sqrt(2 * sketches)))
      << count;
  EXPECT_LT(std::abs(sum / sketches), 4 * kDistinctError / std::sqrt(sketches)) << count;
  EXPECT_LT(most, 4.5 * kDistinctError) << count;
}

TEST(HyperLogLog, ErrorIsTheDocumentedOneForAllCardinalities) {
  EXPECT_NEAR(kDistinctError, 1.04 / std::sqrt(HyperLogLog::kRegisters), 0.0001);
  for (const uint64_t count : {100, 1000, 3000, 10'000, 40'000, 100'000, 1'000'000}) {
    const int sketches = count < 100'000 ? 60 : 12;
    expect_error(errors_of(count, sketches, [](uint64_t k) { return sketch_hash(k); }), count);
    expect_error(errors_of(count, sketches,
                           [](uint64_t k) {  // consecutive floats differ in few bits
                             return sketch_hash(distinct_bits(static_cast<double>(k) * 0.25));
                           }),
                 count);
  }
  for (const uint64_t count : {1000, 50'000}) {
    expect_error(errors_of(count, 30, [](uint64_t k) { return sketch_hash(std::to_string(k)); }),
                 count);
  }
}

TEST(HyperLogLog, FewValuesAreNearlyExact) {
  for (uint64_t count = 0; count <= 64; ++count) {
    HyperLogLog sketch;
    for (int again = 0; again < 100; ++again) {
      for (uint64_t k = 0; k < count; ++k) sketch.add(sketch_hash(k));
    }
    EXPECT_NEAR(static_cast<double>(sketch.estimate()), static_cast<double>(count), 1);
    EXPECT_LT(sketch.bytes(), 1100);
  }
}

// Sketches have sizes on either side of the one at which a list becomes registers.
TEST(HyperLogLog, PartsMergedInAnyOrderAreTheWhole) {
  for (const uint64_t count : {10, 1500, 2500, 9000, 60'000}) {
    HyperLogLog whole;
    std::vector<HyperLogLog> parts(5);
    for (uint64_t k = 0; k < count; ++k) {
      whole.add(sketch_hash(k));
      parts[k * k % 5].add(sketch_hash(k));
      parts[k % 3].add(sketch_hash(k));
    }
    HyperLogLog forth, back;
    for (size_t i = 0; i < parts.size(); ++i) {
      forth.merge(parts[i]);
      back.merge(parts[parts.size() - 1 - i]);
    }
    EXPECT_EQ(forth.estimate(), whole.estimate()) << count;
    EXPECT_EQ(back.estimate(), whole.estimate()) << count;
    EXPECT_LE(whole.bytes(), 16'384 + (count < 2000 ? 0 : 1));
  }
}

TEST(HyperLogLog, OfNothing) {
  EXPECT_EQ(HyperLogLog().estimate(), 0u);
}

// Returns a sketch that another process saved with one listed register.
HyperLogLog loaded(uint64_t index, uint64_t rank) {
  StateWriter state;
  state.put_all(std::vector<uint32_t>{static_cast<uint32_t>(index << 8 | rank)});
  state.put_all(std::vector<uint8_t>{});
  const std::vector<std::byte> bytes = std::move(state).finish();
  StateReader reader(bytes);
  HyperLogLog sketch;
  sketch.load(reader);
  return sketch;
}

TEST(HyperLogLogState, OfARegisterThatDoesNotExistIsDamage) {
  constexpr uint64_t kLast = HyperLogLog::kRegisters - 1;
  EXPECT_EQ(loaded(kLast, 1).estimate(), 1u);
  for (const uint64_t index : {kLast + 1, uint64_t{0xFFFFFF}}) {
    test::error_of(ErrorKind::Corrupt, [&] { loaded(index, 1); });
  }
  test::error_of(ErrorKind::Corrupt, [] { loaded(kLast, 64); });  // no hash has that rank
}

}  // namespace
}  // namespace heron
