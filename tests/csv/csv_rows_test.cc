// What stands in heron/csv.h, one thing at a time.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <numeric>

#include "error_of.h"
#include "heron/csv.h"
#include "temp_folder.h"

namespace heron {
namespace {

using test::error_of;
using test::TempFolder;

std::string types_of(const RowSource& rows) {
  std::string text;
  for (const Field& field : rows.schema()) {
    text += text.empty() ? "" : " ";
    text += field.type.name() + (field.nullable ? "?" : "");
  }
  return text;
}

class Csv : public testing::Test {
 protected:
  RowSourcePtr rows(std::string_view text, const CsvOptions& options = {},
                    const Context& context = {}) {
    return csv_rows({folder_.write("x.csv", text)}, options, context);
  }
  // The type of one column with these fields, a line each.
  std::string type(std::string_view fields) { return types_of(*rows(concat("x\n", fields, '\n'))); }
  RowBatch all(const RowSource& source) {
    std::vector<uint64_t> columns(source.schema().size());
    std::iota(columns.begin(), columns.end(), uint64_t{0});
    RowBatch batch;
    EXPECT_TRUE(source.read(columns, {})->next(batch));
    return batch;
  }
  std::string error(std::string_view text, const CsvOptions& options = {}) {
    const std::string what = error_of(ErrorKind::Corrupt, [&] { rows(text, options); });
    return what.substr(folder_.path().size() + 1);
  }
  std::string told(Type type, std::string_view field) {
    CsvOptions options;
    options.types = {{"x", type}};
    return error(concat("x\n", field, '\n'), options);
  }

