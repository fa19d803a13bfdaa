// Errors of damaged files: which part is damaged, what was expected and got; the rest can be read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/fail.h"
#include "codecs/jforests/made_file.h"
#include "error_of.h"
#include "files/open.h"
#include "jforests/layout.h"

namespace heron::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Returns a file of three features, four rows, two queries.
MadeFile made() {
  return {.targets = {0, 1, 2, 3},
          .features = {{kByte, std::string("\0\1\2\1", 4), {0, 4, 9}, "first"},
                       {kBit, "\5", {0, 7}, "second"},
                       {kShort, big_endian(std::vector<uint16_t>{0, 1, 0, 1}), {0, 3}, "third"}},
          .boundaries = {{0, 1, 4}}};
}

MadeFile made_plain() {
  MadeFile file = made();
  file.boundaries.reset();
  return file;
}

// Opens the bytes, mapped and not; returns the error.
Error error_of_open(const std::string& bytes, const OpenOptions& options = {}) {
  const Error error = error_of([&] { open_bytes(bytes, options); });
  EXPECT_STREQ(error_of([&] { open_bytes(bytes, options, false); }).what(), error.what());
  return error;
}

void expect_corrupt(const std::string& bytes, const std::string& text) {
  const Error error = error_of_open(bytes);
  EXPECT_EQ(error.kind(), ErrorKind::Corrupt);
  EXPECT_THAT(error.what(), HasSubstr(text));
}

// Expects that the file opens, the second feature ends in this Error, and all else can be read.
void expect_second_feature(const MadeFile& file, ErrorKind kind, const std::string& text) {
  for (const bool mapped : {true, false}) {
    const auto opened = open_bytes(file.bytes(), {}, mapped);
    const auto& table = *opened->table();
    const Field field = table.field(3);
    EXPECT_FALSE(field.readable);
    EXPECT_EQ(field.type, Type::Float64);
    EXPECT_THAT(field.reason, HasSubstr(text));
    const Error error = error_of([&] { rows_of(*opened, {field.name}); });
    EXPECT_EQ(error.kind(), kind);
    EXPECT_EQ(rows_of(*opened, {"target", "query", "first", "third"}),
              rows_of(*open_bytes(made().bytes()), {"target", "query", "first", "third"}));
  }
}

TEST(JforestsDamage, InAFeatureHidesNoOther) {
  MadeFile file = made();
  MadeFeature& second = file.features[1];
  second.value_count = 0;
  expect_second_feature(file, ErrorKind::Corrupt,
                        "\"f2\": number of values at byte 116: expected 1");
  second.value_count = -5;
  expect_second_feature(file, ErrorKind::Corrupt, "expected 1 to 3, got -5");
  second.value_count = INT32_MAX;
  expect_second_feature(file, ErrorKind::Corrupt, "expected 1 to 3, got 2147483647");
  second.value_count.reset();
  second.name_length = -1;
  expect_second_feature(file, ErrorKind::Corrupt,
                        "length of the name at byte 128: expected 6 as the record's size leaves");
  second.name_length = 1000;
  expect_second_feature(file, ErrorKind::Corrupt, "got 1000");
  second.name_length.reset();
  second.spare = "12345";
  expect_second_feature(file, ErrorKind::Corrupt,
                        "\"second\": length of the name at byte 128: expected 11 as the record's "
                        "size leaves, got 6");
  second.spare.clear();
  second.type = kShort;
  expect_second_feature(file, ErrorKind::Corrupt, "\"f2\"");
  second.type = kBit;
  second.values = {7};
  expect_second_feature(file, ErrorKind::Corrupt,
                        "\"second\": number of values at byte 116: expected 2, which");
  second.values = {7, 7};
  expect_second_feature(file, ErrorKind::Corrupt,
                        "feature 2 \"second\": value 1 at byte 124: expected more than 7");
  second.values = {7, -7};
  expect_second_feature(file, ErrorKind::Corrupt, "got -7");
}

// No byte is left for a name; with one value more or less, bytes for one would be left.
TEST(JforestsDamage, ANameThatIsNotThere) {
  MadeFile file = made();
  MadeFeature& second = file.features[1];
  second.name.clear();
  second.name_length = 5;
  expect_second_feature(file, ErrorKind::Corrupt,
                        "length of the name at byte 128: expected 0 as the record's size leaves, "
                        "got 5");
  second.name_length = 256;
  expect_second_feature(file, ErrorKind::Corrupt, "got 256");
}

