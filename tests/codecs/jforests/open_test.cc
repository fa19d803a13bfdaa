// The content of whole files: mode, columns, values in every view, names, queries.
#include "jforests/jforests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "codecs/jforests/made_file.h"
#include "jforests/scaling.h"
#include "kit/special_numbers.h"
#include "table/internals.h"
#include "temp_folder.h"

namespace heron::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

std::vector<std::string> names_of(const File& opened) {
  std::vector<std::string> names;
  for (const Field& field : opened.table()->schema()) names.push_back(field.name);
  return names;
}

std::map<std::string, std::string> metadata_of(const File& opened, uint64_t column) {
  std::map<std::string, std::string> entries;
  for (const Metadata& one : opened.table()->metadata(column)) entries[one.name] = one.text;
  return entries;
}

// Returns a file of five rows of each type, in two queries.
MadeFile every_type() {
  return {.targets = {0, 1, -2, 0.5, 4},
          .features = {{.name = "nothing", .min = 7, .max = 16390},
                       {kBit, "\x12", {0, 10}, "bit"},
                       {kByte, std::string("\0\2\1\0\2", 5), {-4, 0, 6}, "byte", 0.5, 8192, 4},
                       {kShort, big_endian(std::vector<uint16_t>{1, 0, 299, 256, 2}),
                        [] {
                          std::vector<int32_t> values(300);
                          for (int32_t i = 0; i < 300; ++i) values[static_cast<size_t>(i)] = 3 * i;
                          return values;
                        }(),
                        "short"}},
          .boundaries = {{0, 2, 5}}};
}

TEST(JforestsOpen, ReadsEveryTypeInEveryView) {
  const std::string bytes = every_type().bytes();
  EXPECT_THAT(
      rows_every_way(bytes),
      ElementsAre(R"({"target":0.0,"query":0,"nothing":7.0,"bit":0.0,"byte":-0.5,"short":1.5})",
                  R"({"target":1.0,"query":0,"nothing":7.0,"bit":5.0,"byte":2.0,"short":0.0})",
                  R"({"target":-2.0,"query":1,"nothing":7.0,"bit":0.0,"byte":0.5,"short":448.5})",
                  R"({"target":0.5,"query":1,"nothing":7.0,"bit":0.0,"byte":-0.5,"short":384.0})",
                  R"({"target":4.0,"query":1,"nothing":7.0,"bit":5.0,"byte":2.0,"short":3.0})"));
  EXPECT_THAT(rows_every_way(bytes, in_view(CodedValues::Scaled)),
              ElementsAre(R"({"target":0.0,"query":0,"nothing":0,"bit":0,"byte":-4,"short":3})",
                          R"({"target":1.0,"query":0,"nothing":0,"bit":10,"byte":6,"short":0})",
                          R"({"target":-2.0,"query":1,"nothing":0,"bit":0,"byte":0,"short":897})",
                          R"({"target":0.5,"query":1,"nothing":0,"bit":0,"byte":-4,"short":768})",
                          R"({"target":4.0,"query":1,"nothing":0,"bit":10,"byte":6,"short":6})"));
  EXPECT_THAT(rows_every_way(bytes, in_view(CodedValues::Index)),
              ElementsAre(R"({"target":0.0,"query":0,"nothing":0,"bit":0,"byte":0,"short":1})",
                          R"({"target":1.0,"query":0,"nothing":0,"bit":1,"byte":2,"short":0})",
                          R"({"target":-2.0,"query":1,"nothing":0,"bit":0,"byte":1,"short":299})",
                          R"({"target":0.5,"query":1,"nothing":0,"bit":0,"byte":0,"short":256})",
                          R"({"target":4.0,"query":1,"nothing":0,"bit":1,"byte":2,"short":2})"));
}

