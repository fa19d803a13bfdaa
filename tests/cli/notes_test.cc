// The kinds of notes, which ignore names, paths and numbers.
#include "notes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace heron::cli {
namespace {

using testing::ElementsAre;

TEST(Notes, AreOfAKindButForNamesPathsAndNumbers) {
  const auto same = [](std::string_view a, std::string_view b) {
    return kind_of_note(a) == kind_of_note(b);
  };
  EXPECT_TRUE(same("\"f1\": values will be rounded, by up to 0.5",
                   "\"a b\": values will be rounded, by up to 1e-05"));
  EXPECT_TRUE(same("a/b.jay: is old", "c/d.jay: is old"));
  EXPECT_TRUE(same("left out: \"c\": not stored", "left out: \"d\": not stored"));
  EXPECT_FALSE(same("\"c\": values will be rounded", "\"c\": is left out"));
  EXPECT_FALSE(same("left out: \"c\"", "\"c\": left out"));
  EXPECT_EQ(kind_of_note("\"not closed"), "\"");
  EXPECT_EQ(kind_of_note(""), "");
}

TEST(Notes, TenOfAKindAreToldAndHowManyMore) {
  std::vector<std::string> reported;
  Notes notes(false, [&](std::string_view line) { reported.emplace_back(line); });
  for (int i = 0; i < 12; ++i) notes.add("\"f" + std::to_string(i) + "\": rounded");
  notes.add("other");
  EXPECT_EQ(reported.size(), 11u);
  reported.clear();
  notes.finish();
  EXPECT_THAT(reported,
              ElementsAre("and 2 more, the last of them: \"f11\": rounded; --verbose shows all"));
}

TEST(Notes, AllAreReportedOnRequest) {
  uint64_t reported = 0;
  Notes notes(true, [&](std::string_view) { ++reported; });
  for (int i = 0; i < 100; ++i) notes.add("the same");
  notes.finish();
  EXPECT_EQ(reported, 100u);
}

}  // namespace
}  // namespace heron::cli