TEST(JforestsDamage, AScaleThatContradictsItself) {
  MadeFile file = made();
  MadeFeature& second = file.features[1];
  const MadeFeature whole = second;
  second.factor = std::nextafter(2, 3);  // as another machine's logarithm may have it
  EXPECT_EQ(rows_of(*open_bytes(file.bytes()), {"second"}).size(), 4);
  for (const double factor : {2.001, -2.0, 0.0, std::numeric_limits<double>::quiet_NaN(),
                              std::numeric_limits<double>::infinity()}) {
    second.factor = factor;
    expect_second_feature(file, ErrorKind::Corrupt,
                          "\"second\": scale at byte 136: expected factor 2, linear, as values "
                          "from 0 to 16383 have, got ");
  }
  second = whole;
  second.log = 1;
  expect_second_feature(file, ErrorKind::Corrupt, "got 2, log");
  second = whole;
  second.min = 1;
  expect_second_feature(file, ErrorKind::Corrupt, "as values from 1 to 16383 have, got 2, linear");
  second = whole;
  second.max = 40'000;
  expect_second_feature(file, ErrorKind::Corrupt, ", log, as values from 0 to 40000 have");
}

TEST(JforestsDamage, ZeroIsAmongTheValues) {
  MadeFile file = made();
  for (const std::vector<int32_t>& values :
       {std::vector<int32_t>{1, 7}, {-7, -1}, {-1, 1}, {-9, -3, -1, 2, 5}}) {
    file.features[1].values = values;
    expect_second_feature(file, ErrorKind::Corrupt,
                          concat("values at byte 120: expected 0 among them, got ", values.size()));
  }
  for (const std::vector<int32_t>& values :
       {std::vector<int32_t>{-2, 0}, {0, 7}, {-1, 0, 1}, {-9, -3, -1, 0, 5}}) {
    file.features[1].values = values;
    EXPECT_EQ(rows_of(*open_bytes(file.bytes()), {"second"}).size(), 4);
  }
}

TEST(JforestsDamage, ARecordSmallerThanAnyIsDamaged) {
  MadeFile file = made();
  const std::string bytes = with(with(file.bytes(), 16, big_endian(10)), 20, big_endian(88));
  const auto opened = open_bytes(bytes);
  EXPECT_THAT(opened->table()->field(3).reason,
              HasSubstr("record at byte 115: expected at least 36 bytes for 4 rows, got 10"));
  EXPECT_EQ(rows_of(*opened, {"first"}).size(), 4);
}

TEST(JforestsDamage, ATypeNobodyHasDefinedIsNotDamage) {
  MadeFile file = made();
  for (const int type : {5, 255}) {
    file.features[1].type = static_cast<char>(type);
    expect_second_feature(file, ErrorKind::Unsupported,
                          concat("type at byte 25: expected 0 to 4, got ", type));
    const auto opened = open_bytes(file.bytes());
    EXPECT_EQ(opened->table()->field(3).encoding, concat("type ", type));
    EXPECT_THAT(opened->table()->field(3).metadata, IsEmpty());
    EXPECT_EQ(Projection(opened->table()).size(), 4);  // left out
  }
  file.features[0].type = 9;  // the mode is found by the next feature's record
  file.features[1].type = kBit;
  EXPECT_EQ(rows_of(*open_bytes(file.bytes()), {"second"}),
            rows_of(*open_bytes(made().bytes()), {"second"}));
}

TEST(JforestsDamage, IndicesPastTheValuesAreMetWhenTheyAreRead) {
  MadeFile file = made();
  file.features[0].indices[2] = 3;
  const auto opened = open_bytes(file.bytes());
  const Projection first(opened->table(), std::vector<std::string>{"first"});
  const Error error = error_of([&] { read(first, {0, 4}); });
  EXPECT_EQ(error.kind(), ErrorKind::Corrupt);
  EXPECT_THAT(error.what(), HasSubstr("\"first\" row 2"));
  EXPECT_THAT(json_rows(read(first, {3, 4})), ElementsAre(R"({"first":2.0})"));
  EXPECT_EQ(rows_of(*opened, {"second"}).size(), 4);
}

