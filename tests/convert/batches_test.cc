// Counts of nulls and NaNs of floats equal those of a plain loop.
#include "convert/batches.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "base/arena.h"
#include "values/validity.h"

namespace heron {
namespace {

// Makes rows of which about one in `one_in` is NaN; one in five, NaN or not, is null.
template <class Float>
struct Floats {
  Floats(uint64_t rows, uint64_t one_in, bool has_nulls)
      : cells(rows), values(sizeof(Float) == 4 ? Type::Float32 : Type::Float64, rows) {
    std::mt19937_64 random(rows + one_in);
    std::vector<uint8_t> valid(rows, 1);
    for (uint64_t i = 0; i < rows; ++i) {
      const bool is_nan = random() % one_in == 0;
      cells[i] = is_nan ? std::numeric_limits<Float>::quiet_NaN() : static_cast<Float>(i);
      if (has_nulls) valid[i] = random() % 5 != 0;
      nans += is_nan && valid[i] != 0;
      nulls += valid[i] == 0;
    }
    values.data = {reinterpret_cast<const std::byte*>(cells.data()), rows * sizeof(Float)};
    if (has_nulls) set_validity_from_flags(values, valid.data(), memory);
  }

  std::vector<Float> cells;
  Arena memory;
  Values values;
  uint64_t nans = 0, nulls = 0;
};

template <class Float>
void expect_counts() {
  for (const uint64_t rows : {0, 1, 3, 7, 8, 9, 31, 33, 1000, 65'535, 65'536, 65'537, 200'003}) {
    for (const uint64_t one_in : {1, 3, 1'000'000'000}) {
      for (const bool has_nulls : {false, true}) {
        const Floats<Float> made(rows, one_in, has_nulls);
        EXPECT_EQ(count_nans(made.values), made.nans) << rows << ' ' << one_in << has_nulls;
        EXPECT_EQ(count_nulls(made.values), made.nulls) << rows << ' ' << one_in << has_nulls;
      }
    }
  }
}

TEST(CountNans, OfFloatsAsOneByOne) {
  expect_counts<float>();
  expect_counts<double>();
}

// Only items of lists that are not null count.
TEST(CountNans, OfItemsOfListsThatAreNotNull) {
  const Floats<float> items(900, 3, true);
  for (const bool has_nulls : {false, true}) {
    Arena memory;
    Values lists(Type::list(Type::Float32), 90);
    std::vector<int32_t> offsets(91);
    std::vector<uint8_t> valid(90, 1);
    for (int32_t i = 0; i <= 90; ++i) offsets[static_cast<size_t>(i)] = i * 10;
    uint64_t nans = 0, nulls = 0;
    for (uint64_t row = 0; row < 90; ++row) {
      valid[row] = !has_nulls || row % 4 != 1;
      if (valid[row] == 0) continue;
      for (uint64_t i = row * 10; i < row * 10 + 10; ++i) {
        nulls += items.values.is_null(i);
        nans += items.cells[i] != items.cells[i] && !items.values.is_null(i);
      }
    }
    lists.offsets = {reinterpret_cast<const std::byte*>(offsets.data()), offsets.size() * 4};
    lists.children.push_back(items.values);
    if (has_nulls) set_validity_from_flags(lists, valid.data(), memory);
    EXPECT_EQ(count_nans(lists), nans);
    EXPECT_EQ(count_nulls(lists), nulls);
  }
}

}  // namespace
}  // namespace heron
