// Parsed predicates: the tests they become, the notes on them, and errors to the letter.
#include "heron/expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "base/fail.h"
#include "columns/dictionaries/key_column.h"
#include "columns/fixed_column.h"
#include "columns/null_column.h"
#include "error_of.h"
#include "expression/shown_predicate.h"
#include "heron/heron.h"
#include "kit/made_table.h"

namespace heron {
namespace {

using test::error_of;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class PredicateTest : public testing::Test {
 protected:
  PredicateTest() {
    TableMaker maker(1);
    maker.fixed<float>("x", Type::Float32, {1})
        .fixed<int32_t>("id", Type::Int32, {1})
        .fixed<int8_t>("small", Type::Int8, {1})
        .fixed<uint64_t>("u", Type::UInt64, {1})
        .fixed<double>("price", Type::Float64, {1})
        .texts("city", {"a"})
        .bits("flag", {true})
        .bits("ok", {true})
        .fixed<int32_t>("d", Type::Date32, {1})
        .fixed<int64_t>("t", Type::Timestamp, {1})
        .fixed<int64_t>("big", Type::Int64, {1})
        .null("n")
        .lists("l", {0, 0}, {})
        .fixed<DateTimeOffset>("at", Type::DateTimeOffset, {{}})
        .fixed<RowId>("r", Type::RowId, {{}})
        .fixed<int8_t>("and", Type::Int8, {1})
        .fixed<int8_t>("a`b c", Type::Int8, {1});
    maker.add("lost", [](const ByteSource&, uint64_t rows, ColumnLabel label) {
      return std::make_unique<UnreadableColumn>(
          Type::Null, rows, label, Error(ErrorKind::Unsupported, "made.file", "no such type"));
    });
    const Piece keys = maker.pieces.add(std::vector<uint32_t>{1});
    const auto key_column = [keys](std::shared_ptr<const KeyValues> values) {
      return [=](const ByteSource& source, uint64_t rows, ColumnLabel label) -> ColumnPtr {
        auto numbers = std::make_unique<FixedColumn>(
            Type::key(Type::UInt32, 3), rows, label,
            FixedCells{.cells = keys.in(source), .nulls = NullEncoding::Zero});
        if (values == nullptr) return numbers;
        return std::make_unique<KeyColumn>(label, std::move(numbers), values);
      };
    };
    maker.add("k", key_column(nullptr));
    maker.add("kt", key_column(std::make_shared<const KeyValues>(
                        [](const Context&) -> RowBatch { fail(ErrorKind::Corrupt, {}, "read"); },
                        Type::Text)));
    table_ = maker.table();
  }

  std::string becomes(std::string_view text) const {
    return test::shown(bound_of(Predicate(table_, text)));
  }
  std::vector<std::string> notes(std::string_view text) const {
    return Predicate(table_, text).notes();
  }
  std::string error(std::string_view text, ErrorKind kind = ErrorKind::Argument) const {
    return error_of(kind, [&] { Predicate(table_, text); });
  }

  std::shared_ptr<const Table> table_;
};

TEST_F(PredicateTest, compares_a_column_with_a_literal_by_its_own_values) {
  EXPECT_EQ(becomes("id > 3.5"), "c1 in [4, 2147483647]");
  EXPECT_EQ(becomes("3.5 < id"), becomes("id > 3.5"));
  EXPECT_EQ(becomes("x < inf"), "c0 in [-inf, 3.4028234663852886e+38]");
  EXPECT_EQ(becomes("x != 1"), "c0 in [-inf, 0.9999999403953552] [1.0000001192092896, inf]");
  EXPECT_EQ(becomes("not (x != 1)"), "c0 in [1, 1] nan");
  EXPECT_EQ(becomes("u > -1"), "c3 is not null");
  EXPECT_EQ(becomes("u > 9223372036854775807"),
            "c3 in [9223372036854775808, 18446744073709551615]");
  EXPECT_EQ(becomes("d >= '2026-11-21'"), "c8 in [20778, 2147483647]");
  EXPECT_EQ(becomes("t = '1970-01-01T00:00:01.5'"), "c9 in [1500000000, 1500000000]");
  EXPECT_EQ(becomes("at = '0001-01-01T02:00:00+02:00'"), "c13 in [0, 0]");
  EXPECT_EQ(becomes("at = '0001-01-01T00:00:01Z'"), "c13 in [10000000, 10000000]");
  EXPECT_EQ(becomes("r <= '0000000000000000000000000000000F'"), "c14 in [0, 15]");
  EXPECT_EQ(becomes("flag"), "c6 in [1, 1]");
  EXPECT_EQ(becomes("flag != true"), "c6 in [0, 0]");
  EXPECT_EQ(becomes("k != 2"), "c18 in [0, 1] [3, 4294967295]");
  EXPECT_EQ(becomes("kt >= 'b'"), "c19 in [b, ..)");
}

TEST_F(PredicateTest, reads_the_language) {
  EXPECT_EQ(becomes("`and` = 1"), "c15 in [1, 1]");
  EXPECT_EQ(becomes("`a``b c`==1"), "c16 in [1, 1]");
  EXPECT_EQ(becomes("id = 1 OR id <> 1"), "c1 is not null");
  EXPECT_EQ(becomes("id = 1 Or small = 2 aNd NOT flag"),
            "any(c1 in [1, 1], all(c2 in [2, 2], c6 in [0, 0]))");
  EXPECT_EQ(becomes("1 + 2 * 3 - 8 / 4 < id"), "c1 in [6, 2147483647]");
  EXPECT_EQ(becomes("id = - - 3"), "c1 in [3, 3]");
  EXPECT_EQ(becomes("city = 'it''s'"), std::string("c5 in [it's, it's\0)", 19));
  EXPECT_EQ(becomes("id between 3 and 7 and flag"), "all(c1 in [3, 7], c6 in [1, 1])");
  EXPECT_EQ(becomes("id not between 3 and 7"), "c1 in [-2147483648, 2] [8, 2147483647]");
  EXPECT_EQ(becomes("id in (3, 1, 2, 7)"), "c1 in [1, 3] [7, 7]");
  EXPECT_EQ(becomes("id in (price, 3)"), "any(c1i = c4f, c1 in [3, 3])");
  EXPECT_EQ(becomes("'a' = 'b' or 1.5 > 1"), "true");
}

TEST_F(PredicateTest, matches_texts) {
  EXPECT_EQ(becomes("city like 'a%b_'"), "c5 like <a>%<b>_");
  EXPECT_EQ(becomes("city not like '%a'"), "c5 not like %<a>");
  EXPECT_EQ(becomes("city like 'ab%'"), "c5 in [ab, ac)");
  EXPECT_EQ(becomes("city like '%%'"), "c5 is not null");
  EXPECT_EQ(becomes("city like '%a\\_b' escape '\\'"), "c5 like %<a_b>");
  EXPECT_EQ(becomes("city like '%aéé%b' escape 'é'"), "c5 like %<aé>%<b>");
}

TEST_F(PredicateTest, pushes_not_down_in_three_valued_logic) {
  EXPECT_EQ(becomes("not (id >= 3 and x < 5)"), "any(c1 in [-2147483648, 2], c0 in [5, inf] nan)");
  EXPECT_EQ(becomes("not (id + 1 < price)"), "not (c1i + 1i)i < c4f");
  EXPECT_EQ(becomes("not (id is null or x is nan)"), "all(c1 is not null, c0 in [-inf, inf])");
  EXPECT_EQ(becomes("id not in (1, null)"), "false");
  EXPECT_EQ(becomes("id in (1, null)"), "c1 in [1, 1]");
  EXPECT_EQ(becomes("not (null and id = 1)"), "c1 in [-2147483648, 0] [2, 2147483647]");
  EXPECT_EQ(becomes("(id > 3) is null"), "c1 is null");
  EXPECT_EQ(becomes("(flag = ok) is null"), "none(any(c6b = c7b, not c6b = c7b))");
  EXPECT_EQ(becomes("(id > 3) = flag"),
            "any(all(c1 in [4, 2147483647], c6 in [1, 1]), "
            "all(c1 in [-2147483648, 3], c6 in [0, 0]))");
  EXPECT_EQ(becomes("(id > 3) = false"), "c1 in [-2147483648, 3]");
  EXPECT_EQ(becomes("n is null and l is not null"), "c12 is not null");
}

TEST_F(PredicateTest, makes_one_test_of_those_of_a_column) {
  EXPECT_EQ(becomes("id >= 3 and id < 5"), "c1 in [3, 4]");
  EXPECT_EQ(becomes("id < 3 or (id = 4 or (id = 3 or flag))"),
            "any(c1 in [-2147483648, 4], c6 in [1, 1])");
  EXPECT_EQ(becomes("id > 3 and flag and id < 3"), "false");
  EXPECT_EQ(becomes("x > 0 and not (x > 1)"), "c0 in [1.401298464324817e-45, 1]");
}

TEST_F(PredicateTest, computes_exactly_in_what_holds_it) {
  EXPECT_EQ(becomes("id * 2 = small"), "(c1i * 2i)i = c2i");
  EXPECT_EQ(becomes("big + 1 > u"), "(c10i + 1w)w > c3w");
  EXPECT_EQ(becomes("-big > id"), "(-c10i)w > c1i");
  EXPECT_EQ(becomes("-big > 3"), "c10 in [-9223372036854775808, -4]");
  EXPECT_EQ(becomes("big % 7 = 1"), "(c10i % 7i)i in [1, 1]");
  EXPECT_EQ(becomes("id / 2 > x"), "(c1i / 2f)f > c0f");
  EXPECT_EQ(becomes("id / 2 > 1"), "c1 in [3, 2147483647]");
  EXPECT_EQ(becomes("id + x > 1"), "(c1i + c0f)f in [1.0000000000000002, inf]");
  EXPECT_EQ(becomes("id + 1 is null"), "(c1i + 1i)i is null");
  EXPECT_EQ(becomes("x + 1 is not nan"), "not (c0f + 1f)f is nan");
  EXPECT_EQ(becomes("5 % 0 is null"), "true");
  EXPECT_EQ(
      error("big * big * big > 3"),
      "made.file: predicate, character 1: the result can exceed an exact integer of 128 bits; "
      "1.0 * makes it float64: ^big * big * big > 3");
}

TEST_F(PredicateTest, tells_what_can_never_be_true) {
  EXPECT_THAT(notes("x = 0.1 and x = 0.1"),
              ElementsAre("x = 0.1 is never true: the value nearest to it that \"x\" (float32) can "
                          "hold is 0.10000000149011612"));
  EXPECT_THAT(notes("id = 1.5"),
              ElementsAre("id = 1.5 is never true: \"id\" (int32) holds whole numbers"));
  EXPECT_THAT(notes("300 = small"),
              ElementsAre("300 = small is never true: \"small\" (int8) holds -128 to 127"));
  EXPECT_THAT(notes("x = null"), ElementsAre("x = null is never true; use \"is null\""));
  EXPECT_THAT(notes("x = nan"), ElementsAre("x = nan is never true; use \"is nan\""));
  EXPECT_THAT(notes("small in (300, 400)"),
              ElementsAre("small in (300, 400) is never true: no value of \"small\" (int8) is"));
  EXPECT_THAT(notes("not id in (1, null)"),
              ElementsAre("not id in (1, null) is never true because of its null; use "
                          "\"is null\""));
  EXPECT_THAT(notes("small != 300 and id in (1, null) and x = 0.5"), IsEmpty());
}

TEST_F(PredicateTest, shows_where_it_is_wrong) {
  const auto at = [](int character, const std::string& rest) {
    return concat("made.file: predicate, character ", character, ": ", rest);
  };
  EXPECT_EQ(error("price > 'abc'"),
            at(9, "expected a number for \"price\" (float64), got a text: price > ^'abc'"));
  EXPECT_EQ(error("prize > 3"),
            at(1, "no column \"prize\" in table \"data\"; did you mean \"price\"?: ^prize > 3"));
  EXPECT_EQ(error("city = 'é' and flag < 3"),
            at(23,
               "expected true or false for \"flag\" (bool), got a number: city = 'é' and flag "
               "< ^3"));
  EXPECT_EQ(error("d = 2026-11-21"),
            at(5,
               "expected a date such as 2026-11-21, in quotes, for \"d\" (date32), got "
               "2026-11-21: d = ^2026-11-21"));
  EXPECT_EQ(error("d > '2026'"), at(5,
                                    "expected a date such as 2026-11-21 for \"d\" (date32), got "
                                    "'2026': d > ^'2026'"));
  for (const char* predicate :
       {"d = 20778", "20778 < d", "d in ('2026-11-21', 20778)", "d between 1 and '2026-11-21'",
        "d != -1", "d > 1e3", "t = 0", "t < '1700000000000000000'", "t >= 2026", "at < 0",
        "at = '0'", "d = nan", "d > inf", "d = 1 + 1"}) {
    EXPECT_THAT(error(predicate), testing::HasSubstr(" such as 2026-11-21")) << predicate;
  }
  EXPECT_EQ(error("d = 'soon'"), at(5,
                                    "expected a date such as 2026-11-21 for \"d\" (date32), got "
                                    "'soon': d = ^'soon'"));
  EXPECT_EQ(error("id = city"),
            at(6, "expected a number beside \"id\" (int32), got \"city\" (text): id = ^city"));
  EXPECT_EQ(error("l = 3"), at(1, "\"l\" (list<int32>) can only be tested for null: ^l = 3"));
  EXPECT_EQ(error("id"), at(1, "expected a predicate, got \"id\" (int32): ^id"));
  EXPECT_EQ(error("(id > 3) in (true)"),
            at(1, "expected a value, got a predicate: ^(id > 3) in (true)"));
  EXPECT_EQ(error("flag or"),
            at(8, "expected a name, a value or a predicate in brackets, got the end: flag or^"));
  EXPECT_EQ(error("1 < id < 3"), at(8, "expected and, or, or the end, got \"<\": 1 < id ^< 3"));
  EXPECT_EQ(error("id > 'x"), at(6, "expected a closing ': id > ^'x"));
  EXPECT_EQ(error("\"id\" > 3"),
            at(1, "texts stand in single quotes, names in backticks: ^\"id\" > 3"));
  EXPECT_EQ(error(std::string(60, ' ') + "#" + std::string(60, '\n')),
            at(61, "unexpected character: ..." + std::string(40, ' ') + "^#" +
                       std::string(39, ' ') + "..."));
  EXPECT_EQ(error("lost = 1", ErrorKind::Unsupported), "made.file: no such type");
}

TEST_F(PredicateTest, has_limits) {
  for (const char* open : {"(", "not ", "-", "id + "}) {
    std::string deep;
    for (int i = 0; i < 100'000; ++i) deep += open;
    EXPECT_THAT(error(deep + "id", ErrorKind::Limit), HasSubstr("more than 200 parts within"));
  }
  std::string wide = "flag";
  for (int i = 0; i < 10'000; ++i) wide += " or flag";
  EXPECT_THAT(error(wide, ErrorKind::Limit), HasSubstr("more than 10000 parts"));
  std::string equal = "(id=1)";
  for (int i = 0; i < 40; ++i) equal = "(" + equal + "=(id=1))";
  EXPECT_THAT(error(equal, ErrorKind::Limit), HasSubstr("more than 100000 tests"));
  std::string list = "id in (0";
  for (int i = 1; i < 20'000; ++i) list += concat(", ", i);
  EXPECT_EQ(becomes(list + ")"), "c1 in [0, 19999]");
}

TEST_F(PredicateTest, answers_any_text) {
  std::mt19937 random(3);
  const char* words[] = {"id", "x",    "city", "flag", "(",   ")",       "and",  "or",  "not",
                         "in", "like", "'a%'", "null", "nan", "between", "is",   "=",   "<",
                         "+",  "%",    "3",    "1.5",  ",",   "\xFF",    "\x00", "`u`", "-"};
  int understood = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (unsigned i = random() % 8 + 1; i != 0; --i) {
      text += words[random() % std::size(words)];
      text += ' ';
    }
    try {
      Predicate(table_, text);
      ++understood;
    } catch (const Error& error) {
      EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string_view::npos);
    }
  }
  EXPECT_GT(understood, 50);
}

TEST_F(PredicateTest, knows_its_columns) {
  const Predicate predicate(table_, "id > 3 or (x < 1 and id + u > 3)");
  EXPECT_THAT(predicate.columns(), ElementsAre(0, 1, 3));
  EXPECT_EQ(predicate.table(), table_);
  EXPECT_EQ(predicate.text(), "id > 3 or (x < 1 and id + u > 3)");
}

}  // namespace
}  // namespace heron
