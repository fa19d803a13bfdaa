// The sub-sample that other programs draw, against the rows that those programs drew; rows of
// groups.
#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "error_of.h"
#include "heron/heron.h"
#include "kit/made_table.h"
#include "kit/real_files.h"
#include "sample/java_random.h"

namespace heron {
namespace {

using Numbers = std::vector<uint64_t>;

Numbers numbers_below(uint64_t count) {
  Numbers all(count);
  std::iota(all.begin(), all.end(), uint64_t{0});
  return all;
}

struct Draws {
  uint64_t seed;
  std::vector<uint32_t> expected;
};

// OpenJDK 17 printed three draws below each of these bounds. The last but one rejects half of the
// draws; three are powers of two.
TEST(JavaRandom, GivesWhatJavaGives) {
  constexpr uint32_t kBounds[] = {1, 2, 3, 7, 16, 100, 1u << 30, (1u << 30) + 1, INT32_MAX};
  const Draws of_zero{0,
                      {0,         0,         0,         1,         1,          0,         2,
                       0,         0,         2,         1,         2,          6,         9,
                       15,        44,        84,        75,        1010658620, 188953660, 295229571,
                       672024888, 276804524, 790221947, 314824652, 1514351260, 49903503}};
  const Draws of_42{42,
                    {0,         0,         0,         0,          0,          1,          2,
                     2,         1,         3,         3,          4,          5,          6,
                     4,         32,        56,        70,         840634371,  1071786104, 987120700,
                     326327863, 937357226, 944462913, 1610411243, 1998515241, 830146030}};
  const std::vector<Draws> all = {
      of_zero,
      {uint64_t{1} << 63, of_zero.expected},  // only 48 bits matter
      of_42,
      {(uint64_t{1} << 48) + 42, of_42.expected},
      {1, {0,         0,         0,         0,         0,          0,         2,
           1,         1,         6,         5,         5,          15,        2,
           15,        34,        92,        62,        1006184298, 523006094, 426462688,
           746289310, 342179099, 631482674, 792426959, 1087665298, 1856420153}},
      {UINT64_MAX, {0,         0,         0,         1,         1,         1,         0,
                    0,         1,         6,         5,         5,         0,         1,
                    1,         50,        69,        72,        600547343, 785472327, 643416308,
                    754206257, 975495143, 720466900, 499582545, 6265644,   378035946}},
  };
  for (const Draws& draws : all) {
    JavaRandom random(draws.seed);
    std::vector<uint32_t> got;
    for (const uint32_t bound : kBounds) {
      for (int i = 0; i < 3; ++i) got.push_back(random.below(bound));
    }
    EXPECT_EQ(got, draws.expected) << draws.seed;
  }
}

TEST(SubSample, IsWhatOthersDrew) {
  const std::map<std::string, uint64_t> counts = {
      {"types_ranking.bin", 12}, {"letor_like_medium.bin", 120},   {"one_row_per_query.bin", 200},
      {"types_plain.bin", 301},  {"byte_short_boundary.bin", 141}, {"one_query.bin", 1},
  };
  std::ifstream in(data_dir() / "jforests/sampling.expected.json");
  const auto cases = nlohmann::json::parse(in).at("cases");
  ASSERT_EQ(cases.size(), 11);
  for (const auto& drawn : cases) {
    const Numbers expected = drawn.at(drawn.contains("queries") ? "queries" : "rows");
    EXPECT_EQ(sub_sample(counts.at(drawn.at("file")), drawn.at("rate"), drawn.at("seed")), expected)
        << drawn.at("file") << ", seed " << drawn.at("seed");
  }
}

// OpenJDK 17 shuffled these halves of 2, 3 and 5.
TEST(SubSample, OfFewIsTheSameToo) {
  const std::map<int64_t, std::vector<Numbers>> drawn = {
      {7, {{0}, {0}, {3, 4}}},
      {123456789, {{0}, {0}, {1, 4}}},
      {-5, {{1}, {1}, {2, 3}}},
      {987654321987, {{1}, {2}, {2, 3}}},
  };
  for (const auto& [seed, halves] : drawn) {
    const auto unsigned_seed = static_cast<uint64_t>(seed);
    EXPECT_EQ(sub_sample(2, 0.5, unsigned_seed), halves[0]) << seed;
    EXPECT_EQ(sub_sample(3, 0.5, unsigned_seed), halves[1]) << seed;
    EXPECT_EQ(sub_sample(5, 0.5, unsigned_seed), halves[2]) << seed;
  }
}

TEST(SubSample, KeepsAllFromRateOneOnAndNothingAtZero) {
  for (const double rate : {1.0, 1.5, std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(sub_sample(5, rate, 1), numbers_below(5));
  }
  EXPECT_EQ(sub_sample(5, 0, 1), Numbers());
  EXPECT_EQ(sub_sample(5, 0.19999, 1), Numbers());
  EXPECT_EQ(sub_sample(0, 0.5, 1), Numbers());
  EXPECT_EQ(sub_sample(1, 0.9999, 1), Numbers());
}

TEST(SubSample, HowManyIsCutFromTheRoundedProduct) {
  EXPECT_EQ(sub_sample(10, 0.3, 1).size(), 3);  // 0.3 is a little less
  EXPECT_EQ(sub_sample(100, 0.29, 1).size(), 28);
}

TEST(SubSample, RefusesWhatIsNoRateAndWhatIsTooMany) {
  for (const double rate :
       {-0.1, std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(test::error_of([&] { sub_sample(5, rate, 1); }).kind(), ErrorKind::Argument);
  }
  for (const double rate : {0.5, 2.0}) {
    const Error error = test::error_of([&] { sub_sample(uint64_t{1} << 31, rate, 1); });
    EXPECT_EQ(error.kind(), ErrorKind::Limit);
    EXPECT_STREQ(error.what(), "sub-sample: of at most 2147483647, got 2147483648");
  }
}

TEST(SubSample, StopsWhenItIsToldTo) {
  const std::atomic<bool> cancel{true};
  Context context;
  context.cancel = &cancel;
  EXPECT_EQ(test::error_of([&] { sub_sample(1'000'000, 0.5, 1, context); }).kind(),
            ErrorKind::Cancelled);
}

TEST(RowsOfGroups, AreThoseOfTheGroupsInTheOrderGiven) {
  TableMaker maker(9);
  maker.group_starts = {0, 2, 2, 5, 9};
  const auto table = maker.null("nothing").table();
  EXPECT_EQ(rows_of_groups(*table, Numbers{3, 0, 1, 0}), (Numbers{5, 6, 7, 8, 0, 1, 0, 1}));
  EXPECT_EQ(rows_of_groups(*table, Numbers{0, 1, 2, 3}), numbers_below(9));
  EXPECT_EQ(rows_of_groups(*table, Numbers{}), Numbers());
  const Error error = test::error_of([&] { rows_of_groups(*table, Numbers{0, 4}); });
  EXPECT_EQ(error.kind(), ErrorKind::Argument);
  EXPECT_STREQ(error.what(), "made.file: no group 4 in table \"data\": expected 0 to 3");
}

TEST(RowsOfGroups, RefusesATableWithoutGroups) {
  const auto table = TableMaker(9).null("nothing").table();
  EXPECT_EQ(table->group_count(), 0);
  EXPECT_EQ(test::error_of([&] { rows_of_groups(*table, Numbers{0}); }).kind(),
            ErrorKind::Argument);
}

}  // namespace
}  // namespace heron
