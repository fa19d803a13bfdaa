// Texts of errors: names in quotes, counts with their nouns.
#include <gtest/gtest.h>

#include <string>

#include "base/counted.h"
#include "base/in_quotes.h"
#include "base/round_up.h"

namespace heron {
namespace {

TEST(InQuotes, ReplacesWhatATerminalWouldObey) {
  EXPECT_EQ(in_quotes("a \u00e9\u4e2d\""), "\"a \u00e9\u4e2d\"\"");
  EXPECT_EQ(in_quotes(std::string_view("\0\x1b[1m\n\x7f", 7)),
            "\"\uFFFD\uFFFD[1m\uFFFD\uFFFD\"");
  EXPECT_EQ(in_quotes("\u009b1m"), "\"\uFFFD1m\"");
  EXPECT_EQ(in_quotes("a\xff\xe4\xb8z"), "\"a\uFFFD\uFFFDz\"");
  EXPECT_EQ(in_quotes(""), "\"\"");
}

TEST(InQuotes, CutsLongTextsBetweenCharacters) {
  EXPECT_EQ(in_quotes(std::string(99, 'x')), '"' + std::string(99, 'x') + '"');
  EXPECT_EQ(in_quotes(std::string(100, 'x')), '"' + std::string(99, 'x') + "..\"");
  std::string wide;
  for (int i = 0; i < 50; ++i) wide += "\u4e2d";
  EXPECT_EQ(in_quotes(wide), '"' + wide.substr(0, 99) + "..\"");
}

TEST(Counted, AgreesWithItsNoun) {
  EXPECT_EQ(counted(0, "row"), "0 rows");
  EXPECT_EQ(counted(1, "row"), "1 row");
  EXPECT_EQ(counted(2, "row"), "2 rows");
  EXPECT_EQ(first_of(1, "row"), "the first row");
  EXPECT_EQ(first_of(10, "row"), "the first 10 rows");
}

TEST(RoundUp, GivesTheNextMultiple) {
  EXPECT_EQ(round_up(0, 10), 0u);
  EXPECT_EQ(round_up(1, 10), 10u);
  EXPECT_EQ(round_up(10, 10), 10u);
  EXPECT_EQ(padded(0), 0u);
  EXPECT_EQ(padded(64), 64u);
  EXPECT_EQ(padded(65), 128u);
}

}  // namespace
}  // namespace heron
