// Computed columns of many rows: read in any way, in every query, and only where they are needed.
#include <gtest/gtest.h>

#include <atomic>
#include <random>

#include "error_of.h"
#include "heron/heron.h"
#include "kit/made_table.h"
#include "kit/special_numbers.h"

namespace heron {
namespace {

// Tests with 20,000 rows of numbers, texts and bools with nulls; some numbers cannot be divided.
class ComputedRows : public testing::Test {
 protected:
  static constexpr uint64_t kRows = 20'000;

  ComputedRows() {
    std::mt19937_64 random(3);
    std::vector<int64_t> a(kRows);
    std::vector<double> x(kRows);
    std::vector<std::optional<std::string>> s(kRows);
    std::vector<bool> b(kRows), valid(kRows);
    for (uint64_t i = 0; i < kRows; ++i) {
      a[i] = static_cast<int64_t>(random() % 1000) - 500;
      x[i] = random() % 10 == 0 ? kNaN : static_cast<double>(random() % 1000) / 8;
      if (random() % 5 != 0)
        s[i] = std::string(random() % 9, static_cast<char>('a' + random() % 26));
      b[i] = random() % 2 == 0;
      valid[i] = random() % 3 != 0;
    }
    TableMaker maker(kRows);
    maker.fixed("a", Type::Int64, a, NullEncoding::Bitmap, valid);
    maker.fixed("x", Type::Float64, x, NullEncoding::NaN).texts("s", s).bits("b", b, valid);
    table = maker.table();
  }

  std::shared_ptr<const Table> table;
  const std::vector<std::string> expressions{"a * 2 + 1 as q",
                                             "upper(s) || '-' || s as r",
                                             "case when b then x else a end as c",
                                             "coalesce(s, 'none') as n",
                                             "a > 0 and b as t",
                                             "round(x * a, 1) as y",
                                             "length(s) as l"};
};

TEST_F(ComputedRows, AreTheSameHoweverTheyAreRead) {
  Query query(table);
  query.columns = expressions;
  const Projection columns = query.projection();
  const RowBatch all = read(columns, {0, kRows});
  std::mt19937_64 random(4);
  std::vector<uint64_t> rows(3000);
  for (uint64_t& row : rows) row = random() % kRows;
  const RowBatch taken = take(columns, rows);
  const RowBatch some = read(columns, {37, 12'345});
  for (uint64_t c = 0; c < expressions.size(); ++c) {
    for (uint64_t i = 0; i < rows.size(); ++i) {
      ASSERT_EQ(to_text(taken.columns[c], i), to_text(all.columns[c], rows[i])) << expressions[c];
    }
    for (uint64_t i = 0; i < some.rows; ++i) {
      ASSERT_EQ(to_text(some.columns[c], i), to_text(all.columns[c], 37 + i)) << expressions[c];
    }
  }
  query.where = "length(s) > 3 and b is true";
  query.order = {{"a * -1", Ascending}};
  Context context;
  context.threads = 2;
  Scan scan(query, context, 1000);
  uint64_t seen = 0;
  for (RowBatch batch; scan.next(batch); seen += batch.rows) {
    for (uint64_t i = 0; i < batch.rows; ++i) {
      for (uint64_t c = 0; c < expressions.size(); ++c) {
        ASSERT_EQ(to_text(batch.columns[c], i), to_text(all.columns[c], scan.rows()[i]));
      }
    }
  }
  EXPECT_EQ(seen, count(Query(table, "length(s) > 3 and b is true")));
}

TEST_F(ComputedRows, AreColumnsOfATableForEveryQuery) {
  const auto wider = with_columns(table, {"length(s) as l", "a > 0 as positive", "x * 2 as x2"});
  EXPECT_EQ(wider->column_count(), table->column_count() + 3);
  EXPECT_EQ(count(Query(wider, "l > 3 and positive")),
            count(Query(table, "length(s) > 3 and a > 0")));
  const Aggregate sum{.function = Aggregate::Function::Sum, .column = *wider->find_column("x2")};
  const Aggregate of_stored{.function = Aggregate::Function::Sum,
                            .column = *table->find_column("x")};
  const RowBatch doubled = aggregate(wider, {&sum, 1}), plain = aggregate(table, {&of_stored, 1});
  EXPECT_EQ(doubled.columns[0].get<double>(0), 2 * plain.columns[0].get<double>(0));
  Query groups(table);
  groups.by = {"length(s) as l"};
  const Aggregate rows;
  const RowBatch by_length = group_by(groups, {&rows, 1});
  EXPECT_EQ(by_length.rows, 10u);
}

// The square of a large `a` does not fit int8.
TEST_F(ComputedRows, AreNotComputedForRowsThatAreNotSelected) {
  const auto wider = with_columns(table, {"cast(a * a as int8) as square"});
  const uint64_t square = *wider->find_column("square");
  const Aggregate sum{.function = Aggregate::Function::Max, .column = square};
  test::error_of(ErrorKind::Argument, [&] { aggregate(wider, {&sum, 1}); });
  const Query near(wider, "a > -12 and a < 12");
  EXPECT_EQ(aggregate(near, {&sum, 1}).columns[0].get<int8_t>(0), 121);
  Query groups = near;
  groups.by = {"cast(a * a as int8)"};
  const Aggregate rows;
  EXPECT_EQ(group_by(groups, {&rows, 1}).rows, 12u);
  Query ordered = near;
  ordered.columns = {"square"};
  ordered.order = {{"square * -1", Ascending}};
  RowBatch batch;
  Scan scan(ordered);
  ASSERT_TRUE(scan.next(batch));
  EXPECT_EQ(batch.columns[0].get<int8_t>(0), 121);
}

TEST_F(ComputedRows, AreOrderedByANameInBackticksOrBrackets) {
  Query query(table, "a > -12 and a < 12");
  query.order = {{"a", Descending}};
  const std::vector<uint64_t> rows = ordered_rows(query);
  for (const char* name : {"`a`", "(a)", "((`a`))"}) {
    query.order = {{name, Descending}};
    EXPECT_EQ(ordered_rows(query), rows) << name;
  }
  query.order = {{"(none)", Ascending}};
  test::error_of(ErrorKind::Argument, [&] { ordered_rows(query); });
}

TEST_F(ComputedRows, EndWithTheirBudgetAndWhenTheyAreCancelled) {
  Query query(table);
  query.columns = {"s || s || s || s as r"};
  Context small;
  small.memory = std::make_shared<MemoryBudget>(uint64_t{64} << 10);
  test::error_of(ErrorKind::Limit, [&] { read(query.projection(), {0, kRows}, small); });
  std::atomic<bool> cancel = true;
  Context cancelled;
  cancelled.cancel = &cancel;
  test::error_of(ErrorKind::Cancelled, [&] { read(query.projection(), {0, kRows}, cancelled); });
}

}  // namespace
}  // namespace heron
