// Values are equal however each is stored.
#include "values/equal.h"

#include <gtest/gtest.h>

#include "codecs/idv/made_values.h"

namespace heron {
namespace {

using test::made_vector;
using Row = test::Row<float>;

bool same(const Row& a, const Row& b) {
  const auto in_a = made_vector<float>(Type::vector(Type::Float32), {Row(1, {7}), a});
  const auto in_b = made_vector<float>(Type::vector(Type::Float32), {b});
  const bool forth = is_equal(in_a.values, 1, in_b.values, 0, 0);
  EXPECT_EQ(is_equal(in_b.values, 0, in_a.values, 1, 0), forth);
  return forth;
}

TEST(Equal, VectorsByTheirSlots) {
  EXPECT_TRUE(same({3, {1, 0, 2}}, {3, {1, 0, 2}}));
  EXPECT_TRUE(same({3, {1, 0, 2}}, {3, {1, 2}, {0, 2}}));
  EXPECT_TRUE(same({3, {0, 0, 0}}, {3, {}}));
  EXPECT_TRUE(same({4, {0, 5}, {1, 3}}, {4, {5}, {3}}));
  EXPECT_FALSE(same({3, {1, 0, 2}}, {3, {1, 2}, {0, 1}}));
  EXPECT_FALSE(same({3, {1, 0, 2}}, {3, {1}, {0}}));
  EXPECT_FALSE(same({3, {0, 0, 0}}, {4, {}}));
  EXPECT_TRUE(same({0, {}}, {0, {}}));
}

TEST(Equal, OtherTypes) {
  const auto times =
      test::made<DateTimeOffset>(Type::DateTimeOffset, {{5, 60, {}}, {5, 60, {1}}, {5, 61, {}}});
  EXPECT_TRUE(is_equal(times.values, 0, times.values, 1, 0));
  EXPECT_FALSE(is_equal(times.values, 0, times.values, 2, 0));
  auto numbers = test::made<int32_t>(Type::Int32, {1, 1, 2, 2});
  numbers.miss({2, 3});
  EXPECT_TRUE(is_equal(numbers.values, 0, numbers.values, 1, 0));
  EXPECT_TRUE(is_equal(numbers.values, 2, numbers.values, 3, 0));
  EXPECT_FALSE(is_equal(numbers.values, 1, numbers.values, 2, 0));
  const auto texts = test::made_text({"a", "b", "a"});
  EXPECT_TRUE(is_equal(texts.values, 0, texts.values, 2, 0));
  EXPECT_FALSE(is_equal(texts.values, 0, texts.values, 1, 0));
}

// Keys of two dictionaries are equal if their values are.
TEST(Equal, KeysByWhatTheyStandFor) {
  const auto a = test::made<uint8_t>(Type::key(Type::UInt8, 2), {1, 2});
  const auto b = test::made<uint8_t>(Type::key(Type::UInt8, 2), {2, 1});
  Values in_a = a.values, in_b = b.values;
  const auto words_a = test::made_text({"x", "y"}), words_b = test::made_text({"y", "z"});
  in_a.children = {words_a.values};
  in_b.children = {words_b.values};
  EXPECT_TRUE(is_equal(in_a, 1, in_b, 1, 0));
  EXPECT_FALSE(is_equal(in_a, 0, in_b, 1, 0));
  EXPECT_FALSE(is_equal(in_a, 0, b.values, 1, 0));
  EXPECT_TRUE(is_equal(a.values, 0, b.values, 1, 0));
}

}  // namespace
}  // namespace heron
