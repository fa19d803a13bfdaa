// Headers, tables and the walk over objects.
#include <gmock/gmock.h>

#include "base/fail.h"
#include "opened_file.h"
#include "table/internals.h"
#include "temp_folder.h"

namespace heron::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

std::string one_table() {
  return kBalsaFile.header() + kBalsaFile.table<int16_t>("in16", 2, 1, {-1, 258});
}

class EitherOrder : public ::testing::TestWithParam<std::tuple<std::endian, bool>> {
 protected:
  template <class T>
  Rows rows(const std::string& type_id, const std::vector<T>& cells) const {
    const auto [order, mapped] = GetParam();
    const BalsaFile file(order);
    return rows_of(*opened(file.header() + file.table(type_id, 2, 2, cells), mapped), "table[0]");
  }
};
INSTANTIATE_TEST_SUITE_P(Balsa, EitherOrder,
                         ::testing::Combine(::testing::Values(std::endian::little,
                                                              std::endian::big),
                                            ::testing::Bool()));

TEST_P(EitherOrder, CellsOfEveryScalarAreReadRowByRow) {
  EXPECT_EQ(rows<uint8_t>("ui08", {1, 2, 3, 255}),
            (Rows{R"({"c0":1,"c1":2})", R"({"c0":3,"c1":255})"}));
  EXPECT_EQ(rows<int8_t>("in08", {1, 2, 3, -128}),
            (Rows{R"({"c0":1,"c1":2})", R"({"c0":3,"c1":-128})"}));
  EXPECT_EQ(rows<uint16_t>("ui16", {1, 2, 3, 65535}),
            (Rows{R"({"c0":1,"c1":2})", R"({"c0":3,"c1":65535})"}));
  EXPECT_EQ(rows<int16_t>("in16", {1, 2, 3, INT16_MIN}),
            (Rows{R"({"c0":1,"c1":2})", R"({"c0":3,"c1":-32768})"}));
  EXPECT_EQ(rows<uint32_t>("ui32", {1, 2, 3, UINT32_MAX}),
            (Rows{R"({"c0":1,"c1":2})", R"({"c0":3,"c1":4294967295})"}));
  EXPECT_EQ(rows<int32_t>("in32", {1, 2, 3, INT32_MIN}),
            (Rows{R"({"c0":1,"c1":2})", R"({"c0":3,"c1":-2147483648})"}));
  EXPECT_EQ(rows<float>("fl32", {1.5F, 2.5F, 3.5F, -0.25F}),
            (Rows{R"({"c0":1.5,"c1":2.5})", R"({"c0":3.5,"c1":-0.25})"}));
  EXPECT_EQ(rows<double>("fl64", {1.5, 0.1, 3.5, -0.25}),
            (Rows{R"({"c0":1.5,"c1":0.1})", R"({"c0":3.5,"c1":-0.25})"}));
  EXPECT_EQ(rows<uint8_t>("bool", {1, 0, 0, 200}),
            (Rows{R"({"c0":true,"c1":false})", R"({"c0":false,"c1":true})"}));
}

TEST(Balsa, NothingIsNullInATable) {
  const auto balsa = opened(kBalsaFile.header() + kBalsaFile.table<int8_t>("in08", 1, 1, {-128}));
  EXPECT_FALSE(balsa->table()->field(0).nullable);
  EXPECT_EQ(balsa->table()->field(0).encoding, "in08");
}

TEST(Balsa, EveryObjectIsATable) {
  const std::string table = kBalsaFile.table<uint8_t>("ui08", 1, 1, {7});
  const BalsaTree leaf{3, 4, "fl32", {0}, {0}, {0}, {0}, {2}};
  const auto balsa =
      opened(kBalsaFile.header() + table + BalsaFile::ensemble("") + kBalsaFile.tree(leaf) + table +
             BalsaFile::ensemble(kBalsaFile.tree(leaf)) + kBalsaFile.tree(leaf));
  EXPECT_THAT(table_names(*balsa), ElementsAre("table[0]", "nodes", "trees", "tree[0]",
                                                 "table[1]", "nodes[1]", "trees[1]", "tree[1]"));
  EXPECT_THAT(verify(*balsa), IsEmpty());
}

TEST(Balsa, AFileWithoutObjectsHasNoTables) {
  EXPECT_THAT(opened(kBalsaFile.header())->tables(), IsEmpty());
}

