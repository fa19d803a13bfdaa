// Lists, keys and ranges on the command line.
#include "parsing/arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heron/error.h"

namespace heron::cli {
namespace {

using testing::ElementsAre;

TEST(Arguments, NamesMayStandInBackticks) {
  EXPECT_THAT(parse_names("a,b c,d"), ElementsAre("a", "b c", "d"));
  EXPECT_THAT(parse_names("`x,y`,z"), ElementsAre("x,y", "z"));
  EXPECT_THAT(parse_names("```a``b`"), ElementsAre("`a`b"));
  EXPECT_THAT(parse_names("a`b"), ElementsAre("a`b"));
  EXPECT_EQ(parse_name("`x,y`"), "x,y");
  EXPECT_EQ(parse_name("x,y"), "x,y");
  EXPECT_THROW(parse_names("`a"), Error);
  EXPECT_THROW(parse_names("`a`b"), Error);
  EXPECT_THROW(parse_name("`a`,b"), Error);
}

TEST(Arguments, RangesAreCutToTheRowsThereAre) {
  const auto range = [](std::string_view text) {
    const RowRange rows = parse_range(text, 10);
    return std::pair(rows.first, rows.last);
  };
  EXPECT_EQ(range("2:5"), std::pair(uint64_t{2}, uint64_t{5}));
  EXPECT_EQ(range(":3"), std::pair(uint64_t{0}, uint64_t{3}));
  EXPECT_EQ(range("7:"), std::pair(uint64_t{7}, uint64_t{10}));
  EXPECT_EQ(range("8:99"), std::pair(uint64_t{8}, uint64_t{10}));
  EXPECT_EQ(range("50:99"), std::pair(uint64_t{10}, uint64_t{10}));
  EXPECT_EQ(range("50:"), std::pair(uint64_t{10}, uint64_t{10}));
  for (const char* wrong : {"5", "5:2", "-1:2", "a:b", "1:2:3", "1: 2", "99999999999999999999:"}) {
    EXPECT_THROW(parse_range(wrong, 10), Error) << wrong;
  }
}

TEST(Arguments, SizesMayHaveUnitsOf1024) {
  const auto size = [](std::string_view text) { return parse_size("--max-decode", text); };
  EXPECT_EQ(size("0"), 0u);
  EXPECT_EQ(size("1000"), 1000u);
  EXPECT_EQ(size("3K"), 3072u);
  EXPECT_EQ(size("3KiB"), 3072u);
  EXPECT_EQ(size("512M"), uint64_t{512} << 20);
  EXPECT_EQ(size("4GiB"), uint64_t{4} << 30);
  EXPECT_EQ(size("2T"), uint64_t{2} << 40);
  EXPECT_EQ(size("18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(size("16777215TiB"), uint64_t{16777215} << 40);
  for (const char* wrong : {"", "K", "4k", "4KB", "4B", "4iB", "4Gi", "4GiBs", "4 G", "-1", "1.5G",
                            "4E", "16777216T", "18446744073709551616", "99999999999999999999K"}) {
    EXPECT_THROW(size(wrong), Error) << wrong;
  }
}

TEST(Arguments, SharesAreFromNothingToAll) {
  EXPECT_EQ(parse_share("split", "0"), 0);
  EXPECT_EQ(parse_share("split", "0.8"), 0.8);
  EXPECT_EQ(parse_share("split", "1"), 1);
  for (const char* wrong : {"", "x", "1.01", "-0.1", "nan", "inf", "0.5x", "80%"}) {
    EXPECT_THROW(parse_share("split", wrong), Error) << wrong;
  }
}

TEST(Arguments, RowListsTakeNothingButNumbers) {
  EXPECT_THAT(parse_row_list("5,2,9,2"), ElementsAre(5, 2, 9, 2));
  for (const char* wrong : {"", "1,", "1,,2", "1 2", "-1", "0x1"}) {
    EXPECT_THROW(parse_row_list(wrong), Error) << wrong;
  }
}

Schema text_and_number() {
  Schema schema(2);
  schema[0].name = "city";
  schema[0].type = Type::Text;
  schema[1].name = "n";
  schema[1].type = Type::Int32;
  return schema;
}

TEST(Arguments, KeysAreWrittenLikeCsv) {
  const Schema schema = text_and_number();
  EXPECT_THAT(parse_key(schema, "Oslo,7"), ElementsAre(Scalar("Oslo"), Scalar(int64_t{7})));
  EXPECT_THAT(parse_key(schema, "\"a,\"\"b\"\"\",-7"),
              ElementsAre(Scalar("a,\"b\""), Scalar(int64_t{-7})));
  EXPECT_THAT(parse_key(schema, "null,null"), ElementsAre(Scalar(), Scalar()));
  EXPECT_THAT(parse_key(schema, "\"null\",0"), ElementsAre(Scalar("null"), Scalar(int64_t{0})));
  EXPECT_THAT(parse_key(schema, ",0"), ElementsAre(Scalar(""), Scalar(int64_t{0})));
  for (const char* wrong : {"Oslo", "Oslo,7,8", "Oslo,x", "\"Oslo,7"}) {
    EXPECT_THROW(parse_key(schema, wrong), Error) << wrong;
  }
}

}  // namespace
}  // namespace heron::cli
