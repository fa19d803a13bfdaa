// One column of numbers, whose keys are sorted as numbers, against a plain stable sort.
#include "sort/ordered_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "kit/made_table.h"
#include "kit/on_threads.h"

namespace heron {
namespace {

// Numbers of all sizes, many of them several times, a seventh of them null.
template <class T>
void expect_order(const Type& type, const std::vector<T>& few) {
  constexpr uint64_t kRows = 70'000;  // in several ranges of threads
  std::mt19937_64 random(sizeof(T));
  std::vector<T> cells(kRows);
  std::vector<bool> valid(kRows);
  for (uint64_t row = 0; row < kRows; ++row) {
    cells[row] = random() % 3 == 0 ? few[random() % few.size()] : static_cast<T>(random());
    valid[row] = random() % 7 != 0;
  }
  const auto table =
      TableMaker(kRows).fixed("v", type, cells, NullEncoding::Bitmap, valid).table();
  for (const bool descending : {false, true}) {
    std::vector<uint64_t> expected(kRows);
    std::iota(expected.begin(), expected.end(), 0);
    std::ranges::stable_sort(expected, [&](uint64_t a, uint64_t b) {
      if (descending) std::swap(a, b);
      return valid[a] != valid[b] ? valid[b] : valid[a] && cells[a] < cells[b];
    });
    Query query(table);
    query.order = {{"v", descending ? Descending : Ascending}};
    for (const unsigned threads : {1U, 4U}) {
      for (const uint64_t key_bytes : {uint64_t{100'000}, OrderedRows::kKeyBytes}) {
        OrderedRows ordered(query, on_threads(threads), key_bytes);
        EXPECT_EQ(ordered.has_spilled(), key_bytes == 100'000);
        EXPECT_EQ(ordered.size(), kRows);
        std::vector<uint64_t> rows, next;
        do {
          ordered.next(9'999, next);
          rows.insert(rows.end(), next.begin(), next.end());
        } while (!next.empty());
        EXPECT_EQ(rows, expected) << descending << " on " << threads << ", " << key_bytes;
      }
    }
  }
}

TEST(OrderedRows, NumbersOfOneColumn) {
  expect_order<int8_t>(Type::Int8, {0, -1});
  expect_order<int32_t>(Type::Int32, {0, -1, INT32_MIN, INT32_MAX});
  expect_order<int64_t>(Type::Int64, {0, -1, INT64_MIN, INT64_MAX});
  expect_order<uint64_t>(Type::UInt64, {0, 1, UINT64_MAX});
  expect_order<double>(Type::Float64, {0, -1.5, 1e300, -1e-300});
}

}  // namespace
}  // namespace heron
