// Evaluation of expressions for many rows: the kernels at all lengths and on all instruction sets,
// NaNs that are nulls, texts in lower and upper case.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

#include "expression/functions/case_map.h"
#include "expression/functions/cell_kernels.h"
#include "heron/heron.h"
#include "kit/made_table.h"

namespace heron {
namespace {

constexpr double kNull = std::numeric_limits<double>::quiet_NaN();
constexpr double kBeyondAll = std::numeric_limits<double>::infinity();

std::vector<uint64_t> lengths() {
  std::vector<uint64_t> all;
  for (uint64_t i = 0; i <= 130; ++i) all.push_back(i);
  all.push_back(1000);
  all.push_back(1024);
  return all;
}

// Converts cells at any offset, with a null at each index in turn, or without nulls.
template <class From, class To>
void test_conversion() {
  std::mt19937_64 random(sizeof(From));
  const auto null = std::is_floating_point_v<From>
                        ? static_cast<From>(kNull)
                        : std::numeric_limits<From>::min();
  for (const uint64_t count : lengths()) {
    for (const uint64_t offset : {0u, 1u, 3u}) {
      std::vector<From> cells(count + offset + 8, null);
      for (uint64_t i = 0; i < count; ++i) {
        cells[offset + i] = static_cast<From>(1 + random() % 100);
      }
      const auto test = [&](bool any_null) {
        const auto* from = reinterpret_cast<const std::byte*>(cells.data() + offset);
        for (const bool dispatched : {false, true}) {
          std::vector<To> to(count + 1, To{77});
          const bool found = dispatched
                                 ? dispatch<ConvertTested<From, To>>(from, count, to.data())
                                 : ConvertTested<From, To>::run(from, count, to.data());
          ASSERT_EQ(found, any_null) << count << ' ' << offset;
          ASSERT_EQ(to[count], To{77});
          for (uint64_t i = 0; i < count; ++i) {
            const From cell = cells[offset + i];
            if (cell == cell) {
              ASSERT_EQ(to[i], static_cast<To>(cell));
            }
          }
        }
      };
      test(false);
      for (uint64_t i = 0; i < count && count <= 130; i += 1 + count / 8) {
        const From kept = std::exchange(cells[offset + i], null);
        test(true);
        cells[offset + i] = kept;
      }
    }
  }
}

TEST(ConvertTested, FindsNullsAtAnyLength) {
  test_conversion<int8_t, int64_t>();
  test_conversion<int16_t, int64_t>();
  test_conversion<int32_t, int64_t>();
  test_conversion<int32_t, double>();
  test_conversion<uint32_t, int64_t>();
  test_conversion<int64_t, double>();
  test_conversion<float, double>();
}

TEST(ChooseBetween, IsByBits) {
  std::mt19937_64 random(1);
  for (const uint64_t count : lengths()) {
    std::vector<uint64_t> left(count), right(count), bits(bit_words(count) + 1);
    for (uint64_t i = 0; i < count; ++i) left[i] = random(), right[i] = random();
    for (uint64_t& word : bits) {
      const uint64_t kind = random() % 3;
      word = kind == 0 ? 0 : kind == 1 ? UINT64_MAX : random();
    }
    for (const bool dispatched : {false, true}) {
      std::vector<uint64_t> to(count + 1, 77);
      (dispatched ? choose_between : ChooseBetween::run)(left.data(), right.data(), bits.data(),
                                                         count, to.data());
      ASSERT_EQ(to[count], 77u);
      for (uint64_t i = 0; i < count; ++i) {
        ASSERT_EQ(to[i], (bits[i / 64] >> i % 64 & 1) != 0 ? left[i] : right[i]) << count;
      }
    }
  }
}

TEST(MultiplyNarrow, IsExact) {
  std::mt19937_64 random(1);
  for (const uint64_t count : lengths()) {
    std::vector<int64_t> a(count), b(count);
    for (uint64_t i = 0; i < count; ++i) {
      a[i] = random() % 4 == 0 ? INT32_MIN : static_cast<int32_t>(random());
      b[i] = random() % 4 == 0 ? INT32_MAX : static_cast<int32_t>(random());
    }
    for (const bool dispatched : {false, true}) {
      std::vector<int64_t> to(count + 1, 77);
      (dispatched ? multiply_narrow : MultiplyNarrow::run)(a.data(), b.data(), count, to.data());
      ASSERT_EQ(to[count], 77);
      for (uint64_t i = 0; i < count; ++i) ASSERT_EQ(to[i], a[i] * b[i]);
    }
  }
}

TEST(AnyNaN, IsFoundAnywhere) {
  for (uint64_t count = 0; count <= 130; ++count) {
    std::vector<double> values(count + 1, kBeyondAll);
    values[count] = kNull;
    ASSERT_FALSE(AnyNaN::run(values.data(), count));
    ASSERT_FALSE(dispatch<AnyNaN>(values.data(), count));
    for (uint64_t i = 0; i < count; ++i) {
      values[i] = kNull;
      ASSERT_TRUE(AnyNaN::run(values.data(), count));
      ASSERT_TRUE(dispatch<AnyNaN>(values.data(), count));
      values[i] = 1;
    }
  }
}

// Rows of columns a and b, in which NaN is null, for loops that evaluate expressions.
struct NaNRows {
  std::vector<double> a, b;
  std::vector<int32_t> i;
  std::vector<bool> flag;
};

NaNRows rows_with_nans(uint64_t rows, uint64_t one_in) {
  std::mt19937_64 random(rows + one_in);
  NaNRows all;
  const auto number = [&] {
    if (one_in != 0 && random() % one_in == 0) return kNull;
    if (random() % 50 == 0) return random() % 2 == 0 ? kBeyondAll : -kBeyondAll;
    return static_cast<double>(random() % 1000) - 500;
  };
  for (uint64_t row = 0; row < rows; ++row) {
    all.a.push_back(number());
    all.b.push_back(number());
    all.i.push_back(random() % 7 == 0 ? INT32_MIN : static_cast<int32_t>(random() % 100));
    all.flag.push_back(random() % 2 == 0);
  }
  return all;
}

using Answer = std::optional<double>;

void expect_column(const std::shared_ptr<const Table>& table, const std::string& expression,
                   const std::vector<Answer>& expected) {
  Query query(table);
  query.columns = {expression};
  RowBatch batch;
  uint64_t row = 0;
  for (Scan scan(query); scan.next(batch);) {
    for (uint64_t i = 0; i < batch.rows; ++i, ++row) {
      const Values& values = batch.columns[0];
      ASSERT_EQ(values.is_null(i), !expected[row]) << expression << " row " << row;
      if (!expected[row]) continue;
      const double got =
          values.type.is(Type::Float32) ? double{values.get<float>(i)} : values.get<double>(i);
      ASSERT_TRUE(got == *expected[row] || (got != got && *expected[row] != *expected[row]))
          << expression << " row " << row << ": " << got << ", " << *expected[row];
    }
  }
  ASSERT_EQ(row, expected.size());
  uint64_t count = 0;
  for (const Answer& one : expected) count += one.has_value();
  const RowBatch counts =
      aggregate(Query(table), parse_aggregates(*table, "count(" + expression + ")"));
  EXPECT_EQ(counts.columns[0].get<uint64_t>(0), count) << expression;
}

using Row = uint64_t;

// Calls expect(expression, answer) for some expressions; answer(a, b, i, row) is the answer for a
// row.
template <class Expect>
void expect_arithmetic(const NaNRows& all, Expect expect) {
  const auto both = [](Answer a, Answer b, auto work) {
    return a && b ? Answer(work(*a, *b)) : std::nullopt;
  };
  expect("a * b", [&](Answer a, Answer b, Answer, Row) {
    return both(a, b, [](double x, double y) { return x * y; });
  });
  expect("a - b", [&](Answer a, Answer b, Answer, Row) {
    return both(a, b, [](double x, double y) { return x - y; });
  });
  expect("-a * (1 - b)", [&](Answer a, Answer b, Answer, Row) {
    return both(a, b, [](double x, double y) { return -x * (1 - y); });
  });
  expect("a / i", [&](Answer a, Answer, Answer i, Row) {
    return both(a, i, [](double x, double y) { return x / y; });
  });
  expect("a + value", [&](Answer a, Answer, Answer, Row row) {
    return both(a, all.b[row], [](double x, double y) { return x + y; });
  });
}

template <class Expect>
void expect_choices(const NaNRows& all, Expect expect) {
  expect("coalesce(a, b)", [](Answer a, Answer b, Answer, Row) { return a ? a : b; });
  expect("coalesce(a, b, i)",
         [](Answer a, Answer b, Answer i, Row) { return a ? a : b ? b : i; });
  expect("nullif(a, 7) + 0", [](Answer a, Answer, Answer, Row) {
    return a && *a != 7 ? a : std::nullopt;
  });
  expect("case when flag then a else b end",
         [&](Answer a, Answer b, Answer, Row row) { return all.flag[row] ? a : b; });
  expect("case when i > 50 then a end", [](Answer a, Answer, Answer i, Row) {
    return i && *i > 50 ? a : std::nullopt;
  });
  expect("case when a > 0 then b else a end", [](Answer a, Answer b, Answer, Row) {
    return a && *a > 0 ? b : a;
  });
  expect("case when not (a > 0) then b else 1 end", [](Answer a, Answer b, Answer, Row) {
    return a && !(*a > 0) ? b : Answer(1);
  });
  expect("coalesce(nullif(i, 3), 5) * 1.0", [](Answer, Answer, Answer i, Row) {
    return i && *i != 3 ? i : Answer(5);
  });
}

template <class Expect>
void expect_functions(Expect expect) {
  const auto each = [&](const char* expression, double (*of)(double)) {
    expect(expression, [of](Answer a, Answer, Answer, Row) {
      return a ? Answer(of(*a)) : std::nullopt;
    });
  };
  each("abs(a) + 0", [](double a) { return std::abs(a); });
  each("1 + abs(floor(a / 3))", [](double a) { return 1 + std::abs(std::floor(a / 3)); });
  each("round(trunc(a / 7))", [](double a) { return std::round(std::trunc(a / 7)); });
  each("round(a / 8, 1)", [](double a) {
    return std::isinf(a) ? a : std::round(a / 8 * 10) / 10;
  });
  each("sqrt(a)", [](double a) { return std::sqrt(a); });
  each("exp(a)", [](double a) { return std::exp(a); });
  each("ceil(sign(a) / 2)", [](double a) { return a > 0 ? 1.0 : 0.0; });
}

// The numbers are whole and small: float32 holds them.
template <class Cell>
void test_nans(Type type) {
  for (const uint64_t rows : {1u, 64u, 1023u, 1025u, 9000u, 70000u}) {
    for (const uint64_t one_in : {0u, 1u, 10u, 4000u}) {
      const NaNRows all = rows_with_nans(rows, one_in);
      const std::vector<Cell> a(all.a.begin(), all.a.end()), b(all.b.begin(), all.b.end());
      const auto table = TableMaker(rows)
                             .fixed("a", type, a, NullEncoding::NaN)
                             .fixed("b", type, b, NullEncoding::NaN)
                             .fixed("value", type, b)
                             .fixed("i", Type::Int32, all.i, NullEncoding::Sentinel)
                             .bits("flag", all.flag)
                             .table();
      const auto expect = [&](const std::string& expression, auto answer) {
        std::vector<Answer> expected;
        for (uint64_t row = 0; row < rows; ++row) {
          const auto number = [](double x) { return x == x ? Answer(x) : std::nullopt; };
          const Answer i = all.i[row] == INT32_MIN ? std::nullopt : Answer(all.i[row]);
          expected.push_back(answer(number(all.a[row]), number(all.b[row]), i, row));
        }
        expect_column(table, expression, expected);
      };
      expect_arithmetic(all, expect);
      expect_choices(all, expect);
      expect_functions(expect);
    }
  }
}

TEST(Evaluation, NaNsThatAreNullsStayNulls) {
  test_nans<double>(Type::Float64);
  test_nans<float>(Type::Float32);
}

std::string mapped(std::string_view text, bool lower) {
  std::string to(3 * text.size() + kMappedSlack, '\0');
  char* end = lower ? write_lower(text, to.data()) : write_upper(text, to.data());
  to.resize(static_cast<size_t>(end - to.data()));
  return to;
}

TEST(CaseMap, KnowsWhichAsciiComesFromOthers) {
  for (const bool lower : {true, false}) {
    std::vector<bool> others(0x80);
    for (char32_t code = 0x80; code <= 0x10FFFF; ++code) {
      const char32_t to = lower ? lower_case(code) : upper_case(code);
      if (to < 0x80) others[to] = true;
    }
    for (size_t code = 0; code < others.size(); ++code) {
      const char c = static_cast<char>(code);
      EXPECT_EQ(maps_only_ascii_to(std::string_view(&c, 1), lower), !others[code]) << code;
    }
    EXPECT_FALSE(maps_only_ascii_to("\xC3\xA6", lower));
  }
  EXPECT_FALSE(maps_only_ascii_to("ok", true));
  EXPECT_TRUE(maps_only_ascii_to("word0005", true));
}

std::vector<std::optional<std::string>> texts_of(bool ascii, uint64_t rows) {
  const std::vector<std::string> parts =
      ascii ? std::vector<std::string>{"a", "A", "k", "K", "z", "Z", "@", "[", "`", "{", "0", "s"}
            : std::vector<std::string>{"a", "A", "k", "K", "s", "S", "i", "\xE2\x84\xAA",
                                       "\xC5\xBF", "\xC4\xB1", "\xC3\x86", "\xFF"};
  std::mt19937_64 random(rows);
  std::vector<std::optional<std::string>> all;
  for (uint64_t row = 0; row < rows; ++row) {
    std::string text;
    const uint64_t length = random() % 4 == 0 ? random() % 20 : random() % 4;
    for (uint64_t i = 0; i < length; ++i) text += parts[random() % parts.size()];
    random() % 9 == 0 ? all.push_back(std::nullopt) : all.push_back(std::move(text));
  }
  return all;
}

// The functions are evaluated in predicates that no range decides, and as a column from any row.
TEST(Evaluation, LowerAndUpperOfAllTexts) {
  for (const bool ascii : {true, false}) {
    for (const uint64_t rows : {1u, 70u, 3000u, 9000u}) {
      const auto texts = texts_of(ascii, rows);
      const auto table = TableMaker(rows).texts("s", texts).table();
      for (const bool lower : {true, false}) {
        const std::string name = lower ? "lower(s)" : "upper(s)";
        for (const char* result : {"", "a", "A", "k", "K", "s", "S", "ak", "AK", "@", "`", "[", "{",
                                   "kkk", "KSI", "aaaaaaaaaa", "zz@z", "a0", "\xC3\xA6"}) {
          uint64_t count = 0;
          for (const auto& text : texts) count += text && mapped(*text, lower) == result;
          EXPECT_EQ(heron::count(Query(table, name + " = '" + result + "'")), count)
              << name << ' ' << result;
        }
        const auto longest = std::max_element(texts.begin(), texts.end());
        if (*longest) {
          const std::string result = mapped(**longest, lower);
          uint64_t count = 0;
          for (const auto& text : texts) count += text && mapped(*text, lower) == result;
          EXPECT_EQ(heron::count(Query(table, name + " = '" + result + "'")), count) << result;
        }
        for (const uint64_t first : {uint64_t{0}, uint64_t{1}, rows / 3, rows - 1}) {
          Query query(table);
          query.columns = {name};
          query.range = RowRange{std::min(first, rows - 1), rows};
          RowBatch batch;
          uint64_t row = query.range->first;
          for (Scan scan(query); scan.next(batch);) {
            for (uint64_t i = 0; i < batch.rows; ++i, ++row) {
              ASSERT_EQ(batch.columns[0].is_null(i), !texts[row]);
              if (!texts[row]) continue;
              ASSERT_EQ(batch.columns[0].text(i), mapped(*texts[row], lower));
            }
          }
          EXPECT_EQ(row, rows);
        }
      }
    }
  }
}

}  // namespace
}  // namespace heron