TEST(JforestsDamage, OneWholeIntIndexPastTheValues) {
  const MadeFile file{{0, 0}, {{kInt, big_endian(std::vector<int32_t>{1, 2}), {0, 5}, "int"}}};
  for (const CodedValues view : {CodedValues::Original, CodedValues::Scaled, CodedValues::Index}) {
    const auto opened = open_bytes(file.bytes(), in_view(view));
    EXPECT_EQ(error_of([&] { rows_of(*opened); }).kind(), ErrorKind::Corrupt);
  }
}

TEST(JforestsDamage, ExtraBytesAreCounted) {
  expect_corrupt(made().bytes() + "x",
                 "expected 225 bytes for a ranking file of 3 features, 4 rows, 2 queries, got 226: "
                 "1 byte too many");
  expect_corrupt(made_plain().bytes() + std::string(5, '\0'),
                 "expected 209 bytes for a plain file of 3 features, 4 rows, got 214: "
                 "5 bytes too many");
  // The file is as long as a ranking file: the first target's upper half is read as the number of
  // queries, which is 0.
  expect_corrupt(made_plain().bytes() + std::string(8, '\0'), "8 bytes too many");
  // Without rows the number is k of the first feature, and zeros would be right boundaries.
  const MadeFile no_rows{{}, {{}, {}}};
  expect_corrupt(no_rows.bytes() + std::string(12, '\0'), "12 bytes too many");
  expect_corrupt(MadeFile{{}}.bytes() + "xyz", "got 15: 3 bytes too many");
}

TEST(JforestsDamage, EveryCutNamesTheSizes) {
  const std::string whole = made().bytes();
  for (size_t size = 4; size < whole.size(); ++size) {
    const Error error = error_of_open(whole.substr(0, size));
    EXPECT_EQ(error.kind(), ErrorKind::Corrupt) << size;
    EXPECT_THAT(error.what(), HasSubstr("expected ")) << size;
    EXPECT_THAT(error.what(), HasSubstr(concat(size))) << size;
  }
  const size_t plain_length = made_plain().bytes().size();
  expect_corrupt(whole.substr(0, plain_length), "ranking file of 3 features");
  expect_corrupt(whole.substr(0, plain_length), "got 209: 16 bytes missing");
}

TEST(JforestsDamage, InTheHeaderIsFoundAtOpen) {
  const std::string whole = made().bytes();
  expect_corrupt(with(whole, 4, big_endian(-8)),
                 "number of features at byte 4: expected 0 or more");
  expect_corrupt(with(whole, 4, big_endian(INT32_MAX)), "expected at most 42");
  expect_corrupt(with(whole, 8, big_endian(-1)), "number of rows at byte 8");
  expect_corrupt(with(whole, 8, big_endian(INT32_MAX)), "got 225: 17179869128 bytes missing");
  expect_corrupt(with(whole, 16, big_endian(-1)), "size of feature 2 at byte 16");
  expect_corrupt(with(whole, 16, big_endian(INT32_MAX)), "got 225: 2147483601 bytes missing");
  expect_corrupt(with(whole, 27, big_endian(-1)), "number of queries at byte 27");
  expect_corrupt(with(whole, 27, big_endian(3)), "4 bytes missing");
  expect_corrupt(with(whole, 67, big_endian(0)), "feature 1: number of values at byte 67");
}

TEST(JforestsDamage, SizesAreNotSummedIn32Bits) {
  MadeFile file = made();
  std::string bytes = file.bytes();
  const auto size = [&](uint64_t i) {
    return static_cast<uint32_t>(file.features[i].record().size());
  };
  bytes = with(bytes, 16, big_endian(size(1) + 0x7FFFFF00U));
  bytes = with(bytes, 20, big_endian(size(2) + 0x7FFFFF00U));
  bytes = with(bytes, 12, big_endian(size(0) + 0x200U));
  expect_corrupt(bytes, "4294967");
}

