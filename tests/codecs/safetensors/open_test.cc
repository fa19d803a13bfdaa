// Headers, the tables of tensors, and headers that contradict themselves or the file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/fail.h"
#include "error_of.h"
#include "files/open.h"
#include "heron/heron.h"
#include "kit/json_rows.h"
#include "kit/made_table.h"
#include "safetensors/safetensors.h"
#include "table/internals.h"
#include "temp_folder.h"

namespace heron {
namespace {

using test::error_of;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

// Returns a file with that header and buffer.
std::string tensor_file(const std::string& header, const std::string& buffer) {
  std::string file;
  for (int i = 0; i < 8; ++i) file += static_cast<char>(header.size() >> (8 * i));
  return file + header + buffer;
}

std::string tensor(const std::string& name, const std::string& dtype, const std::string& shape,
                   uint64_t begin, uint64_t end) {
  return concat('"', name, "\":{\"dtype\":\"", dtype, "\",\"shape\":", shape, ",\"data_offsets\":[",
                begin, ',', end, "]}");
}

std::shared_ptr<const File> open_tensors(const std::string& file, bool mapped = true) {
  OpenOptions options;
  options.format = "safetensors";
  return open_source(made_source("made", std::as_bytes(std::span(file)), mapped), options, {});
}

std::vector<std::string> tensor_rows(const File& file, const std::string& table) {
  const Projection all(file.table(table));
  return json_rows(read(all, {0, all.table()->rows()}));
}

std::string tensor_fault(const std::string& header, const std::string& buffer) {
  return error_of(ErrorKind::Corrupt, [&] { open_tensors(tensor_file(header, buffer)); });
}

std::vector<std::string> names_of(const File& file) {
  std::vector<std::string> names;
  for (const auto& table : file.tables()) names.push_back(table->name());
  return names;
}

TEST(Safetensors, TensorsAreTables) {
  const std::string header =
      concat('{', tensor("m", "U8", "[2,3]", 0, 6), ',', tensor("v", "I16", "[3]", 6, 12), ',',
             tensor("s", "BOOL", "[]", 12, 13), ',', tensor("c", "I8", "[1,2,2]", 13, 17), "}  ");
  const std::string buffer("\1\2\3\4\5\6\1\0\xfe\xff\3\0\2\1\xff\2\3", 17);
  for (const bool mapped : {true, false}) {
    const auto file = open_tensors(tensor_file(header, buffer), mapped);
    EXPECT_THAT(names_of(*file), ElementsAre("m", "v", "s", "c"));
    EXPECT_THAT(tensor_rows(*file, "m"),
                ElementsAre(R"({"values":[1,2,3]})", R"({"values":[4,5,6]})"));
    EXPECT_THAT(tensor_rows(*file, "v"),
                ElementsAre(R"({"values":1})", R"({"values":-2})", R"({"values":3})"));
    EXPECT_THAT(tensor_rows(*file, "s"), ElementsAre(R"({"values":true})"));
    EXPECT_THAT(tensor_rows(*file, "c"), ElementsAre(R"({"values":[1,-1,2,3]})"));
    const Field field = file->table("c")->field(0);
    EXPECT_EQ(field.type, Type::vector(Type::Int8, {2, 2}));
    EXPECT_EQ(field.encoding, "I8");
    EXPECT_FALSE(field.nullable);
    ASSERT_EQ(field.metadata.size(), 1u);
    EXPECT_EQ(field.metadata[0].name, "shape");
    EXPECT_EQ(field.metadata[0].text, "[1, 2, 2]");
    EXPECT_TRUE(verify(*file).empty());
  }
}

TEST(Safetensors, TensorsOfEqualRowsAreColumnsOfATable) {
  const std::string header =
      concat('{', tensor("data", "U8", "[2]", 4, 6), ',', tensor("y", "U8", "[2,2]", 0, 4), '}');
  const auto file = open_tensors(tensor_file(header, "\1\2\3\4\5\6"));
  EXPECT_THAT(names_of(*file), ElementsAre("data.1", "data", "y"));
  EXPECT_THAT(tensor_rows(*file, ""),
              ElementsAre(R"({"data":5,"y":[1,2]})", R"({"data":6,"y":[3,4]})"));
  EXPECT_THAT(tensor_rows(*file, "data"), ElementsAre(R"({"values":5})", R"({"values":6})"));
}

TEST(Safetensors, AlignedElementsAreReadInPlace) {
  const std::string header = concat('{', tensor("f", "F32", "[2,2]", 0, 16), '}');
  const std::string padded = header + std::string(8 - header.size() % 8, ' ');
  const auto file = open_tensors(tensor_file(padded, std::string(16, '\1')));
  const RowBatch batch = read(Projection(file->table("f")), {1, 2});
  const std::byte* base = bytes_of(*file->table("f")).base();
  EXPECT_EQ(batch.columns[0].children[0].children[0].data.data, base + 8 + padded.size() + 8);
}

// Rows of 64 KiB lie in pages of their own.
TEST(Safetensors, PagesOfTakenVectorsArePrefetched) {
  constexpr uint64_t kRowsOfFile = 64, kSlots = 32'768, kRowBytes = 2 * kSlots, kPage = 4096;
  const test::TempFolder folder;
  for (const char* dtype : {"F16", "I16"}) {
    const std::string header = concat(
        '{',
        tensor("w", dtype, concat('[', kRowsOfFile, ',', kSlots, ']'), 0, kRowsOfFile * kRowBytes),
        '}');
    const std::string path = folder.write(
        "cold.safetensors", tensor_file(header, std::string(kRowsOfFile * kRowBytes, '\1')));
    OpenOptions options;
    options.access = Access::Cold;
    const auto file = open(path, options);
    const RowBatch batch = take(Projection(file->table("w")), {50, 3, 20, 50});
    EXPECT_EQ(batch.columns[0].children[0].children[0].rows, 4 * kSlots);
    EXPECT_GE(file->bytes_prefetched(), 3 * kRowBytes);
    EXPECT_LE(file->bytes_prefetched(), 5 * (kRowBytes + 2 * kPage));
  }
}

TEST(Safetensors, MetadataIsTheHeader) {
  const auto file =
      open_tensors(tensor_file(R"({"__metadata__":{"b":"\u2713","":"x","a":"1"}})", ""));
  EXPECT_THAT(file->header(), ElementsAre(Pair("b", "\u2713"), Pair("", "x"), Pair("a", "1")));
  EXPECT_THAT(names_of(*file), ElementsAre("data"));
  EXPECT_EQ(file->table()->rows(), 0u);
  EXPECT_EQ(file->table()->column_count(), 0u);
  EXPECT_TRUE(open_tensors(tensor_file(R"({"__metadata__":null})", ""))->header().empty());
}

TEST(Safetensors, TensorsWithoutElementsHaveNoRows) {
  const std::string header =
      concat('{', tensor("a", "F32", "[0]", 0, 0), ',', tensor("b", "F16", "[0,3]", 0, 0), ',',
             tensor("c", "I8", "[5,0]", 0, 0), ',',
             tensor("d", "U8", "[18446744073709551615,0,9]", 0, 0), '}');
  const auto file = open_tensors(tensor_file(header, ""));
  for (const auto& table : file->tables()) {
    EXPECT_EQ(table->rows(), 0u);
    EXPECT_TRUE(tensor_rows(*file, table->name()).empty());
  }
  EXPECT_EQ(file->table("b")->field(0).type, Type::vector(Type::Float32, 3));
  EXPECT_EQ(file->table("c")->field(0).type, Type::vector(Type::Int8));
}

TEST(Safetensors, OtherTypesAreListedWithTheReason) {
  const std::string header =
      concat('{', tensor("four", "F4", "[2,2]", 0, 2), ',', tensor("new", "Q7", "[16]", 2, 4), ',',
             tensor("good", "U8", "[2]", 4, 6), '}');
  const auto file = open_tensors(tensor_file(header, "\1\2\3\4\5\6"));
  EXPECT_THAT(tensor_rows(*file, "good"), ElementsAre(R"({"values":5})", R"({"values":6})"));
  for (const auto& [name, dtype] : {std::pair("four", "F4"), {"new", "Q7"}}) {
    const Field field = file->table(name)->field(0);
    EXPECT_FALSE(field.readable);
    EXPECT_THAT(field.reason, HasSubstr(concat("\"", name, "\": the element type \"", dtype)));
  }
  EXPECT_EQ(file->table("new")->rows(), 16u);
}

TEST(Safetensors, VectorsOfTooManySlotsAreListedWithTheReason) {
  const std::string header = concat('{', tensor("a", "U8", "[0,65536,32768]", 0, 0), ',',
                                    tensor("b", "U8", "[0,65536,32767]", 0, 0), '}');
  const auto file = open_tensors(tensor_file(header, ""));
  EXPECT_THAT(file->table("a")->field(0).reason, HasSubstr("at most 2147483647 rows and slots"));
  EXPECT_TRUE(file->table("b")->field(0).readable);
}

TEST(Safetensors, HeadersThatContradictTheFile) {
  EXPECT_THAT(tensor_fault(concat('{', tensor("a", "U8", "[2]", 0, 2), '}'), "abc"),
              HasSubstr("expected 2 bytes, where the tensors end, got 3"));
  EXPECT_THAT(tensor_fault(concat('{', tensor("a", "U8", "[2]", 0, 2), '}'), "a"),
              HasSubstr("tensor \"a\": expected ascending data_offsets of at most 1, got 0 and 2"));
  EXPECT_THAT(tensor_fault(concat('{', tensor("a", "U8", "[2]", 2, 0), '}'), "ab"),
              HasSubstr("ascending data_offsets"));
  EXPECT_THAT(tensor_fault(concat('{', tensor("a", "U8", "[1]", 0, 1), ',',
                                  tensor("b", "U8", "[1]", 2, 3), '}'),
                           "abc"),
              HasSubstr("tensor \"b\": expected data_offsets from 1, where the tensors before it"));
  EXPECT_THAT(tensor_fault(concat('{', tensor("a", "U8", "[2]", 0, 2), ',',
                                  tensor("b", "U8", "[2]", 1, 3), '}'),
                           "abc"),
              HasSubstr("tensor \"b\": expected data_offsets from 2"));
  EXPECT_THAT(tensor_fault(concat('{', tensor("a", "F64", "[2]", 0, 2), '}'), "ab"),
              HasSubstr("expected the bytes of 2 elements of 64 bits, got 2 bytes"));
  EXPECT_THAT(tensor_fault(concat('{', tensor("a", "F4", "[3]", 0, 2), '}'), "ab"),
              HasSubstr("3 elements of 4 bits, got 2 bytes"));
  EXPECT_THAT(tensor_fault(concat('{', tensor("a", "F64", "[2305843009213693952]", 0, 0), '}'), ""),
              HasSubstr("got 0 bytes"));
  EXPECT_THAT(
      tensor_fault(concat('{', tensor("a", "U8", "[4294967296,4294967296]", 0, 0), '}'), ""),
      HasSubstr("fewer than 2^64 elements"));
  EXPECT_THAT(tensor_fault(concat('{', tensor("a", "Q7", "[24]", 0, 2), '}'), "ab"),
              HasSubstr("at most 8 elements a byte"));
  EXPECT_THAT(tensor_fault(concat('{', tensor("a", "U8", "[1]", 0, 1), ',',
                                  tensor("\\u0061", "U8", "[1]", 1, 2), '}'),
                           "ab"),
              HasSubstr("tensor \"a\": expected one tensor of the name, got two"));
}

TEST(Safetensors, HeadersThatAreNotWhole) {
  for (const char* header :
       {"{", "{}x", "[]", " {}", R"({"a":1})", R"({"a":{}})", R"({"a":{"dtype":"U8","shape":[0]}})",
        R"({"a":{"dtype":"U8","data_offsets":[0,0]}})",
        R"({"a":{"shape":[0],"data_offsets":[0,0]}})",
        R"({"a":{"dtype":"U8","dtype":"U8","shape":[0],"data_offsets":[0,0]}})",
        R"({"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0,0]}})",
        R"({"a":{"dtype":8,"shape":[0],"data_offsets":[0,0]}})", R"({"__metadata__":{"a":1}})",
        R"({"__metadata__":[]})", R"({"__metadata__":{},"__metadata__":{}})",
        R"({"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0],"x":[}})"}) {
    EXPECT_THAT(tensor_fault(header, ""), HasSubstr("made: ")) << header;
  }
  EXPECT_NO_THROW(open_tensors(
      tensor_file(R"({"a":{"dtype":"U8","shape":[0],"x":[{"y":[]}],"data_offsets":[0,0]}})", "")));
}

