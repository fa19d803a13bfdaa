// Partial aggregates of every column of every real file, saved, loaded and merged, equal those of
// one call: each type has its own state.
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "base/fail.h"
#include "heron/heron.h"
#include "heron/split.h"
#include "kit/real_files.h"
#include "values/scalar.h"

namespace heron {
namespace {

constexpr uint64_t kMaxRows = 3000, kMaxColumns = 100;

std::string quoted(const std::string& name) {
  std::string text = "`";
  for (const char letter : name) text.append(letter == '`' ? 2 : 1, letter);
  return text + '`';
}

std::vector<std::byte> state_of(const std::shared_ptr<const Table>& table, RowRange rows,
                                std::span<const Aggregate> aggregates, const Columns& by) {
  Query query(table);
  query.range = rows;
  query.by = by;
  return PartialAggregate(query, aggregates, {0, table->rows()}).bytes();
}

// Returns the result of three parts of the rows.
RowBatch merged(const std::shared_ptr<const Table>& table, std::span<const Aggregate> aggregates,
                const Columns& by) {
  const uint64_t rows = table->rows(), ends[] = {rows / 3, rows / 2, rows};
  PartialAggregate all(state_of(table, {0, ends[0]}, aggregates, by));
  for (int i = 1; i < 3; ++i)
    all.append(PartialAggregate(state_of(table, {ends[i - 1], ends[i]}, aggregates, by)));
  return all.result();
}

// A group by a key has the key's value, if it has one.
void expect_same(const RowBatch& found, const RowBatch& expected) {
  ASSERT_EQ(found.rows, expected.rows);
  for (uint64_t c = 0; c < found.columns.size(); ++c) {
    const Values &ours = found.columns[c], &theirs = expected.columns[c];
    for (uint64_t row = 0; row < found.rows; ++row) {
      const bool are_equal = theirs.type.is(Type::Key)
                                 ? to_text(ours, row) == to_text(theirs, row)
                                 : ours.type == theirs.type &&
                                       compare(scalar_at(ours, row), scalar_at(theirs, row)) == 0;
      ASSERT_TRUE(are_equal) << "column " << c << ", row " << row << ": '" << to_text(ours, row)
                             << "', not '" << to_text(theirs, row) << '\'';
    }
  }
}

// Compares what the column's type has: other aggregates are refused, by both.
void expect_all(const std::shared_ptr<const Table>& table, const std::string& name) {
  for (const char* function :
       {"count", "count_null", "min", "max", "sum", "mean", "median", "variance", "stddev", "first",
        "last", "any_value", "mode", "distinct", "approx_distinct", "bool_and", "bool_or"}) {
    SCOPED_TRACE(function);
    std::vector<Aggregate> aggregates;
    RowBatch expected;
    Query query(table);
    try {
      aggregates = parse_aggregates(*table, concat(function, '(', quoted(name), ')'));
      expected = aggregate(query, aggregates);
    } catch (const Error&) {
      continue;
    }
    ASSERT_NO_FATAL_FAILURE(expect_same(merged(table, aggregates, {}), expected));
  }
}

// Compares how many rows have each value. Datetimeoffsets are no groups of parts.
void expect_groups(const std::shared_ptr<const Table>& table, const std::string& name,
                   const Type& type) {
  const Aggregate rows{.name = "rows"};
  Query query(table);
  query.by = {quoted(name)};
  RowBatch expected;
  try {
    expected = group_by(query, {&rows, 1});
  } catch (const Error&) {
    return;  // such as lists
  }
  if (type.is(Type::DateTimeOffset)) return;
  ASSERT_NO_FATAL_FAILURE(expect_same(merged(table, {&rows, 1}, query.by), expected));
}

class PartialAggregateOfRealFiles : public testing::TestWithParam<RealFile> {};

TEST_P(PartialAggregateOfRealFiles, IsThatOfAllRows) {
  const auto file = open(GetParam().path.string());
  for (const auto& table : file->tables()) {
    if (table->rows() < 3 || table->rows() > kMaxRows) continue;
    for (uint64_t c = 0; c < std::min(table->column_count(), kMaxColumns); ++c) {
      const auto& [name, type] = std::tie(table->schema()[c].name, table->schema()[c].type);
      SCOPED_TRACE(concat(name, ' ', type.name()));
      ASSERT_NO_FATAL_FAILURE(expect_all(table, name));
      ASSERT_NO_FATAL_FAILURE(expect_groups(table, name, type));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Files, PartialAggregateOfRealFiles, testing::ValuesIn(real_files()),
                         [](const auto& file) { return file.param.test_name(); });

}  // namespace
}  // namespace heron
