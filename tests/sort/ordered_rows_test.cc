// Orders against a plain stable sort: all rows by one column of numbers, whose keys are sorted as
// numbers, and the first rows.
#include "sort/ordered_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <random>
#include <span>
#include <string>

#include "heron/heron.h"
#include "kit/made_table.h"
#include "kit/on_threads.h"

namespace heron {
namespace {

// Expects the order of numbers of all sizes, many of them repeated, a seventh of them null.
template <class T>
void expect_order(const Type& type, const std::vector<T>& few) {
  constexpr uint64_t kRows = 70'000;  // in several ranges of threads
  std::mt19937_64 random(sizeof(T));
  std::vector<T> cells(kRows);
  std::vector<bool> valid(kRows);
  for (uint64_t row = 0; row < kRows; ++row) {
    cells[row] = random() % 3 == 0 ? few[random() % few.size()] : static_cast<T>(random());
    valid[row] = random() % 7 != 0;
  }
  const auto table =
      TableMaker(kRows).fixed("v", type, cells, NullEncoding::Bitmap, valid).table();
  for (const bool descending : {false, true}) {
    std::vector<uint64_t> expected(kRows);
    std::iota(expected.begin(), expected.end(), 0);
    std::ranges::stable_sort(expected, [&](uint64_t a, uint64_t b) {
      if (descending) std::swap(a, b);
      return valid[a] != valid[b] ? valid[b] : valid[a] && cells[a] < cells[b];
    });
    Query query(table);
    query.order = {{"v", descending ? Descending : Ascending}};
    for (const unsigned threads : {1U, 4U}) {
      for (const uint64_t key_bytes : {uint64_t{100'000}, default_key_bytes()}) {
        OrderedRows ordered(query, on_threads(threads), key_bytes);
        EXPECT_EQ(ordered.has_spilled(), key_bytes == 100'000);
        EXPECT_EQ(ordered.size(), kRows);
        std::vector<uint64_t> rows, next;
        do {
          ordered.next(9'999, next);
          rows.insert(rows.end(), next.begin(), next.end());
        } while (!next.empty());
        EXPECT_EQ(rows, expected) << descending << " on " << threads << ", " << key_bytes;
      }
    }
  }
}

TEST(OrderedRows, NumbersOfOneColumn) {
  expect_order<int8_t>(Type::Int8, {0, -1});
  expect_order<int32_t>(Type::Int32, {0, -1, INT32_MIN, INT32_MAX});
  expect_order<int64_t>(Type::Int64, {0, -1, INT64_MIN, INT64_MAX});
  expect_order<uint64_t>(Type::UInt64, {0, 1, UINT64_MAX});
  expect_order<double>(Type::Float64, {0, -1.5, 1e300, -1e-300});
}

// Takes the first rows of a table that is large enough to be sampled: sorted, sorted the other way,
// in random order, of few values, of nulls and NaNs.
class FirstRows : public testing::Test {
 protected:
  static constexpr uint64_t kRows = 1'100'000;

  struct Made {
    std::shared_ptr<const Table> table;
    std::vector<double> falling, few;  // NaN stands for null
    std::vector<int32_t> any;
    std::vector<std::optional<std::string>> texts;
  };
  static const Made& made() {
    static const Made all = [] {
      Made one;
      std::mt19937_64 random(5);
      std::vector<int64_t> rising;
      std::vector<bool> flags;
      for (uint64_t row = 0; row < kRows; ++row) {
        rising.push_back(static_cast<int64_t>(row / 3));
        one.falling.push_back(-static_cast<double>(row));
        one.few.push_back(random() % 9 == 0 ? std::nan("") : static_cast<double>(random() % 7));
        one.any.push_back(static_cast<int32_t>(random()));
        flags.push_back(random() % 2 == 0);
        one.texts.emplace_back("t" + std::to_string(random() % 50'000));
        if (random() % 11 == 0) one.texts.back() = std::nullopt;
      }
      one.table = TableMaker(kRows)
                      .fixed("rising", Type::Int64, rising)
                      .fixed("falling", Type::Float64, one.falling)
                      .fixed("few", Type::Float64, one.few, NullEncoding::NaN)
                      .fixed("any", Type::Int32, one.any)
                      .bits("flag", flags)
                      .texts("text", one.texts)
                      .table();
      return one;
    }();
    return all;
  }

  // Returns -1, 0 or 1; null is first.
  static int compared(const std::string& column, uint64_t a, uint64_t b) {
    const Made& all = made();
    const auto order = [](const auto& x, const auto& y) { return x < y ? -1 : x == y ? 0 : 1; };
    if (column == "rising") return order(a / 3, b / 3);
    if (column == "falling") return order(all.falling[a], all.falling[b]);
    if (column == "any") return order(all.any[a], all.any[b]);
    if (column == "text") return order(all.texts[a], all.texts[b]);
    const double x = all.few[a], y = all.few[b];
    if (x != x || y != y) return static_cast<int>(x == x) - static_cast<int>(y == y);
    return order(x, y);
  }

  static void expect_first(const std::vector<OrderBy>& order, const char* where, uint64_t stride) {
    std::vector<uint64_t> sorted;
    for (uint64_t row = 0; row < kRows; row += stride) sorted.push_back(row);
    const auto is_before = [&](uint64_t a, uint64_t b) {
      for (const OrderBy& by : order) {
        const int found = compared(by.column, a, b);
        if (found != 0) return (found < 0) == (by.direction == Ascending);
      }
      return a < b;
    };
    std::partial_sort(sorted.begin(), sorted.begin() + 3000, sorted.end(), is_before);
    for (const uint64_t limit : {1, 10, 500, 3000}) {
      for (const unsigned threads : {1U, 4U}) {
        Query query(made().table);
        query.order = order;
        query.limit = limit;
        if (where != nullptr) query.where = where;
        const auto rows = ordered_rows(query, on_threads(threads));
        const auto end = sorted.begin() + static_cast<ptrdiff_t>(limit);
        ASSERT_TRUE(std::ranges::equal(rows, std::span(sorted.begin(), end)))
            << order[0].column << ' ' << static_cast<int>(order[0].direction) << ", limit "
            << limit << " on " << threads << (where == nullptr ? "" : where);
      }
    }
  }
};

TEST_F(FirstRows, AreThoseOfAStableSort) {
  for (const char* column : {"rising", "falling", "few", "any", "text"}) {
    for (const Direction direction : {Ascending, Descending}) {
      ASSERT_NO_FATAL_FAILURE(expect_first({{column, direction}}, nullptr, 1));
    }
  }
  ASSERT_NO_FATAL_FAILURE(expect_first({{"few", Descending}, {"rising", Descending}}, nullptr, 1));
  ASSERT_NO_FATAL_FAILURE(expect_first({{"few", Ascending}, {"text", Descending}}, nullptr, 1));
}

TEST_F(FirstRows, OfAPredicateAreThoseOfAStableSort) {
  for (const Direction direction : {Ascending, Descending}) {
    ASSERT_NO_FATAL_FAILURE(expect_first({{"any", direction}}, "falling % 2 = 0", 2));
    ASSERT_NO_FATAL_FAILURE(expect_first({{"rising", direction}}, "falling % 2 = 0", 2));
    ASSERT_NO_FATAL_FAILURE(
        expect_first({{"few", direction}, {"any", Ascending}}, "falling % 2 = 0", 2));
  }
}

}  // namespace
}  // namespace heron
