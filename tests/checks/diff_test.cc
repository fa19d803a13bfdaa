// diff compares rows by number and by key, however values are stored.
#include "heron/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/fail.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/made_table.h"
#include "kit/real_files.h"

namespace heron {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

std::shared_ptr<const Table> numbers(const std::vector<int32_t>& id, const std::vector<double>& x) {
  TableMaker maker(id.size());
  maker.fixed("id", Type::Int32, id).fixed("x", Type::Float64, x);
  return maker.table();
}

std::string words(const Difference& one) {
  const auto row = [](std::optional<uint64_t> number) { return number ? concat(*number) : "-"; };
  return concat(one.column, ' ', row(one.a), ' ', row(one.b));
}
std::vector<std::string> words(const Diff& diff) {
  std::vector<std::string> all;
  for (const Difference& one : diff.first) all.push_back(words(one));
  return all;
}

TEST(Diff, OfATableWithItselfIsNothing) {
  for (const RealFile& file : real_files()) {
    const auto opened = open(file.path);
    for (const auto& table : opened->tables()) {
      if (table->rows() > 10'000) continue;
      EXPECT_TRUE(diff(table, table).is_equal()) << file << ' ' << table->name();
    }
  }
}

TEST(Diff, ByNumber) {
  const auto a = numbers({1, 2, 3, 4}, {1, 2, 3, 4});
  const Diff found = diff(a, numbers({1, 2, 9}, {1, 7, 3}));
  EXPECT_THAT(words(found), testing::ElementsAre("x 1 1", "id 2 2", " 3 -"));
  EXPECT_EQ(found.values, 2U);
  EXPECT_EQ(found.rows_a, 1U);
  EXPECT_EQ(found.rows_b, 0U);
  EXPECT_FALSE(found.is_equal());
  const Diff back = diff(numbers({}, {}), a, {.max_differences = 1});
  EXPECT_THAT(words(back), testing::ElementsAre(" - 0"));
  EXPECT_EQ(back.rows_b, 4U);
}

TEST(Diff, ByNumberOverManyBatches) {
  std::vector<int32_t> id(50'000);
  std::iota(id.begin(), id.end(), 0);
  std::vector<double> x(id.size(), 0.5);
  const auto a = numbers(id, x);
  x[40'000] = 1;
  EXPECT_THAT(words(diff(a, numbers(id, x))), testing::ElementsAre("x 40000 40000"));
}

TEST(Diff, ByKey) {
  const DiffOptions by_id = {.key = {"id"}};
  const auto a = numbers({1, 3, 5, 7}, {1, 3, 5, 7});
  const Diff found = diff(a, numbers({2, 3, 7, 8}, {2, 30, 7, 8}), by_id);
  EXPECT_THAT(words(found), testing::ElementsAre(" 0 -", " - 0", "x 1 1", " 2 -", " - 3"));
  EXPECT_EQ(found.values, 1U);
  EXPECT_THAT(test::error_of(ErrorKind::Argument,
                             [&] {
                               diff(a, numbers({2, 1}, {0, 0}), by_id);
                             }),
              HasSubstr("row 1 is not above row 0"));
  test::error_of(ErrorKind::Argument, [&] { diff(numbers({4, 4}, {0, 0}), a, by_id); });
  test::error_of(ErrorKind::Argument, [&] { diff(a, a, {.key = {"y"}}); });
}

TEST(Diff, FloatsWithinAnUlp) {
  const double next = std::nextafter(1.5, 2);
  const auto a = numbers({1, 2, 3}, {1.5, -0.0, NAN});
  const auto b = numbers({1, 2, 3}, {next, 0.0, -NAN});
  EXPECT_EQ(diff(a, b).values, 1U);
  EXPECT_TRUE(diff(a, b, {.float_ulp = 1}).is_equal());
  const auto c = numbers({1, 2, 3}, {std::nextafter(next, 2), 5e-324, NAN});
  EXPECT_EQ(diff(a, c, {.float_ulp = 1}).values, 1U);
  EXPECT_TRUE(diff(numbers({1}, {-5e-324}), numbers({1}, {5e-324}), {.float_ulp = 2}).is_equal());
  EXPECT_FALSE(diff(numbers({1}, {1}), numbers({1}, {NAN}), {.float_ulp = 1000}).is_equal());
}

TEST(Diff, OfColumns) {
  const auto a = numbers({1}, {2});
  TableMaker maker(1);
  maker.fixed<double>("x", Type::Float64, {2}).fixed<int64_t>("id", Type::Int64, {1}).null("z");
  const auto b = maker.table();
  const Diff found = diff(a, b);
  ASSERT_THAT(found.columns, SizeIs(2));
  EXPECT_EQ(found.columns[0].a, "int32");
  EXPECT_EQ(found.columns[0].b, "int64");
  EXPECT_EQ(found.columns[1].column, "z");
  EXPECT_EQ(found.columns[1].a, "");
  EXPECT_TRUE(diff(a, b, {.columns = {"x"}}).is_equal());
  TableMaker turned(1);
  turned.fixed<double>("x", Type::Float64, {2}).fixed<int32_t>("id", Type::Int32, {1});
  EXPECT_TRUE(diff(a, turned.table()).other_order);
}

}  // namespace
}  // namespace heron
