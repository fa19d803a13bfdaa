// Files that claim more than they store: columns that share names, rows without bytes.
#include "exec/whole_read.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "columns/null_column.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/made_table.h"
#include "kit/result_of.h"
#include "table/names.h"

namespace heron {
namespace {

using test::error_of;
using testing::HasSubstr;

constexpr uint64_t kClaimedRows = uint64_t{1} << 60;

// Returns a table of one column that stores nothing and, perhaps, one that is damaged.
std::shared_ptr<const Table> empty_rows(bool damaged) {
  TableMaker maker(kClaimedRows);
  maker.add("nothing", [](const ByteSource&, uint64_t rows, ColumnLabel label) {
    return std::make_unique<NullColumn>(rows, std::move(label));
  });
  if (damaged) {
    maker.add("damaged", [](const ByteSource&, uint64_t rows, ColumnLabel label) {
      return std::make_unique<UnreadableColumn>(Type::Int32, rows, std::move(label),
                                                Error(ErrorKind::Corrupt, "made.file", "no cells"));
    });
  }
  return maker.table();
}

TEST(WholeRead, OfRowsThatStoreNothingIsLimited) {
  const auto table = empty_rows(false);
  EXPECT_EQ(error_of([&] { Scan{table}; }).kind(), ErrorKind::Limit);
  EXPECT_EQ(stats(Projection(table)).front().null_count, kClaimedRows);
}

TEST(WholeRead, RowsThatStoreNothingAreCountedAndNotListed) {
  for (const bool damaged : {false, true}) {
    const auto table = empty_rows(damaged);
    const std::vector<Split> all = splits(Query(table), 1);
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].rows.rows(), kClaimedRows);
    EXPECT_EQ(all[0].min_rows, kClaimedRows);
  }
  const auto table = empty_rows(false);
  const auto counted = parse_aggregates(*table, "count, count(nothing), distinct(nothing)");
  const PartialAggregate state(Query(table), counted, {0, kClaimedRows}, {});
  const RowBatch values = state.result();
  EXPECT_EQ(result_of(values, 0), Scalar(kClaimedRows));
  EXPECT_EQ(result_of(values, 1), Scalar(uint64_t{0}));
  Query in_range(table);
  in_range.range = RowRange{5, kClaimedRows};
  const PartialAggregate part(in_range, counted, {0, kClaimedRows}, {});
  EXPECT_EQ(result_of(part.result(), 0), Scalar(kClaimedRows - 5));
  matrix(Projection(table, std::vector<uint64_t>()), {0, kClaimedRows}, std::span<float>());
  EXPECT_EQ(error_of([&] { read(Projection(table), RowRange{0, kClaimedRows}); }).kind(),
            ErrorKind::Limit);
  Query limited(table);
  limited.limit = kClaimedRows - 1;
  EXPECT_EQ(error_of([&] { Scan{limited}; }).kind(), ErrorKind::Limit);
  limited.limit = 3;
  Scan scan(limited);
  RowBatch batch;
  EXPECT_TRUE(scan.next(batch));
  EXPECT_EQ(batch.rows, 3u);
}

TEST(WholeRead, SkippingDamageEndsWhereNothingCanBeRead) {
  const auto table = empty_rows(true);
  SkippedRows skipped;
  Query query(table);
  query.skip_damaged = &skipped;
  Scan scan(query);
  RowBatch batch;
  const Error error = error_of([&] {
    while (scan.next(batch)) FAIL();
  });
  EXPECT_EQ(error.kind(), ErrorKind::Corrupt);
  EXPECT_THAT(error.what(), HasSubstr("no cells"));
  EXPECT_GT(skipped.rows(), 0);
}

class SharedName final : public TableSource {
 public:
  SharedName(uint64_t columns, uint64_t bytes) : columns_(columns), name_(bytes, 'n') {}
  uint64_t column_count() const noexcept override { return columns_; }
  std::string stored_name(uint64_t) const override { return name_; }
  ColumnPtr open_column(uint64_t, const std::string& name) const override {
    return std::make_unique<NullColumn>(0, ColumnLabel{name, ""});
  }

 private:
  uint64_t columns_;
  std::string name_;
};

TEST(Names, ThatColumnsShareAreCounted) {
  const auto file = TableMaker(0).pieces.source(true);
  const Names names(SharedName(10, 100'000), file.get());
  EXPECT_EQ(names[9].size(), 100'002u);
  EXPECT_THAT(error_of([&] { Names(SharedName(20, 100'000), file.get()); }).what(),
              HasSubstr("columns share names"));
}

}  // namespace
}  // namespace heron
