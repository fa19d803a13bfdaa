// Aggregates against slow evaluation: with and without conditions, on one thread and several.
#include "heron/aggregate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <set>

#include "base/int128.h"
#include "error_of.h"
#include "heron/heron.h"
#include "heron/index.h"
#include "kit/made_table.h"
#include "kit/on_threads.h"
#include "kit/special_numbers.h"
#include "kit/sums.h"
#include "temp_folder.h"

namespace heron {
namespace {

constexpr uint64_t kAggregatedRows = 200'003;

// Columns of many types, and `s`, from 0 to 999, to select by.
struct Example {
  Example() {
    std::mt19937_64 random(7);
    for (uint64_t row = 0; row < kAggregatedRows; ++row) {
      s.push_back(static_cast<int32_t>(random() % 1000));
      n.push_back(static_cast<int32_t>(row));
      const int exponent = static_cast<int>(random() % 60) - 30;
      f.push_back(std::ldexp(static_cast<double>(static_cast<int64_t>(random())), exponent - 64));
      if (random() % 50 == 0) f.back() = kNaN;
      g.push_back(static_cast<float>(s.back()) / 7 + static_cast<float>(random() % 100));
      i.push_back(random() % 40 == 0 ? INT64_MIN : static_cast<int64_t>(random()));
      b.push_back(random() % 3 == 0);
      b_there.push_back(random() % 5 != 0);
      const uint64_t text = random() % 3000;
      t.push_back(text < 30 ? std::nullopt : std::optional(std::to_string(text)));
    }
  }
  std::shared_ptr<const Table> table(bool mapped) const {
    return TableMaker(kAggregatedRows)
        .fixed("s", Type::Int32, s)
        .fixed("n", Type::Int32, n)
        .fixed("f", Type::Float64, f, NullEncoding::NaN)
        .fixed("g", Type::Float32, g)
        .fixed("i", Type::Int64, i, NullEncoding::Sentinel)
        .bits("b", b, b_there)
        .texts("t", t)
        .null("nothing")
        .table(mapped);
  }

