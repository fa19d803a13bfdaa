// The rules of heron/csv_rows.h, one at a time.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cmath>
#include <numeric>

#include "base/fail.h"
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
  // Returns the type of one column whose fields are these, a line each.
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
  std::string reported(Type type, std::string_view field) {
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
  // As digits modulo 2^64 this is -0, too.
  EXPECT_EQ(type("-" + std::string(20, '9') + std::string(64, '0')), "text");
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

TEST_F(Csv, NullAndEmpty) {
  EXPECT_EQ(type("1\n\n2"), "int32?");
  EXPECT_EQ(type("NA\nnull\nNULL\n"), "null?");
  EXPECT_EQ(type("\"NA\"\n1"), "text");
  EXPECT_EQ(type("\"\"\n1"), "text");
  const auto batch = all(*rows("a,b\nNA,1\n\"NA\",\n\"\",NA\n,2"));
  ASSERT_EQ(batch.rows, 4u);
  EXPECT_TRUE(batch.columns[0].is_null(0));
  EXPECT_EQ(batch.columns[0].text(1), "NA");
  EXPECT_FALSE(batch.columns[0].is_null(2));
  EXPECT_EQ(batch.columns[0].text(2), "");
  EXPECT_TRUE(batch.columns[0].is_null(3));
  EXPECT_EQ(batch.columns[1].null_count, 2u);
  CsvOptions options;
  options.null_words = {"-999", "?"};
  EXPECT_EQ(types_of(*rows("x\n-999\n?\n3\n", options)), "int32?");
}

TEST_F(Csv, QuotesTellTextsWhereNotEverythingIsInThem) {
  EXPECT_EQ(type("\"12\"\n1"), "text");
  EXPECT_EQ(type("\"12\"\n\"1\""), "text");
  EXPECT_EQ(types_of(*rows("\"zip\",\"n\"\n\"01234\",5\n\"12345\",6\n")), "text int32");
  EXPECT_EQ(types_of(*rows("\"a\",\"b\",\"c\"\n\"1\",\"true\",\n\"2\",\"false\",NA\n")),
            "int32 bool null?");
  EXPECT_EQ(types_of(*rows("\"a\",b\n\"1\",\"2.5\"\n")), "text text");
  CsvOptions options;
  options.header = false;
  EXPECT_EQ(types_of(*rows("\"1\",\"2.5\"\n", options)), "int32 float64");
  EXPECT_EQ(types_of(*rows("\"1\",\"2.5\"\n\"1\",2\n", options)), "text text");
  options.header = true;
  options.types = {{"x", Type::Int8}};
  EXPECT_EQ(types_of(*rows("x\n\"12\"\n", options)), "int8");
}

TEST_F(Csv, ColumnsThatBecomeTextSayWhy) {
  std::vector<std::string> notes;
  Context context;
  context.note = [&](std::string_view text) { notes.emplace_back(text); };
  const auto notes_of = [&](std::string_view text) {
    notes.clear();
    rows(text, {}, context);
    return notes;
  };
  using Lines = std::vector<std::string>;
  EXPECT_EQ(notes_of("v,w\n1,2\nn/a,\"a\nb\"\n2,x\n"),
            Lines({"\"v\": text, because of \"n/a\" in line 3; 1 of 3 values is not int32"}));
  EXPECT_EQ(notes_of("v\nn/a\n1\n2\n3\n-\n3.5\n"),
            Lines({"\"v\": text, because of \"n/a\" in line 2; 2 of 6 values are not float64"}));
  EXPECT_EQ(
      notes_of("v,w\n1,a\n2,2\n2026-11-21,b\n"),
      Lines({"\"v\": text, because of \"2026-11-21\" in line 4; 1 of 3 values is not int32"}));
  EXPECT_EQ(notes_of("v\n1\n\"2\"\n"), Lines({"\"v\": text, because of \"2\" in line 3; 1 of 2 "
                                              "values is in quotes; types v=int32 reads it"}));
  EXPECT_EQ(notes_of("name,n\nAnn,1\n\"Bob\",NA\n3,\n"), Lines());
  std::string late = "v,w\r\n";
  for (int i = 0; i < 300'000; ++i) late += "1,2\r\n";
  EXPECT_EQ(
      notes_of(late + "1,-\r\n007,3\r\n"),
      Lines({"\"v\": text, because of \"007\" in line 300003; 1 of 300002 values is not int32",
             "\"w\": text, because of \"-\" in line 300002; 1 of 300002 values is not int32"}));
}

TEST_F(Csv, NoteNamesOneOfSeveralFiles) {
  std::vector<std::string> notes;
  Context context;
  context.note = [&](std::string_view text) { notes.emplace_back(text); };
  const auto one = folder_.write("1.csv", "a\n1\n2");
  const auto two = folder_.write("2.csv", "a\n3\n+\n");
  csv_rows({one, two}, {}, context);
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_EQ(notes[0],
            concat("\"a\": text in all files, because it is int32 in ", one, ", text in ", two));
  EXPECT_EQ(notes[1], concat("\"a\": text, because of \"+\" in line 3 of ", two,
                             "; 1 of 4 values is not int32"));
  notes.clear();
  folder_.write("2.csv", "a\n+\n");
  csv_rows({one, two}, {}, context);
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_EQ(notes[1], concat("\"a\": text, because of \"+\" in line 2 of ", two,
                             "; 1 of 3 values is not int32"));
}

TEST_F(Csv, OtherEncodings) {
  using namespace std::string_view_literals;
  const std::string latin1 = "caf\xE9,n\n\x80 \xFC,1\n";
  EXPECT_EQ(error(latin1),
            "x.csv: line 1, column 1: not UTF-8; if it is Latin-1 (\"caf\xC3\xA9\")");
  EXPECT_TRUE(error("a,b\n1,2\n3,\"x\nb\xE9\"\n").starts_with("x.csv: line 4, column 2: not"));
  CsvOptions options;
  options.encoding = CsvEncoding::Bytes;
  EXPECT_EQ(all(*rows(latin1, options)).columns[0].text(0), "\x80 \xFC");
  options.encoding = CsvEncoding::Windows1252;
  EXPECT_EQ(all(*rows(latin1, options)).columns[0].text(0), "\xE2\x82\xAC \xC3\xBC");
  options.encoding = CsvEncoding::Latin1;
  const auto source = rows(latin1, options);
  EXPECT_EQ(source->schema()[0].name, "caf\xC3\xA9");
  EXPECT_EQ(all(*source).columns[0].text(0), "\xC2\x80 \xC3\xBC");

  std::string note;
  Context context;
  context.note = [&](std::string_view text) { note = text; };
  const auto utf16 = rows("\xFF\xFE\x61\0,\0b\0\n\0\x3D\xD8\0\xDE,\0\x31\0\n\0"sv, {}, context);
  EXPECT_EQ(note, concat(folder_.path(), "/x.csv: text in UTF-16, read as such"));
  EXPECT_EQ(types_of(*utf16), "text int32");
  EXPECT_EQ(all(*utf16).columns[0].text(0), "\xF0\x9F\x98\x80");
  EXPECT_EQ(types_of(*rows("\xFE\xFF\0a\0\n\0\x37\0\n"sv)), "int32");
  EXPECT_EQ(error("a\0\n\0\x31\0\n\0"sv), "x.csv: every other byte is 0, as in UTF-16");
  options.encoding = CsvEncoding::Utf16;
  EXPECT_EQ(types_of(*rows("a\0\n\0\x31\0\n\0"sv, options)), "int32");
  EXPECT_EQ(error("\xFF\xFE\x3D\xD8\n\0"sv),
            "x.csv: not UTF-16 at byte 2: the first half of a pair alone");
  EXPECT_EQ(error("\xFF\xFE\0\xDE\n\0"sv),
            "x.csv: not UTF-16 at byte 2: the second half of a pair alone");
  EXPECT_EQ(error("\xFF\xFE\n\0\n"sv), "x.csv: not UTF-16 at byte 4: half a unit at the end");
}

// The files have characters of 1 to 4 bytes, and pairs across the ends of the recoded pieces.
TEST_F(Csv, LongFilesInUtf16) {
  for (size_t before = 0; before < 4; ++before) {
    std::string utf8 = "a,b\n", utf16("\xFF\xFE\x61\0,\0b\0\n\0", 10);
    const auto add = [&](std::string_view as_utf8, std::string_view as_utf16) {
      utf8 += as_utf8;
      utf16 += as_utf16;
    };
    using namespace std::string_view_literals;
    for (size_t i = 0; i < before; ++i) add("\n", "\n\0"sv);
    for (int i = 0; i < 60'000; ++i) {
      add("\xF0\x9F\x98\x80\xC3\xA9\xE2\x82\xAC,", "\x3D\xD8\0\xDE\xE9\0\xAC\x20,\0"sv);
      add("1\n", "1\0\n\0"sv);
      if (i % 7 == 0) add("x,2\n", "x\0,\0\x32\0\n\0"sv);
    }
    const auto one = csv_rows({folder_.write("utf8.csv", utf8)});
    const auto two = csv_rows({folder_.write("utf16.csv", utf16)});
    ASSERT_EQ(types_of(*one), "text int32");
    ASSERT_EQ(types_of(*two), "text int32");
    const std::array<uint64_t, 1> first = {0};
    const auto expected = one->read(first, {}), got = two->read(first, {});
    RowBatch a, b;
    while (expected->next(a)) {
      ASSERT_TRUE(got->next(b));
      ASSERT_EQ(a.rows, b.rows);
      for (uint64_t row = 0; row < a.rows; ++row)
        ASSERT_EQ(a.columns[0].text(row), b.columns[0].text(row));
    }
    ASSERT_FALSE(got->next(b));
  }
}

TEST_F(Csv, OtherFilesAreNamed) {
  const auto refusal = [&](std::string_view content) {
    return error_of(ErrorKind::UnknownFormat, [&] { rows(content); });
  };
  EXPECT_NE(refusal(std::string_view("\x1F\x8B\x08\0", 4)).find("gzip"), std::string::npos);
  EXPECT_NE(refusal(std::string_view("PAR1\x15\0", 6)).find("Parquet"), std::string::npos);
  EXPECT_NE(refusal(std::string_view("\xFF\xFE\0\0", 4)).find("UTF-32"), std::string::npos);
  EXPECT_EQ(types_of(*rows("PAR1,PAR2\n1,2\n")), "int32 int32");
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
  EXPECT_EQ(types_of(*rows("b,\"x;y;z\"\n1,\"p;q;r\"\n")), "int32 text");
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
  EXPECT_EQ(batch.columns[1].get<float>(0), 16777218.0F);  // via a double, it would be ..16
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

TEST_F(Csv, ValuesThatDoNotFitNameTheirPosition) {
  EXPECT_EQ(reported(Type::Int8, "\"a\n\"\n"),
            "x.csv: line 2, column 1 (\"x\"): expected int8, got \"a.\"");
  EXPECT_EQ(reported(Type::Int8, "1\n128"),
            "x.csv: line 3, column 1 (\"x\"): expected int8, got 128");
  EXPECT_EQ(reported(Type::UInt8, "-1"), "x.csv: line 2, column 1 (\"x\"): expected uint8, got -1");
  EXPECT_EQ(reported(Type::Float32, "1e39"),
            "x.csv: line 2, column 1 (\"x\"): expected float32, got 1e39");
  EXPECT_EQ(reported(Type::Date32, "99999999999"),
            "x.csv: line 2, column 1 (\"x\"): expected a date such as 2026-11-21, got 99999999999");
  EXPECT_EQ(reported(Type::Null, "\"\""),
            "x.csv: line 2, column 1 (\"x\"): expected null, got \"\"");
  EXPECT_LT(reported(Type::Bool, std::string(1000, 'x')).size(), 130u);
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
