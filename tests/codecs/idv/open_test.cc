// Files are read by header, contents, lookup tables and codecs; each damaged part has its error.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "codecs/idv/made_file.h"
#include "error_of.h"

namespace heron::test::views {
namespace {

using idv::Compression;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string kSingle = codec("Single");
const std::string kInt32 = codec("Int32");
const std::string kText = codec("TextSpan");

// Makes a file of three rows, two a block.
MadeFile three(const std::string& definition, const std::string& first, const std::string& second,
               Compression compression = Compression::None) {
  return {.rows = 3, .block_rows = 2, .columns = {{"x", definition, {first, second}, compression}}};
}

// Returns the values of column x, as they print.
std::vector<std::string> values_of(MadeFile file, const OpenOptions& options = {}) {
  std::vector<std::string> rows = rows_every_way(file, options);
  file.columns[0].compression = Compression::Deflate;
  EXPECT_EQ(rows_every_way(file, options), rows);
  for (std::string& row : rows) row = row.substr(5, row.size() - 6);  // the value in {"x":..}
  return rows;
}

MadeFile old(MadeFile file) {
  file.version = idv::version(1, 1, 1, 5);
  return file;
}

TEST(IdvOpen, TellsTheHeaderAndTheColumns) {
  MadeFile file = three(kInt32, packed({1, 2}), packed(3));
  file.columns.push_back({"v", vector_codec(kSingle, {3, 4}), {}, Compression::Deflate});
  const auto opened = open_bytes(file.bytes());
  EXPECT_EQ(opened->format(), "idv");
  EXPECT_THAT(opened->header()[0], testing::Pair("version", "1.1.1.6"));
  EXPECT_THAT(opened->header()[1], testing::Pair("compatible_version", "1.1.1.4"));
  EXPECT_EQ(opened->table()->block_count(), 2u);
  const Field vector = opened->table()->field(1);
  const uint64_t shape[] = {3, 4};
  EXPECT_EQ(vector.type, Type::vector(Type::Float32, shape));
  EXPECT_EQ(vector.type.name(), "vector<float32>[3x4]");
  EXPECT_EQ(vector.encoding, "VBuffer<Single, 3x4> deflate");
}

TEST(IdvOpen, EveryCodecOnce) {
  const auto numbers = [](const auto a, const auto b, const auto c, const std::string& name) {
    return values_of(three(codec(name), packed({a, b}), packed(c)));
  };
  EXPECT_THAT(numbers(int8_t{-128}, int8_t{2}, int8_t{3}, "SByte"), ElementsAre("-128", "2", "3"));
  EXPECT_THAT(numbers(uint16_t{1}, uint16_t{65535}, uint16_t{3}, "UInt16"),
              ElementsAre("1", "65535", "3"));
  EXPECT_THAT(numbers(INT64_MIN, int64_t{2}, int64_t{3}, "Int64"),
              ElementsAre("-9223372036854775808", "2", "3"));
  EXPECT_THAT(numbers(1.5, 2.5, -0.25, "Double"), ElementsAre("1.5", "2.5", "-0.25"));
  EXPECT_THAT(numbers(int64_t{1}, int64_t{-2}, int64_t{3}, "TimeSpan"),
              ElementsAre("1", "-2", "3"));
  EXPECT_THAT(values_of(three(codec("Boolean"), "\2", "\1")), ElementsAre("false", "true", "true"));
  EXPECT_THAT(values_of(three(kText, text_block({"a", ""}), text_block({"bc"}))),
              ElementsAre("\"a\"", "\"\"", "\"bc\""));
  EXPECT_THAT(values_of(three(codec("DateTimeOffset"),
                              packed<int16_t>({60, -60}) + packed<int64_t>({36'000'000'000, 7}),
                              packed<int16_t>(0) + packed<int64_t>(9))),
              ElementsAre("[36000000000,60]", testing::_, "[9,0]"));
}

TEST(IdvOpen, KeysStandForNothingOrValues) {
  const std::string definition = codec("Key2", codec("Byte") + packed(uint64_t{5}));
  MadeFile file = three(definition, "\1\5", std::string(1, '\0'));
  EXPECT_EQ(open_bytes(file.bytes())->table()->field(0).type, Type::key(Type::UInt8, 5));
  EXPECT_THAT(values_of(file), ElementsAre("1", "5", "null"));

  // The key has five values, of which only the last is stored.
  file.columns[0].metadata = {
      {"KeyValues", vector_codec(kText, {5}), packed({1, 5, 1, 1, 4}) + text_block({"five"})}};
  EXPECT_THAT(values_of(file), ElementsAre("\"\"", "\"five\"", "null"));
  OpenOptions stored_keys;
  stored_keys.set("stored_keys", true);
  EXPECT_THAT(values_of(file, stored_keys), ElementsAre("1", "5", "0"));
}

// Values that are not stored take no bytes in the file.
TEST(IdvOpen, KeysHaveFewValuesThatAreNotStored) {
  constexpr int kSlots = 1'000'002;
  MadeFile file = three(codec("Key2", codec("Byte") + packed(uint64_t{5})), "\1\2", "\3");
  file.columns[0].metadata = {{"KeyValues", vector_codec(kText, {kSlots}),
                               packed({1, kSlots, 1, 1, 4}) + text_block({"five"})}};
  const auto opened = open_bytes(file.bytes());
  EXPECT_THAT(error_of(ErrorKind::Corrupt, [&] { rows_of(*opened); }),
              HasSubstr("expected at most 1000000 slots that are not stored, got 1000001"));
}

TEST(IdvOpen, VectorsDenseSparseAndOfVaryingLength) {
  const std::string dense = packed({2, 2, -1, -1, 0}) + packed({1.f, 2.f, 3.f, 4.f});
  const std::string sparse = packed({1, 2, 1, 1, 1}) + packed(9.f);
  EXPECT_THAT(values_of(three(vector_codec(kSingle, {2}), dense, sparse)),
              ElementsAre("[1.0,2.0]", "[3.0,4.0]", "[0.0,9.0]"));
  const std::string varying = packed({2, 0, 1, 0, -1, -1, 0}) + packed(5.f);
  EXPECT_THAT(values_of(three(vector_codec(kSingle, {0}), varying, sparse)),
              ElementsAre("[5.0]", "[]", "[0.0,9.0]"));
}

// No item is stored, but the bytes behind the block look like items: only the counts show that.
TEST(IdvOpen, ASparseVectorWithoutItemsIsZero) {
  const std::string first = packed({2, 2, -1, 0, 0}) + packed({1.f, 2.f, 8.f, 8.f});
  EXPECT_THAT(values_of(three(vector_codec(kSingle, {2}), first,
                              packed({1, 2, -1, 0}) + packed({3.f, 4.f}))),
              ElementsAre("[1.0,2.0]", "[0.0,0.0]", "[3.0,4.0]"));
}

TEST(IdvOpen, OldVersionsHaveNullValues) {
  const MadeFile ints = three(kInt32, packed({INT32_MIN, 2}), packed(3));
  EXPECT_THAT(values_of(ints), ElementsAre("-2147483648", "2", "3"));
  EXPECT_THAT(values_of(old(ints)), ElementsAre("null", "2", "3"));

  const MadeFile bools = three(codec("DvBool"), packed(0b0110u), packed(0u));
  EXPECT_THAT(values_of(old(bools)), ElementsAre("null", "true", "false"));

  const MadeFile times =
      three(codec("DvDateTimeZone"),
            packed<int16_t>({INT16_MIN, INT16_MIN}) + packed<int64_t>({INT64_MIN, 7}),
            packed<int16_t>(60) + packed<int64_t>(36'000'000'000));
  EXPECT_THAT(values_of(old(times)), ElementsAre("null", "[7,0]", "[36000000000,60]"));

  const std::string key = codec("Key", codec("UInt16") + '\1' + packed(uint64_t{0}) + packed(9));
  EXPECT_THAT(values_of(old(three(key, packed<uint16_t>({0, 9}), packed<uint16_t>(1)))),
              ElementsAre("null", "9", "1"));
}

TEST(IdvOpen, FilesWithoutRowsOrColumns) {
  MadeFile file{.rows = 0, .block_rows = 0, .columns = {{"x", kInt32, {}}}};
  EXPECT_TRUE(rows_every_way(file).empty());
  file = {.rows = 2, .behind = "anything"};
  EXPECT_THAT(rows_every_way(file), ElementsAre("{}", "{}"));
}

TEST(IdvOpen, RefusesWhatItCannotWalk) {
  const MadeFile good = three(kInt32, packed({1, 2}), packed(3));
  const auto refuses = [&](ErrorKind kind, auto&& change, const std::string& text) {
    MadeFile file = good;
    change(file);
    const std::string bytes = file.bytes();
    for (const bool mapped : {true, false}) {
      EXPECT_THAT(error_of(kind, [&] { open_bytes(bytes, mapped); }), HasSubstr(text));
    }
  };
  constexpr auto kCorrupt = ErrorKind::Corrupt;
  constexpr auto kUnsupported = ErrorKind::Unsupported;
  refuses(
      kUnsupported, [](MadeFile& f) { f.compatible_version = idv::version(1, 1, 1, 3); },
      "expected 1.1.1.4 to 1.1.1.6, got 1.1.1.3");
  refuses(
      kUnsupported,
      [](MadeFile& f) { f.version = f.compatible_version = idv::version(1, 1, 1, 7); },
      "got 1.1.1.7");
  refuses(
      kCorrupt, [](MadeFile& f) { f.version = idv::version(1, 1, 1, 3); },
      "compatible version at byte 16: expected at most the version, 1.1.1.3, got 1.1.1.4");
  refuses(
      kCorrupt, [](MadeFile& f) { f.rows = -1; }, "row count at byte 40");
  refuses(
      kCorrupt, [](MadeFile& f) { f.column_count = 2; }, "at least 21 bytes for each of 2");
  refuses(
      kCorrupt, [](MadeFile& f) { f.column_count = INT32_MAX; }, "for each of 2147483647");
  refuses(
      kCorrupt, [](MadeFile& f) { f.contents_offset = 255; }, "contents offset at byte 24");
  refuses(
      kCorrupt, [](MadeFile& f) { f.tail_offset = INT64_MAX; }, "tail offset at byte 32");
  refuses(
      kCorrupt, [](MadeFile& f) { f.tail_offset = 256; }, "expected 256 to 256, got 300");
}

// Damages one column by `change`; expects the other to be readable. Returns the error of the
// damaged one.
std::string damage_of(ErrorKind kind, const std::function<void(MadeColumn&)>& change) {
  MadeFile file = three(kInt32, packed({1, 2}), packed(3));
  file.columns.push_back({"good", kInt32, {packed({4, 5}), packed(6)}});
  change(file.columns[0]);
  std::string text;
  for (const bool mapped : {true, false}) {
    const auto opened = open_bytes(file.bytes(), mapped);
    text = error_of(kind, [&] { rows_of(*opened, {"x"}); });
    EXPECT_THAT(rows_of(*opened, {"good"}),
                ElementsAre("{\"good\":4}", "{\"good\":5}", "{\"good\":6}"));
  }
  return text;
}

TEST(IdvOpen, DamageInAColumnHidesNoOther) {
  constexpr auto kCorrupt = ErrorKind::Corrupt;
  constexpr auto kUnsupported = ErrorKind::Unsupported;
  const auto with = [](const std::string& definition) {
    return [definition](MadeColumn& c) { c.definition = definition; };
  };
  EXPECT_THAT(damage_of(kUnsupported, with(codec("New", "abc"))), HasSubstr("no codec \"New\""));
  EXPECT_THAT(damage_of(kUnsupported, with(vector_codec(codec("New"), {3}))), HasSubstr("\"New\""));
  EXPECT_THAT(damage_of(kUnsupported, [](MadeColumn& c) { c.compression = Compression{7}; }),
              HasSubstr("no compression 7"));
  EXPECT_THAT(damage_of(kCorrupt, with(codec(""))), HasSubstr("expected a name"));
  EXPECT_THAT(damage_of(kCorrupt, with(codec("Int32", "ab"))), HasSubstr("got 2 bytes"));
  EXPECT_THAT(damage_of(kCorrupt, with(vector_codec(vector_codec(kSingle, {2}), {2}))),
              HasSubstr("none themselves"));
  EXPECT_THAT(damage_of(kCorrupt, with(vector_codec(kSingle, {65536, 65536}))),
              HasSubstr("at most 2147483647 slots"));
  const auto old_key = [](char contiguous, uint64_t least) {
    return codec("Key", codec("UInt16") + contiguous + packed(least) + packed(9));
  };
  EXPECT_THAT(damage_of(kUnsupported, with(old_key('\1', 1))),
              HasSubstr("expected 0, got 1, as development builds of ML.NET wrote it in 2018"));
  EXPECT_THAT(damage_of(kCorrupt, with(old_key('\2', 0))), HasSubstr("expected 1, got 2"));
  EXPECT_THAT(damage_of(kCorrupt, with(codec("Key2", kInt32 + packed(uint64_t{5})))),
              HasSubstr("expected unsigned integers, got Int32"));
  EXPECT_THAT(damage_of(kCorrupt, with(codec("Key2", codec("Byte") + packed(uint64_t{256})))),
              HasSubstr("expected 1 to 255, got 256"));
  EXPECT_THAT(damage_of(kCorrupt, [](MadeColumn& c) { c.block_rows = 0; }),
              HasSubstr("rows per block, got 0"));
  EXPECT_THAT(damage_of(kCorrupt, [](MadeColumn& c) { c.lookup_offset = -16; }),
              HasSubstr("lookup table at byte -16"));
}

TEST(IdvOpen, DamageInABlockHidesNoOther) {
  for (const Compression compression : {Compression::None, Compression::Deflate}) {
    MadeFile file = three(kInt32, packed({1, 2}), packed(3), compression);
    const auto damaged = [&](const MadeFile& made, const std::string& text) {
      for (const bool mapped : {true, false}) {
        const auto opened = open_bytes(made.bytes(), mapped);
        const Projection all(opened->table());
        const auto message = error_of(ErrorKind::Corrupt, [&] { read(all, {0, 1}); });
        EXPECT_THAT(message, HasSubstr("made.idv: block 0 of column \"x\" at byte "));
        EXPECT_THAT(message, HasSubstr(text));
        EXPECT_THAT(json_rows(read(all, {2, 3})), ElementsAre("{\"x\":3}"));
      }
    };
    const auto change = [&](auto&& how) {
      MadeFile made = file;
      how(made.columns[0]);
      return made;
    };
    damaged(change([](MadeColumn& c) { c.block_bytes = INT32_MAX; }), "can become, got 2147483647");
    damaged(change([](MadeColumn& c) { c.block_bytes = 7; }),
            "expected 8 bytes for 2 values, got 7");
    damaged(change([](MadeColumn& c) { c.stored_bytes = -1; }), "got -1 from byte 256");
    damaged(change([](MadeColumn& c) { c.stored_bytes = 1 << 20; }), "got 1048576 from byte 256");
  }
}

TEST(IdvOpen, MetadataIsTyped) {
  MadeFile file = three(kInt32, packed({1, 2}), packed(3));
  MadeColumn& column = file.columns[0];
  column.metadata = {{"IsNormalized", codec("Boolean"), "\1"},
                     {"Unknown", codec("New"), "abc"},
                     {"SlotNames", vector_codec(kText, {2}),
                      packed({1, 2, -1, 0}) + text_block({"a", "b"}), Compression::Deflate}};
  for (const bool mapped : {true, false}) {
    const auto metadata = open_bytes(file.bytes(), mapped)->table()->metadata(0);
    ASSERT_EQ(metadata.size(), 2u);
    EXPECT_THAT(json_rows(*metadata[0].value), ElementsAre("{\"IsNormalized\":true}"));
    EXPECT_THAT(json_rows(*metadata[1].value), ElementsAre("{\"SlotNames\":[\"a\",\"b\"]}"));
  }
  const auto damaged = [&](const std::string& text) {
    const auto opened = open_bytes(file.bytes());
    EXPECT_THAT(error_of(ErrorKind::Corrupt, [&] { opened->table()->metadata(0); }),
                HasSubstr(text));
    EXPECT_EQ(rows_of(*opened).size(), 3u);
  };
  column.metadata[1].kind = "IsNormalized";
  damaged("\"IsNormalized\"");
  column.metadata[1].kind = "";
  damaged("expected a name");
  column.metadata[1].kind = "Other";
  column.metadata[2].stored_bytes = 0;
  damaged("got 0 bytes");
  column.metadata[2].stored_bytes = 1 << 20;
  damaged("got 1048576 bytes");
  column.metadata_offset = 10;
  damaged("got byte 10");
}

}  // namespace
}  // namespace heron::test::views
