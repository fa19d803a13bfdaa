// A number or pointer out of range, given to any public function, ends in an Error of the caller's,
// whose text says what was expected, and never in other memory (the sanitizers check).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "base/arena.h"
#include "base/fail.h"
#include "heron/heron.h"
#include "kit/made_table.h"
#include "kit/real_files.h"
#include "temp_folder.h"

namespace heron {
namespace {

using testing::HasSubstr;
using Function = Aggregate::Function;

constexpr uint64_t kCount = 4;  // rows, columns, blocks and groups of the table
constexpr std::array<uint64_t, 4> kOut = {kCount, 99, uint64_t{1} << 61, UINT64_MAX};

// Expects that the call ends in Error(Argument) whose text contains `saying`.
template <class Call>
void expect_refused(std::string_view what, Call&& call, const std::string& saying = "") {
  SCOPED_TRACE(what);
  try {
    call();
    ADD_FAILURE() << "no Error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Argument) << error.what();
    EXPECT_THAT(error.what(), HasSubstr(saying));
    EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string_view::npos);
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another exception: " << error.what();
  }
}

// Expects that the call answers or ends in an Error.
template <class Call>
void expect_survives(std::string_view what, Call&& call) {
  SCOPED_TRACE(what);
  try {
    call();
  } catch (const Error&) {
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another exception: " << error.what();
  }
}

TableMaker maker() {
  TableMaker maker(kCount);
  maker.block_rows = 1;
  maker.group_starts = {0, 1, 2, 3, 4};
  maker.fixed<int32_t>("i", Type::Int32, {1, 2, 3, 4}, NullEncoding::Bitmap,
                       {true, true, false, true});
  maker.fixed<double>("f", Type::Float64, {0.5, -1, 2, 9});
  maker.texts("t", {"a", "b", std::nullopt, "d"});
  maker.bits("b", {true, false, true, true});
  return maker;
}

class PublicNumbers : public testing::TestWithParam<bool> {
 protected:
  const std::shared_ptr<const File> data_ = maker().file(GetParam());
  const std::shared_ptr<const Table> table_ = data_->table();
  const Projection all_{table_};
  const RowBatch batch_ = read(all_, {0, kCount});
  const test::TempFolder folder_{test::memory_folder()};
};

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

TEST_P(PublicNumbers, OfBuildersAndWriters) {
  for (const uint64_t out : kOut) {
    BatchBuilder builder({nullable_field("a", Type::Int64), nullable_field("b", Type::Int64),
                          nullable_field("c", Type::Int64), nullable_field("d", Type::Int64)});
    expect_refused("BatchBuilder", [&] { builder[out]; },
                   concat("no column ", out, " in the batch: expected 0 to 3"));
    WriteOptions options;
    options.key_columns = out == kCount ? kCount + 1 : out;
    expect_refused("create",
                   [&] { create(folder_ / "x.jay", *batch_.schema, options)->write(batch_); });
    for (const uint64_t rows : {uint64_t{3}, uint64_t{99}, out}) {
      options = {};
      options.rows = rows;
      const auto write = [&] {
        const auto writer = create(folder_ / "x.jay", *batch_.schema, options);
        writer->write(batch_);
        writer->close();
      };
      rows < 100 && rows != kCount ? expect_refused("rows", write) : expect_survives("rows", write);
    }
    ArrowArray array{};
    ArrowSchema schema{};
    expect_refused("export_column", [&] { export_column(batch_, out, &schema, &array); },
                   concat("no column ", out, " in the batch: expected 0 to 3"));
    ConvertOptions convert_options;
    convert_options.rows_per_file = out;
    convert_options.write.replace = true;
    expect_survives("convert",
                    [&] { convert(table_rows(table_), folder_ / "y.jay", convert_options); });
  }
  RowBatch narrow = batch_;
  narrow.columns.pop_back();
  ArrowArray array{};
  expect_refused("export_batch", [&] { export_batch(narrow, nullptr, &array); });
  expect_refused("write", [&] { create(folder_ / "z.jay", *batch_.schema)->write(narrow); });
}

TEST_P(PublicNumbers, OfSourcesOfRows) {
  for (const uint64_t out : kOut) {
    const auto sources = {table_rows(table_),
                          numbered_rows(all_, 2, [](uint64_t, std::span<uint64_t> rows) {
                            for (uint64_t& row : rows) row = 0;
                          })};
    for (const RowSourcePtr& source : sources) {
      expect_refused("RowSource::read", [&] { source->read(std::vector<uint64_t>{out}, {}); },
                     concat("no column ", out, " in the schema: expected 0 to 3"));
    }
    expect_refused("check_columns",
                   [&] { check_columns(std::vector<uint64_t>{out}, *batch_.schema); });
    const auto some = selected_columns(table_rows(table_), {"i"});
    expect_refused("selected_columns", [&] { some->read(std::vector<uint64_t>{out}, {}); });
    const auto drawn = numbered_rows(all_, 2, [&](uint64_t, std::span<uint64_t> rows) {
      for (uint64_t& row : rows) row = out;
    });
    expect_refused("rows drawn", [&] {
      RowBatch batch;
      drawn->read(std::vector<uint64_t>{0}, {})->next(batch);
    });
    ArrowArrayStream stream{};
    export_stream(table_, &stream);
    const auto arrays = arrow_rows(&stream);
    expect_refused("arrow_rows", [&] { arrays->read(std::vector<uint64_t>{out}, {}); });
    const auto csv = csv_rows({folder_.write("x.csv", "a,b\n1,2\n")});
    expect_refused("csv_rows", [&] { csv->read(std::vector<uint64_t>{out}, {}); });
  }
  expect_refused("unknown name", [&] { selected_columns(table_rows(table_), {"none"}); });
}

TEST_P(PublicNumbers, OfSearches) {
  const std::vector<Scalar> three = {int64_t{1}, int64_t{2}, int64_t{3}};
  expect_refused("find", [&] { find({table_, {"i", "f"}}, three); });
  expect_refused("find", [&] { find(Projection(table_, std::vector<uint64_t>()), three); });
  expect_refused("find_range", [&] { find_range({table_, {"i", "f"}}, three); });
  expect_refused("find of integers",
                 [&] { find({table_, {"i", "f"}}, std::vector<int64_t>{1, 2}); });
  for (const int64_t key : {INT64_MIN, int64_t{-1}, INT64_MAX}) {
    expect_survives("find", [&] { find({table_, {"i"}}, std::vector<int64_t>{key}); });
    expect_survives("find", [&] { find({table_, {"f"}}, {key}); });
  }
}

TEST_P(PublicNumbers, OfSamples) {
  for (const uint64_t out : kOut) {
    std::vector<uint64_t> rows(2);
    const Sampler sampler(kCount);
    expect_refused("Sampler::draw", [&] { sampler.draw(out, rows); });
    expect_refused("rank", [&] { Sampler(kCount, {.rank = out, .world_size = kCount}); });
    expect_survives("world", [&] { Sampler(kCount, {.world_size = out}).draw(0, rows); });
    expect_survives("rows", [&] { Sampler(out).draw(out - 1, std::span(rows).first(1)); });
    expect_survives("draws with replacement",
                    [&] { Sampler(kCount, {.replace = true}).draw(out, rows); });
    const WeightedSampler weighted({1, 2, 3, 4});
    expect_survives("WeightedSampler::draw",
                    [&] { weighted.draw({.world_size = out}, out, rows); });
    const EpochShard shard{EpochOrder(kCount)};
    EXPECT_EQ(shard.batch_end(out) + shard.group_sizes(out, out).size(), kCount);
    for (const uint64_t row : rows) EXPECT_LT(row, kCount);
    expect_refused("rank", [&] { weighted.draw({.rank = out, .world_size = kCount}, 0, rows); });
    expect_survives("sub_sample", [&] { sub_sample(out == kCount ? out : UINT64_MAX, 0.5, out); });
    for (const uint64_t batch_rows : {uint64_t{1}, out}) {
      expect_survives("Loader::next_chunk", [&] {
        Loader loader(table_, {.batch_rows = batch_rows}, {.prefetch = out, .memory_bytes = out});
        std::vector<uint64_t> ends{out};
        for (LoaderBatch batch; loader.next_chunk(batch, ends);) EXPECT_LE(ends.back(), kCount);
      });
    }
  }
  expect_refused("Loader", [&] { Loader loader(table_, {.batch_rows = 0}); });
  expect_refused("world", [&] { Sampler(kCount, {.world_size = 0}); });
  expect_refused("rows", [&] { Sampler(0, {.replace = true}); });
  expect_refused("rate", [&] { sub_sample(kCount, -1, 0); });
  for (const double weight : {-1.0, std::numeric_limits<double>::infinity(), 0.0}) {
    expect_refused("weights", [&] { WeightedSampler({weight}); });
  }
}

TEST_P(PublicNumbers, OfScansAndTheirOptions) {
  for (const uint64_t out : kOut) {
    expect_survives("Scan", [&] {
      Scan scan(table_, {}, out);
      RowBatch batch;
      while (scan.next(batch)) EXPECT_LE(batch.rows, kCount);
    });
    Query query(table_);
    query.limit = out;
    expect_survives("limit", [&] { Scan scan(query); });
    query.order = {{"i"}};
    EXPECT_EQ(ordered_rows(query).size(), kCount);
    EXPECT_GE(splits(table_, out).size(), 1U);
    ArrowOptions options;
    options.batch_rows = out;
    options.max_slots = out;
    ArrowArrayStream stream{};
    expect_survives("export_stream", [&] {
      export_stream(table_, &stream, options);
      arrow_rows(&stream)->schema();
    });
    Context many;
    many.threads = static_cast<unsigned>(std::min<uint64_t>(out, 64));
    EXPECT_EQ(count(Query(table_, "f > 0"), many), 3U);
  }
  expect_survives("splits", [&] { splits(table_, 0); });
  expect_refused("Scan", [&] { Scan scan(table_, {}, 0); });
  ArrowOptions none;
  none.batch_rows = 0;
  ArrowArrayStream stream{};
  expect_refused("batch_rows", [&] { export_stream(table_, &stream, none); });
}

TEST_P(PublicNumbers, NullTables) {
  const std::shared_ptr<const Table> no_table;
  const std::string text = "expected a table, got a null pointer";
  expect_refused("Projection", [&] { Projection columns(no_table); }, text);
  expect_refused("Forest", [&] { Forest forest(no_table); }, text);
  expect_refused("Projection of names", [&] { Projection(no_table, {"a"}); }, text);
  expect_refused("Projection of numbers", [&] { Projection(no_table, {0}); }, text);
  expect_refused("Projection of vectors",
                 [&] { Projection(no_table, std::vector<std::string>{"a"}); }, text);
  expect_refused("Projection of vectors",
                 [&] { Projection(no_table, std::vector<uint64_t>{0}); }, text);
  expect_refused("Predicate", [&] { Predicate(no_table, "a > 1"); }, text);
  expect_refused("mapped_cells", [&] { mapped_cells(no_table, 0); }, text);
  expect_refused("diff", [&] { diff(no_table, table_); }, text);
  expect_refused("diff", [&] { diff(table_, no_table); }, text);
  expect_refused("Columns", [&] { Columns().of(no_table); });
  expect_refused("Columns", [&] { Columns(all_).of(no_table); });
  expect_refused("Where", [&] { Where("i > 1").on(no_table); });
  expect_refused("Where", [&] { Where(Predicate(table_, "i > 1")).on(no_table); });
  Query query(no_table);
  for (const bool with_columns : {false, true}) {
    if (with_columns) query.columns = all_;
    expect_refused("Query::projection", [&] { query.projection(); });
    expect_refused("Scan", [&] { Scan scan(query); });
    expect_refused("stats", [&] { stats(query); });
    expect_refused("table_rows", [&] { table_rows(query); });
    expect_refused("Loader", [&] { Loader loader(query, EpochOptions{}); });
    expect_refused("splits", [&] { splits(query, 1); });
    ArrowArrayStream stream{};
    expect_refused("export_stream", [&] { export_stream(query, &stream); });
  }
  query.columns = {};
  expect_refused("count", [&] { count(query); });
  expect_refused("aggregate", [&] { aggregate(query, {{}}); });
  expect_refused("Selection", [&] { Selection selection(query); });
  expect_refused("ordered_rows", [&] { ordered_rows(query); });
  expect_refused("group_by", [&] { group_by(query, {{}}); });
  expect_refused("PartialAggregate", [&] { PartialAggregate part(query, {{}}, {}); });
}

TEST_P(PublicNumbers, OtherNullPointers) {
  const RowSourcePtr no_rows;
  expect_refused("convert", [&] { convert(no_rows, folder_ / "x.jay"); },
                 "expected a source of rows, got a null pointer");
  expect_refused("convert of several", [&] {
    convert({table_rows(table_), no_rows}, {folder_ / "x.jay", folder_ / "y.jay"});
  });
  expect_refused("convert", [&] { convert({table_rows(table_)}, {"x", "y"}); });
  EXPECT_EQ(folder_.file_count(), 0);
  expect_refused("selected_columns", [&] { selected_columns(no_rows, {"a"}); });
  expect_refused("numbered_rows", [&] { numbered_rows(all_, 1, nullptr); });

  const char* no_text = nullptr;
  expect_refused("open", [&] { open(no_text); }, "expected a text, got a null pointer");
  expect_refused("Predicate", [&] { Predicate(table_, no_text); });
  expect_refused("Where", [&] { Where where(no_text); });
  expect_refused("Query", [&] { Query of(table_, no_text); });
  expect_refused("find_column", [&] { table_->find_column(no_text); });
  expect_refused("table", [&] { data_->table(no_text); });
  expect_refused("parse_aggregates", [&] { parse_aggregates(*table_, no_text); });
  BatchBuilder builder({nullable_field("t", Type::Text)});
  expect_refused("append", [&] { builder[0].append(no_text); });
  EXPECT_EQ(builder.rows(), 0U);

  ArrowSchema schema{};
  ArrowArray array{};
  expect_refused("export_schema", [&] { export_schema(*batch_.schema, nullptr); });
  expect_refused("export_batch", [&] { export_batch(batch_, &schema, nullptr); });
  expect_refused("export_batch", [&] { export_batch({}, nullptr, &array); });
  expect_refused("export_column", [&] { export_column(batch_, 0, &schema, nullptr); });
  expect_refused("export_stream", [&] { export_stream(table_, nullptr); });
  expect_refused("import_batch", [&] { import_batch(schema, nullptr); });
  expect_refused("import_batch", [&] { import_batch(schema, &array); });
  expect_refused("import_schema", [&] { import_schema(schema); });
  expect_refused("arrow_rows", [&] { arrow_rows(static_cast<ArrowArrayStream*>(nullptr)); });
  expect_refused("arrow_rows", [&] { arrow_rows(OpenArrowStream()); });
  EXPECT_EQ(schema.release, nullptr);
  EXPECT_EQ(array.release, nullptr);
  expect_refused("no paths", [&] { open({}); });
  expect_refused("no paths", [&] { csv_rows({}); });
}

INSTANTIATE_TEST_SUITE_P(MappedAndNot, PublicNumbers, testing::Bool());

// Functions of the public headers that take a number, a range or a pointer are named in this file.
TEST(PublicNumbersInHeaders, AreAllTested) {
  // Functions whose numbers may have any value, and the inner side of sinks and budgets.
  const std::set<std::string> any_value = {
      "acquire", "add",      "advance", "append_number",   "concat", "fail",   "make_room",
      "release", "room",     "step",    "try_acquire",     "as",     "append", "rows_a_batch",
      "bit",     "to_string", "MemoryBudget", "counts_"};
  const auto root = data_dir().parent_path();
  const auto text_of = [](const std::filesystem::path& path) {
    std::ifstream in(path);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const std::string tests = text_of(root / "tests/public_numbers_test.cc");
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
