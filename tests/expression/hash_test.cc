// hash() gives the numbers that XXH3 of another library gave for the bytes that hash.cc describes.
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "base/fail.h"
#include "heron/heron.h"
#include "kit/made_table.h"

namespace heron {
namespace {

std::shared_ptr<const Table> hashed_table() {
  constexpr double kAnyNaN = std::numeric_limits<double>::quiet_NaN();
  TableMaker maker(4);
  maker.fixed("i", Type::Int32, std::vector<int32_t>{7, -3, INT32_MIN, 0}, NullEncoding::Sentinel);
  maker.fixed("l", Type::Int64, std::vector<int64_t>{7, -3, 1, 0});
  maker.fixed("u", Type::UInt64, std::vector<uint64_t>{7, UINT64_MAX, 1, 0});
  maker.fixed("x", Type::Float64, std::vector<double>{2.5, -0.0, kAnyNaN, 0.0});
  maker.fixed("f", Type::Float32,
              std::vector<float>{2.5f, -0.0f, static_cast<float>(-kAnyNaN), 0.0f});
  maker.texts("t", {"Ærø", std::nullopt, std::string(300, 'x'), ""});
  maker.bits("b", {true, false, true, false}, {true, true, false, true});
  return maker.table();
}

std::string hashes(const std::string& expression) {
  Query query(hashed_table());
  query.columns = {expression + " as made"};
  const RowBatch batch = read(query.projection(), {0, 4});
  EXPECT_TRUE(batch.columns[0].type.is(Type::UInt64));
  std::string text;
  for (uint64_t i = 0; i < batch.rows; ++i)
    text += concat(i == 0 ? "" : " ", to_text(batch.columns[0], i));
  return text;
}

TEST(Hash, IsThatOfTheDocumentedBytes) {
  EXPECT_EQ(hashes("hash(i)"),
            "11779812815278536785 15977557970403613368 14144645293874801883 3547760990396968576");
  EXPECT_EQ(hashes("hash(u)"),
            "11779812815278536785 6006979909695015964 11549681130057114999 3547760990396968576");
  EXPECT_EQ(hashes("hash(x)"),
            "5182229995538392386 15119441974047193501 12126372437782907232 15119441974047193501");
  EXPECT_EQ(hashes("hash(t)"),
            "18075456422987196475 14144645293874801883 7747965713054891955 17173348097104715206");
  EXPECT_EQ(hashes("hash(b)"),
            "16203315097698229907 2597309697680638508 14144645293874801883 2597309697680638508");
  EXPECT_EQ(hashes("hash(i, t)").substr(0, 39), "6448730252164064873 9138493642629020669");
}

TEST(Hash, DependsOnTheValueNotOnItsType) {
  EXPECT_EQ(hashes("hash(i)").substr(0, 40), hashes("hash(cast(i as int64))").substr(0, 40));
  EXPECT_EQ(hashes("hash(l)").substr(0, 20), hashes("hash(u)").substr(0, 20));
  EXPECT_EQ(hashes("hash(x)"), hashes("hash(f)"));
  EXPECT_EQ(hashes("hash(cast('1970-01-08' as date))"), hashes("hash(7)"));
}

TEST(Hash, SplitsRowsEvenly) {
  constexpr uint64_t kRows = 100'000;
  std::vector<int64_t> numbers(kRows);
  for (uint64_t i = 0; i < kRows; ++i) numbers[i] = static_cast<int64_t>(i);
  TableMaker maker(kRows);
  maker.fixed("i", Type::Int64, numbers);
  const auto table = maker.table();
  for (const int part : {0, 3, 9}) {
    const uint64_t rows = count(Query(table, concat("hash(i) % 10 = ", part)));
    EXPECT_NEAR(static_cast<double>(rows), 10'000, 400);
  }
}

}  // namespace
}  // namespace heron