TEST(JforestsDamage, OuterBoundariesAreCheckedAtOpen) {
  const std::string whole = made().bytes();
  expect_corrupt(with(whole, 213, big_endian(1)),
                 "query boundary 0 at byte 213: expected 0, got 1");
  expect_corrupt(with(whole, 221, big_endian(3)),
                 "query boundary 2 at byte 221: expected 4, got 3");
}

TEST(JforestsDamage, InnerBoundariesAreCheckedWhenGroupsAreRequested) {
  for (const int32_t wrong : {-1, 5}) {
    for (const bool mapped : {true, false}) {
      const auto opened = open_bytes(with(made().bytes(), 217, big_endian(wrong)), {}, mapped);
      const std::string text = concat("query boundary 1 at byte 217: expected 0 to 4, got ", wrong);
      EXPECT_EQ(opened->table()->group_count(), 2);
      EXPECT_THAT(error_of([&] { opened->table()->group(0); }).what(), HasSubstr(text));
      EXPECT_THAT(error_of([&] { rows_of(*opened, {"query"}); }).what(), HasSubstr(text));
      EXPECT_EQ(error_of([&] { verify(*opened); }).kind(), ErrorKind::Corrupt);
      EXPECT_EQ(rows_of(*opened, {"target", "first", "second", "third"}).size(), 4);
    }
  }
  MadeFile file = made();
  file.boundaries = {{0, 3, 2, 4}};
  const auto opened = open_bytes(file.bytes());
  EXPECT_THAT(error_of([&] { opened->table()->group(0); }).what(),
              HasSubstr("query boundary 2 at byte 221: expected 3 to 4, got 2"));
}

TEST(JforestsDamage, AForcedModeAnswersWhatIsThere) {
  const std::string whole = made().bytes();
  const auto rows = [](const File& opened, const char* column) {
    return rows_of(opened, {column});
  };
  const auto undamaged = open_bytes(whole);
  const MadeFile file = made();
  const std::vector<std::pair<std::string, uint64_t>> ends = {{"target", file.feature_offset(0)},
                                                              {"first", file.feature_offset(1)},
                                                              {"second", file.feature_offset(2)},
                                                              {"third", file.boundaries_offset()},
                                                              {"query", whole.size()}};
  for (size_t size = file.targets_offset(); size < whole.size(); ++size) {
    const std::string cut = whole.substr(0, size);
    const auto opened = open_bytes(cut, in_mode(GroupMode::Ranking), size % 2 == 0);
    for (uint64_t column = 0; column < ends.size(); ++column) {
      const auto& [name, end] = ends[column];
      if (size >= end) {
        EXPECT_EQ(rows(*opened, name.c_str()), rows(*undamaged, name.c_str())) << size;
      } else {
        const uint64_t index = column == 0 ? 0 : column == 4 ? 1 : column + 1;
        const Projection projection(opened->table(), std::vector{index});
        const Error error = error_of([&] { read(projection, {0, 4}); });
        EXPECT_EQ(error.kind(), ErrorKind::Corrupt) << size << error.what();
      }
    }
    EXPECT_EQ(error_of([&] { opened->table()->group(0); }).kind(), ErrorKind::Corrupt) << size;
  }
}

TEST(JforestsDamage, AForcedModeOverlooksExtraBytes) {
  const std::string extra = "more";
  EXPECT_EQ(rows_every_way(made().bytes() + extra, in_mode(GroupMode::Ranking)),
            rows_of(*open_bytes(made().bytes())));
  EXPECT_EQ(rows_every_way(made_plain().bytes() + extra, in_mode(GroupMode::Plain)),
            rows_of(*open_bytes(made_plain().bytes())));
}

TEST(JforestsDamage, AForcedModeIsNotTheOtherOne) {
  const Error plain = error_of_open(made().bytes(), in_mode(GroupMode::Plain));
  EXPECT_EQ(plain.kind(), ErrorKind::Corrupt);
  EXPECT_THAT(plain.what(), HasSubstr("opened in mode plain, but its records lie as in a ranking"));
  const Error ranking = error_of_open(made_plain().bytes(), in_mode(GroupMode::Ranking));
  EXPECT_THAT(ranking.what(),
              HasSubstr("opened in mode ranking, but its records lie as in a plain"));
}

