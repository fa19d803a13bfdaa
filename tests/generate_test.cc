// Generated rows are the same for a seed, for batches of any size, and distributed as requested.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "generate/preset.h"
#include "heron/error.h"
#include "kit/json_rows.h"

namespace heron {
namespace {

using generate::make_preset;
using Lines = std::vector<std::string>;

constexpr uint64_t kPresetSeed = 20261121;
constexpr uint64_t kGeneratedRows = 200'000;

const RowBatch& peers() {
  static const RowBatch batch = [] {
    RowBatch rows;
    make_preset("peers", kPresetSeed)->fill(kGeneratedRows, rows);
    return rows;
  }();
  return batch;
}

const Values& column(std::string_view name) {
  for (uint64_t i = 0; i < peers().columns.size(); ++i) {
    if ((*peers().schema)[i].name == name) return peers().columns[i];
  }
  throw std::out_of_range("no such column");
}

// Returns FNV-1a over the rows' JSON.
uint64_t checksum(const RowBatch& batch) {
  uint64_t sum = 14695981039346656037U;
  for (const std::string& line : json_rows(batch)) {
    for (const char byte : line) sum = (sum ^ static_cast<uint8_t>(byte)) * 1099511628211U;
  }
  return sum;
}

// Checks the first row and the checksum of 10,000 rows.
void expect_rows(const char* preset, std::optional<uint64_t> features, const std::string& first,
                 uint64_t sum) {
  RowBatch batch;
  make_preset(preset, 7, features)->fill(10'000, batch);
  EXPECT_THAT(json_rows(batch).front(), testing::StartsWith(first));
  EXPECT_EQ(checksum(batch), sum);
}

TEST(Generate, ASeedGivesTheSameRowsOnEveryMachine) {
  expect_rows("peers", {},
              R"({"id":4,"ts":1600000000631,"f0":1.200836420059204,"f1":0.21769288182258606,)"
              R"("f2":0.528609037399292,"f3":-0.31375402212142944,"d0":0.7310762515398206,)"
              R"("d1":0.10277106191357276,"flag":false,"s":"bqkpmmbu"})",
              2116930049544057663U);
  expect_rows("features", 2, R"({"c0":0.5851458311080933,"c1":0.6837130188941956})",
              11780100189284181498U);
  expect_rows("features", {}, R"({"c0":0.5851458311080933,"c1":0.6837130188941956,"c2":)",
              2444375537268317444U);
  const std::string first =
      R"({"target":2.0,"query":0,"f1":0.0,"f2":1.0,"f3":0.0,"f4":0.0,"f5":80.0,"f6":457.0,)"
      R"("f7":-1.9184440931767477,"f8":2.0,"f9":0.0,"f10":0.0,"f11":1.0)";
  expect_rows("ranking", 11, first + "}", 14590813959879712722U);
  expect_rows("ranking", {}, first + ",", 5906334257445136758U);
}

TEST(Generate, BlocksAreTenNumbersAndAText) {
  RowBatch batch;
  make_preset("blocks", 7)->fill(3, batch);
  EXPECT_THAT(json_rows(batch).front(),
              testing::AllOf(testing::StartsWith(R"({"f0":0.5851458311080933,)"),
                             testing::EndsWith(R"("s":"butchzewcwik"})")));
  EXPECT_EQ(batch.columns.size(), 11);
}

TEST(Generate, RowsDoNotDependOnTheBatches) {
  for (const char* preset : {"peers", "features", "ranking"}) {
    SCOPED_TRACE(preset);
    const auto whole = make_preset(preset, 7), parts = make_preset(preset, 7);
    RowBatch batch;
    whole->fill(3000, batch);
    const Lines expected = json_rows(batch);
    Lines lines;
    for (const uint64_t rows : {1, 2, 511, 0, 1025, 1461}) {
      parts->fill(rows, batch);
      const Lines some = json_rows(batch);
      lines.insert(lines.end(), some.begin(), some.end());
    }
    EXPECT_EQ(lines, expected);
  }
}

TEST(Generate, ABatchThatSomebodyHoldsIsNotOverwritten) {
  const auto preset = make_preset("peers", 7);
  RowBatch batch;
  preset->fill(100, batch);
  const RowBatch copy = batch;
  const Lines lines = json_rows(copy);
  preset->fill(100, batch);
  EXPECT_EQ(json_rows(copy), lines);
  EXPECT_NE(json_rows(batch), lines);
}

TEST(Generate, SeedsDiffer) {
  RowBatch other;
  make_preset("peers", kPresetSeed + 1)->fill(kGeneratedRows, other);
  const auto* a = column("f0").data.as<float>();
  const auto* b = other.columns[2].data.as<float>();
  double covariance = 0;
  for (uint64_t i = 0; i < kGeneratedRows; ++i) covariance += double{a[i]} * double{b[i]};
  EXPECT_LT(std::abs(covariance / kGeneratedRows), 4 / std::sqrt(kGeneratedRows));
}

template <class T>
void expect_steps(std::string_view name, int64_t before, int64_t least, int64_t most) {
  const Values& values = column(name);
  std::vector<uint64_t> seen(static_cast<size_t>(most - least + 1));
  for (uint64_t row = 0; row < kGeneratedRows; ++row) {
    const int64_t step = values.get<T>(row) - before;
    ASSERT_TRUE(step >= least && step <= most) << step;
    before += step;
    ++seen[static_cast<size_t>(step - least)];
  }
  const double expected = static_cast<double>(kGeneratedRows) / static_cast<double>(seen.size());
  double chi_square = 0;
  for (const uint64_t count : seen) {
    const double off = static_cast<double>(count) - expected;
    chi_square += off * off / expected;
  }
  const auto freedom = static_cast<double>(seen.size() - 1);
  EXPECT_LT(std::abs(chi_square - freedom), 4 * std::sqrt(2 * freedom));
}

TEST(Generate, IdsAndTimesAscendInEvenSteps) {
  expect_steps<int32_t>("id", 0, 1, 4);
  expect_steps<int64_t>("ts", 1'600'000'000'000, 0, 1999);
}

// Expects moments within 4.5 standard errors, which fails by chance once in 150,000 bounds.
template <class T>
void expect_normal(std::string_view name) {
  SCOPED_TRACE(name);
  const Values& values = column(name);
  double moments[5] = {}, neighbours = 0, previous = 0;
  uint64_t tail = 0;
  for (uint64_t row = 0; row < kGeneratedRows; ++row) {
    const double x = values.get<T>(row);
    for (int power = 1; power <= 4; ++power) moments[power] += std::pow(x, power) / kGeneratedRows;
    neighbours += x * previous / kGeneratedRows;
    previous = x;
    tail += x > 2.328125;
  }
  const double error = 4.5 / std::sqrt(kGeneratedRows);
  EXPECT_NEAR(moments[1], 0, error);
  EXPECT_NEAR(moments[2], 1, error * std::sqrt(2));
  EXPECT_NEAR(moments[3], 0, error * std::sqrt(15));
  EXPECT_NEAR(moments[4], 3, error * std::sqrt(96));
  EXPECT_NEAR(neighbours, 0, error);
  EXPECT_NEAR(static_cast<double>(tail) / kGeneratedRows, 0.00995, error * std::sqrt(0.00995));
}

TEST(Generate, FloatsAreStandardNormal) {
  for (const char* name : {"f0", "f1", "f2", "f3"}) expect_normal<float>(name);
  for (const char* name : {"d0", "d1"}) expect_normal<double>(name);
}

// The test takes Kolmogorov and Smirnov's distance to the normal distribution.
TEST(Generate, NormalsFollowTheWholeCurve) {
  const auto* cells = column("d0").data.as<double>();
  std::vector<double> sorted(cells, cells + kGeneratedRows);
  std::sort(sorted.begin(), sorted.end());
  double distance = 0;
  for (uint64_t i = 0; i < kGeneratedRows; ++i) {
    const double below = 0.5 * std::erfc(-sorted[i] / std::sqrt(2));
    distance = std::max(distance, std::abs(below - static_cast<double>(i) / kGeneratedRows));
  }
  EXPECT_LT(distance, 2.2 / std::sqrt(kGeneratedRows));
}

TEST(Generate, ThreeFlagsOfTenAreTrue) {
  uint64_t flags = 0;
  for (uint64_t row = 0; row < kGeneratedRows; ++row) flags += column("flag").get_bool(row);
  EXPECT_NEAR(static_cast<double>(flags) / kGeneratedRows, 0.3,
              4.5 * std::sqrt(0.21 / kGeneratedRows));
}

TEST(Generate, TextsAreFourToTwelveLetters) {
  std::vector<uint64_t> lengths(13), letters(26 * 12);
  for (uint64_t row = 0; row < kGeneratedRows; ++row) {
    const std::string_view text = column("s").text(row);
    ASSERT_TRUE(text.size() >= 4 && text.size() <= 12);
    ++lengths[text.size()];
    for (uint64_t i = 0; i < text.size(); ++i) {
      ASSERT_TRUE(text[i] >= 'a' && text[i] <= 'z');
      ++letters[i * 26 + static_cast<uint64_t>(text[i] - 'a')];
    }
  }
  for (uint64_t length = 4; length <= 12; ++length) {
    EXPECT_NEAR(static_cast<double>(lengths[length]), kGeneratedRows / 9.0,
                4.5 * std::sqrt(kGeneratedRows / 9.0));
  }
  for (uint64_t i = 0; i < letters.size(); ++i) {
    const uint64_t position = i / 26;
    const double texts = static_cast<double>(
        std::accumulate(letters.begin() + static_cast<ptrdiff_t>(position * 26),
                        letters.begin() + static_cast<ptrdiff_t>(position * 26 + 26), uint64_t{0}));
    EXPECT_NEAR(static_cast<double>(letters[i]), texts / 26, 4.5 * std::sqrt(texts / 26));
  }
}

TEST(Generate, MoreFeaturesLeaveTheOthersAsTheyAre) {
  for (const char* preset : {"features", "ranking"}) {
    RowBatch some, more;
    make_preset(preset, 7)->fill(10, some);
    make_preset(preset, 7, 1000)->fill(10, more);
    ASSERT_GE(more.columns.size(), 1000U);
    more.columns.resize(some.columns.size());
    more.schema = some.schema;
    EXPECT_EQ(json_rows(more), json_rows(some));
  }
}

const RowBatch& ranking() {
  static const RowBatch batch = [] {
    RowBatch rows;
    make_preset("ranking", kPresetSeed)->fill(kGeneratedRows, rows);
    return rows;
  }();
  return batch;
}

TEST(Generate, QueriesAscendAndHaveOneToFiftyRows) {
  const auto* queries = ranking().columns[1].data.as<uint32_t>();
  std::vector<uint64_t> lengths(51);
  uint64_t rows = 0;
  EXPECT_EQ(queries[0], 0U);
  for (uint64_t row = 1; row < kGeneratedRows; ++row) {
    ++rows;
    if (queries[row] == queries[row - 1]) continue;
    ASSERT_EQ(queries[row], queries[row - 1] + 1);
    ASSERT_LE(rows, 50U);
    ++lengths[rows];
    rows = 0;
  }
  EXPECT_NEAR(static_cast<double>(kGeneratedRows) / queries[kGeneratedRows - 1], 19.9, 0.6);
  EXPECT_EQ(std::count(lengths.begin() + 1, lengths.end(), 0U), 0);
}

TEST(Generate, MostTargetsAreLow) {
  std::vector<uint64_t> counts(5);
  for (uint64_t row = 0; row < kGeneratedRows; ++row) {
    ++counts.at(static_cast<uint64_t>(ranking().columns[0].get<double>(row)));
  }
  const double shares[] = {0.52, 0.32, 0.13, 0.02, 0.01};
  for (uint64_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(static_cast<double>(counts[i]) / kGeneratedRows, shares[i],
                4.5 * std::sqrt(shares[i] * (1 - shares[i]) / kGeneratedRows));
  }
}

// The features f1, f2, ... have ten kinds by turns.
TEST(Generate, FeaturesAreOfTenKinds) {
  struct Kind {
    double least, most, mean;
    uint64_t distinct, zeros;  // minima
  };
  constexpr Kind kKinds[] = {
      {0, 0, 0, 1, kGeneratedRows}, {0, 1, 0.5, 2, 98'000},
      {0, 1, 1. / 64, 2, 195'000},  {0, 24, 1, 12, 98'000},
      {0, 99, 49.5, 100, 1'800},    {0, 2499.875, 1249.9, 19'000, 0},
      {-5.5, 5.5, 0, 190'000, 0},   {0, 16'777'214, 1'048'576, 60'000, 7'500},
      {0, 16, 0.425, 17, 189'000},  {0, 1, 0.025, 3'000, 189'000},
  };
  for (uint64_t i = 0; i < 20; ++i) {
    const uint64_t round = i / 10;
    const Kind& kind = kKinds[i % 10];
    SCOPED_TRACE((*ranking().schema)[2 + i].name);
    const auto* cells = ranking().columns[2 + i].data.as<double>();
    std::vector<double> sorted(cells, cells + kGeneratedRows);
    std::sort(sorted.begin(), sorted.end());
    const double shift = i % 10 == 0 ? static_cast<double>(round) : 0;
    EXPECT_GE(sorted.front(), kind.least + shift);
    EXPECT_LE(sorted.back(), kind.most + shift);
    double sum = 0, squares = 0;
    for (const double cell : sorted) sum += cell, squares += cell * cell;
    const double mean = sum / kGeneratedRows, variance = squares / kGeneratedRows - mean * mean;
    EXPECT_NEAR(mean, kind.mean + shift, 4.5 * std::sqrt(variance / kGeneratedRows));
    const auto zeros = static_cast<uint64_t>(std::count(sorted.begin(), sorted.end(), 0.0));
    EXPECT_GE(zeros, shift > 0 ? 0 : kind.zeros);
    const auto distinct = std::unique(sorted.begin(), sorted.end()) - sorted.begin();
    EXPECT_GE(static_cast<uint64_t>(distinct), kind.distinct);
  }
}

TEST(Generate, RefusesWhatThereIsNot) {
  EXPECT_THROW(make_preset("nobody", 0), Error);
  EXPECT_THROW(make_preset("peers", 0, 20), Error);
  RowBatch batch;
  EXPECT_THROW(make_preset("peers", 0)->fill(INT32_MAX / 4 + 1, batch), Error);
}

}  // namespace
}  // namespace heron
