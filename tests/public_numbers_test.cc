// A number out of range, given to any public function of tables, rows and values, ends in an Error
// of the caller's, whose text says what was expected, and never in other memory (the sanitizers
// check).
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "base/arena.h"
#include "kit/real_files.h"
#include "public_calls.h"

namespace heron {
namespace {

using test::expect_refused;
using test::expect_survives;
using test::kCount;
using test::kOut;
using Function = Aggregate::Function;
class PublicNumbers : public test::PublicCalls {};

TEST_P(PublicNumbers, OfTables) {
  for (const uint64_t out : kOut) {
    const std::string text = concat("no column ", out, " in table \"data\": expected 0 to 3");
    expect_refused("field", [&] { table_->field(out); }, text);
    expect_refused("field_without_metadata", [&] { table_->field_without_metadata(out); }, text);
    expect_refused("metadata", [&] { table_->metadata(out); }, text);
    expect_refused("column_name", [&] { table_->column_name(out); }, text);
    expect_refused("mapped_cells", [&] { mapped_cells(table_, out); }, text);
    expect_refused("Projection", [&] { Projection(table_, {0, out}); }, text);
    expect_refused("Projection of a vector",
                   [&] { Projection(table_, std::vector<uint64_t>{out}); }, text);
    Query query(table_);
    query.columns = {out};
    expect_refused("Columns", [&] { query.columns.of(table_); }, text);
    expect_refused("Scan", [&] { Scan scan(query); }, text);
    expect_refused("block", [&] { table_->block(out); },
                   concat("no block ", out, " in table \"data\": expected 0 to 3"));
    expect_refused("Projection::block", [&] { all_.block(out); },
                   concat("no block ", out, " in table \"data\": expected 0 to 3"));
    expect_refused("group", [&] { table_->group(out); },
                   concat("no group ", out, " in table \"data\": expected 0 to 3"));
    expect_refused("rows_of_groups", [&] { rows_of_groups(*table_, {0, out}); });
  }
  const auto one = TableMaker(1).null("n").table(GetParam());
  expect_refused("column_name", [&] { one->column_name(1); },
                 "no column 1 in table \"data\": expected 0");
  expect_refused("group", [&] { one->group(0); },
                 "no group 0 in table \"data\": there are no groups");
}

// Numbers are out of range for tables of every format.
TEST(PublicNumbersOfFiles, OfTables) {
  for (const RealFile& file : real_files()) {
    SCOPED_TRACE(file.path);
    const auto data = open(file.path.string());
    for (const auto& table : data->tables()) {
      const uint64_t columns = table->column_count();
      for (const uint64_t out : {columns, columns + 95, UINT64_MAX}) {
        expect_refused("field", [&] { table->field(out); });
        expect_refused("metadata", [&] { table->metadata(out); });
        expect_refused("column_name", [&] { table->column_name(out); });
        expect_refused("mapped_cells", [&] { mapped_cells(table, out); });
        expect_refused("aggregate", [&] { aggregate(table, {{Function::Max, out}}); });
      }
    }
  }
}

TEST_P(PublicNumbers, OfRows) {
  for (const uint64_t out : kOut) {
    const std::string text = concat("no row ", out, " in table \"data\": expected 0 to 3");
    RowBatch batch;
    expect_refused("take", [&] { take(all_, {0, out}); }, text);
    expect_refused("take into a batch", [&] { take(all_, {out}, batch); }, text);
    std::vector<uint64_t> rows = {1, out};
    expect_refused("take_readable", [&] { take_readable(all_, rows, batch, nullptr); }, text);
    std::vector<double> cells(8);
    expect_refused("matrix", [&] {
      matrix<double>({table_, {"i", "f"}}, rows, std::span(cells).first(4));
    }, text);
    Selection selection{Query(table_)};
    expect_refused("Selection::rows", [&] { selection.rows({0, out}); },
                   concat("no position ", out, " in the selected rows: expected 0 to 3"));
    RowView view({table_, {"i"}});
    expect_refused("RowView::seek", [&] { view.seek(out); }, text);
    for (const RowRange range : {RowRange{0, out == kCount ? kCount + 1 : out}, {out, 2}, {3, 1},
                                 {UINT64_MAX, UINT64_MAX}}) {
      expect_refused("read", [&] { read(all_, range); }, "expected first <= last <= 4");
      expect_refused("read into a batch", [&] { read(all_, range, batch); });
      expect_refused("matrix of a range",
                     [&] { matrix<double>({table_, {"f"}}, range, std::span(cells)); });
      Query query(table_);
      query.range = range;
      expect_refused("count", [&] { count(query); });
      expect_refused("Scan", [&] { Scan scan(query); });
      expect_refused("aggregate", [&] { aggregate(query, {{}}); });
      expect_refused("stats", [&] { stats(query); });
      expect_refused("splits", [&] { splits(query, 1); });
      expect_refused("Selection", [&] { Selection rows_of(query); });
      expect_refused("table_rows", [&] { table_rows(query); });
      expect_refused("Loader", [&] { Loader loader(query, EpochOptions{}); });
      expect_refused("PartialAggregate", [&] { PartialAggregate part(query, {{}}, {0, kCount}); });
      ArrowArrayStream stream{};
      expect_refused("export_stream", [&] { export_stream(query, &stream); });
      query.order = {{"i"}};
      expect_refused("ordered_rows", [&] { ordered_rows(query); });
      query.order = {};
      query.by = {"t"};
      expect_refused("group_by", [&] { group_by(query, {{}}); });
    }
  }
  std::vector<float> cells(3);
  expect_refused("matrix", [&] {
    matrix<float>({table_, {"i", "f"}}, std::vector<uint64_t>{0, 1}, std::span(cells));
  });
}

TEST_P(PublicNumbers, OfAggregates) {
  Query groups(table_);
  groups.by = {"t"};
  for (const uint64_t out : kOut) {
    const std::string text = concat("no column ", out, " in table \"data\": expected 0 to 3");
    for (int function = 0; function <= static_cast<int>(Function::CountNull); ++function) {
      const Aggregate one{static_cast<Function>(function), out};
      expect_refused("aggregate", [&] { aggregate(table_, {one}); }, text);
      expect_refused("group_by", [&] { group_by(groups, {one}); }, text);
      expect_refused("PartialAggregate",
                     [&] { PartialAggregate part(table_, {one}, {0, kCount}); }, text);
      expect_refused("PartialAggregate of groups",
                     [&] { PartialAggregate part(groups, {one}, {0, kCount}); }, text);
    }
    Query by = groups;
    by.by = {out};
    expect_refused("group_by columns", [&] { group_by(by, {{}}); }, text);
    expect_refused("count_values", [&] { count_values(all_, out); },
                   concat("no column ", out, " in the projection: expected 0 to 3"));
    // The numbers are a PartPosition.
    for (const PartPosition at : {PartPosition{out, kCount}, {0, 3}, {1, kCount}, {out, out}}) {
      expect_refused("position", [&] { PartialAggregate(table_, {{}}, at); }, "out of range");
    }
    expect_survives("groups", [&] {
      PartialAggregate(groups, {{}}, {0, kCount}).result({{"t", Descending}}, out);
    });
  }
  expect_refused("count_values", [&] { count_values(Projection(table_, {1}), 1); },
                 "no column 1 in the projection: expected 0");
  for (int function = 0; function <= static_cast<int>(Function::CountNull); ++function) {
    const Aggregate one{.function = static_cast<Function>(function), .name = "a sum"};
    if (one.function == Function::Count) continue;
    const std::string text = "the aggregate \"a sum\" has no column: expected one";
    expect_refused("aggregate", [&] { aggregate(table_, {one}); }, text);
    expect_refused("group_by", [&] { group_by(groups, {one}); }, text);
    expect_refused("PartialAggregate", [&] { PartialAggregate part(table_, {one}, {0, kCount}); },
                   text);
  }
  for (const double quantile : {-0.1, 1.5, std::numeric_limits<double>::quiet_NaN()}) {
    expect_refused("quantile", [&] {
      aggregate(table_, {{.function = Function::Quantile, .column = 1, .quantile = quantile}});
    });
  }
  expect_refused("function", [&] { aggregate(table_, {{static_cast<Function>(99), 1}}); });
  const PartialAggregate of_groups(groups, {{}}, {0, kCount});
  expect_refused("groups in an unknown order", [&] { of_groups.result({{"none"}}); });
}

TEST_P(PublicNumbers, OfRowViews) {
  RowView view(all_);
  view.seek(0);
  EXPECT_EQ(view.get<int32_t>(0), 1);
  const auto empty = TableMaker(0).fixed<int32_t>("i", Type::Int32, {}).table(GetParam());
  RowView of_no_rows{Projection(empty)};
  expect_refused("seek", [&] { of_no_rows.seek(0); }, "there are no rows");
  expect_refused("get", [&] { of_no_rows.get<int32_t>(0); }, "there are no rows");
  expect_refused("is_null", [&] { of_no_rows.is_null(0); });
  expect_refused("text", [&] { of_no_rows.text(0); });
  for (const uint64_t out : kOut) {
    const std::string text = concat("no column ", out, " in the row view: expected 0 to 3");
    expect_refused("get of int32", [&] { view.get<int32_t>(out); }, text);
    expect_refused("get of double", [&] { view.get<double>(out); }, text);
    expect_refused("get of bool", [&] { view.get<bool>(out); }, text);
    expect_refused("text", [&] { view.text(out); }, text);
    expect_refused("is_null", [&] { view.is_null(out); }, text);
  }
  expect_refused("another type", [&] { view.get<float>(1); });
  expect_refused("another type", [&] { view.text(1); });
  expect_refused("another type", [&] { view.get<int32_t>(2); });
}

TEST_P(PublicNumbers, OfValues) {
  const Values& integers = batch_.columns[0];
  const Values& floats = batch_.columns[1];
  const Values& texts = batch_.columns[2];
  const Values& bools = batch_.columns[3];
  EXPECT_EQ(integers.get<int32_t>(3), 4);
  EXPECT_EQ(floats.get<double>(0), 0.5);
  EXPECT_EQ(texts.text(3), "d");
  EXPECT_EQ(texts.extent(kCount), 3U);
  EXPECT_FALSE(bools.get<bool>(1));
  for (const uint64_t out : kOut) {
    const auto text = [&](const char* type) {
      return concat("no row ", out, " in the values of type ", type, ": expected 0 to 3");
    };
    expect_refused("get", [&] { integers.get<int32_t>(out); }, text("int32"));
    expect_refused("get", [&] { floats.get<double>(out); }, text("float64"));
    expect_refused("get_bool", [&] { bools.get_bool(out); }, text("bool"));
    expect_refused("get of bool", [&] { bools.get<bool>(out); }, text("bool"));
    expect_refused("text", [&] { texts.text(out); }, text("text"));
    if (out != kCount) expect_refused("extent", [&] { texts.extent(out); }, text("text"));
    for (const Values& values : batch_.columns) {
      expect_refused("is_null", [&] { values.is_null(out); });
      expect_refused("to_text", [&] { to_text(values, out); });
      expect_refused("to_json", [&] { to_json(values, out); });
      const ColumnText shown(values);
      StringSink sink;
      expect_refused("ColumnText::is_null", [&] { shown.is_null(out); });
      expect_refused("ColumnText::append_json", [&] { shown.append_json(sink, out); });
      expect_refused("ColumnText::append_plain", [&] { shown.append_plain(sink, out); });
    }
    expect_refused("ColumnText::text", [&] { ColumnText(texts).text(out); });
    expect_refused("to_json of a batch", [&] { to_json(batch_, out); },
                   concat("no row ", out, " in the batch: expected 0 to 3"));
    StringSink sink;
    JsonRows rows(*batch_.schema);
    rows.set(batch_);
    expect_refused("JsonRows::append", [&] { rows.append(sink, out); });
    EXPECT_EQ(sink.text(), "");
  }
  JsonRows narrow({});
  expect_refused("JsonRows::set", [&] { narrow.set(batch_); });
  const std::string text = "the values are of type float64 and were requested as another";
  expect_refused("another type", [&] { floats.get<float>(0); }, text);
  expect_refused("another type", [&] { floats.get<int64_t>(0); }, text);
  expect_refused("another type", [&] { floats.get<uint64_t>(0); }, text);
  expect_refused("another type", [&] { floats.get_bool(0); }, text);
  expect_refused("another type", [&] { floats.text(0); }, text);
  expect_refused("another type", [&] { floats.extent(0); }, text);
  expect_refused("another type", [&] { integers.get<uint32_t>(0); });
  expect_refused("another type", [&] { bools.get<uint8_t>(0); });
  expect_refused("another type", [&] { texts.get<int32_t>(0); });
  Values nothing(Type::Null, 1);
  EXPECT_TRUE(nothing.is_null(0));
  expect_refused("another type", [&] { nothing.get<int8_t>(0); });
  Arena arena;
  expect_refused("dense", [&] { dense(integers, arena, 1); });
}

TEST_P(PublicNumbers, OfCellsOfEveryType) {
  const std::vector<std::byte> zeros(64);
  const auto values = [&](const Type& type) {
    Values one(type, 1);
    one.data = {zeros.data(), zeros.size()};
    return one;
  };
  for (const Type::Id id : {Type::Int64, Type::Timestamp, Type::DateTime, Type::Duration}) {
    EXPECT_EQ(values(id).get<int64_t>(0), 0);
    expect_refused("another type", [&] { values(id).get<uint64_t>(0); });
    expect_refused("another type", [&] { values(id).get<double>(0); });
  }
  for (const Type& type : {Type(Type::Int32), Type(Type::Date32), Type::vector(Type::Int8, 4)}) {
    EXPECT_EQ(values(type).get<int32_t>(0), 0);
    expect_refused("another type", [&] { values(type).get<float>(0); });
  }
  EXPECT_EQ(values(Type::Int8).get<int8_t>(0), 0);
  EXPECT_EQ(values(Type::UInt8).get<uint8_t>(0), 0);
  EXPECT_EQ(values(Type::Int16).get<int16_t>(0), 0);
  EXPECT_EQ(values(Type::Float32).get<float>(0), 0);
  EXPECT_EQ(values(Type::DateTimeOffset).get<DateTimeOffset>(0).ticks, 0);
  EXPECT_EQ(values(Type::RowId).get<RowId>(0).high, 0U);
  EXPECT_EQ(values(Type::key(Type::UInt16, 9)).get<uint16_t>(0), 0);
  expect_refused("another type", [&] { values(Type::key(Type::UInt16, 9)).get<uint32_t>(0); });
  expect_refused("another type", [&] { values(Type::key(Type::UInt16, 9)).get<int16_t>(0); });
  expect_refused("another type", [&] { values(Type::RowId).get<DateTimeOffset>(0); });
  expect_refused("key", [&] { Type::key(Type::Int32, 9); }, "expected an unsigned integer");
  expect_refused("vector", [&] { Type::vector(Type::Float32, {uint64_t{1} << 20, 1 << 20}); });
  expect_refused("vector", [&] { Type::vector(Type::Float32, {UINT64_MAX, 2}); });
}

INSTANTIATE_TEST_SUITE_P(MappedAndNot, PublicNumbers, testing::Bool());

// Functions of the public headers that take a number, a range or a pointer are named in the tests.
TEST(PublicNumbersInHeaders, AreAllTested) {
  // Functions whose numbers may have any value, and the inner side of sinks and budgets.
  const std::set<std::string> any_value = {
      "acquire", "add",      "advance", "append_number",   "concat", "fail",   "make_room",
      "release", "room",     "step",    "try_acquire",     "as",     "append", "rows_a_batch",
      "bit",     "to_string", "MemoryBudget", "counts_",  "void"};
  const auto root = data_dir().parent_path();
  const auto text_of = [](const std::filesystem::path& path) {
    std::ifstream in(path);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const std::string tests = text_of(root / "tests/public_numbers_test.cc") +
                            text_of(root / "tests/public_calls_test.cc");
  const std::regex call(
      R"((\w+)\([^(){};]*(\buint64_t\b|\bint64_t\b|RowRange|PartPosition|<const Table>)[^;{]*[;{])");
  uint64_t found = 0;
  for (const auto& header : std::filesystem::directory_iterator(root / "engine/include/heron")) {
    std::string text = std::regex_replace(text_of(header.path()), std::regex("//[^\n]*"), "");
    for (size_t first; (first = text.find("\n private:")) != text.npos;) {
      text.erase(first, text.find("\n};", first) - first);
    }
    for (std::sregex_iterator at(text.begin(), text.end(), call), end; at != end; ++at) {
      const std::string name = (*at)[1];
      if (any_value.contains(name)) continue;
      ++found;
      EXPECT_TRUE(std::regex_search(tests, std::regex("\\b" + name + "\\b")))
          << name << " in " << header.path();
    }
  }
  EXPECT_GT(found, 60U);
}

}  // namespace
}  // namespace heron
