// Reports, in each form: cells of several types in a column, JSON inside of JSON, tables that show
// all columns.
#include "output/report.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "heron/text.h"

namespace heron::cli {
namespace {

using ReportRows = std::vector<std::vector<Cell>>;

OutputForm form_named(std::string name, std::optional<uint32_t> width = std::nullopt) {
  OutputForm form;
  form.name = std::move(name);
  form.display.width = width;
  return form;
}

std::string written(const OutputForm& form, const Schema& schema, const ReportRows& rows) {
  StringSink sink;
  const auto writer = make_report_writer(form, sink, schema);
  for (const std::vector<Cell>& cells : rows) writer->write(row_of(cells));
  writer->finish();
  return std::string(sink.text());
}

std::string json_of(const Cell& cell, bool raw = false) {
  OutputForm form = form_named("jsonl");
  form.values.raw = raw;
  return written(form, {text_column("x")}, {{cell}});
}

TEST(Report, CellsOfAColumnMayHaveSeveralTypes) {
  const Schema schema = {text_column("min"), number_column("n")};
  const ReportRows rows = {{"5", uint64_t{1}},
                     {Cell(Type::Int32, int64_t{-5}), 0.5},
                     {Cell(Type::Date32, int64_t{0}), {}},
                     {{}, true},
                     {std::optional<double>(), std::optional<uint64_t>(7)}};
  EXPECT_EQ(written(form_named("jsonl"), schema, rows),
            "{\"min\":\"5\",\"n\":1}\n{\"min\":-5,\"n\":0.5}\n"
            "{\"min\":\"1970-01-01\",\"n\":null}\n{\"min\":null,\"n\":true}\n"
            "{\"min\":null,\"n\":7}\n");
  // A text that reads as a number is quoted, so that it stays a text.
  EXPECT_EQ(written(form_named("csv"), schema, rows),
            "min,n\r\n\"5\",1\r\n-5,0.5\r\n1970-01-01,\r\n,true\r\n,7\r\n");
  EXPECT_EQ(written(form_named("table"), schema, rows),
            "min            n\n5              1\n-5           0.5\n1970-01-01  null\n"
            "null        true\nnull           7\n");
}

TEST(Report, CellsOfAColumnHaveItsValues) {
  const Scalar instant = int64_t{637'134'336'000'000'000};
  EXPECT_EQ(json_of(Cell(Type::DateTimeOffset, instant)),
            "{\"x\":\"2020-01-01T00:00:00+00:00\"}\n");
  EXPECT_EQ(json_of(Cell(Type::DateTimeOffset, instant), true), "{\"x\":[637134336000000000,0]}\n");
  EXPECT_EQ(json_of(Cell(Type::Duration, int64_t{-1})), "{\"x\":\"-00:00:00.0000001\"}\n");
  EXPECT_EQ(json_of(Cell(Type::DateTime, int64_t{1}), true), "{\"x\":1}\n");
  EXPECT_EQ(json_of(Cell(Type::key(Type::UInt8, 9), uint64_t{9})), "{\"x\":9}\n");
  EXPECT_EQ(json_of(Cell(Type::Float32, double{0.1F})), "{\"x\":0.1}\n");
  EXPECT_EQ(json_of(Cell(Type::vector(Type::Int8, 3), Scalar())), "{\"x\":null}\n");
  EXPECT_TRUE(Cell(Type::list(Type::Int8), Scalar()).is_null());
}

TEST(Report, JsonIsInJsonAsItIs) {
  const Schema schema = {json_column("counts"), text_column("text")};
  const ReportRows rows = {{"{\"a\":[1]}", "{\"a\":[1]}"}, {{}, {}}};
  EXPECT_EQ(written(form_named("json"), schema, rows),
            "[{\"counts\":{\"a\":[1]},\"text\":\"{\\\"a\\\":[1]}\"},\n"
            " {\"counts\":null,\"text\":null}]\n");
  EXPECT_EQ(written(form_named("csv"), schema, rows),
            "counts,text\r\n\"{\"\"a\"\":[1]}\",\"{\"\"a\"\":[1]}\"\r\n,\r\n");
  EXPECT_EQ(written(form_named("vertical"), schema, {rows.front()}),
            "counts  {\"a\":[1]}\ntext    {\"a\":[1]}\n");
}

TEST(Report, OnlyATableRoundsNumbers) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Schema schema = {number_column("mean")};
  const auto shown = [&](const char* name, std::optional<double> number) {
    const OutputForm form = form_named(name);
    return written(form, schema, {{rounded(number, form)}});
  };
  EXPECT_EQ(shown("table", 1.23456789), "   mean\n1.23457\n");
  EXPECT_EQ(shown("table", 1e6), " mean\n1e+06\n");
  EXPECT_EQ(shown("table", kInfinity), "    mean\nInfinity\n");
  EXPECT_EQ(shown("table", std::nullopt), "mean\nnull\n");
  EXPECT_EQ(shown("csv", 1.23456789), "mean\r\n1.23456789\r\n");
}

TEST(Report, ATableThatIsTooWideIsVertical) {
  const Schema schema = {text_column("name"), text_column("type"), number_column("rows")};
  const ReportRows rows = {{"city", "text", uint64_t{1'000'000}}, {"id", "int32", {}}};
  EXPECT_EQ(written(form_named("table", 20), schema, rows),
            "name  type      rows\ncity  text   1000000\nid    int32     null\n");
  EXPECT_EQ(written(form_named("table", 19), schema, rows),
            "name  city\ntype  text\nrows  1000000\n\nname  id\ntype  int32\nrows  null\n");
  EXPECT_EQ(written(form_named("table", 19), schema, {}), "name  type  rows\n");
}

TEST(Report, TheFirstThousandRowsOfATableDetermineItsWidths) {
  ReportRows rows(999, {"a", uint64_t{1}});
  rows.push_back({"bbbb", uint64_t{1}});
  rows.push_back({"cccccccc", uint64_t{1}});
  const std::string text =
      written(form_named("table"), {text_column("x"), number_column("n")}, rows);
  EXPECT_TRUE(text.starts_with("x     n\na     1\n")) << text.substr(0, 30);
  EXPECT_TRUE(text.ends_with("\nbbbb  1\ncccccccc  1\n")) << text.substr(text.size() - 40);
}

TEST(Report, WithoutRowsHasItsColumns) {
  const Schema schema = {text_column("a"), number_column("b")};
  EXPECT_EQ(written(form_named("table"), schema, {}), "a  b\n");
  EXPECT_EQ(written(form_named("csv"), schema, {}), "a,b\r\n");
  EXPECT_EQ(written(form_named("json"), schema, {}), "[]\n");
}

}  // namespace
}  // namespace heron::cli