TEST(Balsa, TheHeaderIsToldAsItIsStored) {
  const BalsaFile big(std::endian::big);
  const auto balsa = opened(big.header(
      {BalsaFile::strn("", "no key"), BalsaFile::ui08("file_minor_version", 7),
       BalsaFile::ui08("creator_major_version", 9), BalsaFile::ui08("file_major_version", 1),
       BalsaFile::entry("b", "bool", std::string(1, 4)), big.ui32("n", 4'000'000'000),
       BalsaFile::entry("i", "in16", big.number<int16_t>(-2)),
       BalsaFile::entry("f", "fl32", big.number(0.1F)),
       BalsaFile::entry("d", "fl64", big.number(-0.1)), BalsaFile::strn("n", "again")}));
  EXPECT_THAT(
      balsa->header(),
      ElementsAre(Pair("byte_order", "big"), Pair("", "no key"), Pair("file_minor_version", "7"),
                  Pair("creator_major_version", "9"), Pair("file_major_version", "1"),
                  Pair("b", "true"), Pair("n", "4000000000"), Pair("i", "-2"), Pair("f", "0.1"),
                  Pair("d", "-0.1"), Pair("n", "again")));
}

TEST(Balsa, KeysComeInAnyOrderAmongOthersAndTheLastOfEqualOnesWins) {
  const std::string table = kBalsaFile.table<uint8_t>(
      BalsaFile::dictionary({BalsaFile::strn("scalar_type_id", "ui08"), kBalsaFile.ui32("", 3),
                             kBalsaFile.ui32("row_count", 999), kBalsaFile.ui32("column_count", 1),
                             BalsaFile::strn(std::string(255, 'k'), std::string(255, '\n')),
                             kBalsaFile.ui32("row_count", 2)}),
      {5, 6});
  const auto balsa = opened(kBalsaFile.header() + table);
  EXPECT_EQ(rows_of(*balsa, "table[0]"), (Rows{R"({"c0":5})", R"({"c0":6})"}));
}

TEST(Balsa, TablesMayHaveNoRowsOrNoColumns) {
  const auto balsa = opened(kBalsaFile.header() + kBalsaFile.table<float>("fl32", 0, 5, {}) +
                              kBalsaFile.table<uint8_t>("ui08", 3, 0, {}) +
                              kBalsaFile.table<uint8_t>("ui08", 0, 0, {}));
  EXPECT_EQ(balsa->table("table[0]")->rows(), 0);
  EXPECT_EQ(balsa->table("table[0]")->column_count(), 5);
  EXPECT_EQ(balsa->table("table[1]")->rows(), 3);
  EXPECT_EQ(balsa->table("table[1]")->column_count(), 0);
  EXPECT_EQ(balsa->table("table[2]")->rows(), 0);
  EXPECT_EQ(rows_of(*balsa, "table[0]"), Rows{});
  EXPECT_EQ(rows_of(*balsa, "table[1]"), (Rows{"{}", "{}", "{}"}));
  EXPECT_THAT(verify(*balsa), IsEmpty());
}

TEST(Balsa, ColumnsWithoutRowsAreLimitedInAllTablesTogether) {
  const std::string half = kBalsaFile.table<uint8_t>("ui08", 0, 8'192, {});
  EXPECT_EQ(opened(kBalsaFile.header() + half + half)->tables().size(), 2);
  EXPECT_EQ(kind_of_opening(kBalsaFile.header() + half + half +
                            kBalsaFile.table<uint8_t>("ui08", 0, 1, {})),
            ErrorKind::Limit);
  EXPECT_EQ(
      kind_of_opening(kBalsaFile.header() + kBalsaFile.table<uint8_t>("ui08", 0, UINT32_MAX, {})),
      ErrorKind::Limit);
}

TEST(Balsa, ClaimedCellsAreHeldAgainstTheFile) {
  const auto claiming = [](uint32_t rows, uint32_t columns) {
    return kBalsaFile.header() + kBalsaFile.table<double>("fl64", rows, columns, {1, 2});
  };
  EXPECT_EQ(opened(claiming(2, 1))->table()->rows(), 2);
  for (const auto& [rows, columns] :
       std::vector<std::pair<uint32_t, uint32_t>>{{UINT32_MAX, UINT32_MAX},
                                                  {UINT32_MAX, 1},
                                                  {1, UINT32_MAX},
                                                  {1 << 31, 1 << 30},
                                                  {3, 1},
                                                  {1, 1}}) {
    EXPECT_EQ(kind_of_opening(claiming(rows, columns)), ErrorKind::Corrupt) << rows << columns;
  }
  // 2^64 bytes, which are none if the product wraps.
  EXPECT_EQ(kind_of_opening(kBalsaFile.header() +
                            kBalsaFile.table<double>("fl64", 1 << 31, 1 << 30, {})),
            ErrorKind::Corrupt);
}

TEST(Balsa, EveryTruncationIsSeenOnOpening) {
  const BalsaTree leaf{3, 4, "fl32", {0}, {0}, {0}, {0}, {2}};
  const std::string object = BalsaFile::ensemble(kBalsaFile.tree(leaf));
  const std::string file = one_table() + object;
  for (uint64_t bytes = 4; bytes < file.size(); ++bytes) {
    if (bytes == kBalsaFile.header().size() || bytes == file.size() - object.size()) continue;
    EXPECT_EQ(kind_of_opening(file.substr(0, bytes)), ErrorKind::Corrupt) << bytes;
  }
}

TEST(Balsa, AnErrorNamesOffsetExpectedAndGot) {
  std::string file = one_table();
  file.replace(file.size() - 4, 4, "lb\n\xff");
  EXPECT_EQ(text_of_opening(file), concat("made: end of a table at byte ", file.size() - 4,
                                          R"(: expected "lbat", got "lb\x0a\xff")"));
}

TEST(Balsa, BytesBehindTheLastObjectAreCounted) {
  EXPECT_EQ(kind_of_opening(one_table() + "hello"), ErrorKind::Corrupt);
  EXPECT_THAT(text_of_opening(one_table() + "hello"), HasSubstr("got 5 bytes"));
  EXPECT_THAT(text_of_opening(one_table() + "tr"), HasSubstr("got 2 bytes"));
}

TEST(Balsa, SignatureVersionAndTypesAreThoseThatAreDefined) {
  const auto with_header = [](const std::vector<std::string>& entries) {
    return kind_of_opening(kBalsaFile.header(entries));
  };
  const std::string major = BalsaFile::ui08("file_major_version", 1);
  const std::string minor = BalsaFile::ui08("file_minor_version", 0);
  EXPECT_EQ(kind_of_opening("blsalEnd" + BalsaFile::dictionary({major, minor})),
            ErrorKind::Corrupt);
  EXPECT_EQ(kind_of_opening("bls"), ErrorKind::UnknownFormat);
  EXPECT_EQ(with_header({BalsaFile::ui08("file_major_version", 2), minor}), ErrorKind::Unsupported);
  EXPECT_EQ(with_header({major}), ErrorKind::Corrupt);
  EXPECT_EQ(with_header({minor}), ErrorKind::Corrupt);
  EXPECT_EQ(with_header({BalsaFile::entry("file_major_version", "in08", {1}), minor}),
            ErrorKind::Corrupt);
  EXPECT_EQ(with_header({major, minor, kBalsaFile.ui32("creator_name", 1)}), ErrorKind::Corrupt);
  EXPECT_EQ(with_header({major, minor, kBalsaFile.ui32("creator_minor_version", 1)}),
            ErrorKind::Corrupt);
  EXPECT_EQ(with_header({major, minor, BalsaFile::entry("x", "in64", "12345678")}),
            ErrorKind::Unsupported);
  EXPECT_EQ(kind_of_opening(kBalsaFile.header() + kBalsaFile.table<int64_t>("in64", 1, 1, {1})),
            ErrorKind::Unsupported);
  EXPECT_EQ(kind_of_opening(kBalsaFile.header() + kBalsaFile.table<uint8_t>("strn", 1, 1, {1})),
            ErrorKind::Unsupported);
}

TEST(Balsa, TheEarlyDraftIsRefusedByName) {
  const auto refused = [](const std::string& file) {
    const Error error = error_of([&] { opened(file); });
    EXPECT_THAT(error.what(), HasSubstr("no program is known to write"));
    return error.kind() == ErrorKind::Unsupported;
  };
  const std::string uncounted =
      "dict" + BalsaFile::ui08("MAJORVERSION", 1) + BalsaFile::ui08("MINORVERSION", 0) + "tcid";
  EXPECT_TRUE(refused("blsalend" + uncounted));
  EXPECT_TRUE(
      refused("blsalendtabl" + kBalsaFile.number(1U) + kBalsaFile.number(1U) + "ui08" + "1lbat"));
  EXPECT_TRUE(refused("blsalendfrst"));
  EXPECT_TRUE(refused(kBalsaFile.header() + "frst"));
  EXPECT_TRUE(refused(kBalsaFile.header() + "tabl" + kBalsaFile.number(1U) + kBalsaFile.number(1U) +
                      "ui081lbat"));
  EXPECT_TRUE(refused(kBalsaFile.header() + "treedict" + BalsaFile::ui08("classcount", 3)));
  // Trees may be null at this offset: another marker is damage.
  const std::string ends_so = kBalsaFile.header() + BalsaFile::ensemble("");
  EXPECT_EQ(kind_of_opening(ends_so.substr(0, ends_so.size() - 4) + "frst"), ErrorKind::Corrupt);
}

TEST(Balsa, OpeningReadsNoCells) {
  const TempFolder folder;
  const auto bytes_read = [&](uint32_t rows) {
    const std::vector<double> cells(rows);
    const std::string path =
        folder.write("f.balsa", kBalsaFile.header() + kBalsaFile.table("fl64", rows, 1, cells) +
                                    kBalsaFile.table<int8_t>("in08", 1, 1, {5}));
    OpenOptions options;
    options.mmap = false;
    return internals(*open(path, options)).bytes->bytes_read();
  };
  EXPECT_LT(bytes_read(100'000), 4096);
  EXPECT_EQ(bytes_read(200'000), bytes_read(100'000));
}

}  // namespace
}  // namespace heron::test
