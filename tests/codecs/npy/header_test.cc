// A header is parsed strictly, whatever the order of its keys, and a wrong one is an error that
// says where.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "made_array.h"
#include "npy/layout.h"

namespace heron {
namespace {

using test::error_of;
using test::npy_file;
using test::npy_header;
using test::opened_array;
using test::Rows;
using test::rows_of_array;
using test::types_of_array;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string kTwo = test::bytes_of_cells<int32_t>({5, -6});

std::string error_text(const std::string& header, ErrorKind kind = ErrorKind::Corrupt) {
  return error_of(kind, [&] { opened_array(npy_file(header, kTwo)); });
}

TEST(NpyHeader, HasKeysInAnyOrder) {
  const Rows rows = {R"({"values":5})", R"({"values":-6})"};
  for (const char* header : {
           "{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }",
           "{'shape':(2,),'fortran_order':False,'descr':'<i4'}",
           "  {\n\"fortran_order\" : True,\t\"shape\": ( 2 , ) , \"descr\": \"<i4\" } \n",
           "{'descr': u'<i4', 'fortran_order': False, 'shape': (2L,)}",
       }) {
    EXPECT_EQ(rows_of_array(npy_file(header, kTwo)), rows) << header;
  }
}

TEST(NpyHeader, IsOfThreeVersions) {
  for (const char version : {1, 2, 3}) {
    const auto file = opened_array(npy_file(npy_header("'<i4'", "(2,)"), kTwo, version));
    EXPECT_EQ(file->header()[0].second, concat(static_cast<int>(version), ".0"));
    EXPECT_EQ(file->table()->rows(), 2);
  }
  const std::string latin = npy_header("[('gr\xFC\xDF', '<i4')]", "(2,)");
  EXPECT_THAT(types_of_array(npy_file(latin, kTwo, 2)), ElementsAre("grüß int32"));
  const std::string utf8 = npy_header("[('grüß', '<i4')]", "(2,)");
  EXPECT_THAT(types_of_array(npy_file(utf8, kTwo, 3)), ElementsAre("grüß int32"));
  EXPECT_THAT(error_of(ErrorKind::Corrupt, [&] { opened_array(npy_file(latin, kTwo, 3)); }),
              HasSubstr("expected UTF-8, got \"\uFFFD"));
  error_of(ErrorKind::Unsupported, [&] { opened_array(npy_file(utf8, kTwo, 4)); });
}

TEST(NpyHeader, HasTextsWithEscapes) {
  const std::string header = npy_header(R"([('a\'b\\c\n\x41\u00fc\U0001f600"', '<i4')])", "(2,)");
  EXPECT_THAT(types_of_array(npy_file(header, kTwo)), ElementsAre("a'b\\c.Aü\U0001f600\" int32"));
  for (const char* name : {R"('\q')", R"('\ud800')", R"('\U00110000')", R"('\x4')", R"('\)"}) {
    EXPECT_THAT(error_text(npy_header(concat("[(", name, ", '<i4')]"), "(2,)")),
                HasSubstr("header at byte "))
        << name;
  }
}

TEST(NpyHeader, IsRefusedWithTheOffset) {
  EXPECT_EQ(error_text("{'descr': '<i4', 'fortran_order': 0, 'shape': (2,)}"),
            "made.npy: header at byte 44: expected True or False, got \"0, 'shape': (2,)}\"");
  EXPECT_EQ(error_text("{'descr': eval('1'), 'fortran_order': False, 'shape': (2,)}"),
            "made.npy: header at byte 20: expected a text in quotes, got \"eval('1'), 'fortran_\"");
  EXPECT_EQ(error_text("{'descr': '<i4', 'fortran_order': False}"),
            "made.npy: header at byte 10: expected a key shape, got none");
  EXPECT_THAT(
      error_text("{'descr': '<i4', 'fortran_order': False, 'shape': (2,), 'x': 1}"),
      HasSubstr("byte 66: expected the keys descr, fortran_order and shape once, got \"'x':\""));
  EXPECT_EQ(error_text("{'descr': '<i4', 'fortran_order': False, 'shape': (2,)"),
            "made.npy: header at byte 64: expected \"}\", got its end");
  EXPECT_THAT(error_text("{'descr': '<i5', 'fortran_order': False, 'shape': (2,)}"),
              HasSubstr("expected a type such as '<f8', got \"'<i5'\""));
  EXPECT_EQ(error_text(npy_header("'<i4'", "(3,)")),
            "made.npy: cells at byte 68: expected 12 bytes for the shape (3,) of items of 4 bytes, "
            "got 8");
}

TEST(NpyHeader, IsBounded) {
  const std::string deep = concat(std::string(99, '['), "'<i4'", std::string(99, ']'));
  error_text(npy_header(deep, "(2,)"));
  std::string nested = "'<i4'";
  for (int i = 0; i < 50; ++i) nested = concat("[('a', ", nested, ")]");
  EXPECT_THAT(error_text(npy_header(nested, "(2,)"), ErrorKind::Limit),
              HasSubstr("expected at most 32 types in each other, got more"));
  std::string axes = "(";
  for (int i = 0; i < 65; ++i) axes += "1, ";
  error_text(npy_header("'<i4'", axes + ")"), ErrorKind::Limit);
  // A long name around many fields takes memory for each.
  std::string fields;
  for (int i = 0; i < 5000; ++i) fields += concat("('", i, "', '<i4'), ");
  const std::string long_name(100'000, 'x');
  error_of(ErrorKind::Limit, [&] {
    opened_array(
        npy_file(npy_header(concat("[('", long_name, "', [", fields, "])]"), "(0,)"), "", 2));
  });
  error_text(npy_header("'<f8'", "(4294967296, 4294967296, 4294967296)"));
  error_text(npy_header("'<f8'", "(99999999999999999999,)"));
  error_text(npy_header("'<f8'", "(1099511627776, 0)"), ErrorKind::Limit);
  error_text(npy_header("[]", "(1099511627776,)"), ErrorKind::Limit);
}

// Spaces behind the dictionary are a part of the header.
TEST(NpyHeader, HasALimitedLength) {
  const auto opened_with = [](uint64_t header_bytes) {
    std::string header = npy_header("'<i4'", "(2,)");
    header.resize(header_bytes, ' ');
    return opened_array(npy_file(header, kTwo, 2));
  };
  EXPECT_EQ(opened_with(npy::kMaxHeaderBytes)->table()->rows(), 2);
  EXPECT_THAT(error_of(ErrorKind::Limit, [&] { opened_with(npy::kMaxHeaderBytes + 1); }),
              HasSubstr("header at byte 12: expected at most 16777216 bytes, got 16777217"));
}

TEST(NpyHeader, OfObjectsIsRefused) {
  EXPECT_THAT(error_text(npy_header("'|O'", "(2,)"), ErrorKind::Unsupported),
              HasSubstr("Python objects (pickled, type |O), which Heron never loads"));
  error_text(npy_header("[('a', '<i4'), ('b', 'O')]", "(1,)"), ErrorKind::Unsupported);
}

TEST(NpyHeader, NamesFields) {
  const std::string cells(64, '\0');
  const auto types = [&](const std::string& descr) {
    return types_of_array(npy_file(npy_header(descr, "(1,)"), cells));
  };
  EXPECT_THAT(types("[('a', '|u1'), ('', '|V3'), ('b', '<f4')]"),
              ElementsAre("a uint8", "b float32"));
  EXPECT_THAT(types("[(('title', 'a'), '<i2', (2, 3)), ('b', '>U2', 4)]"),
              ElementsAre("a vector<int16>[2x3]", "b vector<text>[4]"));
  EXPECT_THAT(types("[('p', [('x', '<f4'), ('q', [('y', '|b1')])], (2,)), ('', '<f8')]"),
              ElementsAre("p.x vector<float32>[2]", "p.q.y vector<bool>[2]", "f1 float64"));
  EXPECT_THAT(types("[('p', ([('x', '<f4')], (3,)))]"), ElementsAre("p.x vector<float32>[3]"));
  EXPECT_THAT(types("[('a', '<i4'), ('a', '<i4')]"), ElementsAre("a int32", "a.1 int32"));
}

}  // namespace
}  // namespace heron
