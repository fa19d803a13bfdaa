// Comparisons of computed operands against the same comparisons in wider numbers, a row at a time.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <random>

#include "base/int128.h"
#include "columns/dictionaries/key_column.h"
#include "columns/fixed_column.h"
#include "heron/heron.h"
#include "kit/made_table.h"

namespace heron {
namespace {

constexpr uint64_t kOperandRows = 3000;

// Returns the rows of the range that pass.
std::vector<uint64_t> passing(const std::shared_ptr<const Table>& table, const char* text,
                              RowRange range) {
  Query query(table, text);
  query.range = range;
  Scan scan(query);
  std::vector<uint64_t> rows;
  for (RowBatch batch; scan.next(batch);) {
    rows.insert(rows.end(), scan.rows().begin(), scan.rows().end());
  }
  return rows;
}

// The columns are a: int64, b: int8 with nulls, d: float64 with NaNs, t and u: texts.
class OperandTests : public testing::Test {
 protected:
  OperandTests() {
    std::mt19937_64 random(5);
    std::vector<std::optional<std::string>> texts, others;
    for (uint64_t i = 0; i < kOperandRows; ++i) {
      const int64_t kA[] = {INT64_MAX, INT64_MIN, int64_t{1} << 53, (int64_t{1} << 53) + 1, 3, -7};
      a.push_back(kA[random() % 6]);
      b.push_back(random() % 5 == 0 ? INT8_MIN : static_cast<int8_t>(random() % 7 - 3));
      const double kD[] = {0x1p53, 0x1p63, -0x1p63, std::nan(""), 3, -7, -0.0, 0.5, 1e30};
      d.push_back(kD[random() % 9]);
      texts.push_back(std::string(random() % 3, 'x'));
      others.push_back(random() % 4 == 0 ? std::nullopt
                                         : std::optional(std::string(random() % 3, 'x')));
    }
    TableMaker maker(kOperandRows);
    maker.fixed("a", Type::Int64, a).fixed("b", Type::Int8, b, NullEncoding::Sentinel);
    maker.fixed("d", Type::Float64, d).texts("t", texts).texts("u", others);
    t = texts;
    u = others;
    table = maker.table();
  }

  // Compares the rows that pass with expected(row), from an odd row on.
  template <class Expected>
  void check(const char* text, Expected&& expected) {
    const RowRange range{37, kOperandRows - 2};
    std::vector<uint64_t> expected_rows;
    for (uint64_t i = range.first; i < range.last; ++i) {
      if (expected(i)) expected_rows.push_back(i);
    }
    EXPECT_EQ(passing(table, text, range), expected_rows) << text;
  }
  bool b_there(uint64_t i) const { return b[i] != INT8_MIN; }

