// What the writer writes, and that it is read back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/fail.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/batch_rows.h"
#include "kit/json_rows.h"
#include "kit/random_batch.h"
#include "temp_folder.h"

namespace heron {
namespace {

using test::error_of;
using testing::HasSubstr;

class SvmlightWriter : public testing::Test {
 protected:
  std::string write(const RowBatch& batch, int64_t base = 1) {
    WriteOptions options;
    options.replace = true;
    options.set("first_feature", base);
    const auto writer = create(path(), *batch.schema, options);
    writer->write(batch);
    writer->close();
    writer->publish();
    const std::string text = folder_.read("x.svmlight");
    EXPECT_EQ(writer->bytes_written(), text.size());
    return text;
  }
  std::string path() const { return folder_ / "x.svmlight"; }
  RowBatch read_back(bool dense = false) const {
    OpenOptions options;
    if (dense) options.set("dense", true);
    const Projection all(open(path(), options)->table());
    return read(all, {0, all.table()->rows()});
  }

  test::TempFolder folder_;
};

RowBatch ranking() {
  BatchBuilder builder({nullable_field("target", Type::Float64),
                        nullable_field("query", Type::UInt32), nullable_field("a", Type::Float32),
                        nullable_field("b", Type::Int64), nullable_field("comment", Type::Text)});
  builder[0].append(1.5);
  builder[1].append(uint32_t{7});
  builder[2].append(0.0F);
  builder[3].append(int64_t{0});
  builder[4].append("two\nlines");
  builder[0].append(-2.0);
  builder[1].append(uint32_t{8});
  builder[2].append(0.1F);
  builder[3].append(int64_t{-3});
  builder[4].append("");
  return builder.finish();
}

TEST_F(SvmlightWriter, WritesALineForEachRow) {
  EXPECT_EQ(write(ranking()), "1.5 qid:7 2:0 # two lines\n-2 qid:8 1:0.1 2:-3\n");
  EXPECT_EQ(write(ranking(), 0), "1.5 qid:7 0:0 1:0 # two lines\n-2 qid:8 0:0.1 1:-3\n");
}

TEST_F(SvmlightWriter, WritesWhatReadersNeedToFindAllFeatures) {
  for (const int64_t base : {0, 1}) {
    write(ranking(), base);
    EXPECT_EQ(json_rows(read_back()),
              (std::vector<std::string>{
                  R"({"label":1.5,"qid":7,"features":[0.0,0.0],"comment":"two lines"})",
                  R"({"label":-2.0,"qid":8,"features":[0.10000000149011612,-3.0],"comment":""})"}));
  }
}

TEST_F(SvmlightWriter, WritesEveryTypeOfNumber) {
  std::vector<Field> fields = {nullable_field("label", Type::Int8)};
  for (const Type::Id type :
       {Type::Bool, Type::Int8, Type::Int16, Type::Int32, Type::Int64, Type::UInt8, Type::UInt16,
        Type::UInt32, Type::UInt64, Type::Float32, Type::Float64}) {
    fields.push_back(nullable_field(concat("x", fields.size()), type));
    fields.push_back(nullable_field(concat("x", fields.size()), Type::vector(type, 3)));
  }
  auto schema = std::make_shared<Schema>(fields);
  for (const int64_t base : {0, 1}) {
    for (const uint64_t rows : {1, 2, 500}) {
      const RowBatch batch = random_batch(schema, rows, 0, rows);
      write(batch, base);
      const RowBatch back = read_back(true);
      ASSERT_EQ(back.rows, rows);
      ASSERT_EQ(back.columns.size(), 1 + 11 * 4);
      const auto written = json_rows(batch), read = json_rows(back);
      // The first vector is behind the first feature: its values, dense, are bools.
      for (uint64_t row = 0; row < rows; ++row) {
        const bool flag = batch.columns[1].data.bit(row);
        ASSERT_EQ(back.columns[1].get<float>(row), flag ? 1.0F : 0.0F);
        ASSERT_EQ(back.columns[41].get<float>(row),
                  static_cast<float>(batch.columns[21].get<double>(row)));
        ASSERT_EQ(back.columns[37].get<float>(row), batch.columns[19].get<float>(row));
      }
    }
  }
}

TEST_F(SvmlightWriter, WritesNoRows) {
  const RowBatch batch =
      random_batch(std::make_shared<Schema>(Schema{nullable_field("label", Type::Int8)}), 0, 0, 1);
  EXPECT_EQ(write(batch), "");
}

TEST_F(SvmlightWriter, RefusesWhatLinesCannotHold) {
  const auto refused = [&](const Schema& schema) {
    return error_of(ErrorKind::Unsupported, [&] { create(path(), schema); });
  };
  EXPECT_THAT(refused({nullable_field("x", Type::Int8)}),
              HasSubstr("expected a column \"label\" or \"target\", which every line begins with"));
  EXPECT_THAT(refused({nullable_field("label", Type::Text)}),
              HasSubstr("column \"label\": expected numbers as labels, got text"));
  EXPECT_THAT(refused({nullable_field("label", Type::Int8), nullable_field("qid", Type::Float32)}),
              HasSubstr("column \"qid\": expected integers as queries, got float32"));
  EXPECT_THAT(refused({nullable_field("label", Type::Int8), nullable_field("name", Type::Text)}),
              HasSubstr("column \"name\": expected numbers as features, or the name \"comment\""));
  EXPECT_THAT(refused({nullable_field("label", Type::Int8),
                       nullable_field("a", Type::vector(Type::Float32, INT32_MAX)),
                       nullable_field("b", Type::Float32)}),
              HasSubstr("expected at most 2147483646 features, got 2147483648"));
  BatchBuilder builder({nullable_field("label", Type::Int8), nullable_field("qid", Type::UInt64)});
  builder[0].append(int8_t{1});
  builder[1].append(UINT64_MAX);
  const RowBatch batch = builder.finish();
  EXPECT_THAT(error_of(ErrorKind::Argument, [&] { write(batch); }),
              HasSubstr("row 0: expected a query up to 9223372036854775807, got "
                        "18446744073709551615"));
}

}  // namespace
}  // namespace heron