TEST(Safetensors, SizesOfHeaders) {
  const std::string file = tensor_file("{}", "");
  EXPECT_NO_THROW(open_tensors(file));
  for (const uint64_t bytes : {0, 1, 7, 8, 9}) {
    error_of(ErrorKind::Corrupt, [&] { open_tensors(file.substr(0, bytes)); });
  }
  error_of(ErrorKind::Corrupt, [&] { open_tensors(std::string(8, '\xff') + "{}"); });
  std::string large = tensor_file("{}" + std::string(100'000'000 - 2, ' '), "");
  EXPECT_NO_THROW(open_tensors(large));
  large = tensor_file("{}" + std::string(100'000'000 - 1, ' '), "");
  EXPECT_THAT(error_of(ErrorKind::Corrupt, [&] { open_tensors(large); }),
              HasSubstr("at most 100000000 bytes, got 100000001"));
}

TEST(Safetensors, ProbesSizeAndBrace) {
  const auto match = [](const std::string& file, uint64_t head = 9) {
    return safetensors::probe(std::as_bytes(std::span(file)).first(std::min(head, file.size())),
                              file.size());
  };
  EXPECT_EQ(match(tensor_file("{}", "")), Match::Maybe);
  EXPECT_EQ(match(tensor_file("{}", "x")), Match::Maybe);
  EXPECT_EQ(match(tensor_file("[]", "")), Match::No);
  EXPECT_EQ(match(tensor_file("{}", "").substr(0, 9)), Match::No);
  EXPECT_EQ(match(tensor_file("{}", "").substr(0, 8)), Match::No);
  EXPECT_EQ(match("{\"a\":1}{{"), Match::No);
  EXPECT_EQ(match(std::string(9, '\0')), Match::No);
  EXPECT_EQ(match(""), Match::No);
}

}  // namespace
}  // namespace heron
