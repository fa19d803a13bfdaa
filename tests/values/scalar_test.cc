// Scalars from text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/fail.h"
#include "error_of.h"
#include "heron/schema.h"
#include "heron/values.h"

namespace heron {
namespace {

using testing::HasSubstr;

void expect_refused(const Type& type, const std::string& text, const std::string& expected) {
  const Error error = test::error_of([&] { parse_scalar(type, text); });
  EXPECT_EQ(error.kind(), ErrorKind::Argument);
  EXPECT_EQ(error.what(), concat("expected ", expected, ", got \"", text, '"'));
}

TEST(ParseScalar, ReadsNullOfEveryType) {
  for (const Type::Id id :
       {Type::Null, Type::Bool, Type::Int32, Type::Float64, Type::Text, Type::Date32}) {
    EXPECT_EQ(parse_scalar(id, "null"), Scalar());
  }
}

TEST(ParseScalar, ReadsBools) {
  EXPECT_EQ(parse_scalar(Type::Bool, "true"), Scalar(true));
  EXPECT_EQ(parse_scalar(Type::Bool, "false"), Scalar(false));
  expect_refused(Type::Bool, "1", "true or false");
}

TEST(ParseScalar, ReadsWholeNumbers) {
  EXPECT_EQ(parse_scalar(Type::Int8, "-7"), Scalar(int64_t{-7}));
  EXPECT_EQ(parse_scalar(Type::UInt32, "7"), Scalar(int64_t{7}));
  EXPECT_EQ(parse_scalar(Type::Int64, "-9223372036854775808"), Scalar(INT64_MIN));
  EXPECT_EQ(parse_scalar(Type::UInt64, "18446744073709551615"), Scalar(UINT64_MAX));
  for (const char* text : {"", "x", "1.5", "1 ", " 1", "9223372036854775808", "--1"}) {
    expect_refused(Type::Int64, text, "a whole number");
  }
  expect_refused(Type::UInt64, "-1", "a whole number that is not negative");
  expect_refused(Type::UInt64, "18446744073709551616", "a whole number that is not negative");
}

TEST(ParseScalar, ReadsNumbers) {
  EXPECT_EQ(parse_scalar(Type::Float64, "-2.5e-3"), Scalar(-2.5e-3));
  EXPECT_EQ(parse_scalar(Type::Float32, "0.1"), Scalar(0.1));
  for (const char* text : {"", "1,5", "0x", "1e400"})
    expect_refused(Type::Float64, text, "a number");
}

TEST(ParseScalar, ReadsTextsAsTheyAre) {
  EXPECT_EQ(parse_scalar(Type::Text, " a\n"), Scalar(std::string(" a\n")));
  EXPECT_EQ(parse_scalar(Type::LargeText, ""), Scalar(std::string()));
}

TEST(ParseScalar, ReadsDates) {
  EXPECT_EQ(parse_scalar(Type::Date32, "1970-01-02"), Scalar(int64_t{1}));
  EXPECT_EQ(parse_scalar(Type::Date32, "2024-02-29"), Scalar(int64_t{19782}));
  EXPECT_EQ(parse_scalar(Type::Date32, "0001-01-01"), Scalar(int64_t{-719162}));
  EXPECT_EQ(parse_scalar(Type::Date32, "-0001-12-31"), Scalar(int64_t{-719529}));
  for (const char* text : {"2023-02-29", "2023-13-01", "2023-1-01", "2023-01-1", "2023/01/01",
                           "40000-01-01", "today", "-", "2026", "20778", "-12"}) {
    expect_refused(Type::Date32, text, "a date such as 2026-11-21");
  }
}

TEST(ParseScalar, ReadsTimes) {
  constexpr int64_t kSecond = 1'000'000'000;
  EXPECT_EQ(parse_scalar(Type::Timestamp, "1970-01-02"), Scalar(86400 * kSecond));
  EXPECT_EQ(parse_scalar(Type::Timestamp, "1970-01-01T00:00:01.5"), Scalar(kSecond * 3 / 2));
  EXPECT_EQ(parse_scalar(Type::Timestamp, "1969-12-31 23:59:59.999999999"), Scalar(int64_t{-1}));
  for (const char* text :
       {"1970-01-01T", "1970-01-01T24:00:00", "1970-01-01T00:60:00", "1970-01-01T00:00",
        "1970-01-01T00:00:00.", "1970-01-01T00:00:00.0000000001", "1970-01-01T00:00:00Z", "42"}) {
    expect_refused(Type::Timestamp, text, "a time such as 2026-11-21T10:20:30");
  }
}

TEST(ParseScalar, ReadsTheFirstAndTheLastTimeAndNoneBeyond) {
  EXPECT_EQ(parse_scalar(Type::Timestamp, "1677-09-21T00:12:43.145224192"), Scalar(INT64_MIN));
  EXPECT_EQ(parse_scalar(Type::Timestamp, "2262-04-11T23:47:16.854775807"), Scalar(INT64_MAX));
  const std::string expected = "a time such as 2026-11-21T10:20:30";
  expect_refused(Type::Timestamp, "1677-09-21T00:12:43.145224191", expected);
  expect_refused(Type::Timestamp, "2262-04-11T23:47:16.854775808", expected);
  expect_refused(Type::Timestamp, "1500-01-01", expected);
}

TEST(ParseScalar, ReadsDateTimesInTicks) {
  EXPECT_EQ(parse_scalar(Type::DateTime, "0001-01-01"), Scalar(int64_t{0}));
  EXPECT_EQ(parse_scalar(Type::DateTime, "0001-01-01T00:00:01.5"), Scalar(int64_t{15'000'000}));
  EXPECT_EQ(parse_scalar(Type::DateTime, "1970-01-01"), Scalar(int64_t{621'355'968'000'000'000}));
  EXPECT_EQ(parse_scalar(Type::DateTime, "9999-12-31 23:59:59.9999999"),
            Scalar(int64_t{3'155'378'975'999'999'999}));
  for (const char* text : {"2026-11-21T10:20:30.00000001", "32000-01-01", "10:20:30", "", "-5"}) {
    expect_refused(Type::DateTime, text, "a time such as 2026-11-21T10:20:30");
  }
}

TEST(ParseScalar, ReadsDurationsInTicks) {
  constexpr int64_t kSecond = 10'000'000;
  EXPECT_EQ(parse_scalar(Type::Duration, "00:00:01"), Scalar(kSecond));
  EXPECT_EQ(parse_scalar(Type::Duration, "-1.02:03:04.005"),
            Scalar(-(((26 * 60 + 3) * 60 + 4) * kSecond + 50'000)));
  EXPECT_EQ(parse_scalar(Type::Duration, "7.00:00:00"), Scalar(7 * 86400 * kSecond));
  EXPECT_EQ(parse_scalar(Type::Duration, "00:00:00.0000001"), Scalar(int64_t{1}));
  EXPECT_EQ(parse_scalar(Type::Duration, "-10675199.02:48:05.4775808"), Scalar(INT64_MIN));
  EXPECT_EQ(parse_scalar(Type::Duration, "10675199.02:48:05.4775807"), Scalar(INT64_MAX));
  for (const char* text : {"10675199.02:48:05.4775808", "-10675199.02:48:05.4775809",
                           "4294967296.00:00:00", "24:00:00", "1.5", "1:00:00", "--00:00:01",
                           "-1.-02:00:00", "00:00:00.12345678", "1.", "", "-12"}) {
    expect_refused(Type::Duration, text, "a duration such as 1.10:20:30");
  }
}

TEST(ParseScalar, ReadsTheNumbersOfKeys) {
  EXPECT_EQ(parse_scalar(Type::key(Type::UInt8, 9), "7"), Scalar(uint64_t{7}));
  expect_refused(Type::key(Type::UInt8, 9), "red", "a whole number that is not negative");
}

TEST(ParseScalar, RefusesWhatHasNoText) {
  for (const Type& type : {Type::list(Type::Int32), Type::vector(Type::Float32, 4),
                           Type(Type::RowId), Type(Type::DateTimeOffset)}) {
    const Error error = test::error_of([&] { parse_scalar(type, "1"); });
    EXPECT_EQ(error.kind(), ErrorKind::Argument);
    EXPECT_THAT(error.what(), HasSubstr(type.name()));
  }
}

}  // namespace
}  // namespace heron