TEST(JforestsDamage, AForcedModeNeedsTheHeader) {
  const std::string whole = made().bytes();
  const Error cut = error_of_open(whole.substr(0, 29), in_mode(GroupMode::Ranking));
  EXPECT_THAT(cut.what(), HasSubstr("number of queries at byte 27: expected 4 bytes, got a file"));
  const Error negative =
      error_of_open(with(whole, 27, big_endian(-1)), in_mode(GroupMode::Ranking));
  EXPECT_THAT(negative.what(), HasSubstr("number of queries at byte 27: expected 0 or more"));
  const auto claims =
      open_bytes(with(whole, 27, big_endian(INT32_MAX)), in_mode(GroupMode::Ranking));
  EXPECT_THAT(error_of([&] { claims->table()->group(0); }).what(),
              HasSubstr("expected 8589934592 bytes for 2147483647 queries, got 12"));
}

TEST(JforestsDamage, RowsNeedAQuery) {
  MadeFile file = made();
  for (const int32_t only : {0, 4}) {
    file.boundaries = {only};
    const auto table = open_bytes(file.bytes(), in_mode(GroupMode::Ranking))->table();
    EXPECT_EQ(table->group_count(), 0);
    const Projection query(table, std::vector<std::string>{"query"});
    EXPECT_THAT(error_of([&] {
                  read(query, {0, 4});
                }).what(),
                HasSubstr("expected at least one query for 4 rows, got none"));
    const Projection target(table, std::vector<std::string>{"target"});
    EXPECT_EQ(read(target, {0, 4}).rows, 4);
  }
}

TEST(JforestsDamage, AnotherVersionIsNotOurs) {
  MadeFile file = made();
  for (const int32_t version : {2, 4}) {
    file.version = version;
    EXPECT_EQ(error_of_open(file.bytes()).kind(), ErrorKind::UnknownFormat);
    OpenOptions options;
    options.format = "jforests";
    const Error error = error_of_open(file.bytes(), options);
    EXPECT_EQ(error.kind(), ErrorKind::Unsupported);
    EXPECT_THAT(error.what(), HasSubstr(concat("version at byte 0: expected 3, got ", version)));
  }
}

// A payload of any size: its first bytes, then zeros.
class Claims final : public ByteSource {
 public:
  explicit Claims(std::string head, uint64_t bytes = uint64_t{1} << 40)
      : ByteSource("claims", bytes, nullptr), head_(std::move(head)) {}
  void read(uint64_t offset, std::span<std::byte> into, const Context&) const override {
    for (size_t i = 0; i < into.size(); ++i) {
      into[i] = offset + i < head_.size() ? std::byte(head_[offset + i]) : std::byte{0};
    }
  }

 private:
  std::string head_;
};

TEST(JforestsDamage, FeaturesThatAPayloadClaimsAreLimited) {
  const auto opened = [](int32_t features, uint64_t budget) {
    Context context;
    context.memory = std::make_shared<MemoryBudget>(budget);
    const auto head = big_endian(std::vector<int32_t>{jforests::kVersion, features, 0});
    return error_of(ErrorKind::Limit, [&] {
      open_source(std::make_shared<Claims>(head), {.format = "jforests"}, context);
    });
  };
  constexpr int32_t kMaxFeatures = (256 << 20) / 14 - 1;  // of 14 bytes each, and 8
  EXPECT_THAT(opened(kMaxFeatures + 1, uint64_t{1} << 40), HasSubstr("of metadata in a payload"));
  EXPECT_THAT(opened(kMaxFeatures, uint64_t{64} << 20),
              testing::Not(HasSubstr("of metadata in a payload")));
}

TEST(JforestsDamage, QueriesThatAPayloadClaimsAreLimited) {
  constexpr int32_t kQueries = 100'000'000;
  const auto head = big_endian(std::vector<int32_t>{jforests::kVersion, 0, 0, kQueries});
  const auto bytes = std::make_shared<Claims>(head, 20 + uint64_t{4} * kQueries);
  const auto table = open_source(bytes, {.format = "jforests"}, Context{})->table();
  EXPECT_THAT(error_of(ErrorKind::Limit, [&] { table->group(0); }),
              HasSubstr("query boundaries at byte 16: expected at most 268435456 bytes"));
}

}  // namespace
}  // namespace heron::test
