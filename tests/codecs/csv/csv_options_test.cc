// The options of CSV files one at a time, notes on values that may mean something else, and files
// whose columns differ.
#include <gtest/gtest.h>

#include "base/fail.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/json_rows.h"
#include "temp_folder.h"

namespace heron {
namespace {

class CsvOptionsTest : public testing::Test {
 protected:
  using Lines = std::vector<std::string>;

  CsvOptionsTest() {
    context_.note = [this](std::string_view text) { notes_.emplace_back(text); };
  }

  // Returns all rows as JSON; expects the same from the stream and the table.
  Lines rows(const std::vector<std::string>& paths, const CsvOptions& csv = {}) {
    notes_.clear();
    const RowSourcePtr stream = csv_rows(paths, csv, context_);
    Lines all;
    std::vector<uint64_t> columns;
    for (uint64_t i = 0; i < stream->schema().size(); ++i) columns.push_back(i);
    const auto read = stream->read(columns, {});
    for (RowBatch batch; read->next(batch);) {
      for (std::string& row : json_rows(batch)) all.push_back(std::move(row));
    }
    OpenOptions options;
    options.format = "csv";
    options.format_options = csv.format_options();
    const auto data = open(paths, options);
    const Projection table(data->table());
    EXPECT_EQ(json_rows(read_all(table)), all);
    types_.clear();
    for (uint64_t i = 0; i < stream->schema().size(); ++i) {
      const Field& field = stream->schema()[i];
      EXPECT_EQ((*table.schema())[i].type.name(), field.type.name()) << field.name;
      types_ += concat(types_.empty() ? "" : " ", field.type.name());
    }
    return all;
  }
  static RowBatch read_all(const Projection& table) {
    return read(table, {0, table.table()->rows()});
  }
  Lines rows_of(std::string_view text, const CsvOptions& csv = {}) {
    return rows({folder_.write("x.csv", text)}, csv);
  }
  std::string error(std::string_view text, const CsvOptions& csv = {}) {
    const std::string path = folder_.write("x.csv", text);
    const std::string what = test::error_of([&] { csv_rows({path}, csv); }).what();
    OpenOptions options;
    options.format_options = csv.format_options();
    EXPECT_EQ(what, test::error_of([&] { open(path, options); }).what());
    return what.starts_with(folder_.path()) ? what.substr(folder_.path().size() + 1) : what;
  }