TEST(JforestsOpen, SchemaTellsTypesInTheFormatsWords) {
  const std::string bytes = every_type().bytes();
  const Schema original = open_bytes(bytes)->table()->schema();
  EXPECT_EQ(original[0].type, Type::Float64);
  EXPECT_EQ(original[1].type, Type::UInt32);
  const char* kEncodings[] = {"NULL", "BIT", "BYTE", "SHORT"};
  for (uint64_t i = 2; i < 6; ++i) {
    EXPECT_EQ(original[i].encoding, kEncodings[i - 2]);
    EXPECT_EQ(original[i].type, Type::Float64);
    EXPECT_FALSE(original[i].nullable);
    EXPECT_TRUE(original[i].readable) << original[i].reason;
  }
  EXPECT_EQ(open_bytes(bytes, in_view(CodedValues::Scaled))->table()->field(4).type, Type::Int32);
  EXPECT_EQ(open_bytes(bytes, in_view(CodedValues::Index))->table()->field(4).type, Type::UInt32);
}

TEST(JforestsOpen, HeaderGroupsAndLabel) {
  const auto ranking = open_bytes(every_type().bytes());
  EXPECT_THAT(ranking->header(),
              ElementsAre(Pair("version", "3"), Pair("features", "4"), Pair("rows", "5"),
                          Pair("mode", "ranking"), Pair("queries", "2")));
  const Table& table = *ranking->table();
  EXPECT_EQ(table.name(), "data");
  EXPECT_EQ(table.label_column(), 0);
  ASSERT_EQ(table.group_count(), 2);
  EXPECT_EQ(table.group(1).first, 2);
  EXPECT_EQ(table.group(1).last, 5);

  MadeFile file = every_type();
  file.boundaries.reset();
  const auto plain = open_bytes(file.bytes());
  EXPECT_THAT(plain->header(), ElementsAre(Pair("version", "3"), Pair("features", "4"),
                                           Pair("rows", "5"), Pair("mode", "plain")));
  EXPECT_EQ(plain->table()->group_count(), 0);
  EXPECT_EQ(plain->table()->label_column(), 0);
  EXPECT_THAT(names_of(*plain), ElementsAre("target", "nothing", "bit", "byte", "short"));
  EXPECT_EQ(rows_of(*plain, {"short"}), rows_of(*ranking, {"short"}));
}

TEST(JforestsOpen, FilesWithoutRowsOrFeatures) {
  MadeFile file{.targets = {}, .features = {{}, {}}};
  EXPECT_THAT(rows_every_way(file.bytes()), IsEmpty());
  file.boundaries = {0};
  EXPECT_EQ(open_bytes(file.bytes())->header().back().second, "0");
  EXPECT_THAT(rows_every_way(file.bytes()), IsEmpty());
  EXPECT_THAT(rows_every_way(MadeFile{{2, 3}}.bytes()),
              ElementsAre(R"({"target":2.0})", R"({"target":3.0})"));
  EXPECT_THAT(rows_every_way(MadeFile{{2, 3}, {}, {{0, 1, 2}}}.bytes()),
              ElementsAre(R"({"target":2.0,"query":0})", R"({"target":3.0,"query":1})"));
}

// Scaling has the reference program's order of operations: with a reciprocal or in another order,
// some of these results would differ in the last bit.
TEST(JforestsOpen, ScalesBackBitByBit) {
  MadeFeature linear{kByte, {}, {}, "linear", -2.937, 8.953, 2755.761143818335};
  for (int32_t i = 0; i < 200; ++i) {
    linear.indices += static_cast<char>(i);
    linear.values.push_back(i == 0 ? 0 : 163 * i + i % 7);
  }
  MadeFeature log = linear;
  log.name = "log";
  log.log = 1;
  log.max = 59'878;
  log.factor = jforests::scale_for(log.min, log.max).factor;
  const auto opened = open_bytes(MadeFile{std::vector<double>(200), {linear, log}}.bytes());
  const RowBatch batch = read(Projection(opened->table()), {0, 200});
  for (uint64_t i = 0; i < 200; ++i) {
    const int32_t scaled = linear.values[i];
    EXPECT_EQ(batch.columns[1].get<double>(i), scaled / linear.factor + linear.min);
    EXPECT_EQ(batch.columns[2].get<double>(i), (std::exp(scaled / log.factor) + log.min) - 1);
  }
}

