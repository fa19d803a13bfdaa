// Aggregates against slow evaluation: with and without predicates, on one thread and several.
#include "heron/aggregate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <set>

#include "base/fail.h"
#include "base/int128.h"
#include "error_of.h"
#include "heron/heron.h"
#include "heron/index.h"
#include "kit/effort.h"
#include "kit/made_table.h"
#include "kit/on_threads.h"
#include "kit/special_numbers.h"
#include "kit/sums.h"
#include "shown_answers.h"
#include "temp_folder.h"

namespace heron {
namespace {

constexpr uint64_t kAggregatedRows = kIsSanitized ? 140'003 : 200'003;  // three morsels at least

// Makes columns of many types, and `s` from 0 to 999, for predicates.
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

std::string digits_of(Int128 number) {
  if (number < 0) return '-' + digits_of(-number);
  const std::string last(1, static_cast<char>('0' + static_cast<int>(number % 10)));
  return number < 10 ? last : digits_of(number / 10) + last;
}

// Returns the values of selected rows as the column has them, and the sum in the documented order.
template <class T>
std::vector<std::string> expected_of_floats(const std::vector<T>& cells, bool nan_is_null,
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
  const auto number = [&](const Type& of, double value) {
    return any ? concat(of.name(), ' ', value) : of.name() + " null";
  };
  return {concat("uint64 ", count),
          number(Type::Float64, total),
          number(type, min),
          number(type, max),
          number(Type::Float64, total / static_cast<double>(count)),
          concat("uint64 ", distinct.size())};
}

std::vector<std::string> expected_of_integers(const std::vector<bool>& selected) {
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
    return {"uint64 0", "int64 null", "int64 null", "int64 null", "float64 null", "uint64 0"};
  }
  const bool is_signed = total >= INT64_MIN && total <= INT64_MAX;
  const bool is_unsigned = total > 0 && total <= UINT64_MAX;
  const char* type = is_signed ? "int64 " : is_unsigned ? "uint64 " : "int128 ";
  return {concat("uint64 ", count),
          type + digits_of(total),
          concat("int64 ", min),
          concat("int64 ", max),
          concat("float64 ", static_cast<double>(total) / static_cast<double>(count)),
          concat("uint64 ", distinct.size())};
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
    const auto floats = expected_of_floats(example().f, true, rows, Type::Float64);
    const auto singles = expected_of_floats(example().g, false, rows, Type::Float32);
    const auto integers = expected_of_integers(rows);
    for (const bool mapped : {true, false}) {
      const auto table = example().table(mapped);
      for (const unsigned threads : {1, 4}) {
        if (kIsSanitized && threads == 1) continue;
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
        // Without distinct values, aggregates read the cells as they are stored.
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

TEST(Aggregate, SumWithoutAPredicateIsThatOfSum) {
  for (const bool mapped : {true, false}) {
    const auto table = example().table(mapped);
    for (const char* column : {"f", "g"}) {
      const std::vector<std::string> names = {column};
      EXPECT_EQ(answers(table, concat("sum(", column, ")"), {}, 4),
                std::vector{concat("float64 ", sum(Projection(table, names), 0))});
    }
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
  Query query(table);
  query.metrics = &metrics;
  EXPECT_EQ(shown(aggregate(query, list)), read);
  EXPECT_EQ(metrics.bytes_selected, 0u);
  aggregate(query, parse_aggregates(*table, "min(n), sum(n)"));
  EXPECT_EQ(metrics.bytes_selected, kAggregatedRows * sizeof(int32_t));
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
    Query query(table);
    query.metrics = metrics;
    return shown(aggregate(query, list));
  };
  const auto expected = distinct(example().table(true), nullptr);
  write_index(path, {}, {});
  QueryMetrics metrics;
  EXPECT_EQ(distinct(open(path)->table(), &metrics), expected);
  EXPECT_EQ(metrics.bytes_selected, 0u);
  const std::vector<std::string> twice = {path, path};
  EXPECT_EQ(distinct(open(twice)->table(), &metrics), expected);
  EXPECT_GT(metrics.bytes_selected, 0u);
}

TEST(Aggregate, SummariesOfFilteredRowsOnAnyThreads) {
  const auto table = example().table(true);
  const Projection columns(table);
  const Predicate where(table, "s < 500");
  const auto one = stats(Query(columns, where), on_threads(1));
  const auto four = stats(Query(columns, where), on_threads(4));
  const auto rows = choices()[3].rows;
  const auto expected = expected_of_floats(example().f, true, rows, Type::Float64);
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
