// Codes of every width into a dictionary, with nulls and codes outside.
#include "values/codes.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "base/arena.h"
#include "kit/type_of.h"
#include "values/validity.h"

namespace heron {
namespace {

constexpr uint64_t kSize = 100;

template <class T>
class Codes : public testing::Test {
 protected:
  // Returns codes of which row 3 is null if `nullable`.
  Values codes(const std::vector<T>& cells, bool nullable) {
    Values values(type_of<T>(), cells.size());
    values.data = {reinterpret_cast<const std::byte*>(cells.data()), cells.size() * sizeof(T)};
    std::vector<uint8_t> valid(cells.size(), 1);
    valid[3] = nullable ? 0 : 1;
    set_validity_from_flags(values, valid.data(), arena_);
    return values;
  }

  Arena arena_;
};

using CodeTypes =
    testing::Types<int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t>;
TYPED_TEST_SUITE(Codes, CodeTypes);

TYPED_TEST(Codes, BecomeIndices) {
  const std::vector<TypeParam> cells{0, 99, 7, std::numeric_limits<TypeParam>::max(), 5};
  uint32_t indices[5] = {};
  EXPECT_EQ(read_codes(this->codes(cells, true), kSize, 42, indices), std::nullopt);
  EXPECT_EQ(std::vector<uint32_t>(indices, indices + 5), (std::vector<uint32_t>{0, 99, 7, 42, 5}));
  EXPECT_EQ(read_codes(this->codes(cells, false), kSize, 42, indices), 3);
  EXPECT_EQ(read_codes(this->codes(cells, true), 99, 42, indices), 1);
  EXPECT_EQ(read_codes(this->codes(cells, true), 0, 42, indices), 0) << "an empty dictionary";
}

TYPED_TEST(Codes, BelowZeroAreOutside) {
  if (std::is_unsigned_v<TypeParam>) return;
  const std::vector<TypeParam> cells{0, 1, 2, 3, static_cast<TypeParam>(-1)};
  uint32_t indices[5] = {};
  EXPECT_EQ(read_codes(this->codes(cells, true), kSize, 0, indices), 4);
}

TYPED_TEST(Codes, BecomeKeys) {
  const std::vector<TypeParam> cells{0, 99, 7, 100, 5};
  for (const Type::Id number : {Type::UInt8, Type::UInt16, Type::UInt32, Type::UInt64}) {
    for (const bool nullable : {false, true}) {
      Values keys(Type::key(number, kSize), 0);
      const auto outside = read_keys(this->codes(cells, nullable), kSize, this->arena_, keys);
      if (!nullable) {
        EXPECT_EQ(outside, 3);
        continue;
      }
      EXPECT_EQ(outside, std::nullopt);
      ASSERT_EQ(keys.rows, 5U);
      EXPECT_EQ(keys.null_count, 1U);
      const uint64_t expected[] = {1, 100, 8, 0, 6};
      for (uint64_t row = 0; row < 5; ++row) {
        uint64_t key = 0;
        std::memcpy(&key, keys.data.data + row * keys.type.width(), keys.type.width());
        EXPECT_EQ(key, expected[row]);
        EXPECT_EQ(keys.is_null(row), row == 3);
      }
    }
  }
}

}  // namespace
}  // namespace heron
