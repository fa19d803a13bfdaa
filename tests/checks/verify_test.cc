// verify checks all values and keys, and notes columns that no program can read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "base/fail.h"
#include "columns/null_column.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/made_table.h"

namespace heron {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<int32_t> ascending(int32_t rows) {
  std::vector<int32_t> cells(static_cast<size_t>(rows));
  std::iota(cells.begin(), cells.end(), 0);
  return cells;
}
TableMaker keyed(const std::vector<int32_t>& keys) {
  TableMaker maker(keys.size());
  maker.key_columns = 1;
  maker.fixed("key", Type::Int32, keys, NullEncoding::Sentinel);
  return maker;
}
void add_unreadable(TableMaker& maker, ErrorKind kind, const std::string& reason) {
  maker.add("dead", [=](const ByteSource& source, uint64_t rows, ColumnLabel label) {
    return std::make_unique<UnreadableColumn>(Type::Null, rows, std::move(label),
                                              Error(kind, source.name(), reason));
  });
}

TEST(Verify, AcceptsAscendingKeysWithANullOneFirst) {
  EXPECT_THAT(verify(*keyed({INT32_MIN, 1, 2}).file()), IsEmpty());
  for (const bool mapped : {true, false}) {
    EXPECT_THAT(verify(*keyed(ascending(20'000)).file(mapped)), IsEmpty());
  }
}

TEST(Verify, RefusesKeysOutOfOrderWhereverTheyAre) {
  for (const size_t row : {1, 100, 8191, 8192, 8193, 16384, 19'999}) {
    std::vector<int32_t> keys = ascending(20'000);
    keys[row] = keys[row - 1];
    const Error error = test::error_of([&] { verify(*keyed(keys).file()); });
    EXPECT_EQ(error.kind(), ErrorKind::Corrupt);
    EXPECT_EQ(error.what(),
              concat("made.file: table \"data\": expected ascending unique keys, got row ", row,
                     " not above the row before it"));
  }
}

TEST(Verify, ComparesKeysOfSeveralColumnsTogether) {
  TableMaker maker(3);
  maker.key_columns = 2;
  maker.fixed<int32_t>("a", Type::Int32, {1, 1, 2}).texts("b", {"x", "y", "x"});
  EXPECT_THAT(verify(*maker.file()), IsEmpty());
  maker.key_columns = 1;
  EXPECT_EQ(test::error_of([&] { verify(*maker.file()); }).kind(), ErrorKind::Corrupt);
}

TEST(Verify, LeavesKeysAloneThatHaveNoOrder) {
  TableMaker maker(2);
  maker.key_columns = 1;
  EXPECT_THAT(verify(*maker.lists("l", {0, 1, 2}, {2, 1}).file()), IsEmpty());
}

TEST(Verify, ReadsValuesBehindTheFirstBatch) {
  std::vector<uint32_t> offsets(100'001);
  std::iota(offsets.begin(), offsets.end(), 0u);
  offsets[90'000] = 3;
  const auto file = TableMaker(100'000).lists("l", offsets, ascending(100'000)).file();
  const Error error = test::error_of([&] { verify(*file); });
  EXPECT_EQ(error.kind(), ErrorKind::Corrupt);
  EXPECT_THAT(error.what(), HasSubstr("column \"l\": row 89999"));
}

TEST(Verify, NotesColumnsOfUndefinedType) {
  TableMaker maker = keyed({1, 2});
  add_unreadable(maker, ErrorKind::Unsupported, "column \"dead\" is of type 99");
  EXPECT_THAT(verify(*maker.file()), ElementsAre("made.file: column \"dead\" is of type 99"));
}

TEST(Verify, ThrowsWhatADamagedColumnIs) {
  TableMaker maker = keyed({1, 2});
  add_unreadable(maker, ErrorKind::Corrupt, "a hole");
  EXPECT_STREQ(test::error_of([&] { verify(*maker.file()); }).what(), "made.file: a hole");
}

TEST(Verify, RefusesATableOfWhichNothingCanBeRead) {
  TableMaker maker(2);
  add_unreadable(maker, ErrorKind::Unsupported, "type 99");
  EXPECT_EQ(test::error_of([&] { verify(*maker.file()); }).kind(), ErrorKind::Unsupported);
}

TEST(Verify, OfAnyNumberOfRowsThatStoreNothingIsShort) {
  EXPECT_THAT(verify(*TableMaker(INT64_MAX).null("n").file()), IsEmpty());
  EXPECT_THAT(verify(*TableMaker(INT64_MAX).file()), IsEmpty());
}

}  // namespace
}  // namespace heron
