// Names of the columns of groups.
#include <gtest/gtest.h>

#include "base/fail.h"
#include "error_of.h"
#include "grouped_table.h"
#include "heron/aggregate.h"

namespace heron {
namespace {

using test::by;
using test::error_of;

std::vector<std::string> names_of(const RowBatch& batch) {
  std::vector<std::string> names;
  for (const Field& field : *batch.schema) names.push_back(field.name);
  return names;
}

TEST(GroupBy, ColumnsOfTheResultHaveNamesOfTheirOwn) {
  const auto table = TableMaker(3)
                         .fixed<int32_t>("count", Type::Int32, {7, 8, 7})
                         .fixed<int32_t>("a b", Type::Int32, {1, 2, 3})
                         .table();
  const auto refused = [&](std::vector<std::string> keys, std::vector<Aggregate> aggregates) {
    const Query query = by(table, std::move(keys));
    const Error group = error_of([&] { group_by(query, aggregates); });
    const Error part = error_of([&] { PartialAggregate(query, aggregates, {0, 3}); });
    EXPECT_EQ(group.kind(), ErrorKind::Argument);
    EXPECT_STREQ(part.what(), group.what());
    return std::string(group.message());
  };
  constexpr std::string_view kHow = "; `as NAME` behind an aggregate gives it another name";
  const std::string twice = concat("two columns of the result are named \"count\"", kHow);
  EXPECT_EQ(refused({"count"}, parse_aggregates(*table, "count")), twice);
  EXPECT_EQ(refused({"count", "count"}, parse_aggregates(*table, "max(count)")), twice);
  EXPECT_EQ(refused({"a b"}, {{}, {}}), twice);
  EXPECT_EQ(refused({"count"}, {{.name = "n"}, {.name = "n"}}),
            concat("two columns of the result are named \"n\"", kHow));

  Query query = by(table, {"count"});
  query.order = {{"n", Descending}};
  const RowBatch groups = group_by(query, parse_aggregates(*table, "count as n"));
  EXPECT_EQ(names_of(groups), (std::vector<std::string>{"count", "n"}));
  EXPECT_EQ(groups.columns[0].get<int32_t>(0), 7);
  EXPECT_EQ(groups.columns[1].get<uint64_t>(0), 2);
}

TEST(GroupBy, NamesWhatTheCallerDoesNotName) {
  using enum Aggregate::Function;
  const auto table = TableMaker(2)
                         .fixed<int32_t>("count", Type::Int32, {7, 7})
                         .fixed<int32_t>("a`b c", Type::Int32, {1, 2})
                         .fixed<int32_t>("null", Type::Int32, {1, 2})
                         .table();
  const std::vector<Aggregate> unnamed = {
      {},       {Count, 0},        {Sum, 1},      {Min, 2},
      {Max, 0}, {Mean, 0},         {Distinct, 0}, {ApproxDistinct, 0},
      {.function = Quantile, .column = 0, .quantile = 0.25}};
  const std::string list =
      "count, count(count), sum(`a``b c`), min(`null`), max(count), mean(count), distinct(count), "
      "approx_distinct(count), quantile(count, 0.25)";
  const auto parsed = parse_aggregates(*table, list);
  const RowBatch groups = group_by(by(table, {"null"}), unnamed);
  const PartialAggregate part(by(table, {"null"}), unnamed, {0, 2});
  ASSERT_EQ(groups.schema->size(), parsed.size() + 1);
  for (uint64_t i = 0; i < parsed.size(); ++i) {
    EXPECT_EQ((*groups.schema)[i + 1].name, parsed[i].name);
    EXPECT_EQ(parsed[i].function, unnamed[i].function);
    EXPECT_EQ(parsed[i].column, unnamed[i].column);
    EXPECT_EQ(part.names()[i], parsed[i].name);
  }
}

}  // namespace
}  // namespace heron
