// Files that claim more than they store: names that columns share, rows without bytes.
#include "dataset/whole_read.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "columns/null_column.h"
#include "dataset/names.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/made_table.h"

namespace heron {
namespace {

using test::error_of;
using testing::HasSubstr;

constexpr uint64_t kManyRows = uint64_t{1} << 60;

// A table of one column that stores nothing and, perhaps, one that is damaged.
std::shared_ptr<const Table> empty_rows(bool damaged) {
  TableMaker maker(kManyRows);
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
  EXPECT_EQ(summarize(Projection(table)).front().null_count, kManyRows);
}

TEST(WholeRead, SkippingDamageEndsWhereNothingCanBeRead) {
  const auto table = empty_rows(true);
  Context context;
  SkippedRows skipped;
  context.skip_damaged = &skipped;
  Scan scan(table, context);
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
