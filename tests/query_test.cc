// Query is one description of rows for every call: each call uses every member, and ignores none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include "base/fail.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/made_table.h"
#include "kit/result_of.h"

namespace heron {
namespace {

using test::error_of;
using testing::ElementsAre;
using testing::HasSubstr;
using Numbers = std::vector<uint64_t>;

constexpr uint64_t kQueriedRows = 1000;

// `n` counts the rows, `d` counts down, `r` is n % 10.
std::shared_ptr<const Table> queried_table() {
  Numbers n(kQueriedRows), d(kQueriedRows), r(kQueriedRows);
  for (uint64_t i = 0; i < kQueriedRows; ++i) {
    n[i] = i;
    d[i] = kQueriedRows - i;
    r[i] = i % 10;
  }
  return TableMaker(kQueriedRows)
      .fixed("n", Type::UInt64, n)
      .fixed("d", Type::UInt64, d)
      .fixed("r", Type::UInt64, r)
      .table();
}

// Returns the values of the scan's first column.
Numbers values_of(Scan& scan) {
  Numbers values;
  for (RowBatch batch; scan.next(batch);) {
    for (uint64_t i = 0; i < batch.rows; ++i) values.push_back(batch.columns[0].get<uint64_t>(i));
  }
  return values;
}
Numbers values_of(const RowSource& rows) {
  Numbers values;
  const auto stream = rows.read(Numbers{0}, {});
  for (RowBatch batch; stream->next(batch);) {
    for (uint64_t i = 0; i < batch.rows; ++i) values.push_back(batch.columns[0].get<uint64_t>(i));
  }
  return values;
}

uint64_t value_of(const RowBatch& results, uint64_t i) {
  return static_cast<uint64_t>(std::get<int64_t>(result_of(results, i)));
}

// Calls that take a Projection accept names in braces.
TEST(Query, NamesInBracesAreColumns) {
  const auto table = queried_table();
  std::array<double, 4> cells{};
  matrix({table, {"r", "d"}}, {12, 14}, std::span<double>(cells));
  EXPECT_THAT(cells, ElementsAre(2, 988, 3, 987));
  matrix<double>({table, {"n"}}, Numbers{5, 7, 9, 1}, cells);
  EXPECT_THAT(cells, ElementsAre(5, 7, 9, 1));
  matrix({table, {0, 2}}, {12, 14}, std::span<double>(cells));
  EXPECT_THAT(cells, ElementsAre(12, 2, 13, 3));
  EXPECT_EQ(matrix_width({table, {"n", "d", "r"}}), 3);
  EXPECT_THAT(find({table, {"n"}}, std::vector<int64_t>{7, 5000}), ElementsAre(7, kNoRow));
  EXPECT_EQ(find_range({table, {"n"}}, std::vector<Scalar>{uint64_t{7}}).first, 7);
  EXPECT_EQ(take({table, {"d"}}, Numbers{3}).columns[0].get<uint64_t>(0), kQueriedRows - 3);
  EXPECT_EQ(read({table, {"d", "r"}}, {3, 5}).columns[1].get<uint64_t>(1), 4);
  RowView row({table, {"r"}});
  row.seek(12);
  EXPECT_EQ(row.get<uint64_t>(0), 2);
}

enum Member { kColumns, kWhere, kRange, kLimit, kOrder, kBy };

// Returns a query with these members set in ways that every call allows which uses them.
Query query_with(const std::shared_ptr<const Table>& table, std::vector<Member> members) {
  Query query(table);
  for (const Member member : members) {
    if (member == kColumns) query.columns = {"n"};
    if (member == kWhere) query.where = "r < 5";
    if (member == kRange) query.range = RowRange{0, 100};
    if (member == kLimit) query.limit = 7;
    if (member == kOrder) query.order = {{"r", Descending}};
    if (member == kBy) query.by = {"r"};
  }
  return query;
}

struct Call {
  const char* name;
  std::function<void(const Query&)> run;
  std::vector<Member> used;
  std::vector<Member> needed = {};
};

const std::vector<Call>& calls() {
  const auto row_count = [](const Query& query) { return parse_aggregates(*query.table, "count"); };
  static const std::vector<Call> all = {
      {"scan", [](const Query& q) { Scan{q}; }, {kColumns, kWhere, kRange, kLimit, kOrder}},
      {"table_rows",
       [](const Query& q) { table_rows(q); },
       {kColumns, kWhere, kRange, kLimit, kOrder}},
      {"export_stream",
       [](const Query& q) {
         ArrowArrayStream stream{};
         export_stream(q, &stream);
         stream.release(&stream);
       },
       {kColumns, kWhere, kRange, kLimit, kOrder}},
      {"count", [](const Query& q) { count(q); }, {kWhere, kRange}},
      {"aggregate", [=](const Query& q) { aggregate(q, row_count(q)); }, {kWhere, kRange}},
      {"selection", [](const Query& q) { Selection{q}; }, {kWhere, kRange}},
      {"stats", [](const Query& q) { stats(q); }, {kColumns, kWhere, kRange}},
      {"loader", [](const Query& q) { Loader(q, EpochOptions{}); }, {kColumns, kWhere, kRange}},
      {"ordered_rows", [](const Query& q) { ordered_rows(q); }, {kWhere, kRange, kLimit, kOrder}},
      {"group_by",
       [=](const Query& q) { group_by(q, row_count(q)); },
       {kWhere, kRange, kLimit, kOrder, kBy},
       {kBy}},
  };
  return all;
}

TEST(Query, EveryMemberIsUsedOrRefused) {
  const auto table = queried_table();
  const char* names[] = {"columns", "where", "range", "limit", "order", "by"};
  for (const Call& call : calls()) {
    EXPECT_NO_THROW(call.run(query_with(table, call.used))) << call.name;
    for (const Member member : {kColumns, kWhere, kRange, kLimit, kOrder, kBy}) {
      if (std::ranges::find(call.used, member) != call.used.end()) continue;
      std::vector<Member> members = call.needed;
      members.push_back(member);
      EXPECT_THAT(error_of(ErrorKind::Argument, [&] { call.run(query_with(table, members)); }),
                  HasSubstr(concat("takes no `", names[member], '`')))
          << call.name;
    }
  }
}

TEST(Query, AllRefuseRowsThatAreNotThere) {
  const auto table = queried_table();
  for (const Call& call : calls()) {
    Query query = query_with(table, call.needed);
    query.range = RowRange{0, kQueriedRows + 1};
    EXPECT_EQ(error_of([&] { call.run(query); }).kind(), ErrorKind::Argument) << call.name;
  }
}

TEST(Query, NamesAreWhatTheirNumbersAndResolvedFormsAre) {
  const auto table = queried_table();
  const Numbers expected = {990, 980, 970};
  for (const Columns& columns :
       {Columns{"d", "n"}, Columns{1, 0}, Columns(Numbers{1, 0}),
        Columns(std::vector<std::string>{"d", "n"}), Columns(Projection(table, {"d", "n"}))}) {
    for (const Where& where : {Where("r = 0 and n > 0"), Where(Predicate(table, "r = 0 and n > 0")),
                               Where(std::optional(Predicate(table, "r = 0 and n > 0")))}) {
      Query query(table, where);
      query.columns = columns;
      query.limit = 3;
      Scan scan(query);
      EXPECT_EQ(values_of(scan), expected);
    }
  }
  Query query(Projection(table, {"d"}), std::optional<Predicate>());
  EXPECT_FALSE(query.where.is_set());
  query.range = RowRange{10, 12};
  Scan scan(query);
  EXPECT_EQ(values_of(scan), (Numbers{990, 989}));
}

TEST(Query, AProjectionTakesNamesAndNumbers) {
  const auto table = queried_table();
  EXPECT_THAT(Projection(table, {"d"}).indices(), ElementsAre(1));
  EXPECT_THAT(Projection(table, {"r", "d"}).indices(), ElementsAre(2, 1));
  EXPECT_THAT(Projection(table, {0}).indices(), ElementsAre(0));
  EXPECT_THAT(Projection(table, {2, 0}).indices(), ElementsAre(2, 0));
  EXPECT_THAT(error_of(ErrorKind::Argument, [&] { Projection(table, {"nn"}); }),
              HasSubstr("did you mean \"n\""));
}

TEST(Query, RefusesWhatIsOfAnotherTable) {
  const auto table = queried_table();
  Query columns(table), where(table);
  columns.columns = Projection(queried_table());
  where.where = Predicate(queried_table(), "n > 0");
  EXPECT_THAT(error_of(ErrorKind::Argument, [&] { Scan{columns}; }), HasSubstr("another table"));
  EXPECT_THAT(error_of(ErrorKind::Argument, [&] { count(where); }), HasSubstr("another table"));
  Query by(table);
  by.by = {"no such"};
  error_of(ErrorKind::Argument, [&] { group_by(by, {}); });
  Query none(nullptr);
  error_of(ErrorKind::Argument, [&] { count(none); });
}

TEST(Query, ARangeIsOfRowsBeforeThePredicate) {
  const auto table = queried_table();
  Query query(table, "r = 3");
  query.range = RowRange{100, 200};
  EXPECT_EQ(count(query), 10u);
  const auto values = aggregate(query, parse_aggregates(*table, "count, sum(n), min(n), max(n)"));
  EXPECT_EQ(std::get<uint64_t>(result_of(values, 0)), 10u);
  EXPECT_EQ(value_of(values, 1), 1480u);
  EXPECT_EQ(result_of(values, 2), Scalar(uint64_t{103}));
  EXPECT_EQ(result_of(values, 3), Scalar(uint64_t{193}));
  EXPECT_EQ(stats(query)[0].min, Scalar(uint64_t{103}));
  EXPECT_EQ(stats(query)[0].rows, 10u);
  const Selection selection(query);
  EXPECT_EQ(selection.size(), 10u);
  EXPECT_THAT(selection.rows(Numbers{9, 0}), ElementsAre(193, 103));

  query.where = {};
  EXPECT_EQ(count(query), 100u);
  EXPECT_EQ(value_of(aggregate(query, parse_aggregates(*table, "sum(n)")), 0), 14'950u);
  EXPECT_EQ(result_of(aggregate(query, parse_aggregates(*table, "max(n)")), 0),
            Scalar(uint64_t{199}));
  // Floats are summed by blocks of the table, which the range cuts.
  const auto floats =
      TableMaker(10'000).fixed("f", Type::Float64, std::vector<double>(10'000, 0.5)).table();
  Query some(floats);
  some.range = RowRange{100, 9'000};
  EXPECT_EQ(result_of(aggregate(some, parse_aggregates(*floats, "sum(f)")), 0),
            Scalar(4450.0));
  EXPECT_EQ(stats(some)[0].sum, 4450.0);
  EXPECT_EQ(stats(query)[0].max, Scalar(uint64_t{199}));
  query.order = {{"d"}};
  query.limit = 2;
  EXPECT_THAT(ordered_rows(query), ElementsAre(199, 198));
}

TEST(Query, ScansAndSourcesAreInOrder) {
  const auto table = queried_table();
  Query query(table, "n < 50");
  query.columns = {"n"};  // the rows are ordered by another column
  query.order = {{"r", Descending}, {"d"}};
  query.limit = 7;
  const Numbers expected = {49, 39, 29, 19, 9, 48, 38};
  for (const uint64_t batch_rows : {1, 3, 7, 100}) {
    Scan scan(query, {}, batch_rows);
    EXPECT_EQ(values_of(scan), expected) << batch_rows;
    EXPECT_TRUE(scan.rows().empty());
  }
  const RowSourcePtr rows = table_rows(query);
  EXPECT_EQ(rows->rows(), 7u);
  EXPECT_EQ(values_of(*rows), expected);
  EXPECT_EQ(values_of(*rows), expected) << "once more";
  ArrowArrayStream stream{};
  export_stream(query, &stream, {.batch_rows = 2});
  EXPECT_EQ(values_of(*arrow_rows(&stream)), expected);
}

TEST(Query, GroupsAreInOrderOfTheAnswer) {
  const auto table = queried_table();
  Query query(table, "n < 12");
  query.by = {"r"};
  query.order = {{"count", Descending}, {"r", Descending}};
  query.limit = 3;
  const RowBatch groups = group_by(query, parse_aggregates(*table, "count"));
  ASSERT_EQ(groups.rows, 3u);
  const Numbers expected = {1, 0, 9};
  for (uint64_t i = 0; i < 3; ++i) {
    EXPECT_EQ(groups.columns[0].get<uint64_t>(i), expected[i]);
  }
  query.order = {{"n"}};  // a column of the table, not of the answer
  EXPECT_THAT(
      error_of(ErrorKind::Argument, [&] { group_by(query, parse_aggregates(*table, "count")); }),
      HasSubstr("no column \"n\" among \"r\", \"count\""));
}

TEST(Query, LoadersSampleItsRows) {
  const auto table = queried_table();
  Query query(table, "r = 4");
  query.range = RowRange{100, 300};
  Numbers drawn;
  const SamplerOptions sampling = {.seed = 3};
  LoaderBatch batch;
  for (Loader loader(query, {.sampler = sampling, .batch_rows = 8}); loader.next(batch);) {
    for (uint64_t i = 0; i < batch.rows.size(); ++i) {
      EXPECT_EQ(batch.columns.columns[0].get<uint64_t>(i), batch.rows[i]);
      drawn.push_back(batch.rows[i]);
    }
  }
  Numbers positions(20), expected;
  Sampler(20, {.seed = 3}).draw(0, positions);
  for (const uint64_t at : positions) expected.push_back(104 + 10 * at);
  EXPECT_EQ(drawn, expected);
  Loader resumed(query, {.sampler = sampling, .batch_rows = 8}, {.first_batch = 2});
  ASSERT_TRUE(resumed.next(batch));
  EXPECT_EQ(Numbers(batch.rows.begin(), batch.rows.end()),
            Numbers(expected.begin() + 16, expected.end()));

  query.where = {};
  Loader of_range(query, {.sampler = sampling, .batch_rows = 200});
  ASSERT_TRUE(of_range.next(batch));
  Numbers rows(batch.rows.begin(), batch.rows.end());
  std::ranges::sort(rows);
  Numbers all(200);
  std::iota(all.begin(), all.end(), 100);
  EXPECT_EQ(rows, all);
}

}  // namespace
}  // namespace heron
