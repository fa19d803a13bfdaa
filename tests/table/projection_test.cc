// The columns of a query, and the errors for columns that do not exist.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "columns/null_column.h"
#include "error_of.h"
#include "heron/schema.h"
#include "heron/take.h"
#include "kit/made_table.h"
#include "table/internals.h"

namespace heron {
namespace {

using testing::HasSubstr;
using testing::Not;
using Strings = std::vector<std::string>;
using Numbers = std::vector<uint64_t>;

TableMaker& unreadable(TableMaker& maker, std::string name, ErrorKind kind,
                       const std::string& reason) {
  return maker.add(std::move(name),
                   [=](const ByteSource& source, uint64_t rows, ColumnLabel label) {
                     return std::make_unique<UnreadableColumn>(Type::Null, rows, std::move(label),
                                                               Error(kind, source.name(), reason));
                   });
}

TableMaker people() {
  TableMaker maker(2);
  maker.fixed<int32_t>("age", Type::Int32, {1, 2}).null("height").null("weight");
  return maker;
}
Error error_naming(const std::string& name) {
  return test::error_of([&] { Projection(people().table(), Strings{name}); });
}

TEST(Projection, HasColumnsInTheRequestedOrderAndAgain) {
  const Projection columns(people().table(), Strings{"weight", "age", "weight"});
  ASSERT_EQ(columns.size(), 3);
  EXPECT_EQ(columns.schema()->at(0).name, "weight");
  EXPECT_EQ(columns.schema()->at(1).type, Type(Type::Int32));
  EXPECT_EQ(internals(columns).columns()[0], internals(columns).columns()[2]);
}

TEST(Projection, KeepsItsTableAlive) {
  const Projection columns(people().table(), Numbers{0});
  EXPECT_EQ(read(columns, {1, 2}).columns[0].get<int32_t>(0), 2);
}

TEST(Projection, SuggestsTheNearestName) {
  const Error error = error_naming("heigth");
  EXPECT_EQ(error.kind(), ErrorKind::Argument);
  EXPECT_STREQ(error.what(),
               "made.file: no column \"heigth\" in table \"data\"; did you mean \"height\"?");
  EXPECT_THAT(error_naming("weigh").what(), HasSubstr("did you mean \"weight\"?"));
  EXPECT_THAT(error_naming("Age").what(), HasSubstr("did you mean \"age\"?"));
}

TEST(Projection, SuggestsNothingForANameLikeNoOther) {
  EXPECT_STREQ(error_naming("population").what(),
               "made.file: no column \"population\" in table \"data\"");
  EXPECT_THAT(error_naming(std::string(1000, 'x')).what(), Not(HasSubstr("did you mean")));
}

TEST(Projection, RefusesAColumnNumberThatIsNotThere) {
  const Error error = test::error_of([&] { Projection(people().table(), Numbers{0, 3}); });
  EXPECT_EQ(error.kind(), ErrorKind::Argument);
  EXPECT_STREQ(error.what(), "made.file: no column 3 in table \"data\": expected 0 to 2");
}

TEST(Projection, LeavesOutColumnsOfUndefinedTypeUnlessNamed) {
  TableMaker maker = people();
  const auto table = unreadable(maker, "new", ErrorKind::Unsupported, "type 99").table();
  EXPECT_EQ(Projection(table).size(), 3);
  const Error error = test::error_of([&] { Projection(table, Strings{"new"}); });
  EXPECT_EQ(error.kind(), ErrorKind::Unsupported);
  EXPECT_STREQ(error.what(), "made.file: type 99");
  EXPECT_FALSE(table->schema()[3].readable);
  EXPECT_EQ(table->schema()[3].reason, "made.file: type 99");
}

TEST(Projection, KeepsDamagedColumnsWhichFailWhenTouched) {
  TableMaker maker = people();
  const auto table = unreadable(maker, "bad", ErrorKind::Corrupt, "a hole").table();
  const Projection all(table);
  EXPECT_EQ(all.size(), 4);
  EXPECT_EQ(test::error_of([&] { read(all, {0, 1}); }).kind(), ErrorKind::Corrupt);
  EXPECT_EQ(read(Projection(table, Strings{"age"}), {0, 2}).rows, 2);
}

TEST(Projection, OfATableWithoutAReadableColumnIsTheFirstReason) {
  TableMaker maker(1);
  unreadable(maker, "a", ErrorKind::Unsupported, "type 98");
  unreadable(maker, "b", ErrorKind::Unsupported, "type 99");
  const auto table = maker.table();
  EXPECT_STREQ(test::error_of([&] { Projection all(table); }).what(), "made.file: type 98");
}

TEST(Projection, OfATableWithoutColumnsHasItsRows) {
  const Projection none(TableMaker(5).table());
  EXPECT_EQ(none.size(), 0);
  EXPECT_EQ(read(none, {1, 4}).rows, 3);
}

}  // namespace
}  // namespace heron
