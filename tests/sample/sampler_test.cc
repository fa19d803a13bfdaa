// Sampler's guarantees: the specification, bijections, shards, resuming, errors, and golden rows
// that no release may change. sampler_quality_test.cc tests how random it is.
#include "heron/sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string_view>
#include <vector>

#include "heron/error.h"
#include "kit/real_files.h"
#include "sample/sampler_reference.h"

namespace {

using heron::Error;
using heron::ErrorKind;
using heron::Sampler;
using heron::SamplerOptions;

constexpr uint64_t kMaximum = UINT64_MAX;

std::vector<uint64_t> draw(const Sampler& sampler, uint64_t position, uint64_t count) {
  std::vector<uint64_t> rows(count);
  sampler.draw(position, rows);
  return rows;
}

std::vector<uint64_t> whole(const Sampler& sampler) {
  return draw(sampler, 0, sampler.size());
}

bool every_row_once(const std::vector<uint64_t>& rows) {
  std::vector<bool> seen(rows.size());
  for (const uint64_t row : rows) {
    if (row >= rows.size() || seen[row]) return false;
    seen[row] = true;
  }
  return true;
}

TEST(Sampler, IsABijectionForEveryNumberOfRows) {
  for (uint64_t rows = 0; rows <= 2000; ++rows) {
    for (uint64_t seed : {uint64_t{0}, uint64_t{1}, kMaximum}) {
      const Sampler sampler(rows, {.seed = seed, .epoch = rows});
      ASSERT_EQ(sampler.size(), rows);
      ASSERT_TRUE(every_row_once(whole(sampler))) << rows << " rows, seed " << seed;
    }
  }
  for (uint64_t rows : {65535, 65536, 65537, 1000000, 2238 * 2238, 2238 * 2238 + 1}) {
    ASSERT_TRUE(every_row_once(whole(Sampler(rows, {.seed = 5})))) << rows << " rows";
  }
}

// Returns numbers of rows around every limit: sides, 32 bits, the side of 2^32, 64 bits.
std::vector<uint64_t> awkward_numbers_of_rows() {
  std::vector<uint64_t> all{1,   2,    3,       255,     256,     257,     323,   324,
                            325, 5000, 5000000, 5008643, 5008644, 5008645, kMaximum, kMaximum - 1};
  for (uint64_t bits : {31, 32, 33, 48, 61, 62, 63}) {
    const uint64_t power = uint64_t{1} << bits;
    all.insert(all.end(), {power - 1, power, power + 1, power + power / 3});
  }
  const uint64_t largest_side = 0xffffffff;
  all.push_back(largest_side * largest_side);
  all.push_back(largest_side * largest_side + 1);
  return all;
}

TEST(Sampler, IsWhatTheSpecificationSays) {
  for (uint64_t rows : awkward_numbers_of_rows()) {
    for (uint64_t world : {uint64_t{1}, uint64_t{7}, rows / 3 + 1, kMaximum}) {
      const SamplerOptions options{
          .seed = rows, .epoch = kMaximum - 1, .rank = world / 3, .world_size = world};
      const Sampler sampler(rows, options);
      const auto keys = reference::keys(options.seed, options.epoch);
      const uint64_t side = reference::side(rows);
      const uint64_t count = std::min<uint64_t>(sampler.size(), 300);
      for (uint64_t start : {uint64_t{0}, (sampler.size() - count) / 2, sampler.size() - count}) {
        const auto got = draw(sampler, start, count);
        for (uint64_t i = 0; i < count; ++i) {
          const uint64_t position = options.rank + world * (start + i);
          ASSERT_EQ(got[i], reference::row(position, rows, side, keys))
              << rows << " rows, world " << world << ", position " << position;
        }
      }
    }
  }
}

TEST(Sampler, WithReplacementIsWhatTheSpecificationSays) {
  for (uint64_t rows : awkward_numbers_of_rows()) {
    for (uint64_t world : {uint64_t{1}, uint64_t{5}, kMaximum}) {
      const SamplerOptions options{
          .seed = 3, .epoch = rows, .replace = true, .rank = world - 1, .world_size = world};
      const auto keys = reference::keys(options.seed, options.epoch);
      for (uint64_t start : {uint64_t{0}, uint64_t{1000000000000}, kMaximum - 20}) {
        const auto got = draw(Sampler(rows, options), start, 40);
        for (uint64_t i = 0; i < got.size(); ++i) {
          const uint64_t position = options.rank + world * (start + i);
          ASSERT_EQ(got[i], reference::draw(position, rows, keys)) << rows << " rows";
        }
      }
    }
  }
}

TEST(Sampler, SharesAreTheWholeDealtOut) {
  for (bool replace : {false, true}) {
    for (uint64_t rows : {1, 2, 3, 10, 1000, 99991}) {
      const auto all = whole(Sampler(rows, {.seed = 9, .replace = replace}));
      for (uint64_t world : {1, 2, 3, 8, 1001}) {
        uint64_t dealt = 0;
        for (uint64_t rank = 0; rank < world; ++rank) {
          const Sampler share(rows,
                              {.seed = 9, .replace = replace, .rank = rank, .world_size = world});
          ASSERT_LE(share.size() - rows / world, 1u);
          const auto got = whole(share);
          for (uint64_t i = 0; i < got.size(); ++i) {
            ASSERT_EQ(got[i], all[rank + world * i]);
          }
          dealt += got.size();
        }
        ASSERT_EQ(dealt, rows);
      }
    }
  }
}

TEST(Sampler, PiecesOfAnySizeAreTheWhole) {
  for (bool replace : {false, true}) {
    const Sampler sampler(10007, {.seed = 1, .replace = replace, .rank = 1, .world_size = 3});
    const auto all = whole(sampler);
    for (uint64_t piece : {1, 2, 7, 8, 9, 63, 255, 256, 257, 1000}) {
      std::vector<uint64_t> joined;
      while (joined.size() <
             all.size()) {  // another Sampler draws each piece: one number resumes it
        const Sampler again(10007, {.seed = 1, .replace = replace, .rank = 1, .world_size = 3});
        const auto rows =
            draw(again, joined.size(), std::min<uint64_t>(piece, all.size() - joined.size()));
        joined.insert(joined.end(), rows.begin(), rows.end());
      }
      ASSERT_EQ(joined, all) << "in pieces of " << piece;
    }
  }
}

TEST(Sampler, WithReplacementGoesOnBeyondAnEpoch) {
  const Sampler sampler(10, {.replace = true});
  EXPECT_EQ(sampler.size(), 10u);
  const auto rows = draw(sampler, 0, 1000);
  EXPECT_TRUE(std::all_of(rows.begin(), rows.end(), [](uint64_t row) { return row < 10; }));
  EXPECT_EQ(draw(sampler, 990, 10), std::vector<uint64_t>(rows.end() - 10, rows.end()));
}

template <class Call>
void expect_argument_error(Call call, std::string_view text) {
  try {
    call();
    ADD_FAILURE() << "no error; expected: " << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Argument);
    EXPECT_EQ(std::string_view(error.what()), text);
  }
}

