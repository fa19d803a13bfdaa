// Text files as create() and convert() write them, and what reading them gives.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/fail.h"
#include "error_of.h"
#include "heron/convert.h"
#include "heron/csv.h"
#include "heron/file.h"
#include "heron/take.h"
#include "heron/writer.h"
#include "temp_folder.h"

namespace heron {
namespace {

using test::error_of;
using test::TempFolder;
using testing::ElementsAre;
using testing::HasSubstr;

class CsvWrite : public testing::Test {
 protected:
  // Writes three columns of values that are easily read as something else.
  void write(const std::string& path, const WriteOptions& options = {}) {
    BatchBuilder builder({nullable_field("n", Type::Int64), nullable_field("a,b", Type::Text),
                          nullable_field("f", Type::Float64)});
    builder[0].append(int64_t{1} << 62);
    builder[1].append("NA");
    builder[2].append(0.1);
    builder[0].append_null();
    builder[1].append("say \"x\",\nthen 7");
    builder[2].append_null();
    builder[0].append(-7);
    builder[1].append_null();
    builder[2].append(1e300);
    builder[0].append(0);
    builder[1].append("");
    builder[2].append(-0.0);
    const RowBatch batch = builder.finish();
    const auto writer = create(path, *batch.schema, options);
    writer->write(batch);
    writer->close();
    EXPECT_FALSE(std::filesystem::exists(path));
    writer->publish();
    EXPECT_EQ(writer->bytes_written(), std::filesystem::file_size(path));
  }

  TempFolder folder_;
};

TEST_F(CsvWrite, QuotesWhatWouldBeReadAsSomethingElse) {
  write(folder_ / "x.csv");
  EXPECT_EQ(folder_.read("x.csv"),
            "n,\"a,b\",f\r\n"
            "4611686018427387904,\"NA\",0.1\r\n"
            ",\"say \"\"x\"\",\nthen 7\",\r\n"
            "-7,,1e+300\r\n"
            "0,\"\",-0.0\r\n");
}

TEST_F(CsvWrite, IsReadBackAsItWas) {
  write(folder_ / "x.csv");
  const auto file = open(folder_ / "x.csv");
  EXPECT_EQ(file->format(), "csv");
  const RowBatch rows = read(Projection(file->table()), {0, 4});
  EXPECT_EQ(rows.columns[0].type, Type::Int64);
  EXPECT_EQ(rows.columns[0].get<int64_t>(0), int64_t{1} << 62);
  EXPECT_TRUE(rows.columns[0].is_null(1));
  EXPECT_EQ(rows.columns[1].text(0), "NA");
  EXPECT_EQ(rows.columns[1].text(1), "say \"x\",\nthen 7");
  EXPECT_TRUE(rows.columns[1].is_null(2));
  EXPECT_EQ(rows.columns[1].text(3), "");
  EXPECT_EQ(rows.columns[2].get<double>(2), 1e300);
  EXPECT_TRUE(std::signbit(rows.columns[2].get<double>(3)));
}

TEST_F(CsvWrite, AFileWithoutRowsHasItsHeader) {
  const auto writer = create(folder_ / "x.csv", {nullable_field("a", Type::Int32)});
  writer->close();
  writer->publish();
  EXPECT_EQ(folder_.read("x.csv"), "a\r\n");
}

TEST_F(CsvWrite, RefusesWhatItCannotWrite) {
  write(folder_ / "x.csv");
  EXPECT_THAT(error_of(ErrorKind::Argument, [&] { create(folder_ / "y.csv", {}); }),
              HasSubstr("at least one column"));
  EXPECT_THAT(error_of(ErrorKind::Write, [&] { write(folder_ / "x.csv"); }),
              HasSubstr("already exists"));
  WriteOptions keyed;
  keyed.key_columns = 1;
  EXPECT_THAT(error_of(ErrorKind::Unsupported, [&] { write(folder_ / "y.csv", keyed); }),
              HasSubstr("sort keys"));
  WriteOptions foreign;
  foreign.set("block_rows", 8);
  EXPECT_THAT(error_of(ErrorKind::Argument, [&] { write(folder_ / "y.csv", foreign); }),
              HasSubstr("does not apply to format \"csv\""));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "y.csv"));
}

TEST_F(CsvWrite, ConvertWritesSeveralFilesAndCompressedOnes) {
  write(folder_ / "x.csv");
  const auto rows = csv_rows({folder_ / "x.csv"});
  const ConvertReport parts = convert(rows, folder_ / "p.csv", {.rows_per_file = 3});
  EXPECT_THAT(parts.files, ElementsAre(folder_ / "p-00000.csv", folder_ / "p-00001.csv"));
  EXPECT_EQ(folder_.read("p-00001.csv"), "n,\"a,b\",f\r\n0,\"\",-0.0\r\n");
  for (const char* name : {"x.csv.gz", "x.csv.zst", "x.csv.xz", "x.csv.bz2"}) {
    convert(rows, folder_ / name);
    const auto file = open(folder_ / name);
    EXPECT_EQ(file->format(), "csv") << name;
    EXPECT_EQ(file->table()->rows(), 4U) << name;
    EXPECT_EQ(file->containers().size(), 1U) << name;
  }
}

TEST_F(CsvWrite, ShapesAreNoted) {
  std::string notes;
  Context context;
  context.note = [&](std::string_view note) { notes += note; };
  Field field = nullable_field("v", Type::vector(Type::Float32, {2, 2}));
  create(folder_ / "x.csv", {field}, {}, context);
  EXPECT_EQ(notes, "\"v\": the shape of vector<float32>[2x2] is not stored");
}

}  // namespace
}  // namespace heron
