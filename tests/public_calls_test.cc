// A number out of range or a null pointer, given to public functions of writers, sources, searches,
// samples and scans, ends in an Error of the caller's.
#include "public_calls.h"

namespace heron {
namespace {

using test::expect_refused;
using test::expect_survives;
using test::kCount;
using test::kOut;
class PublicArguments : public test::PublicCalls {};

TEST_P(PublicArguments, OfBuildersAndWriters) {
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

TEST_P(PublicArguments, OfSourcesOfRows) {
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

TEST_P(PublicArguments, OfSearches) {
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

TEST_P(PublicArguments, OfSamples) {
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

TEST_P(PublicArguments, OfScansAndTheirOptions) {
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

TEST_P(PublicArguments, NullTables) {
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

TEST_P(PublicArguments, OtherNullPointers) {
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

INSTANTIATE_TEST_SUITE_P(MappedAndNot, PublicArguments, testing::Bool());

}  // namespace
}  // namespace heron
