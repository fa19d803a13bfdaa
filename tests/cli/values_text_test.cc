// How single values print.
#include "output/values_text.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "output/utf8.h"

namespace heron::cli {
namespace {

template <class Append>
std::string text_of(Append append) {
  StringSink sink;
  append(sink);
  return std::string(sink.text());
}

std::string date(int64_t days) {
  return text_of([&](Sink& sink) { append_date(sink, days); });
}

std::string timestamp(int64_t nanoseconds) {
  return text_of([&](Sink& sink) { append_timestamp(sink, nanoseconds); });
}

template <class T>
std::string number(T value, bool json = true) {
  return text_of([&](Sink& sink) { append_number(sink, value, json); });
}

std::string json_text(std::string_view text, bool utf8 = false) {
  return text_of([&](Sink& sink) { append_json_text(sink, text, utf8); });
}

std::string repaired(std::string_view text) {
  return text_of([&](Sink& sink) { append_repaired(sink, text); });
}

// A text column with these rows.
struct Texts {
  explicit Texts(const std::vector<std::string>& rows) {
    offsets.push_back(0);
    for (const std::string& row : rows) {
      characters += row;
      offsets.push_back(static_cast<int32_t>(characters.size()));
    }
    values.type = Type::Text;
    values.rows = rows.size();
    values.data = {reinterpret_cast<const std::byte*>(characters.data()), characters.size()};
    values.offsets = {reinterpret_cast<const std::byte*>(offsets.data()), 4 * offsets.size()};
  }
  std::string characters;
  std::vector<int32_t> offsets;
  Values values;
};

TEST(ValuesText, DatesFollowTheGregorianCalendarInBothDirections) {
  EXPECT_EQ(date(0), "1970-01-01");
  EXPECT_EQ(date(-1), "1969-12-31");
  EXPECT_EQ(date(18321), "2020-02-29");
  EXPECT_EQ(date(-25509), "1900-02-28");
  EXPECT_EQ(date(-25508), "1900-03-01");
  EXPECT_EQ(date(11016), "2000-02-29");
  EXPECT_EQ(date(-719528), "0000-01-01");
  EXPECT_EQ(date(-719529), "-0001-12-31");
  EXPECT_EQ(date(2932896), "9999-12-31");
  EXPECT_EQ(date(2932897), "10000-01-01");
  EXPECT_EQ(date(std::numeric_limits<int32_t>::max()), "5881580-07-11");
}

TEST(ValuesText, EveryDayFollowsTheOneBefore) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  int64_t days = -719528;
  for (int year = 0; year < 2400; ++year) {
    const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    for (int month = 1; month <= 12; ++month) {
      char expected[32];
      std::snprintf(expected, sizeof expected, "%04d-%02d-01", year, month);
      ASSERT_EQ(date(days), expected);
      days += kDays[month - 1] + (leap && month == 2 ? 1 : 0);
    }
  }
}

TEST(ValuesText, TimestampsHaveAFractionOnlyIfThereIsOne) {
  EXPECT_EQ(timestamp(0), "1970-01-01T00:00:00");
  EXPECT_EQ(timestamp(-1), "1969-12-31T23:59:59.999999999");
  EXPECT_EQ(timestamp(1'000'000'000'000'000'000), "2001-09-09T01:46:40");
  EXPECT_EQ(timestamp(1'500'000'000), "1970-01-01T00:00:01.500000000");
  EXPECT_EQ(timestamp(std::numeric_limits<int64_t>::min() + 1), "1677-09-21T00:12:43.145224193");
  EXPECT_EQ(timestamp(std::numeric_limits<int64_t>::max()), "2262-04-11T23:47:16.854775807");
}

TEST(ValuesText, FloatsAreTheShortestOfTheirOwnWidth) {
  EXPECT_EQ(number(0.1f), "0.1");
  EXPECT_EQ(number(0.1), "0.1");
  EXPECT_EQ(number(static_cast<double>(0.1f)), "0.10000000149011612");
  EXPECT_EQ(number(5e-324), "5e-324");
  EXPECT_EQ(number(-0.0), "-0.0");
  EXPECT_EQ(number(2.0), "2");
}

TEST(ValuesText, WhatJsonHasNoNumberForIsInQuotes) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(number(-std::numeric_limits<double>::quiet_NaN()), "\"NaN\"");
  EXPECT_EQ(number(infinity), "\"Infinity\"");
  EXPECT_EQ(number(-infinity), "\"-Infinity\"");
  EXPECT_EQ(number(-infinity, false), "-Infinity");
}

TEST(ValuesText, IntegersAreExact) {
  EXPECT_EQ(text_of([](Sink& s) { append_number(s, std::numeric_limits<uint64_t>::max()); }),
            "18446744073709551615");
  EXPECT_EQ(text_of([](Sink& s) { append_number(s, std::numeric_limits<int64_t>::min()); }),
            "-9223372036854775808");
}

TEST(ValuesText, JsonEscapesWhatItMust) {
  EXPECT_EQ(json_text("a\"b\\c\n\t\x01/"), R"("a\"b\\c\n\t\u0001/")");
  EXPECT_EQ(json_text(std::string_view("\0z", 2)), R"("\u0000z")");
  EXPECT_EQ(json_text("ж\"", true), "\"ж\\\"\"");
  EXPECT_EQ(json_text(""), "\"\"");
}

// The examples of the Unicode standard, 3.9, tables 3-8 to 3-11.
TEST(Utf8, EachMaximalSubpartBecomesOneReplacement) {
  const std::string r(kReplacement);
  EXPECT_EQ(repaired("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41"), r + r + r + r + r + r + r + r + "A");
  EXPECT_EQ(repaired("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41"), r + r + r + r + r + r + r + r + "A");
  EXPECT_EQ(repaired("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42"),
            r + r + r + r + r + "A" + r + r + "B");
  EXPECT_EQ(repaired("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41"), r + r + r + r + "A");
  EXPECT_EQ(json_text("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41"), "\"" + r + r + r + r + "A\"");
  EXPECT_EQ(repaired("plain, and ASCII for longer than a word \xC3"),
            "plain, and ASCII for longer than a word " + r);
}

TEST(Utf8, ABatchIsJudgedByEachOfItsTexts) {
  EXPECT_TRUE(is_utf8(Texts({"", "ж", "abcdefghijk", "😀"}).values));
  EXPECT_FALSE(is_utf8(Texts({"abc", "\xFF"}).values));
  // The whole is valid, its halves are not.
  EXPECT_FALSE(is_utf8(Texts({"abc\xD0", "\xB6"}).values));
  EXPECT_FALSE(is_utf8(Texts({"abc\xD0", "", "\xB6"}).values));
}

TEST(ColumnText, TextsThatAreNotUtf8AreRepairedOneByOne) {
  const Texts texts({"abc\xD0", "\xB6", "ж"});
  const ColumnText column(texts.values, false);
  StringSink sink;
  for (uint64_t row = 0; row < 3; ++row) column.append_json(sink, row);
  const std::string r(kReplacement);
  EXPECT_EQ(sink.text(), "\"abc" + r + "\"\"" + r + "\"\"ж\"");
}

TEST(Sink, LongTextsPassThroughAShortBuffer) {
  const std::string text(100'000, 'x');
  EXPECT_EQ(text_of([&](Sink& sink) {
              sink.append('a');
              sink.append(text);
            }),
            "a" + text);
}

}  // namespace
}  // namespace heron::cli