  std::vector<int32_t> s, n;
  std::vector<double> f;
  std::vector<float> g;
  std::vector<int64_t> i;
  std::vector<bool> b, b_there;
  std::vector<std::optional<std::string>> t;
};
const Example& example() {
  static const Example example;
  return example;
}

// The values of selected rows as the column has them, and the sum in the documented order.
template <class T>
std::vector<AggregateValue> expected_of_floats(const std::vector<T>& cells, bool nan_is_null,
                                               const std::vector<bool>& selected, Type type) {
  double total = 0;
  uint64_t count = 0;
  T min = std::numeric_limits<T>::infinity(), max = -min;
  std::set<T> distinct;
  for (size_t first = 0; first < cells.size(); first += 4096) {
    const size_t last = std::min(cells.size(), first + 4096);
    const size_t lanes_end = last - (last - first) % 16;
    double lanes[16] = {};
    double rest = 0, block = 0;
    std::vector<double> behind;
    for (size_t row = first; row < last; ++row) {
      if (!selected[row] || (nan_is_null && cells[row] != cells[row])) continue;
      ++count;
      min = std::min(min, cells[row]);
      max = std::max(max, cells[row]);
      distinct.insert(cells[row]);
      row < lanes_end ? void(lanes[row % 16] += cells[row]) : behind.push_back(cells[row]);
    }
    for (const double lane : lanes) block += lane;
    for (const double value : behind) block += value;
    total += block + rest;
  }
  const bool any = count != 0;
  const auto number = [&](double value) { return any ? Scalar(value) : Scalar(); };
  return {{count, Type::UInt64},
          {number(total), Type::Float64},
          {number(min), type},
          {number(max), type},
          {number(total / static_cast<double>(count)), Type::Float64},
          {uint64_t{distinct.size()}, Type::UInt64}};
}

std::vector<AggregateValue> expected_of_integers(const std::vector<bool>& selected) {
  const std::vector<int64_t>& cells = example().i;
  Int128 total = 0;
  uint64_t count = 0;
  int64_t min = INT64_MAX, max = INT64_MIN;
  std::set<int64_t> distinct;
  for (size_t row = 0; row < cells.size(); ++row) {
    if (!selected[row] || cells[row] == INT64_MIN) continue;
    ++count;
    total += cells[row];
    min = std::min(min, cells[row]);
    max = std::max(max, cells[row]);
    distinct.insert(cells[row]);
  }
  if (count == 0) {
    return {{uint64_t{0}, Type::UInt64}, {Scalar(), Type::Int64},   {Scalar(), Type::Int64},
            {Scalar(), Type::Int64},     {Scalar(), Type::Float64}, {uint64_t{0}, Type::UInt64}};
  }
  AggregateValue sum{WideInteger{static_cast<int64_t>(total >> 64), static_cast<uint64_t>(total)},
                     Type::Null};
  if (total >= INT64_MIN && total <= INT64_MAX) sum = {static_cast<int64_t>(total), Type::Int64};
  if (total > INT64_MAX && total <= UINT64_MAX) sum = {static_cast<uint64_t>(total), Type::UInt64};
  return {{count, Type::UInt64},
          sum,
          {min, Type::Int64},
          {max, Type::Int64},
          {static_cast<double>(total) / static_cast<double>(count), Type::Float64},
          {uint64_t{distinct.size()}, Type::UInt64}};
}

// With all digits of floats.
std::string shown(const AggregateValue& answer) {
  const std::string type = answer.type.name() + " ";
  if (const auto* wide = std::get_if<WideInteger>(&answer.value)) return type + to_string(*wide);
  return type + std::visit(
                    [](const auto& value) -> std::string {
                      using T = std::decay_t<decltype(value)>;
                      if constexpr (std::is_same_v<T, std::monostate>)
                        return "null";
                      else if constexpr (std::is_same_v<T, std::string>)
                        return value;
                      else if constexpr (std::is_same_v<T, bool>)
                        return value ? "true" : "false";
                      else
                        return concat(value);
                    },
                    std::get<Scalar>(answer.value));
}
std::vector<std::string> shown(const std::vector<AggregateValue>& answers) {
  std::vector<std::string> all;
  for (const AggregateValue& answer : answers) all.push_back(shown(answer));
  return all;
}

std::vector<std::string> answers(const std::shared_ptr<const Table>& table, std::string_view list,
                                 const std::string& where = {}, unsigned threads = 1) {
  std::optional<Predicate> predicate;
  if (!where.empty()) predicate.emplace(table, where);
  return shown(
      aggregate(Query(table, predicate), parse_aggregates(*table, list), on_threads(threads)));
}

struct Chosen {
  std::string where;
  std::vector<bool> rows;
};
std::vector<Chosen> choices() {
  const Example& e = example();
  std::vector<Chosen> all = {{"", {}},        {"s < 0", {}},  {"s < 3", {}},
                             {"s < 500", {}}, {"s >= 0", {}}, {"n between 5000 and 70001", {}}};
  for (uint64_t row = 0; row < kAggregatedRows; ++row) {
    const int32_t s = e.s[row];
    const bool chosen[] = {true, false, s < 3, s < 500, true, row >= 5000 && row <= 70'001};
    for (size_t i = 0; i < all.size(); ++i) all[i].rows.push_back(chosen[i]);
  }
  return all;
}

TEST(Aggregate, IsThatOfSlowEvaluationOnAnyThreads) {
  for (const auto& [where, rows] : choices()) {
    const auto floats = shown(expected_of_floats(example().f, true, rows, Type::Float64));
    const auto singles = shown(expected_of_floats(example().g, false, rows, Type::Float32));
    const auto integers = shown(expected_of_integers(rows));
    for (const bool mapped : {true, false}) {
      const auto table = example().table(mapped);
      for (const unsigned threads : {1, 4}) {
        SCOPED_TRACE(concat(where, mapped ? ", mapped, " : ", read, ", threads, " threads"));
        const auto all_of = [&table, threads, &where = where](const std::string& c) {
          return answers(table,
                         concat("count(", c, "), sum(", c, "), min(", c, "), max(", c, "), mean(",
                                c, "), distinct(", c, ")"),
                         where, threads);
        };
        EXPECT_EQ(all_of("f"), floats);
        EXPECT_EQ(all_of("g"), singles);
        EXPECT_EQ(all_of("i"), integers);
        // Without distinct values from the cells as they are stored.
        for (const char* extremes : {"", ", min(c), max(c)"}) {
          for (const auto& [name, expected] :
               {std::pair("f", floats), {"g", singles}, {"i", integers}}) {
            std::string list = concat("count(c), sum(c)", extremes);
            for (size_t at; (at = list.find("(c)")) != std::string::npos;) {
              list.replace(at, 3, concat("(", name, ")"));
            }
            const auto got = answers(table, list, where, threads);
            EXPECT_EQ(got, std::vector(expected.begin(),
                                       expected.begin() + static_cast<ptrdiff_t>(got.size())))
                << list;
          }
        }
      }
    }
  }
}

TEST(Aggregate, OfTextsBoolsAndRows) {
  for (const auto& [where, rows] : choices()) {
    uint64_t count = 0, bools = 0, texts = 0;
    int64_t trues = 0;
    std::set<std::string> distinct;
    std::set<bool> flags;
    for (uint64_t row = 0; row < kAggregatedRows; ++row) {
      if (!rows[row]) continue;
      ++count;
      if (example().b_there[row]) {
        ++bools;
        trues += example().b[row];
        flags.insert(example().b[row]);
      }
      if (!example().t[row]) continue;
      ++texts;
      distinct.insert(*example().t[row]);
    }
    const auto or_null = [&](bool any, std::string text) { return any ? text : "null"; };
    const std::vector<std::string> expected = {
        concat("uint64 ", count),
        concat("uint64 ", count),
        concat("uint64 ", bools),
        "int64 " + or_null(bools != 0, concat(trues)),
        "bool " + or_null(bools != 0, flags.contains(false) ? "false" : "true"),
        concat("uint64 ", flags.size()),
        concat("uint64 ", texts),
        "text " + or_null(texts != 0, texts == 0 ? "" : *distinct.begin()),
        "text " + or_null(texts != 0, texts == 0 ? "" : *distinct.rbegin()),
        concat("uint64 ", distinct.size()),
        "uint64 0",
        "null null"};
    for (const unsigned threads : {1, 4}) {
      EXPECT_EQ(answers(example().table(true),
                        "count, COUNT(*), count(b), sum(b), min(b), distinct(b), count(t), min(t), "
                        "max(t), distinct(t), count(nothing), max(nothing)",
                        where, threads),
                expected)
          << where << ", threads " << threads;
    }
  }
}

TEST(Aggregate, SumWithoutAConditionIsThatOfSum) {
  for (const bool mapped : {true, false}) {
    const auto table = example().table(mapped);
    for (const char* column : {"f", "g"}) {
      const std::vector<std::string> names = {column};
      EXPECT_EQ(answers(table, concat("sum(", column, ")"), {}, 4),
                std::vector{concat("float64 ", sum(Projection(table, names), 0))});
    }
  }
}

TEST(Aggregate, OfIntegersIsExactBeyond64Bits) {
  const auto sum_of = [](Type type, const auto& cells) {
    return answers(TableMaker(cells.size()).fixed("c", type, cells).table(), "sum(c)").front();
  };
  EXPECT_EQ(sum_of(Type::Int64, std::vector{INT64_MAX, int64_t{1}}), "uint64 9223372036854775808");
  EXPECT_EQ(sum_of(Type::Int64, std::vector{INT64_MAX, INT64_MIN}), "int64 -1");
  EXPECT_EQ(sum_of(Type::Int64, std::vector{INT64_MIN, int64_t{-1}}), "null -9223372036854775809");
  EXPECT_EQ(sum_of(Type::UInt64, std::vector{UINT64_MAX, UINT64_MAX}), "null 36893488147419103230");
  EXPECT_EQ(to_string(WideInteger{INT64_MIN, 0}), "-170141183460469231731687303715884105728");
}

TEST(Aggregate, NaNsThatAreValuesMakeSumsNaNAndAreNoExtremes) {
  const auto table = TableMaker(3).fixed<double>("c", Type::Float64, {-0.0, kNaN, -0.0}).table();
  const auto all = answers(table, "count(c), sum(c), min(c), max(c), distinct(c)");
  EXPECT_EQ(all, (std::vector<std::string>{"uint64 3", "float64 nan", "float64 0", "float64 0",
                                           "uint64 2"}));
}

TEST(Aggregate, WhereWholeBlocksAreNull) {
  std::vector<int32_t> integers(10'000, INT32_MIN);
  std::vector<float> floats(integers.size(), static_cast<float>(kNaN));
  const auto all = [&] {
    const auto table = TableMaker(integers.size())
                           .fixed("i", Type::Int32, integers, NullEncoding::Sentinel)
                           .fixed("f", Type::Float32, floats, NullEncoding::NaN)
                           .table();
    return answers(table, "sum(i), min(i), max(i), count(i), sum(f), min(f), max(f), count(f)");
  };
  EXPECT_EQ(all(),
            (std::vector<std::string>{"int64 null", "int32 null", "int32 null", "uint64 0",
                                      "float64 null", "float32 null", "float32 null", "uint64 0"}));
  integers[9000] = -7;
  floats[9000] = 2.5F;
  EXPECT_EQ(all(),
            (std::vector<std::string>{"int64 -7", "int32 -7", "int32 -7", "uint64 1", "float64 2.5",
                                      "float32 2.5", "float32 2.5", "uint64 1"}));
}

TEST(Aggregate, OfTypesThatDoNotHaveIt) {
  const auto table = TableMaker(1).texts("t", {"x"}).lists("l", {0, 1}, {1}).table();
  const auto error = [&](std::string_view list) {
    const Error met = test::error_of([&] { parse_aggregates(*table, list); });
    EXPECT_EQ(met.kind(), ErrorKind::Argument);
    return std::string(met.what());
  };
  EXPECT_EQ(error("count, sum(t)"),
            "made.file: aggregates, character 12: values of type text have no sum: "
            "count, sum(^t)");
  EXPECT_EQ(error("Avg( `t` )"),
            "made.file: aggregates, character 6: values of type text have no mean: Avg( ^`t` )");
  EXPECT_EQ(error("min(l)"),
            "made.file: aggregates, character 5: values of type list<int32> have no least and no "
            "greatest: min(^l)");
  EXPECT_EQ(error("distinct(l)"),
            "made.file: aggregates, character 10: values of type list<int32> are not told from "
            "each other: distinct(^l)");
  EXPECT_EQ(answers(table, "count(l)"), std::vector<std::string>{"uint64 1"});
  const Aggregate sum{Aggregate::Function::Sum, 0, "sum(t)"};
  EXPECT_STREQ(test::error_of([&] {
                 aggregate(table, {&sum, 1});
               }).what(),
               "made.file: column \"t\": values of type text have no sum");
}

TEST(Aggregate, IsReadAsItIsWritten) {
  const auto table = TableMaker(1).texts("a name", {"x"}).texts("count", {"y"}).table();
  const auto all = parse_aggregates(*table, " COUNT , max( `a name` ),Count( * ),min(count)");
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].name, "COUNT");
  EXPECT_EQ(all[1].name, "max( `a name` )");
  EXPECT_EQ(all[1].column, 0u);
  EXPECT_EQ(all[2].column, std::nullopt);
  EXPECT_EQ(all[3].column, 1u);
}

TEST(Aggregate, SaysWhereItIsNotTheLanguage) {
  const auto table = TableMaker(1).fixed<int32_t>("price", Type::Int32, {1}).table();
  const auto error = [&](std::string_view list) {
    const std::string text = test::error_of([&] { parse_aggregates(*table, list); }).what();
    return text.substr(std::min(text.size(), text.find(", ") + 2));
  };
  EXPECT_EQ(
      error(""),
      "character 1: expected count, sum, min, max, mean, distinct, approx_distinct, quantile or "
      "median, got the end: ^");
  EXPECT_EQ(error("sum"), "character 4: expected ( and a column behind sum, got the end: sum^");
  EXPECT_EQ(error("sum(*)"), "character 5: expected a column, got \"*\": sum(^*)");
  EXPECT_EQ(error("sum(price"), "character 10: expected ), got the end: sum(price^");
  EXPECT_EQ(error("count price"),
            "character 7: expected a comma or the end, got \"price\": count ^price");
  EXPECT_NE(error("max(pric)").find("did you mean \"price\"?: max(^pric)"), std::string::npos);
  for (const char* list : {"sum(price) group by x", "rank() over ()", "count order by price",
                           "stddev(price)", "sum(price) OVER (x)"}) {
    EXPECT_NE(error(list).find("is for DuckDB or Polars"), std::string::npos) << list;
  }
}

TEST(Aggregate, OfAPredicateOfAnotherTableIsRefused) {
  const auto table = example().table(true);
  const Predicate other(example().table(true), "s < 3");
  EXPECT_EQ(test::error_of([&] { aggregate(Query(table, other), {}); }).kind(),
            ErrorKind::Argument);
}

TEST(Aggregate, ZonesThatAreKnownTellCountsAndExtremes) {
  const auto table = example().table(true);
  const auto list = parse_aggregates(*table, "count(f), min(f), max(f), min(n), max(b), count(t)");
  const auto read = shown(aggregate(table, list));
  count(Predicate(table, "f > 0 or n < 0 or b or t = 'x'"));
  QueryMetrics metrics;
  Context context;
  context.metrics = &metrics;
  EXPECT_EQ(shown(aggregate(table, list, context)), read);
  EXPECT_EQ(metrics.bytes_kept, 0u);
  aggregate(table, parse_aggregates(*table, "min(n), sum(n)"), context);
  EXPECT_EQ(metrics.bytes_kept, kAggregatedRows * sizeof(int32_t));
}

TEST(Aggregate, ASidecarTellsHowManyValuesOneFileHas) {
  const test::TempFolder folder;
  const std::string path = folder / "example.jay";
  {
    const Projection all(example().table(true));
    const auto writer = create(path, *all.schema());
    writer->write(read(all, {0, kAggregatedRows}));
    writer->close();
    writer->publish();
  }
  const auto distinct = [&](const std::shared_ptr<const Table>& table, QueryMetrics* metrics) {
    const auto list =
        parse_aggregates(*table, "distinct(s), distinct(f), distinct(b), distinct(t)");
    Context context;
    context.metrics = metrics;
    return shown(aggregate(table, list, context));
  };
  const auto expected = distinct(example().table(true), nullptr);
  write_index(path, {}, {});
  QueryMetrics metrics;
  EXPECT_EQ(distinct(open(path)->table(), &metrics), expected);
  EXPECT_EQ(metrics.bytes_kept, 0u);
  const std::vector<std::string> twice = {path, path};
  EXPECT_EQ(distinct(open(twice)->table(), &metrics), expected);
  EXPECT_GT(metrics.bytes_kept, 0u);
}

TEST(Aggregate, SummariesOfFilteredRowsOnAnyThreads) {
  const auto table = example().table(true);
  const Projection columns(table);
  const Predicate where(table, "s < 500");
  const auto one = summarize(Query(columns, where), on_threads(1));
  const auto four = summarize(Query(columns, where), on_threads(4));
  const auto rows = choices()[3].rows;
  const auto expected = shown(expected_of_floats(example().f, true, rows, Type::Float64));
  for (uint64_t i = 0; i < columns.size(); ++i) {
    EXPECT_EQ(one[i].rows, count(where));
    EXPECT_EQ(one[i].sum, four[i].sum);
    EXPECT_EQ(one[i].min, four[i].min);
    EXPECT_EQ(one[i].max, four[i].max);
    EXPECT_EQ(one[i].null_count, four[i].null_count);
    EXPECT_EQ(one[i].distinct, four[i].distinct);
  }
  EXPECT_EQ(concat("float64 ", *one[2].sum), expected[1]);
  EXPECT_EQ(concat("float64 ", *one[2].mean), expected[4]);
  EXPECT_EQ(one[7].null_count, one[7].rows);
}

}  // namespace
}  // namespace heron