  std::vector<int64_t> a;
  std::vector<int8_t> b;
  std::vector<double> d;
  std::vector<std::optional<std::string>> t, u;
  std::shared_ptr<const Table> table;
};

TEST_F(OperandTests, IntegersCompareExactlyWithFloats) {
  // A long double has 64 bits, so it holds every int64.
  const auto left = [this](uint64_t i) { return static_cast<long double>(a[i]); };
  check("a < d", [&](uint64_t i) { return left(i) < d[i]; });
  check("not (a < d)", [&](uint64_t i) { return !(left(i) < d[i]); });
  check("a = d", [&](uint64_t i) { return left(i) == d[i]; });
  check("not (d = a)", [&](uint64_t i) { return left(i) != d[i]; });
  check("a != d", [&](uint64_t i) { return left(i) < d[i] || left(i) > d[i]; });
  check("not (a != d)", [&](uint64_t i) { return !(left(i) < d[i] || left(i) > d[i]); });
  check("a >= d", [&](uint64_t i) { return left(i) >= d[i]; });
  check("d <= a", [&](uint64_t i) { return left(i) >= d[i]; });
}

TEST_F(OperandTests, WideIntegersAreExactAndRemaindersOfZeroAreNull) {
  check("a * b + 1 > a - 5",
        [&](uint64_t i) { return b_there(i) && Int128{a[i]} * b[i] + 1 > Int128{a[i]} - 5; });
  check("a % b = -1",
        [&](uint64_t i) { return b_there(i) && b[i] != 0 && b[i] != -1 && a[i] % b[i] == -1; });
  check("a % b is null", [&](uint64_t i) { return !b_there(i) || b[i] == 0; });
  check("a % b is not null", [&](uint64_t i) { return b_there(i) && b[i] != 0; });
}

TEST_F(OperandTests, DivisionIsOfFloats) {
  check("a / b <= d",
        [&](uint64_t i) { return b_there(i) && static_cast<double>(a[i]) / b[i] <= d[i]; });
  check("-d % 2.0 is nan", [&](uint64_t i) { return std::isnan(std::fmod(-d[i], 2.0)); });
  check("-d % 2.0 is not nan", [&](uint64_t i) { return !std::isnan(std::fmod(-d[i], 2.0)); });
}

TEST_F(OperandTests, TextsCompareByBytes) {
  check("t < u", [&](uint64_t i) { return u[i] && *t[i] < *u[i]; });
  check("not (t < u)", [&](uint64_t i) { return u[i] && !(*t[i] < *u[i]); });
}

// Returns a table of k, keys up to `most` into the one column of `values`, with texts and row
// numbers.
std::shared_ptr<const Table> with_keys(const std::vector<uint8_t>& keys, const TableMaker& values,
                                       uint64_t most) {
  const auto stand_for =
      std::make_shared<KeyValues>([table = values.table(), most](const Context&) {
        return read(Projection(table), {0, most});
      });
  TableMaker maker(keys.size());
  const Piece piece = maker.pieces.add(keys);
  maker.add("k", [=](const ByteSource& source, uint64_t rows, ColumnLabel label) {
    return std::make_unique<KeyColumn>(
        label,
        std::make_unique<FixedColumn>(Type::key(Type::UInt8, most), rows, label,
                                      FixedCells{piece.in(source), {}, NullEncoding::Zero}),
        stand_for);
  });
  maker.texts("t", std::vector<std::optional<std::string>>(keys.size(), "b"));
  return maker.table();
}

TEST(OperandsOfKeys, AreWhatTheyStandForAndNullWhereThatIs) {
  TableMaker texts(3);
  texts.texts("v", {"a", std::nullopt, "b"});
  for (const bool with_zeros : {false, true}) {
    std::vector<uint8_t> keys(1100);  // fewer than words have bits
    for (uint64_t i = 0; i < keys.size(); ++i) {
      keys[i] = static_cast<uint8_t>(with_zeros ? i % 4 : i % 3 + 1);
    }
    const auto table = with_keys(keys, texts, 3);
    const auto where = [&](auto&& passes) {
      std::vector<uint64_t> rows;
      for (uint64_t i = 0; i < keys.size(); ++i) {
        if (passes(keys[i])) rows.push_back(i);
      }
      return rows;
    };
    const RowRange all{0, keys.size()};
    EXPECT_EQ(passing(table, "k = t", all), where([](int key) { return key == 3; }));
    EXPECT_EQ(passing(table, "not (k = t)", all), where([](int key) { return key == 1; }));
    EXPECT_EQ(passing(table, "k || '' is null", all),
              where([](int key) { return key == 0 || key == 2; }));
    EXPECT_EQ(passing(table, "k || '' is not null", all),
              where([](int key) { return key == 1 || key == 3; }));
  }
}

// A function of keys is computed once per value; it must not report errors of unused values.
TEST(OperandsOfKeys, FunctionsOfThemAreThoseOfTheirValues) {
  TableMaker texts(4);
  texts.texts("v", {"12", std::nullopt, "Ab", "-7"});
  for (const bool with_text : {false, true}) {
    std::vector<uint8_t> keys(1100);
    for (uint64_t i = 0; i < keys.size(); ++i) {
      keys[i] = static_cast<uint8_t>(i % 5);
      if (keys[i] == 3 && !with_text) keys[i] = 1;
    }
    const auto table = with_keys(keys, texts, 4);
    const std::optional<std::string> lower[] = {std::nullopt, "12", std::nullopt, "ab", "-7"};
    Query query(table);
    query.columns = {"lower(k) as l", "coalesce(k, '?') as c", "cast(k as int32) as n"};
    if (with_text) query.columns = {"lower(k) as l", "coalesce(k, '?') as c"};
    const RowBatch batch = read(query.projection(), {0, keys.size()});
    const std::vector<uint64_t> some = {1099, 3, 3, 4};
    const RowBatch taken = take(query.projection(), some);
    std::vector<uint64_t> long_ones;
    for (uint64_t i = 0; i < keys.size(); ++i) {
      const auto& expected_text = lower[keys[i]];
      ASSERT_EQ(batch.columns[0].is_null(i), !expected_text) << i;
      ASSERT_EQ(to_text(batch.columns[0], i), expected_text.value_or("null")) << i;
      ASSERT_EQ(batch.columns[1].text(i) == "?", !expected_text) << i;
      if (expected_text && expected_text->size() == 2) long_ones.push_back(i);
      if (with_text || !expected_text) continue;
      ASSERT_EQ(batch.columns[2].get<int32_t>(i), std::stoi(*expected_text)) << i;
    }
    for (uint64_t k = 0; k < some.size(); ++k) {
      ASSERT_EQ(to_text(taken.columns[0], k), to_text(batch.columns[0], some[k]));
    }
    const RowRange all{0, keys.size()};
    EXPECT_EQ(passing(table, "length(k) = 2", all), long_ones);
    EXPECT_EQ(passing(table, "lower(k) = 'ab' or length(k) = 3", all).size(), with_text ? 220 : 0);
    EXPECT_EQ(passing(table, "coalesce(k, '?') = '?'", all).size(), 440u);
    if (!with_text) continue;
    EXPECT_THROW(passing(table, "cast(k as int32) = 5", all), Error);
    query.columns = {"cast(k as int32)"};
    EXPECT_THROW(read(query.projection(), all), Error);
    EXPECT_EQ(read(query.projection(), {0, 3}).columns[0].get<int32_t>(1), 12);
  }
}

TEST(OperandsOfKeys, OfNoValuesAtAllAreNull) {
  TableMaker texts(0), numbers(0);
  texts.texts("v", {});
  numbers.fixed("v", Type::Float64, std::vector<double>());
  const std::vector<uint8_t> keys(70);
  for (const char* text : {"k = t", "not (k = t)"}) {
    EXPECT_TRUE(passing(with_keys(keys, texts, 0), text, {0, 70}).empty());
  }
  for (const char* text : {"k + 1.0 = 1.0", "not (k + 1.0 = 1.0)"}) {
    EXPECT_TRUE(passing(with_keys(keys, numbers, 0), text, {0, 70}).empty());
  }
}

}  // namespace
}  // namespace heron
