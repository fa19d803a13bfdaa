#include "base/nearest.h"

#include <gtest/gtest.h>

namespace heron {
namespace {

std::string_view nearest(std::string_view input, std::initializer_list<std::string_view> names) {
  Nearest nearest(input);
  for (const std::string_view name : names) nearest.consider(name);
  return nearest.found();
}

TEST(Nearest, IsByCharactersToChange) {
  EXPECT_EQ(nearest("colums", {"count", "columns", "column"}), "columns");
  EXPECT_EQ(nearest("prize", {"size", "price"}), "price");
  EXPECT_EQ(nearest("x", {"weight", "y"}), "y");
}

TEST(Nearest, MayHaveNeighboursSwapped) {
  EXPECT_EQ(nearest("cuont", {"convert", "count"}), "count");
  EXPECT_EQ(nearest("ehad", {"find", "head"}), "head");
  EXPECT_EQ(nearest("schmea", {"s", "schema", "a"}), "schema");
}

TEST(Nearest, IsWhateverTheCase) {
  EXPECT_EQ(nearest("ID", {"at", "id"}), "id");
  EXPECT_EQ(nearest("head", {"lead", "HEAD"}), "HEAD");
}

TEST(Nearest, MayBeABeginning) {
  EXPECT_EQ(nearest("col", {"cat", "columns"}), "columns");
  EXPECT_EQ(nearest("out", {"raw", "output"}), "output");
  EXPECT_EQ(nearest("", {"output"}), "");
}

TEST(Nearest, IsNothingWhereNothingIsNear) {
  EXPECT_EQ(nearest("population", {"height", "id"}), "");
  EXPECT_EQ(nearest("group-by", {"sparse", "by-group", "row-number"}), "");
  EXPECT_EQ(nearest("sort", {"slice", "row", "stats", "split"}), "");
  EXPECT_EQ(nearest("cat", {"stats", "count", "head"}), "");
  EXPECT_EQ(nearest(std::string(65, 'a'), {std::string(65, 'b')}), "");
  EXPECT_EQ(Nearest("a").question(), "");
}

TEST(Nearest, ShowsWhatItIsTold) {
  Nearest nearest("colums");
  nearest.consider("columns", "--columns");
  EXPECT_EQ(nearest.question(), "; did you mean \"--columns\"?");
}

}  // namespace
}  // namespace heron
