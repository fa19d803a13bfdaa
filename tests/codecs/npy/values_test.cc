// The values of arrays in either order of axes and bytes, read by all ways, mapped and not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "made_array.h"

namespace heron {
namespace {

using test::bytes_of_cells;
using test::error_of;
using test::npy_file;
using test::npy_header;
using test::opened_array;
using test::Rows;
using test::rows_at;
using test::rows_of_array;
using test::types_of_array;
using testing::ElementsAre;
using testing::HasSubstr;

// Returns an array of int16 of the shape 0, 1, 2, .. in C order.
std::string counted(const std::vector<uint64_t>& shape, bool fortran, bool big_endian) {
  uint64_t count = 1;
  std::string sizes;
  for (const uint64_t size : shape) {
    count *= size;
    sizes += concat(size, ',');
  }
  std::string cells(2 * count, '\0');
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t at = 0;  // index of the item in the file
    for (uint64_t axis = 0, left = i, inner = count, outer = 1; axis < shape.size(); ++axis) {
      inner /= shape[axis];
      at += left / inner * (fortran ? outer : inner);
      left %= inner;
      outer *= shape[axis];
    }
    cells[2 * at + (big_endian ? 1 : 0)] = static_cast<char>(i & 0xFF);
    cells[2 * at + (big_endian ? 0 : 1)] = static_cast<char>(i >> 8);
  }
  return npy_file(npy_header(big_endian ? "'>i2'" : "'<i2'", concat('(', sizes, ')'), fortran),
                  cells);
}

// Returns the rows of that array.
Rows counted_rows(const std::vector<uint64_t>& shape) {
  const uint64_t slots =
      std::accumulate(shape.begin() + 1, shape.end(), uint64_t{1}, std::multiplies<>());
  Rows rows;
  for (uint64_t row = 0; row < shape[0]; ++row) {
    std::string text;
    for (uint64_t i = 0; i < slots; ++i) text += concat(i == 0 ? "" : ",", row * slots + i);
    rows.push_back(shape.size() == 1 ? concat(R"({"values":)", text, '}')
                                     : concat(R"({"values":[)", text, "]}"));
  }
  return rows;
}

TEST(NpyValues, AreTheSameInAnyOrder) {
  for (const std::vector<uint64_t>& shape : std::vector<std::vector<uint64_t>>{
           {7}, {5, 3}, {40, 2}, {70, 3, 2}, {3, 1, 4}, {2, 2, 3, 2}, {1, 5}, {90, 1}}) {
    const Rows rows = counted_rows(shape);
    std::vector<uint64_t> some(rows.size());
    std::iota(some.rbegin(), some.rend(), 0);
    some.push_back(rows.size() / 2);
    Rows taken;
    for (const uint64_t row : some) taken.push_back(rows[row]);
    for (const bool fortran : {false, true}) {
      for (const bool big_endian : {false, true}) {
        for (const bool mapped : {false, true}) {
          const std::string file = counted(shape, fortran, big_endian);
          SCOPED_TRACE(concat(file.substr(10, 60), mapped ? " mapped" : ""));
          EXPECT_EQ(rows_of_array(file, mapped), rows);
          EXPECT_EQ(rows_at(file, some, mapped), taken);
        }
      }
    }
  }
}

TEST(NpyValues, AreNotCopiedIfTheyLieAsTheyAreRead) {
  const std::string file = counted({6, 4}, false, false);
  const auto source = made_source("made.npy", std::as_bytes(std::span(file)), true);
  const auto table = open_source(source, {}, {})->table();
  const RowBatch batch = read(Projection(table), {2, 5});
  const std::byte* cells = batch.columns[0].children[0].children[0].data.data;
  EXPECT_EQ(cells, source->base() + file.size() - 6 * 4 * 2 + 2 * 4 * 2);
}

TEST(NpyValues, OfOneNumberAreARow) {
  const std::string file = npy_file(npy_header("'<f8'", "()"), bytes_of_cells<double>({2.5}));
  EXPECT_THAT(rows_of_array(file), ElementsAre(R"({"values":2.5})"));
  const auto table = opened_array(file)->table();
  const Field& field = table->schema()[0];
  EXPECT_EQ(field.metadata[0].name, "shape");
  EXPECT_EQ(field.metadata[0].text, "()");
}

TEST(NpyValues, MayBeNone) {
  EXPECT_THAT(rows_of_array(npy_file(npy_header("'<f8'", "(0,)"))), ElementsAre());
  EXPECT_THAT(rows_of_array(npy_file(npy_header("'<f8'", "(0, 3)"))), ElementsAre());
  const std::string empty = npy_file(npy_header("'<f8'", "(2, 0, 3)"));
  EXPECT_THAT(types_of_array(empty), ElementsAre("values vector<float64>[?x3]"));
  EXPECT_THAT(rows_of_array(empty), ElementsAre(R"({"values":[]})", R"({"values":[]})"));
  EXPECT_THAT(rows_of_array(npy_file(npy_header("[]", "(2,)"))), ElementsAre("{}", "{}"));
}

TEST(NpyValues, OfFieldsAreColumns) {
  const std::string item = concat(bytes_of_cells<int16_t>({-2}), std::string("\0\3\1\0", 4),
                                  bytes_of_cells<float>({1.5F, 2.5F}));
  const std::string file = npy_file(
      npy_header("[('a', '<i2'), ('b', '>u2'), ('c', '|b1'), ('', '|V1'), ('d', '<f4', (2,))]",
                 "(2,)"),
      item + item);
  const Rows rows(2, R"({"a":-2,"b":3,"c":true,"d":[1.5,2.5]})");
  EXPECT_EQ(rows_of_array(file), rows);
  EXPECT_EQ(rows_of_array(file, false), rows);
  EXPECT_EQ(rows_at(file, {1, 0}), rows);
  const std::string matrix = npy_file(npy_header("[('a', '|i1'), ('b', '<i2')]", "(1, 2)"),
                                      std::string("\1\2\0\3\4\0", 6));
  EXPECT_THAT(rows_of_array(matrix), ElementsAre(R"({"a":[1,3],"b":[2,4]})"));
}

TEST(NpyValues, OfOneTypeSideBySideAreRead) {
  const std::string file =
      npy_file(npy_header("[('a', '<f4'), ('b', '<f4'), ('c', '<f4')]", "(2,)"),
               bytes_of_cells<float>({1, 2, 3, 4, 5, 6}));
  EXPECT_THAT(rows_of_array(file),
              ElementsAre(R"({"a":1.0,"b":2.0,"c":3.0})", R"({"a":4.0,"b":5.0,"c":6.0})"));
  std::vector<float> cells(4);
  const Projection some(opened_array(file)->table(), {"c", "a"});
  matrix(some, RowRange{0, 2}, std::span(cells));
  EXPECT_THAT(cells, ElementsAre(3, 1, 6, 4));
}

TEST(NpyValues, OfTextsEndBeforeZeros) {
  const std::string bytes =
      npy_file(npy_header("'|S3'", "(4,)"), std::string("abca\0b\0\0\0\xC3\xBC\0", 12));
  EXPECT_THAT(rows_of_array(bytes), ElementsAre(R"({"values":"abc"})", R"({"values":"a\u0000b"})",
                                                R"({"values":""})", R"({"values":"ü"})"));
  const std::string wide = npy_file(npy_header("'<U2'", "(3,)"),
                                    bytes_of_cells<uint32_t>({'a', 0x1F600, 0, 0, 0xFC, 0}));
  const Rows rows = {"{\"values\":\"a\U0001f600\"}", R"({"values":""})", R"({"values":"ü"})"};
  EXPECT_EQ(rows_of_array(wide), rows);
  EXPECT_EQ(rows_of_array(wide, false), rows);
  const std::string big =
      npy_file(npy_header("'>U1'", "(2,)"), std::string("\0\0\0A\0\1\xF6\0", 8));
  EXPECT_THAT(rows_of_array(big), ElementsAre(R"({"values":"A"})", "{\"values\":\"\U0001f600\"}"));
}

TEST(NpyValues, ThatAreNoCharactersAreErrorsWhenRead) {
  for (const uint32_t code : {0xD800u, 0xDFFFu, 0x110000u, UINT32_MAX}) {
    const std::string file =
        npy_file(npy_header("'<U1'", "(3,)"), bytes_of_cells<uint32_t>({'a', code, 'b'}));
    EXPECT_EQ(
        error_of(ErrorKind::Corrupt, [&] { rows_of_array(file); }),
        concat("made.npy: column \"values\" row 1: character 0: expected a Unicode code point, "
               "got ",
               code));
    EXPECT_THAT(rows_at(file, {2, 0}), ElementsAre(R"({"values":"b"})", R"({"values":"a"})"));
    EXPECT_THAT(error_of(ErrorKind::Corrupt, [&] { rows_at(file, {2, 1}); }), HasSubstr("row 1"));
  }
}

// `shown` as in a raw answer: days, units since 1970, ticks since year 1, units.
struct TimeCase {
  const char* descr;
  const char* type;
  int64_t stored;
  int64_t shown;
};

TEST(NpyValues, OfTimesAreExact) {
  const TimeCase cases[] = {
      {"<M8[D]", "date32", 1, 1},
      {"<M8[W]", "date32", -1, -7},
      {"<M8[h]", "timestamp[s]", 25, 25 * 3600},
      {"<M8[m]", "timestamp[s]", -1, -60},
      {"<M8[s]", "timestamp[s]", 1, 1},
      {"<M8[s]", "timestamp[s]", INT64_MAX, INT64_MAX},
      {"<M8[25s]", "timestamp[s]", 2, 50},
      {"<M8[ms]", "timestamp[ms]", 1, 1},
      {"<M8[2000us]", "timestamp[ms]", 3, 6},
      {"<M8[us]", "timestamp[us]", 1, 1},
      {"<M8[300ns]", "timestamp[ns]", 2, 600},
      {"<M8[ns]", "timestamp[ns]", 1, 1},
      {"<M8[100ns]", "datetime", 1, 621'355'968'000'000'001},
      {"<m8[D]", "duration[s]", -1, -86'400},
      {"<m8[s]", "duration[s]", 61, 61},
      {"<m8[ms]", "duration[ms]", INT64_MIN + 1, INT64_MIN + 1},
      {"<m8[us]", "duration[us]", 1, 1},
      {"<m8[100ns]", "duration", 1, 1},
      {"<m8[ns]", "duration[ns]", 301, 301},
  };
  for (const TimeCase& one : cases) {
    SCOPED_TRACE(one.descr);
    const std::string file = npy_file(npy_header(concat('\'', one.descr, '\''), "(2,)"),
                                      bytes_of_cells<int64_t>({one.stored, INT64_MIN}));
    EXPECT_THAT(types_of_array(file), ElementsAre(concat("values ", one.type)));
    EXPECT_THAT(rows_of_array(file),
                ElementsAre(concat(R"({"values":)", one.shown, '}'), R"({"values":null})"));
  }
}

TEST(NpyValues, OfTimesThatDoNotFitAreErrorsWhenRead) {
  const auto text = [](const char* descr, int64_t stored) {
    const std::string file =
        npy_file(npy_header(concat('\'', descr, '\''), "(1,)"), bytes_of_cells<int64_t>({stored}));
    return error_of(ErrorKind::Limit, [&] { rows_of_array(file); });
  };
  EXPECT_EQ(text("<M8[h]", INT64_MAX / 1000),
            "made.npy: column \"values\" row 0: expected a value of NumPy type <M8[h] that "
            "timestamp[s] can hold, got 9223372036854775");
  text("<M8[300ns]", INT64_MAX);
  text("<M8[300ns]", INT64_MIN + 1);
  text("<M8[D]", int64_t{1} << 31);
  text("<M8[100ns]", INT64_MAX);
  text("<m8[D]", INT64_MAX);
}

TEST(NpyValues, OfOtherTypesAreListedAndLeftOut) {
  for (const char* descr : {"<f16", "<c8", "<c16", "|V4", "<M8[Y]", "<M8[M]", "<M8",
                            "<m8[ps]", "<m8[Y]", "|S0", "<U0"}) {
    const std::string file = npy_file(
        npy_header(concat("[('x', '", descr, "'), ('n', '|i1')]"), "(1,)"), std::string(17, '\7'));
    const auto table = opened_array(file)->table();
    EXPECT_FALSE(table->schema()[0].readable) << descr;
    EXPECT_THAT(table->schema()[0].reason, HasSubstr(concat("NumPy type ", descr)));
    EXPECT_THAT(json_rows(read(Projection(table, {"n"}), {0, 1})), ElementsAre(R"({"n":7})"));
  }
}

TEST(NpyValues, EndWhereTheFileEnds) {
  const std::string file = npy_file(npy_header("'|u1'", "(3,)"), "abc");
  verify(*opened_array(file));
  const auto longer = opened_array(file + "d");
  EXPECT_EQ(longer->table()->rows(), 3);
  EXPECT_THAT(error_of(ErrorKind::Corrupt, [&] { verify(*longer); }), HasSubstr("1 more bytes"));
}

}  // namespace
}  // namespace heron
