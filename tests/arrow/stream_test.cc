// Tables as streams and streams as rows, errors of either side included.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "arrow/made_arrays.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/made_table.h"
#include "kit/random_batch.h"
#include "kit/values_column.h"
#include "temp_folder.h"

namespace heron {
namespace {

using arrow::Owned;
using test::error_of;
using test::TempFolder;
using testing::ElementsAre;
using testing::HasSubstr;

// Makes a table of every type that is more than a number, and a number, c0, to select rows by.
std::shared_ptr<const Table> made_table(uint64_t rows, double nulls = 0.2) {
  const auto schema = std::make_shared<Schema>();
  for (const Type& type :
       {Type(Type::Int32), Type(Type::Text), Type(Type::Bool), Type::list(Type::Float64),
        Type::key(Type::UInt8, 20), Type::key(Type::UInt16, 300), Type::vector(Type::Float32, 3),
        Type(Type::RowId), Type::list(Type::key(Type::UInt32, 4))}) {
    Field field;
    field.name = "c" + std::to_string(schema->size());
    field.type = type;
    schema->push_back(field);
  }
  const RowBatch batch = random_batch(schema, rows, nulls, 7);
  TableMaker maker(rows);
  for (uint64_t i = 0; i < schema->size(); ++i) add_values(maker, (*schema)[i].name, batch, i);
  return maker.table();
}

// Returns the type as a stream gives it: keys that stand for texts as texts.
Type without_keys(const Type& type) {
  if (type.is_list()) return Type::list(without_keys(type.item()), type.is(Type::LargeList));
  return type.is(Type::Key) && type.size() <= kKeysWithValues ? Type(Type::Text) : type;
}

void expect_same_rows(const RowSource& rows, const RowSource& expected) {
  const ExactTable got = exact_table(rows), was = exact_table(expected);
  EXPECT_EQ(got.rows, was.rows);
  ASSERT_EQ(got.schema.size(), was.schema.size());
  for (uint64_t i = 0; i < was.schema.size(); ++i) {
    EXPECT_EQ(got.schema[i].name, was.schema[i].name);
    EXPECT_EQ(got.schema[i].type, without_keys(was.schema[i].type));
    EXPECT_TRUE(got.columns[i] == was.columns[i]) << was.schema[i].name;
  }
}

TEST(ArrowStream, ScansComeBackAsTheyWere) {
  const auto table = made_table(1000);
  const Projection columns(table);
  Query query(columns);
  for (const char* where : {"", "c0 > 0", "c0 > 0 and c0 < 0"}) {
    if (*where != '\0') query.where = where;
    ArrowArrayStream stream{};
    export_stream(query, &stream, {.batch_rows = 37});
    const RowSourcePtr rows = arrow_rows(&stream);
    EXPECT_EQ(stream.release, nullptr);
    expect_same_rows(*rows, *table_rows(query));
    expect_same_rows(*rows, *table_rows(query));  // a second pass gives the same
  }
}

TEST(ArrowStream, SomeColumnsOfLongArrays) {
  const auto table = made_table(20'000);

  const Projection columns(table);
  ArrowArrayStream stream{};
  export_stream(columns, &stream, {.batch_rows = 15'000});
  const std::vector<std::string> names = {"c3", "c0"};
  expect_same_rows(*selected_columns(arrow_rows(&stream), names),
                   *table_rows(Projection(table, names)));
}

// Batches have fewer rows where vectors have many slots.
TEST(ArrowStream, SlotsAreLimited) {
  ArrowArrayStream stream{};
  export_stream(Projection(made_table(25), std::vector<std::string>{"c6"}), &stream,
                {.max_slots = 30});
  for (const int64_t rows : {10, 10, 5}) {
    Owned<ArrowArray> array;
    ASSERT_EQ(stream.get_next(&stream, array.get()), 0) << stream.get_last_error(&stream);
    EXPECT_EQ(array->length, rows);
  }
  stream.release(&stream);
}

TEST(ArrowStream, ATableWithoutRows) {
  const Projection columns(made_table(0));
  ArrowArrayStream stream{};
  export_stream(columns, &stream);
  ArrowArray array{};
  ASSERT_EQ(stream.get_next(&stream, &array), 0);
  EXPECT_EQ(array.release, nullptr);
  EXPECT_EQ(stream.get_last_error(&stream), nullptr);
  expect_same_rows(*arrow_rows(&stream), *table_rows(columns));
}

// Pyarrow and others write files from streams.
TEST(ArrowStream, ConvertsIntoAFile) {
  const TempFolder folder;
  const Projection columns(made_table(3000), std::vector<std::string>{"c0", "c1", "c2", "c3"});
  for (const ArrowPasses passes : {ArrowPasses::Any, ArrowPasses::One}) {
    ArrowArrayStream stream{};
    export_stream(columns, &stream);
    const std::string out = folder / (passes == ArrowPasses::Any ? "any.jay" : "one.jay");
    EXPECT_EQ(convert(arrow_rows(&stream, passes), out).rows, 3000u);
    expect_same_rows(*table_rows(Projection(open(out)->table())), *table_rows(columns));
  }
  // The output has another format and other types, and reads the rows more than once.
  const auto numbers = made_table(3000, 0);
  ArrowArrayStream stream{};
  export_stream(Projection(numbers, std::vector<std::string>{"c0", "c1", "c3", "c4"}), &stream);
  ConvertOptions options;
  options.cast = true;
  EXPECT_EQ(convert(arrow_rows(&stream), folder / "cast.idv", options).rows, 3000u);
  const ExactTable cast =
      exact_table(*table_rows(Projection(open(folder / "cast.idv")->table())));
  const ExactTable was = exact_table(*table_rows(Projection(numbers)));
  EXPECT_TRUE(cast.columns[1] == was.columns[1]);
  EXPECT_TRUE(cast.columns[3] == was.columns[4]);
}

// Batches are large without a predicate and if all columns have cells, on any number of threads.
TEST(ArrowStream, LargeBatches) {
  constexpr uint64_t kRows = 70'000;
  const TempFolder folder;
  const Projection made(made_table(kRows), std::vector<std::string>{"c0", "c1", "c2"});
  convert(table_rows(made), folder / "t.jay");
  const Projection columns(open(folder / "t.jay")->table());
  ArrowOptions options;
  options.large_batches = true;
  for (const unsigned threads : {1U, 3U}) {
    Context context;
    context.threads = threads;
    ArrowArrayStream stream{};
    export_stream(columns, &stream, options, context);
    ArrowArray array{};
    ASSERT_EQ(stream.get_next(&stream, &array), 0);
    EXPECT_EQ(array.length, static_cast<int64_t>(kRows));
    array.release(&array);
    stream.release(&stream);
    export_stream(columns, &stream, options, context);
    expect_same_rows(*arrow_rows(&stream), *table_rows(columns));
  }
  const Query some(columns, "c0 is not null");
  ArrowArrayStream stream{};
  export_stream(some, &stream, options);
  ArrowArray array{};
  ASSERT_EQ(stream.get_next(&stream, &array), 0);
  EXPECT_LE(array.length, static_cast<int64_t>(options.batch_rows));
  array.release(&array);
  stream.release(&stream);
}

TEST(ArrowStream, RowsAreKnownOnceTheyAreStored) {
  ArrowArrayStream stream{};
  export_stream(Projection(made_table(3000)), &stream);
  const RowSourcePtr rows = arrow_rows(&stream);
  EXPECT_EQ(rows->rows(), WriteOptions::kUnknownRows);
  rows->read(std::vector<uint64_t>{0}, {});
  EXPECT_EQ(rows->rows(), 3000u);
}

TEST(ArrowStream, AStreamForEachPass) {
  const auto table = made_table(500);
  const Projection columns(table);
  int opened = 0;
  const RowSourcePtr rows = arrow_rows([&](ArrowArrayStream* out) {
    ++opened;
    export_stream(columns, out);
  });
  expect_same_rows(*rows, *table_rows(columns));
  expect_same_rows(*rows, *table_rows(columns));
  EXPECT_EQ(opened, 3);
}

TEST(ArrowStream, OnePassIsOne) {
  ArrowArrayStream stream{};
  export_stream(Projection(made_table(10)), &stream);
  const RowSourcePtr rows = arrow_rows(&stream, ArrowPasses::One, "feed");
  rows->read(std::vector<uint64_t>{0}, {});
  EXPECT_EQ(error_of(ErrorKind::Argument, [&] { rows->read(std::vector<uint64_t>{0}, {}); }),
            "feed: expected to be read once, got a second time; ArrowPasses::Any keeps the rows");
}

TEST(ArrowStream, ArraysOutliveTheirStream) {
  auto table = made_table(100);
  const std::weak_ptr<const Table> alive = table;
  ArrowArrayStream stream{};
  export_stream(Projection(table, std::vector<std::string>{"c1", "c4"}), &stream);
  table.reset();
  ArrowArray array{};
  ASSERT_EQ(stream.get_next(&stream, &array), 0);
  ArrowSchema schema{};
  ASSERT_EQ(stream.get_schema(&stream, &schema), 0);
  const auto release = stream.release;
  stream.release(&stream);
  release(&stream);
  EXPECT_EQ(stream.release, nullptr);
  EXPECT_TRUE(alive.expired());
  const RowBatch batch = import_batch(schema, &array);
  EXPECT_EQ(batch.rows, 100u);
  EXPECT_EQ(batch.columns[1].children[0].text(0), "value 1");
  schema.release(&schema);
}

// Errors become codes and texts, and later calls return them again.
TEST(ArrowStream, ErrorsOfAScan) {
  constexpr int64_t kTicksBefore1970 = 621'355'968'000'000'000;
  TableMaker maker(3);
  maker.fixed<int64_t>("when", Type::DateTime, {kTicksBefore1970, 0, kTicksBefore1970});
  const auto table = maker.table();
  ArrowArrayStream stream{};
  const ArrowOptions options = {.batch_rows = 1};
  export_stream(table, &stream, options);
  ArrowArray array{};
  ASSERT_EQ(stream.get_next(&stream, &array), 0);
  array.release(&array);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(stream.get_next(&stream, &array), ERANGE);
    EXPECT_EQ(array.release, nullptr);
    EXPECT_THAT(stream.get_last_error(&stream), HasSubstr("column \"when\" row 0 of its batch"));
  }
  EXPECT_EQ(stream.get_next(&stream, nullptr), EINVAL);
  stream.release(&stream);

  // Import turns them into the same kind of Error.
  export_stream(table, &stream, options);
  const RowSourcePtr rows = arrow_rows(&stream);
  EXPECT_THAT(error_of(ErrorKind::Limit, [&] { exact_table(*rows); }),
              HasSubstr("column \"when\" row 0 of its batch"));
}

TEST(ArrowStream, CancelledScans) {
  std::atomic<bool> cancel = false;
  Context context;
  context.cancel = &cancel;
  ArrowArrayStream stream{};
  export_stream(made_table(10), &stream, {}, context);
  cancel = true;
  ArrowArray array{};
  EXPECT_EQ(stream.get_next(&stream, &array), ECANCELED);
  stream.release(&stream);
}

// A program's own stream: some arrays, then a code.
struct OwnStream {
  std::vector<MadeArray> arrays;
  int code = 0;
  const char* text = nullptr;
  size_t next = 0;
  int* released = nullptr;

  static OwnStream& of(ArrowArrayStream* stream) {
    return *static_cast<OwnStream*>(stream->private_data);
  }
  ArrowArrayStream stream() {
    ArrowArrayStream made{};
    made.get_schema = [](ArrowArrayStream* self, ArrowSchema* out) {
      of(self).arrays[0].schema().move_to(out);
      return 0;
    };
    made.get_next = [](ArrowArrayStream* self, ArrowArray* out) {
      OwnStream& own = of(self);
      out->release = nullptr;
      if (own.next == own.arrays.size()) return own.code;
      own.arrays[own.next++].array(own.released).move_to(out);
      return 0;
    };
    made.get_last_error = [](ArrowArrayStream* self) { return of(self).text; };
    made.release = [](ArrowArrayStream* self) {
      if (of(self).released != nullptr) *of(self).released += 100;
      self->release = nullptr;
    };
    made.private_data = this;
    return made;
  }
};

MadeArray words_by_code(const std::string& words, bool is_key) {
  const auto first = static_cast<int32_t>(words.size() / 2);
  const auto size = static_cast<int32_t>(words.size());
  const MadeArray dictionary{"u", 2, {{}, bytes_of<int32_t>({0, first, size}), bytes_of(words)}};
  MadeArray codes{"I", 2, {{}, bytes_of<uint32_t>({1, 0})}, {}, {dictionary}};
  if (is_key) codes.metadata = {{"heron.type", "key<uint32>[2]"}};
  return struct_of({codes});
}

TEST(ArrowStream, OtherProgramsErrors) {
  for (const auto& [code, kind] :
       std::vector<std::pair<int, ErrorKind>>{{EINVAL, ErrorKind::Argument},
                                              {ENOSYS, ErrorKind::Unsupported},
                                              {ENOMEM, ErrorKind::Limit},
                                              {ECANCELED, ErrorKind::Cancelled},
                                              {EIO, ErrorKind::Io}}) {
    int released = 0;
    OwnStream own{{words_by_code("yesnot", false)}, code, "it went wrong", 0, &released};
    ArrowArrayStream stream = own.stream();
    {
      const RowSourcePtr rows = arrow_rows(&stream);
      EXPECT_EQ(error_of(kind, [&] { exact_table(*rows); }), "Arrow stream: it went wrong");
      own.text = nullptr;
      EXPECT_THAT(error_of(kind, [&] { exact_table(*rows); }), HasSubstr("Arrow stream: "));
    }
    EXPECT_EQ(released, 103);
  }
}

TEST(ArrowStream, DictionariesThatChange) {
  OwnStream own{{words_by_code("yesnot", false), words_by_code("cold", false)}};
  ArrowArrayStream stream = own.stream();
  const ExactTable table = exact_table(*arrow_rows(&stream));
  EXPECT_EQ(table.schema[0].type, Type(Type::Text));
  EXPECT_THAT(table.columns[0], testing::ElementsAre(testing::Field(&ExactValue::text, "not"),
                                                     testing::Field(&ExactValue::text, "yes"),
                                                     testing::Field(&ExactValue::text, "ld"),
                                                     testing::Field(&ExactValue::text, "co")));

  OwnStream keys{{words_by_code("yesnot", true), words_by_code("cold", true)}};
  stream = keys.stream();
  EXPECT_TRUE(exact_table(*arrow_rows(&stream)).columns == table.columns);
}

TEST(ArrowStream, WhatIsNoStream) {
  ArrowArrayStream stream{};
  EXPECT_THAT(error_of(ErrorKind::Argument, [&] { arrow_rows(&stream); }), HasSubstr("released"));
  EXPECT_THAT(
      error_of(ErrorKind::Argument, [&] { arrow_rows(static_cast<ArrowArrayStream*>(nullptr)); }),
      HasSubstr("null pointer"));
  OwnStream own{{MadeArray{"i", 1, {{}, bytes_of<int32_t>({1})}}}};
  int released = 0;
  own.released = &released;
  stream = own.stream();
  EXPECT_THAT(error_of(ErrorKind::Argument, [&] { arrow_rows(&stream); }),
              HasSubstr("expected a stream of structs, whose children are columns, got \"i\""));
  EXPECT_EQ(released, 100);
  stream = own.stream();
  stream.get_next = nullptr;
  EXPECT_THAT(error_of(ErrorKind::Argument, [&] { arrow_rows(&stream); }), HasSubstr("callback"));
}

}  // namespace
}  // namespace heron