TEST(Sampler, RefusesWhatIsNotThere) {
  expect_argument_error([] { Sampler(10, {.rank = 2, .world_size = 2}); },
                        "sampler: rank must be below world_size, got rank 2 of 2");
  expect_argument_error([] { Sampler(10, {.world_size = 0}); },
                        "sampler: rank must be below world_size, got rank 0 of 0");
  expect_argument_error([] { Sampler(0, {.replace = true}); },
                        "sampler: cannot draw with replacement from 0 rows");
  const Sampler sampler(10);
  expect_argument_error([&] { draw(sampler, 8, 3); },
                        "sampler: expected positions below 10, got 3 from position 8");
  expect_argument_error([&] { draw(sampler, kMaximum, 2); },
                        "sampler: expected positions below 10, got 2 from position "
                        "18446744073709551615");
  EXPECT_TRUE(draw(sampler, 10, 0).empty());
  EXPECT_TRUE(whole(Sampler(0)).empty());
  EXPECT_TRUE(whole(Sampler(3, {.rank = 5, .world_size = 9})).empty());
}

TEST(Sampler, GoldenRows) {
  std::ifstream file(heron::data_dir().parent_path() / "tests/sample/sampler_golden.json");
  const auto table = nlohmann::json::parse(file);
  ASSERT_GT(table.size(), 20u);
  for (const auto& golden : table) {
    const SamplerOptions options{.seed = golden.value("seed", uint64_t{0}),
                                 .epoch = golden.value("epoch", uint64_t{0}),
                                 .replace = golden.value("replace", false),
                                 .rank = golden.value("rank", uint64_t{0}),
                                 .world_size = golden.value("world", uint64_t{1})};
    const auto expected = golden.at("expected").get<std::vector<uint64_t>>();
    const auto position = golden.at("position").get<uint64_t>();
    EXPECT_EQ(draw(Sampler(golden.at("rows"), options), position, expected.size()), expected)
        << golden;
  }
}

}  // namespace
