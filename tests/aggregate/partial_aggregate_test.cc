// Partial aggregates, once merged, equal the result of one call over all rows, to the last bit.
#include "heron/split.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>
#include <random>

#include "aggregate/exact_sum.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/effort.h"
#include "kit/made_table.h"
#include "kit/on_threads.h"
#include "kit/plain_exact_sum.h"
#include "values/scalar.h"

namespace heron {
namespace {

using test::error_of;

constexpr uint64_t kPartRows = 25'021;

// Returns the range `rows` of a large table, made from a seed, with every kind of column.
std::shared_ptr<const Table> part_table(RowRange rows) {
  std::mt19937_64 random(5);
  std::vector<int32_t> k;
  std::vector<double> f;
  std::vector<float> g;
  std::vector<bool> flag;
  std::vector<std::optional<std::string>> t;
  for (uint64_t row = 0; row < rows.last; ++row) {
    const auto number = static_cast<int32_t>(random() % 1'000);
    const double value = std::ldexp(static_cast<double>(random() % 1'000'003) - 5e5,
                                    static_cast<int>(random() % 60) - 30);
    if (row < rows.first) continue;
    k.push_back(number);
    f.push_back(row % 97 == 5 ? std::nan("") : value);
    g.push_back(static_cast<float>(value));
    flag.push_back(number % 3 == 0);
    t.push_back(number % 100 == 7 ? std::nullopt : std::optional("text " + std::to_string(number)));
  }
  return TableMaker(k.size())
      .fixed("k", Type::Int32, k)
      .fixed("f", Type::Float64, f, NullEncoding::NaN)
      .fixed("g", Type::Float32, g)
      .bits("flag", flag)
      .texts("t", t)
      .null("nothing")
      .table();
}

constexpr std::string_view kAll =
    "count, count(t), sum(k), sum(f), sum(g), mean(f), mean(flag), min(f), max(g), min(t), max(t), "
    "min(k), "
    "distinct(t), distinct(f), distinct(k), approx_distinct(t), approx_distinct(k), median(f), "
    "quantile(k, 0.9), count(nothing), sum(flag), max(flag), variance(f), variance(g), stddev(k), "
    "first(t), last(t), first(f), last(k), first(nothing), count_null(t), count_null(nothing), "
    "mode(t), mode(k), mode(g), mode(flag), count_if(flag), any_value(t), any_value(f), "
    "bool_and(flag), bool_or(flag), sum(k * 2 + 1), max(length(t)), count(*) filter (where flag), "
    "mean(abs(f)) filter (where k > 500), mode(k % 7)";

std::vector<std::byte> state_of(const std::shared_ptr<const Table>& table, RowRange rows,
                                uint64_t first_row, std::string_view what, Columns by = {},
                                Where where = {}) {
  Query query(table, std::move(where));
  query.range = rows;
  query.by = std::move(by);
  return PartialAggregate(query, parse_aggregates(*table, what), {first_row, kPartRows},
                          on_threads(2))
      .bytes();
}

PartialAggregate merged(const std::vector<std::vector<std::byte>>& states) {
  PartialAggregate all(states.front());
  for (uint64_t i = 1; i < states.size(); ++i) all.append(PartialAggregate(states[i]));
  return all;
}

void expect_same_results(const RowBatch& a, const RowBatch& b) {
  ASSERT_EQ(a.rows, b.rows);
  ASSERT_EQ(a.columns.size(), b.columns.size());
  for (uint64_t i = 0; i < a.columns.size(); ++i) {
    SCOPED_TRACE((*a.schema)[i].name);
    EXPECT_EQ((*a.schema)[i].name, (*b.schema)[i].name);
    EXPECT_EQ(a.columns[i].type, b.columns[i].type);
    for (uint64_t row = 0; row < a.rows; ++row) {
      ASSERT_TRUE(compare(scalar_at(a.columns[i], row), scalar_at(b.columns[i], row)) == 0) << row;
    }
  }
}

// Parts are ranges of one file, or files of their own, that end anywhere.
TEST(PartialAggregate, OfPartsIsThatOfAllRowsToTheLastBit) {
  const auto whole = part_table({0, kPartRows});
  const auto aggregates = parse_aggregates(*whole, kAll);
  for (const std::string where : {"", "k < 900", "k = 3", "f > 0 and flag", "k > 5000"}) {
    Query query(whole);
    if (!where.empty()) query.where = where;
    const auto expected = aggregate(query, aggregates);
    for (const std::vector<uint64_t>& ends : {std::vector<uint64_t>{kPartRows},
                                              {4096, 8192, kPartRows},
                                              {1, 4095, 20'000, 20'001, kPartRows}}) {
      std::vector<std::vector<std::byte>> ranges, files;
      uint64_t first = 0;
      for (const uint64_t end : ends) {
        ranges.push_back(state_of(whole, {first, end}, 0, kAll, {}, query.where));
        const auto file = part_table({first, end});
        Where file_where;
        if (!where.empty()) file_where = where;
        files.push_back(state_of(file, {0, end - first}, first, kAll, {}, file_where));
        first = end;
      }
      for (const auto& states : {ranges, files}) {
        SCOPED_TRACE(where);
        expect_same_results(merged(states).result(), expected);
      }
    }
  }
}

// Parts in which no row passes have no split.
TEST(PartialAggregate, NeedsNoPartsWithoutRows) {
  const auto whole = part_table({0, kPartRows});
  const auto aggregates = parse_aggregates(*whole, "sum(f), sum(g), mean(f)");
  for (const uint64_t first : {uint64_t{1}, uint64_t{5000}, uint64_t{8192}}) {
    Query query(whole);
    query.range = RowRange{first, 20'000};
    const auto expected = aggregate(query, aggregates);
    const auto found =
        merged({state_of(whole, {first, 6000 + first}, 0, "sum(f), sum(g), mean(f)"),
                state_of(whole, {6000 + first, 20'000}, 0, "sum(f), sum(g), mean(f)")})
            .result();
    expect_same_results(found, expected);
  }
}

TEST(PartialAggregate, OfGroupsIsThatOfAllRowsToTheLastBit) {
  const auto whole = part_table({0, kPartRows});
  for (const std::vector<std::string>& by :
       {std::vector<std::string>{"flag"}, {"t"}, {"k", "t"}, {"g"}}) {
    Query query(whole);
    query.by = by;
    const RowBatch expected = group_by(query, parse_aggregates(*whole, kAll), on_threads(2));
    std::vector<std::vector<std::byte>> states;
    uint64_t first = 0;
    for (const uint64_t end : std::vector<uint64_t>{7, 12'000, kPartRows}) {
      states.push_back(state_of(part_table({first, end}), {0, end - first}, first, kAll, by));
      first = end;
    }
    expect_same_results(merged(states).result(), expected);
    const std::vector<OrderBy> order = {{"count", Descending}};
    EXPECT_EQ(merged(states).result(order, 1).rows, 1);
  }
}

TEST(PartialAggregate, RefusesWhatDoesNotBelongTogether) {
  const auto table = part_table({0, 100});
  const PartialAggregate first(state_of(table, {0, 50}, 0, "count, sum(f)"));
  const auto refused = [&](const std::vector<std::byte>& next) {
    PartialAggregate all(first.bytes());
    return error_of(ErrorKind::Argument, [&] { all.append(PartialAggregate(next)); });
  };
  EXPECT_NE(refused(state_of(table, {40, 60}, 0, "count, sum(f)")).find("from 50 on, got 40"),
            std::string::npos);
  EXPECT_NE(refused(state_of(table, {50, 60}, 0, "count, sum(g)")).find("other aggregates"),
            std::string::npos);
  EXPECT_NE(refused(state_of(table, {50, 60}, 0, "count, sum(f)", {"flag"})).find("other"),
            std::string::npos);
}

// Returns how many pages of memory this process has faulted in so far.
int64_t pages_given() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

// A state may come from another process: a damaged one ends in an answer or an Error. Some bytes are
// tried here, and all of them by fuzz_states.
TEST(PartialAggregate, DamagedStatesAreAnswersOrErrors) {
  constexpr int64_t kMaxPages = int64_t{1} << 12;  // for one state; 2^30 claimed groups take 8 GiB
  const auto table = part_table({0, 40});
  for (const bool groups : {false, true}) {
    const auto good = state_of(table, {0, 40}, 0, kAll, groups ? Columns{"flag", "t"} : Columns());
    const uint64_t step = good.size() / tries(800) + 1;
    for (uint64_t bytes = 0; bytes < good.size(); bytes += step) {
      EXPECT_EQ(error_of([&] { PartialAggregate(std::span(good).first(bytes)); }).kind(),
                ErrorKind::Corrupt);
    }
    for (uint64_t at = 0; at < good.size(); at += step) {
      auto bad = good;
      bad[at] ^= std::byte{static_cast<uint8_t>(1 + at % 255)};
      const int64_t before = pages_given();
      try {
        const PartialAggregate state(bad);
        state.result();
      } catch (const Error&) {
      }
      EXPECT_LT(pages_given() - before, kMaxPages) << "byte " << at;
    }
  }
}

// States store a value's alternative and a column's type as small numbers, which may be changed.
TEST(PartialAggregate, ValuesOfOtherTypesAreErrors) {
  const auto table = part_table({0, 40});
  std::mt19937_64 random(3);
  uint64_t refused = 0;
  for (const bool groups : {false, true}) {
    const auto good = state_of(table, {0, 20}, 0, kAll, groups ? Columns{"flag", "t"} : Columns());
    const PartialAggregate next(
        state_of(table, {20, 40}, 0, kAll, groups ? Columns{"flag", "t"} : Columns()));
    for (int round = 0; round < 3000; ++round) {
      auto bad = good;
      bad[random() % bad.size()] = std::byte{static_cast<uint8_t>(random() % 24)};
      try {
        PartialAggregate state(bad);
        state.result();
        state.append(next);
        state.result();
      } catch (const Error&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 100u);
}

TEST(ExactSum, AreRoundedOnceWhateverTheOrder) {
  std::mt19937_64 random(9);
  for (uint64_t round = 0; round < 300; ++round) {
    std::vector<double> values(1 + random() % 200);
    const int spread = 1 + static_cast<int>(random() % 600);
    for (double& value : values) {
      value = std::ldexp(static_cast<double>(static_cast<int64_t>(random())),
                         static_cast<int>(random() % static_cast<uint64_t>(spread)) - spread / 2);
      if (random() % 4 == 0) value = -values[random() % values.size()];
    }
    const double expected = plain_exact_sum(values);
    ExactSum<2> one, left, right;
    ExactSum<4> four;
    WideSum wide;
    for (uint64_t i = 0; i < values.size(); ++i) {
      one.add(values[i]);
      four.add(values[i]);
      (random() % 2 == 0 ? left : right).add(values[i]);
      wide.add(values[i]);
    }
    right.merge(left);
    EXPECT_EQ(one.rounded(), expected);
    EXPECT_EQ(right.rounded(), expected);
    EXPECT_EQ(one.pair().high, expected);
    EXPECT_EQ(four.rounded(), expected);
    values.push_back(-expected);
    EXPECT_EQ(one.pair().low, plain_exact_sum(values));
    EXPECT_EQ(right.pair().low, one.pair().low);
    EXPECT_EQ(wide.rounded(), expected);
    EXPECT_EQ(four.pair().low, one.pair().low);
    for (ExactSum<2>* sum : {&one, &left, &right}) sum->free();
    four.free();
  }
  const double infinity = INFINITY, most = 1.7976931348623157e308;
  const auto sum = [](std::initializer_list<double> values) {
    ExactSum<2> exact;
    for (const double value : values) exact.add(value);
    const double rounded = exact.rounded();
    exact.free();
    return rounded;
  };
  EXPECT_EQ(sum({most, most, -most}), most);
  EXPECT_EQ(sum({most, most}), infinity);
  EXPECT_EQ(sum({infinity, 1}), infinity);
  EXPECT_TRUE(std::isnan(sum({infinity, -infinity})));
  EXPECT_TRUE(std::isnan(sum({1, std::nan("")})));
  EXPECT_EQ(sum({5e-324, 5e-324, most, -most}), 1e-323);
  EXPECT_EQ(sum({1, 0x1p-53, 0x1p-106}), std::nextafter(1, 2));
  EXPECT_EQ(sum({}), 0);
}

}  // namespace
}  // namespace heron
