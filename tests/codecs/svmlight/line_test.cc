// Lines and numbers of SVMLight text.
#include "svmlight/line.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace heron {
namespace {

using svmlight::split;

TEST(SvmlightLine, HasItsParts) {
  const auto line = split("  2\tqid:7  1:0.5\t3:-2  # docid = 5 # 6 ");
  ASSERT_TRUE(line);
  EXPECT_EQ(line->label, "2");
  EXPECT_TRUE(line->has_query);
  EXPECT_EQ(line->query, "7");
  EXPECT_EQ(line->pairs, "1:0.5\t3:-2");
  EXPECT_EQ(line->comment, "docid = 5 # 6");
}

TEST(SvmlightLine, NeedsOnlyALabel) {
  const auto line = split("-1");
  ASSERT_TRUE(line);
  EXPECT_EQ(line->label, "-1");
  EXPECT_FALSE(line->has_query);
  EXPECT_EQ(line->pairs, "");
  EXPECT_EQ(line->comment, "");
}

TEST(SvmlightLine, OfBlanksOrACommentIsNoRow) {
  for (const char* text : {"", " ", "\t \t", "#", " # 1 1:1"}) EXPECT_FALSE(split(text)) << text;
}

TEST(SvmlightLine, HasAQueryOnlyBehindTheLabel) {
  EXPECT_FALSE(split("1 1:1 qid:2")->has_query);
  EXPECT_EQ(split("1 1:1 qid:2")->pairs, "1:1 qid:2");
  EXPECT_FALSE(split("1 #qid:2")->has_query);
  EXPECT_TRUE(split("1 qid:")->has_query);
}

TEST(SvmlightLine, EndsWithOrWithoutAReturn) {
  std::vector<std::string> lines;
  std::vector<size_t> offsets;
  svmlight::each_line("a\r\n\nb\r\r\nc", [&](std::string_view line, size_t at) {
    lines.emplace_back(line);
    offsets.push_back(at);
  });
  EXPECT_EQ(lines, (std::vector<std::string>{"a", "", "b\r", "c"}));
  EXPECT_EQ(offsets, (std::vector<size_t>{0, 3, 4, 8}));
}

TEST(SvmlightNumber, IsAWholeNumber) {
  int64_t number = 0;
  EXPECT_TRUE(svmlight::parse("+12", number));
  EXPECT_EQ(number, 12);
  EXPECT_TRUE(svmlight::parse("-9223372036854775808", number));
  EXPECT_EQ(number, INT64_MIN);
  for (const char* text : {"", "+", "-", "+-1", "++1", "1.0", "1e3", "9223372036854775808", "1 "}) {
    EXPECT_FALSE(svmlight::parse(text, number)) << text;
  }
}

// Numbers that no float holds are infinite or 0, of any length.
TEST(SvmlightNumber, IsTheNearestFloat) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const std::string zeros(500, '0');
  const std::vector<std::pair<std::string, float>> kNumbers = {
      {"+.5", 0.5F},
      {"5.", 5.0F},
      {"1E+2", 100.0F},
      {"-inf", -kInfinity},
      {"Infinity", kInfinity},
      {"1e39", kInfinity},
      {"-1e400", -kInfinity},
      {"1e-60", 0.0F},
      {"1e99999999999", kInfinity},
      {"1e-99999999999", 0.0F},
      {"0." + zeros + "1", 0.0F},
      {"1" + zeros, kInfinity},
      {"-1" + zeros + ".5", -kInfinity},
      {"1" + zeros + "e-500", 1.0F},
      {"1" + zeros + "e-600", 0.0F},
      {"0." + zeros + "1e600", kInfinity},
      {"1e-42", 1e-42F},
      {"0.1", 0.1F},
      {"16777217", 16777216.0F},
  };
  for (const auto& [text, expected] : kNumbers) {
    float number = 7;
    ASSERT_TRUE(svmlight::parse(text, number)) << text;
    EXPECT_EQ(number, expected) << text;
  }
  float number = 7;
  ASSERT_TRUE(svmlight::parse("-1e-60", number));
  EXPECT_TRUE(std::signbit(number));
  double wide = 7;
  ASSERT_TRUE(svmlight::parse("nan", wide));
  EXPECT_TRUE(std::isnan(wide));
  EXPECT_FALSE(svmlight::parse("nan(7)", wide));
  EXPECT_FALSE(svmlight::parse("-nan()", number));
  for (const char* text :
       {"", "+", "+-1", "--1", "1,5", "0x10", "1e", "1_0", "x", "1 ", "e5", "."}) {
    EXPECT_FALSE(svmlight::parse(text, number)) << text;
    EXPECT_FALSE(svmlight::parse(text, wide)) << text;
  }
}

}  // namespace
}  // namespace heron