  test::TempFolder folder_;
  Context context_;
  Lines notes_;
  std::string types_;
};

TEST_F(CsvOptionsTest, BlanksAroundValuesThatAreNotTextDoNotCount) {
  EXPECT_EQ(rows_of("n,f,b,d,t\n1, 2.5,true , 2026-11-21, x\n -2 ,3,\tfalse,2026-11-22\t,y \n"),
            Lines({R"({"n":1,"f":2.5,"b":true,"d":20778,"t":" x"})",
                   R"({"n":-2,"f":3.0,"b":false,"d":20779,"t":"y "})"}));
  EXPECT_EQ(types_, "int32 float64 bool date32 text");
  EXPECT_EQ(notes_, Lines());
  rows_of("a, b\n1, 2\n3, NA\n5, 6\n");
  EXPECT_EQ(types_, "int32 text");
  EXPECT_EQ(notes_,
            Lines({"\" b\": a name with blanks around it, which trim removes",
                   "\" b\": text, because of \" NA\" in line 3; 1 of 3 values is not int32; "
                   "trim removes blanks"}));
}

TEST_F(CsvOptionsTest, Trim) {
  CsvOptions csv;
  csv.trim = true;
  EXPECT_EQ(rows_of("a, b\t,\"c\" \n1, NA,  \"x, \"\"y\"\"\"  \n , 2 , z \n", csv),
            Lines({R"({"a":1,"b":null,"c":"x, \"y\""})", R"({"a":null,"b":2,"c":"z"})"}));
  EXPECT_EQ(types_, "int32 int32 text");
  EXPECT_EQ(error("a,b\n1, \"x\" y\n", csv), "x.csv: line 2: characters after a closing quote");
  EXPECT_EQ(error("a,b\n1, \"x\" \"y\"\n", csv), "x.csv: line 2: characters after a closing quote");
  EXPECT_EQ(error("a,b\n1, \"x\n", csv), "x.csv: line 2: a quote that does not close");
  // A tab that separates is no blank.
  EXPECT_EQ(rows_of("a\tb\tc\n1 \t \"x\" \ty\n2\t\t\n", csv),
            Lines({R"({"a":1,"b":"x","c":"y"})", R"({"a":2,"b":null,"c":null})"}));
}

TEST_F(CsvOptionsTest, TimesWithOffsetsAreInUtc) {
  EXPECT_EQ(
      rows_of("t\n2026-11-21T10:20:30Z\n2026-11-21 10:20:30.5+02:00\n2026-11-21T10:20:30-0130\n"),
      Lines({R"({"t":1795256430000000000})", R"({"t":1795249230500000000})",
             R"({"t":1795261830000000000})"}));
  EXPECT_EQ(types_, "timestamp[ns, UTC]");
  EXPECT_EQ(notes_,
            Lines({"\"t\": times with an offset, such as \"2026-11-21T10:20:30Z\", are read "
                   "as timestamp[ns, UTC]"}));
  // Offsets have every form in other units, too.
  CsvOptions seconds;
  seconds.types = {{"t", Type::timestamp(Type::Second)},
                   {"u", Type::timestamp(Type::Second, "UTC")}};
  EXPECT_EQ(rows_of("t,u\n2026-11-21T10:20:30-0130,2026-11-21T10:20:30-01\n", seconds),
            Lines({R"({"t":1795261830,"u":1795260030})"}));
  // The zone of the second time is not known.
  rows_of("t\n2026-11-21T10:20:30Z\n2026-11-21T10:20:30\n2026-11-22T10:20:30Z\n");
  EXPECT_EQ(types_, "text");
  ASSERT_EQ(notes_.size(), 1U);
  EXPECT_EQ(notes_[0],
            "\"t\": text, because of \"2026-11-21T10:20:30\" in line 3; 1 of 3 values is "
            "not timestamp[ns] with an offset");
  rows_of("t\n2026-11-21T10:20:30\n2026-11-21T10:20:30Z\n2026-11-22T10:20:30\n");
  EXPECT_EQ(notes_, Lines({"\"t\": text, because of \"2026-11-21T10:20:30Z\" in line 3; 1 of 3 "
                           "values is not timestamp[ns] without an offset"}));
}

TEST_F(CsvOptionsTest, WordsAndDatesThatMayMeanSomethingElseAreNoted) {
  rows_of("x,d,e\nyes,03/04/2024,1.2.2024\nno,13/04/2024,2.3.2024\n");
  EXPECT_EQ(types_, "text text text");
  EXPECT_EQ(
      notes_,
      Lines({"\"x\": text, because \"yes\" may be a word; types x=bool reads yes and no",
             "\"d\": text, because \"03/04/2024\" may have the day or the month first; dates "
             "are 2026-11-21",
             "\"e\": text, because \"1.2.2024\" may have the day or the month first; dates are "
             "2026-11-21"}));
  rows_of("a;b\n1,5;1,5\n2;x\n");
  EXPECT_EQ(notes_, Lines({"\"a\": text, because \"1,5\" may have a decimal comma or a mark of "
                           "thousands; decimal , reads the comma"}));
  CsvOptions csv;
  csv.types = {{"x", Type::Bool}};
  EXPECT_EQ(rows_of("x,y\nyes,a\nNo,b\ntrue,c\n0,d\n", csv),
            Lines({R"({"x":true,"y":"a"})", R"({"x":false,"y":"b"})", R"({"x":true,"y":"c"})",
                   R"({"x":false,"y":"d"})"}));
  rows_of("x,y\nyes,1/2\nmaybe,1/2/3\n");
  EXPECT_EQ(notes_, Lines());
}

TEST_F(CsvOptionsTest, FallbacksAreCountedToTheEnd) {
  std::string text = "v\n";
  for (int i = 0; i < 50'000; ++i) text += i % 1000 == 700 ? "n/a\n" : concat(i, '\n');
  rows_of(text);
  EXPECT_EQ(notes_,
            Lines({"\"v\": text, because of \"n/a\" in line 702; 50 of 50000 values are not "
                   "int32"}));
  // Most values are texts, so the column is text.
  text = "v\n1\n";
  for (int i = 0; i < 50'000; ++i) text += "word\n";
  rows_of(text);
  EXPECT_EQ(notes_, Lines());
}

TEST_F(CsvOptionsTest, Comments) {
  CsvOptions csv;
  csv.comment = '#';
  EXPECT_EQ(
      rows_of("# say, \"hello\na,b\r\n#1,\"2\r\n1,\"x\n#y\"\r\n#\n\n2,#z\n# the end, \"", csv),
      Lines({R"({"a":1,"b":"x\n#y"})", R"({"a":2,"b":"#z"})"}));
  EXPECT_EQ(rows_of("a\n1\n#2\n3\n", csv), Lines({R"({"a":1})", R"({"a":3})"}));
  EXPECT_EQ(error("#a\n#b\n", csv),
            "x.csv: expected a line with the columns' names, got no line that is not blank");
  EXPECT_EQ(error("a,b\n#\xE9\n1,2\n", csv), "x.csv: line 2: a comment that is not UTF-8");
  // Comments are at every offset of a block, and longer than one read.
  for (size_t before = 0; before < 130; ++before) {
    const std::string text = concat("a,b\n", std::string(before, 'h'), ",1\n#\"x,\n##\n3,4\n#",
                                    std::string(before, '"'));
    ASSERT_EQ(rows_of(text, csv).size(), 2U) << before;
  }
  const std::string comment = "#" + std::string(1'500'000, '"') + "\n";
  EXPECT_EQ(rows_of(concat(comment, "a,b\n", comment, "1,2\n", comment, comment), csv),
            Lines({R"({"a":1,"b":2})"}));
}

TEST_F(CsvOptionsTest, LinesAtTheStart) {
  CsvOptions csv;
  csv.skip_rows = 3;
  EXPECT_EQ(rows_of("\xEF\xBB\xBFReport \"of\r\r\n\na,b\n1,2\n", csv), Lines({R"({"a":1,"b":2})"}));
  EXPECT_EQ(error("a\nb\n", csv),
            "x.csv: expected a line with the columns' names, got no line that is not blank");
  csv.skip_rows = 200'000;
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += i % 2 == 0 ? "\r\n" : ",,\n";
  EXPECT_EQ(rows_of(text + "a;b\n1;2\n", csv), Lines({R"({"a":1,"b":2})"}));
  csv.skip_rows = 1;
  EXPECT_EQ(error("x\na,b\n1,2\n3\n", csv), "x.csv: line 4: expected 2 fields, got 1");
}

TEST_F(CsvOptionsTest, DecimalComma) {
  CsvOptions csv;
  csv.decimal = ',';
  EXPECT_EQ(rows_of("a;b;c\n1,5;7;1.000,5\n-,25e2; 3 ;x\n", csv),
            Lines({R"({"a":1.5,"b":7,"c":"1.000,5"})", R"({"a":-25.0,"b":3,"c":"x"})"}));
  EXPECT_EQ(types_, "float64 int32 text");
  rows_of("a;b\n1.5;2\n", csv);
  EXPECT_EQ(types_, "text int32");
  csv.types = {{"a", Type::Float32}};
  EXPECT_EQ(rows_of("a;b\n1,5;2\n", csv), Lines({R"({"a":1.5,"b":2})"}));
  EXPECT_EQ(error("a;b\n1.5;2\n", csv),
            "x.csv: line 2, column 1 (\"a\"): expected float32, got 1.5");
  csv.separator = ',';
  EXPECT_EQ(error("a\n1\n", csv), "\",\" cannot separate fields and be the decimal mark too");
  csv.decimal = ';';
  EXPECT_EQ(error("a\n1\n", csv), "x.csv: csv_decimal: expected one of ., ,, got \";\"");
  csv.decimal = '.';
  csv.comment = '"';
  EXPECT_EQ(error("a\n1\n", csv), "a quote or a line's end cannot begin a comment");
}

TEST_F(CsvOptionsTest, RaggedRows) {
  CsvOptions csv;
  EXPECT_EQ(error("a,b,c\n1\n", csv), "x.csv: line 2: expected 3 fields, got 1");
  csv.ragged = CsvRagged::Null;
  EXPECT_EQ(rows_of("a,b,c\n1,x\n\n2,y,z,,\r\n3\r\n\r\n4,,w\n5,\"q\"", csv),
            Lines({R"({"a":1,"b":"x","c":null})", R"({"a":2,"b":"y","c":"z"})",
                   R"({"a":3,"b":null,"c":null})", R"({"a":4,"b":null,"c":"w"})",
                   R"({"a":5,"b":"q","c":null})"}));
  EXPECT_EQ(error("a,b,c\n1,2,3,4\n", csv), "x.csv: line 2: expected at most 3 fields, got 4");
  EXPECT_EQ(error("a,b,c\n1,2,3,\"\"\n", csv), "x.csv: line 2: expected at most 3 fields, got 4");
  std::string text = "a,b,c,d,e\n";
  Lines expected;
  for (int i = 0; i < 30'000; ++i) {
    const int given = 1 + i % 5;
    for (int k = 0; k < 5; ++k) {
      if (k < given) text += concat(k == 0 ? "" : ",", i + k);
    }
    text += i % 3 == 0 ? "\r\n" : "\n";
    std::string row;
    for (int k = 0; k < 5; ++k) {
      row += concat(k == 0 ? "{\"" : ",\"", std::string(1, static_cast<char>('a' + k)), "\":");
      row += k < given ? concat(i + k) : "null";
    }
    expected.push_back(row + "}");
  }
  EXPECT_EQ(rows_of(text, csv), expected);
}

TEST_F(CsvOptionsTest, FilesOfDifferentTypesAndOrdersAreOne) {
  const auto one = folder_.write("1.csv", "id,x,note,when\n1,2,,2026-11-21\n2,3,,2026-11-22\n");
  const auto two =
      folder_.write("2.csv", "when,note,id,x\n2026-11-21T10:00:00,hi,3000000000,0.5\n");
  const auto none = folder_.write("3.csv", "x,id,when,note\n");
  const Lines expected = {R"({"id":1,"x":2.0,"note":null,"when":1795219200000000000})",
                          R"({"id":2,"x":3.0,"note":null,"when":1795305600000000000})",
                          R"({"id":3000000000,"x":0.5,"note":"hi","when":1795255200000000000})"};
  EXPECT_EQ(rows({one, none, two}), expected);
  EXPECT_EQ(types_, "int64 float64 text timestamp[ns]");
  const Lines expected_notes = {
      concat("\"id\": int64 in all files, because it is int32 in ", one, ", int64 in ", two),
      concat("\"x\": float64 in all files, because it is int32 in ", one, ", float64 in ", two),
      concat("\"when\": timestamp[ns] in all files, because it is date32 in ", one,
             ", timestamp[ns] in ", two)};
  EXPECT_EQ(notes_, expected_notes);
  // The files give the same notes when opened, also if one of them has an index.
  notes_.clear();
  write_index(one);
  open(std::vector{one, none, two}, OpenOptions(), context_);
  EXPECT_EQ(notes_, expected_notes);
  EXPECT_EQ(rows({one, none, two}), expected);
  // Given types are not inferred.
  CsvOptions csv;
  csv.types = {{"x", Type::Text}};
  EXPECT_EQ(rows({one, two}, csv)[0], R"({"id":1,"x":"2","note":null,"when":1795219200000000000})");
  EXPECT_EQ(notes_.size(), 2U);
}

TEST_F(CsvOptionsTest, FilesThatHaveNoCommonType) {
  const auto one = folder_.write("1.csv", "id,b\n9007199254740993,true\n");
  const auto two = folder_.write("2.csv", "id,b\n0.5,1\n");
  EXPECT_EQ(rows({one, two}),
            Lines({R"({"id":"9007199254740993","b":"true"})", R"({"id":"0.5","b":"1"})"}));
  const auto other = folder_.write("3.csv", "id,c\n1,2\n");
  for (const bool as_rows : {true, false}) {
    const Error error = test::error_of([&] {
      as_rows ? void(csv_rows({one, other})) : void(open(std::vector{one, other}));
    });
    EXPECT_EQ(error.kind(), ErrorKind::Argument);
    EXPECT_NE(std::string_view(error.what()).find("column 2 is \"c\", which is not in "),
              std::string_view::npos);
  }
}

TEST_F(CsvOptionsTest, OnlyTheHeadIsRead) {
  std::string text = "a,b\n";
  for (int i = 0; i < 200'000; ++i) text += concat(i, ",2\n");
  text += "x,y,z\n";  // an error, if it is read
  const std::string path = folder_.write("x.csv", text);
  OpenOptions options;
  options.head_rows = 10;
  notes_.clear();
  const auto data = open(path, options, context_);
  const uint64_t rows = data->table()->rows();
  EXPECT_GE(rows, 10U);
  EXPECT_LE(rows, 10'000U);
  EXPECT_EQ(notes_, Lines({concat(path, ": types are those of the first ", rows,
                                  " rows; the rest was not read")}));
  EXPECT_EQ(json_rows(read(Projection(data->table()), {9, 10})), Lines({R"({"a":9,"b":2})"}));
  options.head_rows = 100'000;
  EXPECT_GE(open(path, options)->table()->rows(), 100'000U);
  options.head_rows = 300'000;
  EXPECT_EQ(test::error_of([&] { open(path, options); }).kind(), ErrorKind::Corrupt);
  notes_.clear();
  const std::string whole = folder_.write("y.csv", "a,b\n1,2\n");
  EXPECT_EQ(open(whole, options, context_)->table()->rows(), 1U);
  EXPECT_EQ(notes_, Lines());
}

}  // namespace
}  // namespace heron
