// Numbers, texts and rows as they are printed.
#include "heron/text.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "base/utf8.h"
#include "heron/error.h"
#include "heron/writer.h"
#include "values/utf8_values.h"

namespace heron {
namespace {

template <class Append>
std::string appended(Append append) {
  StringSink sink;
  append(sink);
  return std::string(sink.text());
}

template <class T>
std::string number(T value, bool json = true) {
  return appended([&](TextSink& sink) { append_number(sink, value, json); });
}

std::string json_text(std::string_view text, bool utf8 = false) {
  return appended([&](TextSink& sink) { append_json_text(sink, text, utf8); });
}

std::string repaired(std::string_view text) {
  return appended([&](TextSink& sink) { append_utf8(sink, text); });
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
  EXPECT_EQ(appended([](TextSink& s) { append_number(s, std::numeric_limits<uint64_t>::max()); }),
            "18446744073709551615");
  EXPECT_EQ(appended([](TextSink& s) { append_number(s, std::numeric_limits<int64_t>::min()); }),
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
  EXPECT_TRUE(are_utf8(TextColumnOf({"", "ж", "abcdefghijk", "😀"}).values));
  EXPECT_FALSE(are_utf8(TextColumnOf({"abc", "\xFF"}).values));
  // The whole character is valid, its halves are not.
  EXPECT_FALSE(are_utf8(TextColumnOf({"abc\xD0", "\xB6"}).values));
  EXPECT_FALSE(are_utf8(TextColumnOf({"abc\xD0", "", "\xB6"}).values));
}

TEST(ColumnText, TextsThatAreNotUtf8AreRepairedOneByOne) {
  const TextColumnOf texts({"abc\xD0", "\xB6", "ж"});
  const ColumnText column(texts.values, {});
  StringSink sink;
  for (uint64_t row = 0; row < 3; ++row) column.append_json(sink, row);
  const std::string r(kReplacement);
  EXPECT_EQ(sink.text(), "\"abc" + r + "\"\"" + r + "\"\"ж\"");
}

// Returns a batch of a number, a text and a date, of which the second row is null.
RowBatch three_columns() {
  BatchBuilder builder({nullable_field("n", Type::Float32), nullable_field("a \"t\"", Type::Text),
                        nullable_field("d", Type::Date32)});
  builder[0].append(0.1f);
  builder[1].append("ж,\xFF");
  builder[2].append(20'778);
  for (int column = 0; column < 3; ++column) builder[column].append_null();
  return builder.finish();
}

TEST(ToText, AValueIsPlainOrJson) {
  const RowBatch batch = three_columns();
  const auto& [number, text, date] = std::tie(batch.columns[0], batch.columns[1], batch.columns[2]);
  const std::string r(kReplacement);
  EXPECT_EQ(to_text(number, 0), "0.1");
  EXPECT_EQ(to_text(text, 0), "ж," + r);
  EXPECT_EQ(to_json(text, 0), "\"ж," + r + "\"");
  EXPECT_EQ(to_text(date, 0), "2026-11-21");
  EXPECT_EQ(to_json(date, 0), "\"2026-11-21\"");
  EXPECT_EQ(to_json(date, 0, {.raw = true}), "20778");
  for (const Values& values : batch.columns) {
    EXPECT_EQ(to_text(values, 1), "null");
    EXPECT_EQ(to_json(values, 1), "null");
  }
}

TEST(ToText, AScalarIsAsAValueOfItsColumn) {
  EXPECT_EQ(to_text(Type::Float32, 0.1F), "0.1");
  EXPECT_EQ(to_text(Type::Float64, 0.1), "0.1");
  EXPECT_EQ(to_json(Type::Float64, std::numeric_limits<double>::infinity()), "\"Infinity\"");
  EXPECT_EQ(to_text(Type::UInt64, UINT64_MAX), "18446744073709551615");
  EXPECT_EQ(to_text(Type::Bool, true), "true");
  EXPECT_EQ(to_json(Type::Text, std::string("a\"b")), R"("a\"b")");
  EXPECT_EQ(to_json(Type::Date32, int64_t{20'778}), "\"2026-11-21\"");
  EXPECT_EQ(to_json(Type::Date32, int64_t{20'778}, {.raw = true}), "20778");
  EXPECT_EQ(to_text(Type::DateTimeOffset, int64_t{0}), "0001-01-01T00:00:00+00:00");
  EXPECT_EQ(to_json(Type::Int8, int64_t{-7}), "-7");
  EXPECT_EQ(to_json(Type::Int8, {}), "null");
}

TEST(ToText, AVectorTooLongIsRefusedByItsOwnRowOnly) {
  const std::array<int32_t, 2> lengths = {2, 1'000'001};
  Values items(Type::Int8, 0), stored(Type::list(Type::Int8, true), 2);
  const std::array<int64_t, 3> none = {};
  stored.offsets = {reinterpret_cast<const std::byte*>(none.data()), sizeof none};
  Values positions = stored;
  positions.type = Type::list(Type::Int32, true);
  stored.children = {items};
  positions.children = {Values(Type::Int32, 0)};
  Values vectors(Type::vector(Type::Int8), 2);
  vectors.data = {reinterpret_cast<const std::byte*>(lengths.data()), sizeof lengths};
  vectors.children = {stored, positions};
  EXPECT_EQ(to_text(vectors, 0), "[0,0]");
  EXPECT_THROW(to_text(vectors, 1), Error);
  EXPECT_EQ(to_json(vectors, 1, {.sparse = true}), R"({"len":1000001,"indices":[],"values":[]})");
  EXPECT_THROW(ColumnText{vectors}, Error);
}

TEST(ToText, RowsAreObjectsWhoseNamesAreEscaped) {
  const RowBatch batch = three_columns();
  const std::string first =
      R"({"n":0.1,"a \"t\"":"ж,)" + std::string(kReplacement) + R"(","d":"2026-11-21"})";
  const std::string second = R"({"n":null,"a \"t\"":null,"d":null})";
  EXPECT_EQ(to_json(batch, 0), first);
  EXPECT_EQ(to_json(batch, 1), second);
  JsonRows rows(*batch.schema);
  rows.set(batch);
  StringSink sink;
  rows.append(sink, 0);
  rows.append(sink, 1);
  EXPECT_EQ(sink.text(), first + second);
  sink.clear();
  JsonRows nothing(Schema{});
  nothing.set({});
  nothing.append(sink, 0);
  EXPECT_EQ(sink.text(), "{}");
}

TEST(TextSink, LongTextsPassThroughAShortBuffer) {
  const std::string text(100'000, 'x');
  EXPECT_EQ(appended([&](TextSink& sink) {
              sink.append('a');
              sink.append(text);
            }),
            "a" + text);
}

}  // namespace
}  // namespace heron
