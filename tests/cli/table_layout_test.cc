// Tables for people: alignment, narrow terminals, and text that must not reach a terminal.
#include "output/table_layout.h"

#include <gtest/gtest.h>

#include <clocale>
#include <string>
#include <vector>

#include "base/fail.h"
#include "heron/error.h"
#include "output/printable.h"

namespace heron::cli {
namespace {

using Headings = std::vector<TableLayout::Heading>;
using Rows = std::vector<std::vector<std::string>>;

class TableLayoutTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_NE(std::setlocale(LC_CTYPE, "C.UTF-8"), nullptr); }
};

std::string table(const Headings& headings, const Rows& rows, Display display = {}) {
  StringSink sink;
  TableLayout layout(sink, display, headings);
  for (const auto& row : rows) {
    for (uint64_t i = 0; i < layout.shown().size(); ++i) layout.measure(i, row[layout.shown()[i]]);
  }
  layout.start();
  for (const auto& row : rows) {
    for (uint64_t i = 0; i < layout.shown().size(); ++i) {
      layout.cell(i, row[layout.shown()[i]], row[layout.shown()[i]] == "null");
    }
    layout.end_line();
  }
  return std::string(sink.text());
}

std::string printable(std::string_view text, uint32_t most = UINT32_MAX) {
  StringSink sink;
  append_printable(sink, text, most);
  return std::string(sink.text());
}

TEST_F(TableLayoutTest, NumbersStandToTheRightAndNoLineEndsInBlanks) {
  EXPECT_EQ(
      table({{"city", false}, {"n", true}, {"s", false}}, {{"Oslo", "7", "x"}, {"Ii", "12", ""}}),
      "city   n  s\n"
      "Oslo   7  x\n"
      "Ii    12  \n");
}

TEST_F(TableLayoutTest, WideAndCombiningCharactersKeepTheAlignment) {
  EXPECT_EQ(table({{"a", false}, {"b", false}}, {{"漢字", "1"}, {"e\u0301", "2"}}),
            "a     b\n"
            "漢字  1\n"
            "e\u0301     2\n");
}

TEST_F(TableLayoutTest, ANarrowTerminalCutsTextsBeforeNumbers) {
  EXPECT_EQ(table({{"text", false}, {"number", true}},
                  {{"a text that is far too long for this", "1234567890"}}, {30, false}),
            "text                    number\n"
            "a text that is fa…  1234567890\n");
}

TEST_F(TableLayoutTest, ColumnsInTheMiddleAreLeftOutLast) {
  Headings headings;
  std::vector<std::string> row;
  for (int i = 0; i < 1000; ++i) {
    headings.push_back({concat("c", i), true});
    row.push_back(std::to_string(i));
  }
  const std::string text = table(headings, {row}, {40, false});
  const std::string first = text.substr(0, text.find('\n'));
  EXPECT_NE(first.find("c0  c1"), std::string::npos);
  EXPECT_NE(first.find("  …  "), std::string::npos);
  EXPECT_TRUE(first.ends_with("c999"));
  StringSink scratch;
  EXPECT_LE(append_printable(scratch, first), 40u);
}

TEST_F(TableLayoutTest, EveryWidthIsKept) {
  const Headings headings = {{"id", true}, {"a", false}, {"b", false}, {"c", false}, {"end", true}};
  const Rows rows = {{"1", std::string(50, 'x'), "short", std::string(30, 'y'), "99"}};
  for (uint32_t width = 8; width < 120; ++width) {
    const std::string text = table(headings, rows, {width, false});
    for (size_t at = 0; at < text.size();) {
      const size_t end = text.find('\n', at);
      StringSink scratch;
      EXPECT_LE(append_printable(scratch, std::string_view(text).substr(at, end - at)), width)
          << text;
      at = end + 1;
    }
  }
}

TEST_F(TableLayoutTest, ColoursOnlyOnRequest) {
  const Rows rows = {{"null"}};
  EXPECT_EQ(table({{"a", false}}, rows, {80, false}), "a\nnull\n");
  EXPECT_EQ(table({{"a", false}}, rows, {80, true}), "\x1b[1ma\x1b[0m\n\x1b[2mnull\x1b[0m\n");
}

TEST_F(TableLayoutTest, NothingHostileReachesATerminal) {
  EXPECT_EQ(printable("a\x1b[31mb\nc\td\r"), "a\\u001b[31mb\\nc\\td\\r");
  EXPECT_EQ(printable("\u009b31m"), "\\u009b31m");  // the one-character form of ESC [
  EXPECT_EQ(printable("\u202egpj.exe"), "\\u202egpj.exe");
  EXPECT_EQ(printable("\x9b"), "\uFFFD");
}

TEST_F(TableLayoutTest, AnEllipsisTakesTheLastCell) {
  EXPECT_EQ(printable("abcdef", 6), "abcdef");
  EXPECT_EQ(printable("abcdefg", 6), "abcde…");
  EXPECT_EQ(printable("漢字漢字", 5), "漢字…");
  EXPECT_EQ(printable("漢字漢字", 6), "漢字…");
  EXPECT_EQ(printable("abc", 0), "");
}

}  // namespace
}  // namespace heron::cli
