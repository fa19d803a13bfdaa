// Spilled rows come back as they were, and no file of them is ever seen in the folder.
#include "files/spill.h"

#include <gmock/gmock.h>

#include "error_of.h"
#include "heron/heron.h"
#include "kit/json_rows.h"
#include "kit/random_batch.h"
#include "temp_folder.h"

namespace heron {
namespace {

using test::error_of;
using test::TempFolder;
using testing::AllOf;
using testing::HasSubstr;

std::shared_ptr<const Schema> schema_of(const std::vector<Type>& types) {
  auto schema = std::make_shared<Schema>();
  for (const Type& type : types) {
    Field& field = schema->emplace_back();
    field.name = concat("c", schema->size() - 1);
    field.type = type;
  }
  return schema;
}

std::vector<std::string> rows_of(const std::shared_ptr<const Table>& table) {
  std::vector<std::string> rows;
  Scan scan{Projection(table)};
  for (RowBatch batch; scan.next(batch);) {
    for (std::string& row : json_rows(batch)) rows.push_back(std::move(row));
  }
  return rows;
}

TEST(Spill, GivesBackTheRowsWithoutAName) {
  const TempFolder folder;
  const auto schema = schema_of({Type::Int8, Type::Float64, Type::Text, Type::Timestamp,
                                 Type::list(Type::Int32), Type::Bool});
  std::vector<std::string> expected;
  std::shared_ptr<const Table> table;
  {
    const auto spill = spill_in(folder.path(), {})(*schema);
    for (const uint64_t rows : {3000, 0, 1, 70'000}) {
      const RowBatch batch = random_batch(schema, rows, 0.1, rows);
      for (std::string& row : json_rows(batch)) expected.push_back(std::move(row));
      spill->write(batch);
      EXPECT_EQ(folder.file_count(), 0);
    }
    table = spill->finish();
  }
  EXPECT_EQ(folder.file_count(), 0);
  ASSERT_EQ(table->column_count(), schema->size());
  EXPECT_EQ(table->column_name(5), "c5");
  EXPECT_EQ(rows_of(table), expected);
}

TEST(Spill, MayStayEmpty) {
  const TempFolder folder;
  const auto table = spill_in(folder.path(), {})(*schema_of({Type::Text}))->finish();
  EXPECT_EQ(table->rows(), 0);
  EXPECT_EQ(table->field(0).type, Type::Text);
}

TEST(Spill, SeveralAtOnce) {
  const TempFolder folder;
  const MakeSpill make_spill = spill_in(folder.path() + "/", {});
  const auto schema = schema_of({Type::Int32});
  const auto first = make_spill(*schema);
  const auto second = make_spill(*schema);
  const RowBatch one = random_batch(schema, 100, 0, 1);
  const RowBatch two = random_batch(schema, 100, 0, 2);
  first->write(one);
  second->write(two);
  EXPECT_EQ(rows_of(second->finish()), json_rows(two));
  EXPECT_EQ(rows_of(first->finish()), json_rows(one));
}

TEST(Spill, ErrorsNameTheFolder) {
  const TempFolder folder;
  const Error type = error_of([&] { spill_in(folder.path(), {})(*schema_of({Type::UInt8})); });
  EXPECT_EQ(type.kind(), ErrorKind::Unsupported);
  EXPECT_THAT(type.what(), AllOf(HasSubstr(folder.path()), HasSubstr("uint8")));
  const Error none = error_of([&] { spill_in(folder / "none", {})(*schema_of({Type::Int8})); });
  EXPECT_EQ(none.kind(), ErrorKind::Write);
  EXPECT_THAT(none.what(), HasSubstr(folder / "none"));
}

}  // namespace
}  // namespace heron
