// The roles that the writer gives to columns, and the data sets it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/fail.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/random_batch.h"
#include "written_file.h"

namespace heron {
namespace {

using jforests::CodedValues;
using test::error_of;
using testing::ElementsAre;
using testing::HasSubstr;

TEST_F(JforestsWriter, AQueryBeginsWhereTheNumberDiffers) {
  const auto ends = [&](const std::vector<Cells>& queries, uint64_t memory = 1) {
    std::vector<RowBatch> batches;
    for (const Cells& cells : queries) {
      batches.push_back(batch_of({{"target", Cells(cells.size(), 0)}, {"query", cells}}));
    }
    return group_ends(write_and_open(batches, {.memory_bytes = memory}));
  };
  EXPECT_THAT(ends({{7, 7, -7, 7}}), ElementsAre(2, 3, 4));
  EXPECT_THAT(ends({{7, 7}, {}, {7, 8}, {8}}), ElementsAre(3, 5));
  EXPECT_THAT(ends({{0, 0}}), ElementsAre(2));
  // A row without a query number joins the query before; the first row begins a query anyway.
  EXPECT_THAT(ends({{1, {}, 1, {}, 2}}), ElementsAre(4, 5));
  EXPECT_THAT(ends({{{}, {}}, {3, 3}}), ElementsAre(2, 4));
  Cells many;
  for (int row = 0; row < 1000; ++row) many.emplace_back(row / 3);
  const auto of_many = ends({many, many});
  EXPECT_EQ(of_many.size(), 668);
  EXPECT_EQ(of_many[400], 1000 + 3 * 67);
}

TEST_F(JforestsWriter, LabelAndGroupMayBeAnyColumns) {
  const RowBatch batch = batch_of(
      {{"query", {5, 5, 6}}, {"target", {7, 8, 9}}, {"rel", {1, 2, 3}}, {"x", {0, 0.5, 1}}});
  WriteOptions options;
  options.set("label_column", "rel");
  write({batch}, {}, options);
  const auto ranking = open(path())->table();
  EXPECT_THAT(cells_of<double>(ranking, 0), ElementsAre(1, 2, 3));
  EXPECT_THAT(group_ends(ranking), ElementsAre(2, 3));
  EXPECT_EQ(metadata(ranking->field(2), "min"), "7");  // a feature that is called target

  options.set("label_column", "query");
  write({batch}, {}, options);
  const auto plain = open(path())->table();
  EXPECT_THAT(cells_of<double>(plain, 0), ElementsAre(5, 5, 6));
  EXPECT_EQ(plain->group_count(), 0);

  options.set("label_column", "x");
  options.set("group_column", "query");
  write({batch}, {}, options);
  EXPECT_THAT(group_ends(open(path())->table()), ElementsAre(2, 3));
}

TEST_F(JforestsWriter, RefusesLabelsAndGroupsThatCannotBe) {
  const auto refusal = [&](std::string label, std::string group) {
    WriteOptions options;
    if (!label.empty()) options.set("label_column", std::move(label));
    if (!group.empty()) options.set("group_column", std::move(group));
    const SchemaPtr schema = schema_of(
        {{"target", Type::Int8}, {"id", Type::Int64}, {"x", Type::Float32}, {"y", Type::Int8}});
    return error_of([&] { create(path(), *schema, options); });
  };
  const auto expect = [](const Error& error, ErrorKind kind, const char* text) {
    EXPECT_EQ(error.kind(), kind);
    EXPECT_THAT(error.what(), HasSubstr(text));
  };
  expect(refusal("z", ""), ErrorKind::Argument, "there is no column \"z\"");
  expect(refusal("", "qid"), ErrorKind::Argument, "there is no column \"qid\"");
  expect(refusal("y", "y"), ErrorKind::Argument, "\"y\" cannot be both label and group");
  expect(refusal("", "target"), ErrorKind::Argument, "cannot be both label and group");
  expect(refusal("", "x"), ErrorKind::Unsupported, "\"x\" of type float32");
}

TEST_F(JforestsWriter, NamesAreCutToBytes) {
  const std::string longest(127, 'x');
  const auto table = write_and_open({batch_of({{"target", {0}},
                                               {"f1", {1}},
                                               {"f1.1", {1}},
                                               {longest + "yz", {1}},
                                               {"caf\u00E9 \u6587", {1}},
                                               {"\U0001F600!", {1}},
                                               {"\xFFz", {1}},
                                               {"a:b", {1}}})});
  EXPECT_THAT(names_of(table), ElementsAre("target", "f1", "f1.1", longest, "caf\u00E9 \u0087",
                                           "=.!", "\u00FFz", "a:b"));
}

TEST_F(JforestsWriter, KnowsItsLimits) {
  const auto refusal = [&](const RowBatch& batch, const jforests::WriteLimits& limits) {
    const Error error = error_of([&] { write({batch}, limits); });
    EXPECT_EQ(error.kind(), ErrorKind::Limit);
    return std::string(error.what());
  };
  const RowBatch batch = batch_of({{"target", {0, 0, 0}}, {"x", {1, 2, 3}}});
  EXPECT_THAT(refusal(batch, {.rows = 2}), HasSubstr("more than 2 rows"));
  EXPECT_THAT(refusal(batch, {.record_bytes = 46}),
              HasSubstr("column \"x\": a record of 47 bytes; a file can hold 46"));
  EXPECT_EQ(write({batch}, {.rows = 3, .record_bytes = 47}).size(), 12 + 5 + 24 + 47);
}

TEST_F(JforestsWriter, AsManyValuesAsCanBeStored) {
  const auto batch_with = [](int values, const char* max) {
    Cells cells;
    for (int i = 0; i < values; ++i) cells.emplace_back(i);
    return batch_of({{"target", Cells(cells.size(), 0)}, {"x", cells, {{"max", max}}}});
  };
  const auto table = write_and_open({batch_with(32767, "1")}, {}, CodedValues::Index);
  EXPECT_EQ(table->schema()[1].encoding, "SHORT");
  EXPECT_EQ(cells_of<uint32_t>(table, 1).back(), 32766);
  for (const char* max : {"1", "32765"}) {
    const Error error = error_of([&] { write({batch_with(32768, max)}); });
    EXPECT_EQ(error.kind(), ErrorKind::Limit);
    EXPECT_THAT(error.what(), HasSubstr("more than 32767 distinct scaled values"));
  }
  EXPECT_EQ(write_and_open({batch_with(32768, "32767")})->field(1).encoding, "SHORT");
}

TEST_F(JforestsWriter, RefusesWhatIsNoDataSet) {
  const auto refusal = [&](const std::vector<NamedType>& columns) {
    const Error error = error_of([&] { create(path(), *schema_of(columns)); });
    EXPECT_EQ(error.kind(), ErrorKind::Unsupported);
    EXPECT_EQ(folder_.file_count(), 0);
    return std::string(error.what());
  };
  EXPECT_THAT(refusal({{"x", Type::Int8}}), HasSubstr("requires a column \"target\"; there is none"));
  EXPECT_THAT(refusal({{"target", Type::Text}, {"x", Type::Date32}, {"y", Type::Int8}}),
              HasSubstr("cannot store the columns \"target\" (text), \"x\" (date32)"));
  EXPECT_THAT(refusal({{"target", Type::Int8}, {"query", Type::Float64}}),
              HasSubstr("\"query\" of type float64"));
  for (const Type& type : types_of_vectors_and_ticks()) {
    EXPECT_THAT(refusal({{"target", Type::Int8}, {"x", type}}),
                HasSubstr(concat("\"x\" (", type.name(), ')')));
  }
}

TEST_F(JforestsWriter, RefusesRowsWithoutTarget) {
  const auto writer = create(path(), *schema_of({{"target", Type::Float64}}));
  writer->write(batch_of({{"target", {1, 2}}}));
  const Error error = error_of([&] { writer->write(batch_of({{"target", {1, {}}}})); });
  EXPECT_EQ(error.kind(), ErrorKind::Argument);
  EXPECT_THAT(error.what(), HasSubstr("the target of row 3 is null"));
  EXPECT_EQ(error_of([&] { writer->close(); }).kind(), ErrorKind::Argument);
}

TEST_F(JforestsWriter, RowsThatAreToldMustCome) {
  const RowBatch batch = batch_of({{"target", {1, 2}}});
  WriteOptions options;
  options.rows = 3;
  EXPECT_THAT(error_of([&] { write({batch}, {}, options); }).what(),
              HasSubstr("expected 3 rows, got 2"));
  options.rows = 2;
  EXPECT_EQ(write({batch}, {}, options).size(), 28);
  const auto other = batch_of({{"target", {1}}, {"x", {1}}});
  options.replace = true;
  const auto writer = create(path(), *batch.schema, options);
  EXPECT_EQ(error_of([&] { writer->write(other); }).kind(), ErrorKind::Argument);
  EXPECT_EQ(folder_.file_count(), 1);  // the finished one
}

}  // namespace
}  // namespace heron
