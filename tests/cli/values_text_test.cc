// How numbers and texts print.
#include "output/values_text.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "output/json_text.h"
#include "output/utf8.h"

namespace heron::cli {
namespace {

template <class Append>
std::string text_of(Append append) {
  StringSink sink;
  append(sink);
  return std::string(sink.text());
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
struct TextColumnOf {
  explicit TextColumnOf(const std::vector<std::string>& rows) {
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
  EXPECT_TRUE(is_utf8(TextColumnOf({"", "ж", "abcdefghijk", "😀"}).values));
  EXPECT_FALSE(is_utf8(TextColumnOf({"abc", "\xFF"}).values));
  // The whole is valid, its halves are not.
  EXPECT_FALSE(is_utf8(TextColumnOf({"abc\xD0", "\xB6"}).values));
  EXPECT_FALSE(is_utf8(TextColumnOf({"abc\xD0", "", "\xB6"}).values));
}

TEST(ColumnText, TextsThatAreNotUtf8AreRepairedOneByOne) {
  const TextColumnOf texts({"abc\xD0", "\xB6", "ж"});
  const ColumnText column(texts.values, {});
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
