// Casts from texts and decimals, and functions over several values of each kind, row by row: what
// is read, what is null, what is refused.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/fail.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/made_table.h"

namespace heron {
namespace {

using Texts = std::vector<std::optional<std::string>>;

// Returns the values of an expression over the texts, in a column s, in one line.
std::string values(const Texts& texts, const std::string& expression) {
  TableMaker maker(texts.size());
  maker.texts("s", texts);
  Query query(maker.table());
  query.columns = {expression + " as r"};
  const RowBatch batch = read(query.projection(), {0, texts.size()});
  std::string line;
  for (uint64_t row = 0; row < batch.rows; ++row) {
    const bool is_null = batch.columns[0].is_null(row);
    line += concat(row == 0 ? "" : ", ", is_null ? "null" : to_text(batch.columns[0], row));
  }
  return line;
}

TEST(CastOfTexts, TextsAsFloats) {
  const Texts texts{"1.5", " -2e3 ", "+4", "inf", "nan", "1e999", "1.5x", "", " ", std::nullopt};
  EXPECT_EQ(values(texts, "try_cast(s as float64)"),
            "1.5, -2000, 4, Infinity, NaN, null, null, null, null, null");
  EXPECT_EQ(values({"0.1", "1e39", "-1e39"}, "try_cast(s as float32)"), "0.1, Infinity, -Infinity");
}

TEST(CastOfTexts, TextsAsIntegers) {
  const Texts texts{"127", "128", "-128", "-129", "+5", " 6 ", "1.0", "0x1", "-", "", std::nullopt};
  EXPECT_EQ(values(texts, "try_cast(s as int8)"),
            "127, null, -128, null, 5, 6, null, null, null, null, null");
  EXPECT_EQ(values({"18446744073709551615", "18446744073709551616", "-1"}, "try_cast(s as uint64)"),
            "18446744073709551615, null, null");
}

TEST(CastOfTexts, TextsAsBools) {
  EXPECT_EQ(values({"true", "T", " 1 ", "FALSE", "f", "0", "yes", "2", "", std::nullopt},
                   "try_cast(s as bool)"),
            "true, true, true, false, false, false, null, null, null, null");
}

TEST(CastOfTexts, TextsAsTimes) {
  EXPECT_EQ(values({"2024-02-29", "2023-02-29", "x"}, "try_cast(s as date32)"),
            "2024-02-29, null, null");
  EXPECT_EQ(values({"2024-02-29T01:02:03", "2024-02-29", "25:00"}, "try_cast(s as timestamp)"),
            "2024-02-29T01:02:03, 2024-02-29T00:00:00, null");
}

TEST(CastOfTexts, TextsAsDecimalsOfEachScale) {
  const Texts texts{"1.25", "-0.5", "100000", "1.255", "x", std::nullopt};
  EXPECT_EQ(values(texts, "try_cast(s as decimal(5,2))"), "1.25, -0.50, null, 1.26, null, null");
  EXPECT_EQ(values({"12.50", "-7.00"}, "cast(cast(s as decimal(9,2)) as decimal(6,1))"),
            "12.5, -7.0");
  EXPECT_EQ(values({"12.50", "-7.00"}, "cast(cast(s as decimal(9,2)) as float64)"), "12.5, -7");
  EXPECT_EQ(values({"12.00", "-7.00"}, "cast(cast(s as decimal(9,2)) as int16)"), "12, -7");
  EXPECT_EQ(values({"0.00", "-7.00"}, "cast(cast(s as decimal(9,2)) as bool)"), "false, true");
  EXPECT_EQ(values({"12.5", "-7"}, "cast(cast(s as decimal(9,2)) as text)"), "12.50, -7.00");
}

TEST(CastOfTexts, WhatDoesNotFitNamesTheRowsValue) {
  const auto error = [](const std::string& expression) {
    return std::string(test::error_of([&] { values({"x"}, expression); }).what());
  };
  for (const char* type : {"int32", "float64", "bool", "date32", "timestamp", "decimal(5,2)"}) {
    EXPECT_NE(error(concat("cast(s as ", type, ')')).find("\"x\""), std::string::npos) << type;
  }
}

TEST(LeastAndGreatest, OfEachKind) {
  const auto pick = [](const Texts& texts, const std::string& type, const std::string& others) {
    const std::string arguments = concat("(try_cast(s as ", type, "), ", others, ')');
    return values(texts, "least" + arguments) + " | " + values(texts, "greatest" + arguments);
  };
  EXPECT_EQ(pick({"b", "d", std::nullopt}, "text", "'c', cast(null as text)"), "b, c, c | c, d, c");
  EXPECT_EQ(pick({"true", "false", std::nullopt}, "bool", "false"),
            "false, false, false | true, false, false");
  EXPECT_EQ(pick({"true", "false", std::nullopt}, "bool", "cast(null as bool)"),
            "true, false, null | true, false, null");
  EXPECT_EQ(pick({"1.25", "9.5", std::nullopt}, "decimal(5,2)", "cast('2.5' as decimal(5,2))"),
            "1.25, 2.50, 2.50 | 2.50, 9.50, 2.50");
  EXPECT_EQ(pick({"1", "9", std::nullopt}, "int32", "5"), "1, 5, 5 | 5, 9, 5");
  EXPECT_EQ(pick({"0.5", "9", std::nullopt}, "float64", "5.5"), "0.5, 5.5, 5.5 | 5.5, 9, 5.5");
}

TEST(Round, ToDigitsBeforeAndBehindThePoint) {
  const Texts texts{"1250", "-1250", "1249", "-49", "0", std::nullopt};
  EXPECT_EQ(values(texts, "round(cast(s as int64), -2)"), "1300, -1300, 1200, 0, 0, null");
  EXPECT_EQ(values(texts, "trunc(cast(s as int64), -2)"), "1200, -1200, 1200, 0, 0, null");
  EXPECT_EQ(values(texts, "round(cast(s as int64), -25)"), "0, 0, 0, 0, 0, null");
  EXPECT_EQ(values(texts, "round(cast(s as float64), -2)"), "1300, -1300, 1200, -0.0, 0, null");
  EXPECT_EQ(values({"12.345", "-12.345"}, "round(cast(s as float64), 2)"), "12.35, -12.35");
  // A number of digits for each row.
  EXPECT_EQ(values({"1", "-1", "0"}, "round(1255.55, cast(s as int64))"), "1255.6, 1260, 1256");
  EXPECT_EQ(values({"-1", "-3", "4"}, "trunc(1255, cast(s as int64))"), "1250, 1000, 1255");
}

}  // namespace
}  // namespace heron