  TempFolder folder_;
};

TEST_F(Csv, TypesAreTheFirstThatHoldAllValues) {
  EXPECT_EQ(type("true\nFALSE"), "bool");
  EXPECT_EQ(type("0\n1"), "int32");
  EXPECT_EQ(type("-2147483648\n2147483647"), "int32");
  EXPECT_EQ(type("2147483648"), "int64");
  EXPECT_EQ(type("-9223372036854775808"), "int64");
  EXPECT_EQ(type("9223372036854775808"), "text");
  EXPECT_EQ(type("9223372036854775807\n9223372036854775809"), "text");
  EXPECT_EQ(type("1\n2.5"), "float64");
  EXPECT_EQ(type("9007199254740993\n2.5"), "text");
  EXPECT_EQ(type("100000000000000000000"), "float64");
  EXPECT_EQ(type(".5\n5.\n-1E+5\nNaN\n-Infinity\ninf"), "float64");
  EXPECT_EQ(type("0.12345678901234567890123"), "float64");
  EXPECT_EQ(type("1e400"), "text");
  EXPECT_EQ(type("1e-400"), "text");
  EXPECT_EQ(type("4.9e-324"), "float64");
  EXPECT_EQ(type("-0"), "float64");
  EXPECT_EQ(type("2026-11-21"), "date32");
  EXPECT_EQ(type("2026-11-21\n2026-11-21T10:20:30.5"), "timestamp[ns]");
  EXPECT_EQ(type("2026-11-21 10:20:30"), "timestamp[ns]");
  EXPECT_EQ(type("3026-11-21\n2026-11-21T10:20:30"), "text");
  EXPECT_EQ(type("true\n1"), "text");
  EXPECT_EQ(type("2026-11-21\n20"), "text");
}

TEST_F(Csv, WhatMightLoseSomethingIsText) {
  for (const char* text : {"007",        "+5",
                           "00",         "-007",
                           "0x10",       "1e",
                           "1e+",        ".",
                           "-",          "1,5",
                           "1 ",         "12-03-04",
                           "2026-13-01", "2026-11-21T25:00:00",
                           "tRUE",       "Infinit",
                           "+inf",       "1.5.2",
                           "1_000",      "99999999999999999999999"}) {
    EXPECT_EQ(type(concat('"', text, '"')), "text") << text;
  }
}

TEST_F(Csv, MissingAndEmpty) {
  EXPECT_EQ(type("1\n\n2"), "int32?");
  EXPECT_EQ(type("NA\nnull\nNULL\n"), "null?");
  EXPECT_EQ(type("\"NA\"\n1"), "text");
  EXPECT_EQ(type("\"\"\n1"), "text");
  EXPECT_EQ(type("\"12\"\n1"), "int32");
  const auto batch = all(*rows("a,b\nNA,1\n\"NA\",\n\"\",NA\n,2"));
  ASSERT_EQ(batch.rows, 4u);
  EXPECT_TRUE(batch.columns[0].is_missing(0));
  EXPECT_EQ(batch.columns[0].text(1), "NA");
  EXPECT_FALSE(batch.columns[0].is_missing(2));
  EXPECT_EQ(batch.columns[0].text(2), "");
  EXPECT_TRUE(batch.columns[0].is_missing(3));
  EXPECT_EQ(batch.columns[1].missing, 2u);
  CsvOptions options;
  options.missing = {"-999", "?"};
  EXPECT_EQ(types_of(*rows("x\n-999\n?\n3\n", options)), "int32?");
}

TEST_F(Csv, HeaderAndNames) {
  const auto with = rows("\xEF\xBB\xBF\n\"a\"\"b\",,a,a\r\n1,2,3,4");
  EXPECT_EQ(with->schema()[0].name, "a\"b");
  EXPECT_EQ(with->schema()[1].name, "c1");
  EXPECT_EQ(with->schema()[3].name, "a.1");
  EXPECT_EQ(with->rows(), 1u);
  CsvOptions options;
  options.header = false;
  const auto without = rows("1,x\n2,y\n", options);
  EXPECT_EQ(without->schema()[1].name, "c1");
  EXPECT_EQ(types_of(*without), "int32 text");
  EXPECT_EQ(types_of(*rows("a,b\n")), "null null");
}

TEST_F(Csv, TheSeparatorIsFound) {
  EXPECT_EQ(types_of(*rows("a;b\n1,5;2,5\n3,4;5,6\n")), "text text");
  EXPECT_EQ(types_of(*rows("\na\tb,c\n1\t2\n")), "int32 int32");
  EXPECT_EQ(types_of(*rows("a|b|c\n1|2|3\n")), "int32 int32 int32");
  EXPECT_EQ(types_of(*rows("\"a,b\";c\n\"1,2\";3\n\"4\";5\n")), "text int32");
  EXPECT_EQ(types_of(*rows("a b\n1 2\n")), "text");
}

TEST_F(Csv, TypesThatAreTold) {
  CsvOptions options;
  options.types = {{"a", Type::UInt8},    {"b", Type::Float32}, {"c", Type::Text},
                   {"d", Type::Duration}, {"e", Type::Bool},    {"f", Type::UInt64}};
  const auto source = rows(
      "a,b,c,d,e,f\n007,16777217.000000001,007,1.00:00:00,0,18446744073709551615\n"
      "255,1e-60,,,true,+1\n",
      options);
  EXPECT_EQ(types_of(*source), "uint8 float32 text? duration? bool uint64");
  const auto batch = all(*source);
  EXPECT_EQ(batch.columns[0].get<uint8_t>(0), 7);
  EXPECT_EQ(batch.columns[1].get<float>(0), 16777218.0F);  // a double in between would give ..16
  EXPECT_EQ(batch.columns[1].get<float>(1), 0.0F);
  EXPECT_EQ(batch.columns[2].text(0), "007");
  EXPECT_EQ(batch.columns[3].get<int64_t>(0), 864'000'000'000);
  EXPECT_FALSE(batch.columns[4].get_bool(0));
  EXPECT_EQ(batch.columns[5].get<uint64_t>(0), UINT64_MAX);
  options.types = {{"z", Type::Int32}};
  EXPECT_NE(error_of(ErrorKind::Argument, [&] { rows("a\n1\n", options); }).find("\"z\""),
            std::string::npos);
  options.types = {{"a", Type::list(Type::Int32)}};
  error_of(ErrorKind::Argument, [&] { rows("a\n1\n", options); });
}

TEST_F(Csv, ValuesThatDoNotFitNameTheirPlace) {
  EXPECT_EQ(told(Type::Int8, "\"a\n\"\n"),
            "x.csv: line 2, column 1 (\"x\"): expected int8, got \"a.\"");
  EXPECT_EQ(told(Type::Int8, "1\n128"), "x.csv: line 3, column 1 (\"x\"): expected int8, got 128");
  EXPECT_EQ(told(Type::UInt8, "-1"), "x.csv: line 2, column 1 (\"x\"): expected uint8, got -1");
  EXPECT_EQ(told(Type::Float32, "1e39"),
            "x.csv: line 2, column 1 (\"x\"): expected float32, got 1e39");
  EXPECT_EQ(told(Type::Date32, "99999999999"),
            "x.csv: line 2, column 1 (\"x\"): expected a date such as 2026-11-21, got 99999999999");
  EXPECT_EQ(told(Type::Null, "\"\""), "x.csv: line 2, column 1 (\"x\"): expected null, got \"\"");
  EXPECT_LT(told(Type::Bool, std::string(1000, 'x')).size(), 130u);
}

TEST_F(Csv, DamageNamesItsLine) {
  EXPECT_EQ(error("a,b\r\n1,2\r\n\r\n1,2,3\r\n"), "x.csv: line 4: expected 2 fields, got 3");
  EXPECT_EQ(error("a,b\n\"\n\n\",1\n3\n"), "x.csv: line 5: expected 2 fields, got 1");
  EXPECT_EQ(error("a,b\r1,\"x\"y\r"), "x.csv: line 2: characters after a closing quote");
  EXPECT_EQ(error("a,b\n1,\"xy\n"), "x.csv: line 2: a quote that does not close");
  EXPECT_EQ(error(""),
            "x.csv: expected a line with the columns' names, got no line that is not blank");
}

TEST_F(Csv, SeveralFilesAreOne) {
  const auto one = folder_.write("1.csv", "a,b\n1,x\n2,y");
  const auto two = folder_.write("2.csv", "a,b\r\n3000000000,z\r\n");
  const auto none = folder_.write("3.csv", "a,b\n");
  const auto source = csv_rows({one, none, two});
  EXPECT_EQ(types_of(*source), "int64 text");
  EXPECT_EQ(source->rows(), 3u);
  const uint64_t second = 1;
  const auto stream = source->read({&second, 1}, {});
  std::string texts;
  for (RowBatch batch; stream->next(batch);) {
    for (uint64_t row = 0; row < batch.rows; ++row) texts += batch.columns[0].text(row);
  }
  EXPECT_EQ(texts, "xyz");
  const auto other = folder_.write("4.csv", "a,c\n1,x\n");
  EXPECT_NE(error_of(ErrorKind::Argument,
                     [&] {
                       csv_rows({one, other});
                     })
                .find("4.csv: column 2 is \"c\""),
            std::string::npos);
  const auto more = folder_.write("5.csv", "a,b,c\n1,x,y\n");
  error_of(ErrorKind::Argument, [&] { csv_rows({one, more}); });
  error_of(ErrorKind::Argument, [] { csv_rows({}); });
  error_of(ErrorKind::Io, [&] { csv_rows({folder_ / "none.csv"}); });
}

TEST_F(Csv, AFileThatIsChangedIsNoticed) {
  const auto source = rows("a,b\n1,2\n");
  folder_.write("x.csv", "a,b\n1,2,3\n");
  const uint64_t first = 0;
  RowBatch batch;
  EXPECT_EQ(error_of([&] {
              source->read({&first, 1}, {})->next(batch);
            }).kind(),
            ErrorKind::Changed);
}

TEST_F(Csv, ContextStopsAndIsToldOfBothWays) {
  std::string text = "a,b\n";
  for (int i = 0; i < 100'000; ++i) text += "12345678,x\n";
  uint64_t last = 0;
  Context context;
  context.progress = [&](uint64_t done, uint64_t total) {
    EXPECT_LT(last, done);
    EXPECT_EQ(total, 2 * text.size());
    last = done;
  };
  context.memory = std::make_shared<MemoryBudget>(uint64_t{4} << 20);
  const auto source = rows(text, {}, context);
  EXPECT_EQ(last, text.size());
  const uint64_t first = 0;
  const auto stream = source->read({&first, 1}, context);
  for (RowBatch batch; stream->next(batch);) EXPECT_LE(batch.rows, 8192u + 64);
  EXPECT_EQ(last, 2 * text.size());
  std::atomic<bool> cancel = true;
  context.cancel = &cancel;
  error_of(ErrorKind::Cancelled, [&] { rows(text, {}, context); });
}

}  // namespace
}  // namespace heron