TEST(JforestsOpen, NumbersOfTheScaleNeedNotBeFinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const MadeFile file{{0},
                      {{kNull, {}, {0}, "constant", 3, 3, kInfinity},
                       {kByte, std::string(1, '\0'), {0, 1, 2}, "wide", -1e308, 1e308, 0, 1},
                       {kNull, {}, {0}, "never", kInfinity, -kInfinity, -0.0},
                       {kNull, {}, {0}, "nan", nan, nan, nan, 1}}};
  EXPECT_THAT(
      rows_every_way(file.bytes()),
      ElementsAre(R"({"target":0.0,"constant":3.0,"wide":"NaN","never":"NaN","nan":"NaN"})"));
  const auto opened = open_bytes(file.bytes());
  EXPECT_THAT(metadata_of(*opened, 1),
              ElementsAre(Pair("factor", "Infinity"), Pair("max", "3"), Pair("min", "3"),
                          Pair("scale", "linear"), Pair("values", "1")));
  EXPECT_EQ(metadata_of(*opened, 3)["max"], "-Infinity");
  EXPECT_EQ(metadata_of(*opened, 4)["min"], "NaN");
  EXPECT_EQ(metadata_of(*opened, 4)["scale"], "log");
}

TEST(JforestsOpen, MetadataOfALogFeature) {
  const auto opened = open_bytes(
      MadeFile{{0}, {{kBit, "\1", {0, 9}, "clicks", 138, 59878, 2979.330226644384, 1}}}.bytes());
  EXPECT_THAT(metadata_of(*opened, 1),
              ElementsAre(Pair("factor", "2979.330226644384"), Pair("max", "59878"),
                          Pair("min", "138"), Pair("scale", "log"), Pair("values", "2")));
  EXPECT_THAT(metadata_of(*opened, 0), IsEmpty());
}

TEST(JforestsOpen, NamesAreLatin1AndMayBeNone) {
  const MadeFile file{{},
                      {{.name = "caf\xE9 \x80\xFF"},
                       {.name = "null"},
                       {},
                       {.name = "target"},
                       {.name = "twice"},
                       {.name = "twice"},
                       {.name = "nullable"}},
                      {{0}}};
  EXPECT_THAT(names_of(*open_bytes(file.bytes())),
              ElementsAre("target", "query", "café \u0080ÿ", "f2", "f3", "target.1", "twice",
                          "twice.1", "nullable"));
  MadeFile plain = file;
  plain.boundaries.reset();
  EXPECT_EQ(names_of(*open_bytes(plain.bytes(), {}, false))[2], "f2");
}

// The feature has two bytes per row, so that each index ends in the upper half of the next one, and
// the last in that of k.
TEST(JforestsOpen, OverwrittenIntIndicesReadAsTheReferenceReadsThem) {
  MadeFeature feature{kInt, big_endian(std::vector<uint16_t>{0, 1, 0, 0, 2}), {}, "int"};
  for (int32_t i = 0; i < 0x20005; ++i) feature.values.push_back(3 * i);
  const std::string bytes = MadeFile{std::vector<double>(5), {feature}}.bytes();
  EXPECT_THAT(rows_every_way(bytes, in_view(CodedValues::Index)),
              ElementsAre(R"({"target":0.0,"int":1})", R"({"target":0.0,"int":65536})",
                          R"({"target":0.0,"int":0})", R"({"target":0.0,"int":2})",
                          R"({"target":0.0,"int":131074})"));
  EXPECT_THAT(rows_every_way(bytes, in_view(CodedValues::Scaled)),
              ElementsAre(R"({"target":0.0,"int":3})", R"({"target":0.0,"int":196608})",
                          R"({"target":0.0,"int":0})", R"({"target":0.0,"int":6})",
                          R"({"target":0.0,"int":393222})"));
  const auto opened = open_bytes(bytes);
  EXPECT_EQ(opened->table()->field(1).encoding, "INT");
  EXPECT_TRUE(opened->table()->field(1).readable);
  EXPECT_NE(metadata_of(*opened, 1)["damaged"], "");
}

