// Keys in Arrow files: written as ordered dictionaries, and ordered dictionaries read as keys,
// which sort, compare and aggregate in the order of the dictionary.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "error_of.h"
#include "heron/heron.h"
#include "kit/batch_rows.h"
#include "kit/json_rows.h"
#include "kit/random_batch.h"
#include "kit/real_files.h"
#include "temp_folder.h"

namespace heron {
namespace {

using test::error_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> rows_of(const std::string& path) {
  const auto table = open(path)->table();
  return json_rows(read(Projection(table), {0, table->rows()}));
}

Type type_of(const std::string& path, const std::string& column) {
  const auto table = open(path)->table();
  return table->field(*table->find_column(column)).type;
}

std::shared_ptr<const Schema> schema_of_keys() {
  auto schema = std::make_shared<Schema>();
  for (const Type& type :
       {Type::key(Type::UInt8, 5), Type::key(Type::UInt32, 70), Type::key(Type::UInt64, 3)}) {
    schema->push_back(nullable_field("k" + std::to_string(schema->size()), type));
  }
  return schema;
}

void write_batches(const std::string& path, const std::vector<RowBatch>& batches) {
  WriteOptions options;
  options.set("batch_rows", int64_t{50});
  const auto writer = create(path, *batches.front().schema, options);
  for (const RowBatch& batch : batches) writer->write(batch);
  writer->close();
  writer->publish();
}

TEST(ArrowKeys, AreTheSameKeysAgain) {
  const test::TempFolder folder;
  const RowBatch batch = random_batch(schema_of_keys(), 170, 0.2, 1);
  for (const char* ending : {".arrow", ".arrows", ".idv"}) {
    const std::string path = folder / (std::string("keys") + ending);
    if (std::string_view(ending) == ".idv") {
      const Query all{open(folder / "keys.arrow")->table()};
      convert(table_rows(all), path);
    } else {
      write_batches(path, {some_rows(batch, 0, 100), some_rows(batch, 100, 70)});
    }
    EXPECT_EQ(rows_of(path), json_rows(batch)) << path;
    EXPECT_EQ(type_of(path, "k0"), Type::key(Type::UInt8, 5));
    EXPECT_EQ(type_of(path, "k1"), Type::key(Type::UInt32, 70));
    EXPECT_EQ(type_of(path, "k2"), Type::key(Type::UInt64, 3));
  }
}

TEST(ArrowKeys, WithoutValuesAreNumbers) {
  const test::TempFolder folder;
  const std::string path = folder / "numbers.arrow";
  auto schema = std::make_shared<Schema>();
  schema->push_back(nullable_field("k", Type::key(Type::UInt16, 3000)));
  const RowBatch batch = random_batch(schema, 170, 0.2, 1);
  write_batches(path, {batch});
  EXPECT_EQ(rows_of(path), json_rows(batch));
  EXPECT_EQ(type_of(path, "k"), Type(Type::UInt16));
}

TEST(ArrowKeys, BatchesWithOtherValuesAreRefused) {
  const test::TempFolder folder;
  const RowBatch batch = random_batch(schema_of_keys(), 30, 0.2, 1);
  RowBatch other = batch;
  other.columns[1].children[0] = batch.columns[0].children[0];
  EXPECT_THAT(error_of(ErrorKind::Argument,
                       [&] {
                         write_batches(folder / "a.arrow", {batch, other});
                       }),
              HasSubstr("column \"k1\": the keys of a batch do not have the same values"));
}

// data/arrow/ordered*.arrow: `size` is small < medium < large < huge, `grade` 30, 10, 20.
std::vector<std::string> ordered_files() {
  std::vector<std::string> paths;
  for (const char* name : {"ordered", "ordered_uneven", "ordered_even_lz4", "ordered_deltas"}) {
    paths.push_back(data_dir() / "arrow" / (std::string(name) + ".arrow"));
  }
  return paths;
}

uint64_t matches(const std::string& path, const std::string& where) {
  const auto table = open(path)->table();
  return count(Query{Predicate(table, where)});
}

TEST(ArrowKeys, PredicatesFollowTheOrderOfTheDictionary) {
  for (const std::string& path : ordered_files()) {
    const uint64_t rows = open(path)->table()->rows();
    const auto has = [&](const std::string& where) { return matches(path, where); };
    const uint64_t small = has("size = 'small'"), medium = has("size = 'medium'");
    const uint64_t large = has("size = 'large'"), huge = has("size = 'huge'");
    EXPECT_EQ(small + medium + large + huge + has("size is null"), rows) << path;
    ASSERT_NE(small * medium * large * huge, 0u);
    EXPECT_EQ(has("size < 'large'"), small + medium);
    EXPECT_EQ(has("size <= 'large'"), small + medium + large);
    EXPECT_EQ(has("size > 'medium'"), large + huge);
    EXPECT_EQ(has("'medium' <= size"), medium + large + huge);
    EXPECT_EQ(has("not (size < 'large')"), large + huge);
    EXPECT_EQ(has("size between 'medium' and 'large'"), medium + large);
    EXPECT_EQ(has("(size < 'medium') = true"), small);
    EXPECT_EQ(has("size in ('huge', 'small', 'tiny')"), small + huge);
    EXPECT_EQ(has("size like '%a%'"), small + large);
    EXPECT_EQ(has("grade < 25"), has("grade = 20") + has("grade = 10"));  // numbers have an order
    EXPECT_THAT(error_of(ErrorKind::Argument, [&] { has("size < 'tiny'"); }),
                HasSubstr("expected one of the values of \"size\""));
  }
}

TEST(ArrowKeys, OrderAndExtremesFollowTheDictionary) {
  for (const std::string& path : ordered_files()) {
    const auto table = open(path)->table();
    Query query{Predicate(table, "size is not null")};
    query.columns = Projection(table, {*table->find_column("size")});
    query.order = {{.column = "size"}};
    std::vector<std::string> distinct;
    RowBatch batch;
    for (Scan scan(query, {}); scan.next(batch);) {
      for (const std::string& row : json_rows(batch)) {
        if (distinct.empty() || distinct.back() != row) distinct.push_back(row);
      }
    }
    EXPECT_THAT(distinct, ElementsAre(HasSubstr("small"), HasSubstr("medium"), HasSubstr("large"),
                                      HasSubstr("huge")));
    const Query all{table};
    const auto extremes =
        aggregate(all, parse_aggregates(*table, "min(size), max(size), min(grade), max(grade)"));
    EXPECT_THAT(json_rows(extremes), ElementsAre(R"row({"min(size)":"small","max(size)":"huge",)row"
                                                 R"row("min(grade)":10,"max(grade)":30})row"));
  }
}

}  // namespace
}  // namespace heron
