// Values for the ? of a predicate are literals of their type, whatever characters they contain.
#include <gtest/gtest.h>

#include "error_of.h"
#include "heron/heron.h"
#include "kit/made_table.h"

namespace heron {
namespace {

std::shared_ptr<const Table> cities() {
  return TableMaker(4)
      .fixed<double>("price", Type::Float64, {2.5, 1.5, NAN, 10}, NullEncoding::NaN)
      .fixed<int64_t>("id", Type::Int64, {1, 2, 3, INT64_MAX})
      .fixed<uint64_t>("u", Type::UInt64, {1, 2, 3, UINT64_MAX})
      .texts("city", {"Oslo", "x' or 'a' = 'a", "?", "5"})
      .bits("ok", {true, false, true, true})
      .fixed<int32_t>("d", Type::Date32, {19782, 19783, 20089, 20240})
      .table();
}

uint64_t rows(std::string_view text, std::vector<QueryParameter> values) {
  return count(Query(cities(), Where(text, std::move(values))));
}
// Counts with untyped parameters, as a command line has them.
uint64_t untyped(std::string_view text, const std::vector<std::string>& values) {
  std::vector<QueryParameter> all;
  for (const std::string& value : values) all.push_back(QueryParameter::untyped(value));
  return rows(text, std::move(all));
}
template <class Call>
std::string error(Call&& call) {
  const std::string text = test::error_of(ErrorKind::Argument, call);
  return text.substr(std::min(text.size(), text.find(", ") + 2));
}

TEST(Parameters, AreLiteralsOfTheirType) {
  EXPECT_EQ(rows("price > ?", {2}), 2u);
  EXPECT_EQ(rows("price > ? and city = ?", {1.0, "Oslo"}), 1u);
  EXPECT_EQ(rows("id = ? or u = ?", {INT64_MAX, UINT64_MAX}), 1u);
  EXPECT_EQ(rows("id in (?, ?, 3)", {1, 2U}), 3u);
  EXPECT_EQ(rows("id between ? and ?", {2, 3}), 2u);
  EXPECT_EQ(rows("ok = ?", {false}), 1u);
  EXPECT_EQ(rows("d >= ?", {"2025-01-01"}), 2u);
  EXPECT_EQ(rows("city like ?", {"%sl%"}), 1u);
  EXPECT_EQ(rows("city like ? escape ?", {"!%", "!"}), 0u);
  EXPECT_EQ(rows("id * ? + ? > 6", {2, 1}), 2u);
  EXPECT_EQ(rows("-? = -id", {3}), 1u);
  EXPECT_EQ(rows("id = ?", {nullptr}), 0u);
  EXPECT_EQ(rows("lower(city) = lower(?)", {std::string("OSLO")}), 1u);
  EXPECT_EQ(rows("case when ok then ? else ? end = city", {"Oslo", "no"}), 1u);
  EXPECT_EQ(rows("city = '?' and `id` = ?", {3}), 1u);
}

TEST(Parameters, AreNeverParsed) {
  EXPECT_EQ(rows("city = ?", {"x' or 'a' = 'a"}), 1u);
  EXPECT_EQ(rows("city = ?", {"' or true or '"}), 0u);
  EXPECT_EQ(rows("city = ?", {"?"}), 1u);
  EXPECT_EQ(rows("city = ? or city = ?", {"?", "`"}), 1u);
  EXPECT_EQ(rows("city = ?", {Scalar(std::string("a\0b", 3))}), 0u);
}

TEST(Parameters, WithoutATypeHaveThatOfTheOtherSide) {
  EXPECT_EQ(untyped("city = ?", {"5"}), 1u);
  EXPECT_EQ(untyped("id = ?", {"2"}), 1u);
  EXPECT_EQ(untyped("? < price", {"2.4"}), 2u);
  EXPECT_EQ(untyped("id in (?, ?)", {"1", "9223372036854775807"}), 2u);
  EXPECT_EQ(untyped("ok = ?", {"true"}), 3u);
  EXPECT_EQ(untyped("d = ?", {"2024-02-29"}), 1u);
  EXPECT_EQ(untyped("id + 1 = ?", {"3"}), 1u);
  EXPECT_EQ(untyped("id * ? = 4", {"2"}), 1u);
  EXPECT_EQ(untyped("price > ?", {"-inf"}), 3u);
  EXPECT_EQ(error([] { untyped("id = ?", {"2 or 1 = 1"}); }),
            "character 6: expected a number for \"id\" (int64), got '2 or 1 = 1': id = ^?");
  EXPECT_EQ(error([] { untyped("id + 1 = ?", {"x"}); }),
            "character 10: expected a number beside a number, got 'x': id + 1 = ^?");
  EXPECT_EQ(error([] { untyped("d = ?", {"soon"}); }),
            "character 5: expected a date such as 2026-11-21 for \"d\" (date32), got 'soon': "
            "d = ^?");
}

TEST(Parameters, AreCheckedForTypeAndNumber) {
  EXPECT_EQ(error([] { rows("id = ?", {"2"}); }),
            "character 6: expected a number for \"id\" (int64), got '2': id = ^?");
  EXPECT_EQ(error([] { rows("city = ?", {2}); }),
            "character 8: expected a text for \"city\" (text), got a number: city = ^?");
  EXPECT_EQ(error([] { rows("id = ? and ok = ?", {2}); }),
            "character 17: expected a value for each ? (2), got 1 value: id = ? and ok = ^?");
  EXPECT_EQ(error([] { rows("id = ?", {2, 3}); }),
            "character 7: expected a value for each ? (1), got 2 values: id = ?^");
  EXPECT_EQ(error([] { rows("id = '?'", {2}); }),
            "character 9: expected a value for each ? (0), got 1 value: id = '?'^");
  EXPECT_EQ(error([] { Predicate(cities(), "id = ?"); }),
            "character 6: expected a value for each ? (1), got 0 values: id = ^?");
  EXPECT_EQ(error([] { rows("city like ?", {5}); }),
            "character 11: expected a text: city like ^?");
  EXPECT_EQ(error([] { with_columns(cities(), {"id + ?"}); }),
            "character 6: expected a value for each ? (1), got 0 values: id + ^?");
}

TEST(Parameters, OfAPredicate) {
  const Predicate predicate(cities(), "price > ? and city = ?", {2, "Oslo"});
  EXPECT_EQ(count(predicate), 1u);
  EXPECT_EQ(predicate.text(), "price > ? and city = ?");
}

}  // namespace
}  // namespace heron