TEST(JforestsOpen, OverwrittenIntIndicesMayBePastTheValues) {
  const MadeFeature feature{kInt, big_endian(std::vector<uint16_t>{0, 1}), {0, 6}, "int", 10,
                            16393};
  const std::string bytes = MadeFile{{0, 0}, {feature}}.bytes();
  EXPECT_THAT(rows_every_way(bytes),
              ElementsAre(R"({"target":0.0,"int":13.0})", R"({"target":0.0,"int":0.0})"));
  EXPECT_THAT(rows_every_way(bytes, in_view(CodedValues::Scaled)),
              ElementsAre(R"({"target":0.0,"int":6})", R"({"target":0.0,"int":0})"));
  EXPECT_THAT(rows_every_way(bytes, in_view(CodedValues::Index)),
              ElementsAre(R"({"target":0.0,"int":1})", R"({"target":0.0,"int":65536})"));
}

TEST(JforestsOpen, WholeIntIndicesAreNotDamaged) {
  const MadeFeature feature{kInt, big_endian(std::vector<int32_t>{2, 0, 1}), {0, 5, 9}, "int"};
  const std::string bytes = MadeFile{{0, 0, 0}, {feature}}.bytes();
  EXPECT_THAT(rows_every_way(bytes),
              ElementsAre(R"({"target":0.0,"int":4.5})", R"({"target":0.0,"int":0.0})",
                          R"({"target":0.0,"int":2.5})"));
  EXPECT_FALSE(metadata_of(*open_bytes(bytes), 1).contains("damaged"));
}

TEST(JforestsOpen, ReadsTheSameBytesWhateverTheRows) {
  const TempFolder folder;
  const auto bytes_to_open = [&](uint64_t rows, bool ranking) {
    MadeFile file{std::vector<double>(rows),
                  {{kByte, std::string(rows, '\1'), {0, 4, 8}, "a"},
                   {kShort, std::string(2 * rows, '\0'), {0, 4, 8}, "b"}}};
    if (ranking) {
      file.boundaries.emplace(rows + 1);
      for (uint64_t i = 0; i <= rows; ++i) (*file.boundaries)[i] = static_cast<int32_t>(i);
    }
    OpenOptions options;
    options.mmap = false;
    const auto opened = open(folder.write("file.bin", file.bytes()), options);
    return internals(*opened).bytes->bytes_read();
  };
  EXPECT_EQ(bytes_to_open(100'000, true), bytes_to_open(3, true));
  EXPECT_EQ(bytes_to_open(100'000, false), bytes_to_open(3, false));
  EXPECT_LT(bytes_to_open(100'000, true), 128);  // 64 of them to detect the format
}

TEST(JforestsOpen, ProbeTakesWhatBeginsWithTheNumberThree) {
  const auto probe = [](const std::string& head) {
    return jforests::probe(std::as_bytes(std::span(head)), head.size());
  };
  EXPECT_EQ(probe(big_endian(3)), Match::Maybe);
  EXPECT_EQ(probe(every_type().bytes()), Match::Maybe);
  EXPECT_EQ(probe(big_endian(2)), Match::No);
  EXPECT_EQ(probe(big_endian(4)), Match::No);
  EXPECT_EQ(probe(std::string(3, '\0')), Match::No);
  EXPECT_EQ(probe(""), Match::No);
}

}  // namespace
}  // namespace heron::test
