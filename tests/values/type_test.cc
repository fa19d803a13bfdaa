// Types: their names, equality and cell widths.
#include <gtest/gtest.h>

#include "heron/error.h"
#include "heron/schema.h"

namespace heron {
namespace {

TEST(Type, IsCalledAsTheCommandLinePrintsIt) {
  EXPECT_EQ(Type(Type::Null).name(), "null");
  EXPECT_EQ(Type(Type::Bool).name(), "bool");
  EXPECT_EQ(Type(Type::UInt16).name(), "uint16");
  EXPECT_EQ(Type(Type::Float64).name(), "float64");
  EXPECT_EQ(Type(Type::Date32).name(), "date32");
  EXPECT_EQ(Type(Type::Timestamp).name(), "timestamp[ns]");
}

TEST(Type, HasTheSameNameWithOffsetsOfEitherWidth) {
  EXPECT_EQ(Type(Type::LargeText).name(), Type(Type::Text).name());
  EXPECT_EQ(Type::list(Type::list(Type::Text), true).name(), "list<list<text>>");
}

TEST(Type, OfListsIsEqualByItsItems) {
  EXPECT_EQ(Type::list(Type::list(Type::Int8)), Type::list(Type::list(Type::Int8)));
  EXPECT_NE(Type::list(Type::Int8), Type::list(Type::Int16));
  EXPECT_NE(Type::list(Type::Int8), Type::list(Type::Int8, true));
  EXPECT_NE(Type::list(Type::Null), Type(Type::List));
  EXPECT_NE(Type(Type::Int8), Type(Type::UInt8));
  EXPECT_EQ(Type(Type::Text), Type(Type::Text));
}

TEST(Type, OfVectorsKeepsItsDimensions) {
  const auto vector = [](std::vector<uint64_t> shape) { return Type::vector(Type::Int8, shape); };
  EXPECT_EQ(vector({2, 4}).name(), "vector<int8>[2x4]");
  EXPECT_EQ(vector({2, 4}).size(), 8U);
  EXPECT_EQ(vector({0, 4, 1}).name(), "vector<int8>[?x4x1]");
  EXPECT_EQ(vector({0, 4, 1}).size(), 0U);
  EXPECT_NE(vector({2, 4}), vector({4, 2}));
  EXPECT_NE(vector({2, 4}), vector({8}));
  EXPECT_NE(vector({0, 4}), vector({}));
  EXPECT_EQ(vector({2, 4}), vector({2, 4}));
  EXPECT_EQ(vector({8}), Type::vector(Type::Int8, 8));
  EXPECT_EQ(vector({}), Type::vector(Type::Int8));
  EXPECT_EQ(vector({2, 4}).flat(), vector({8}));
  EXPECT_EQ(Type(Type::Int8).flat(), Type::Int8);
  EXPECT_THROW(vector({1 << 16, 1 << 15}), Error);
  EXPECT_THROW(vector({0, uint64_t{1} << 33}), Error);
}

TEST(Type, IsAsWideAsItsCells) {
  EXPECT_EQ(Type(Type::Int8).width(), 1);
  EXPECT_EQ(Type(Type::UInt16).width(), 2);
  EXPECT_EQ(Type(Type::Date32).width(), 4);
  EXPECT_EQ(Type(Type::Timestamp).width(), 8);
  EXPECT_EQ(Type(Type::Bool).width(), 0);
  EXPECT_EQ(Type::list(Type::Int64).width(), 0);
}

}  // namespace
}  // namespace heron
