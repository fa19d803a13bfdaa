// Arrays exported to other programs: formats, buffers, and memory that lives as long as the arrays.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "arrow/export_schema.h"
#include "arrow/made_arrays.h"
#include "arrow/utf8_text.h"
#include "error_of.h"
#include "heron/take.h"
#include "kit/made_table.h"
#include "table/internals.h"
#include "values/utf8_values.h"

namespace heron {
namespace {

using arrow::Owned;
using test::error_of;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

Field field_of(std::string name, Type type, bool nullable = false) {
  Field field;
  field.name = std::move(name);
  field.type = std::move(type);
  field.nullable = nullable;
  return field;
}

std::string format_of(const Type& type, const ArrowOptions& options = {}) {
  Owned<ArrowSchema> schema;
  export_schema({field_of("x", type)}, schema.get(), options);
  EXPECT_STREQ(schema->format, "+s");
  return schema->children[0]->format;
}

template <class T>
std::vector<T> cells_of(const ArrowArray& array, int64_t buffer) {
  const T* cells = static_cast<const T*>(array.buffers[buffer]) + array.offset;
  return {cells, cells + array.length};
}

// The structs of the ABI consist of pointers and numbers of 64 bits.
static_assert(sizeof(void*) != 8 || (sizeof(ArrowSchema) == 72 && sizeof(ArrowArray) == 80 &&
                                     sizeof(ArrowArrayStream) == 40));
static_assert(offsetof(ArrowArray, buffers) == 40 && offsetof(ArrowSchema, flags) == 24);

TEST(ArrowExport, FormatsOfTypes) {
  EXPECT_EQ(format_of(Type::Null), "n");
  EXPECT_EQ(format_of(Type::Bool), "b");
  EXPECT_EQ(format_of(Type::Int8), "c");
  EXPECT_EQ(format_of(Type::Int16), "s");
  EXPECT_EQ(format_of(Type::Int32), "i");
  EXPECT_EQ(format_of(Type::Int64), "l");
  EXPECT_EQ(format_of(Type::UInt8), "C");
  EXPECT_EQ(format_of(Type::UInt16), "S");
  EXPECT_EQ(format_of(Type::UInt32), "I");
  EXPECT_EQ(format_of(Type::UInt64), "L");
  EXPECT_EQ(format_of(Type::Float32), "f");
  EXPECT_EQ(format_of(Type::Float64), "g");
  EXPECT_EQ(format_of(Type::Text), "u");
  EXPECT_EQ(format_of(Type::LargeText), "U");
  EXPECT_EQ(format_of(Type::Text, {.binary_text = true}), "z");
  EXPECT_EQ(format_of(Type::LargeText, {.binary_text = true}), "Z");
  EXPECT_EQ(format_of(Type::Text, {.texts = ArrowTexts::Large}), "U");
  EXPECT_EQ(format_of(Type::Text, {.texts = ArrowTexts::Views}), "vu");
  EXPECT_EQ(format_of(Type::LargeText, {.binary_text = true, .texts = ArrowTexts::Views}), "vz");
  EXPECT_EQ(format_of(Type::Date32), "tdD");
  EXPECT_EQ(format_of(Type::Timestamp), "tsn:");
  EXPECT_EQ(format_of(Type::DateTime), "tsn:");
  EXPECT_EQ(format_of(Type::DateTime, {.times = ArrowTimes::Microseconds}), "tsu:");
  EXPECT_EQ(format_of(Type::DateTime, {.times = ArrowTimes::Ticks}), "l");
  EXPECT_EQ(format_of(Type::Duration), "tDn");
  EXPECT_EQ(format_of(Type::Duration, {.times = ArrowTimes::Microseconds}), "tDu");
  EXPECT_EQ(format_of(Type::RowId), "w:16");
  EXPECT_EQ(format_of(Type::list(Type::Int8)), "+l");
  EXPECT_EQ(format_of(Type::list(Type::Int8, true)), "+L");
  EXPECT_EQ(format_of(Type::vector(Type::Float32, 12)), "+w:12");
  EXPECT_EQ(format_of(Type::vector(Type::Float32)), "+L");
  EXPECT_EQ(format_of(Type::key(Type::UInt16, 9)), "S");
  EXPECT_EQ(format_of(Type::DateTimeOffset), "+s");
}

TEST(ArrowExport, SchemaSaysNamesNullsAndMetadata) {
  const auto made = std::make_shared<MadeValues>();
  Field field = field_of("price \xFF", Type::DateTime, true);
  field.encoding = "Int64";
  field.metadata.emplace_back("unit", "Euro");
  field.metadata.emplace_back(
      "texts", std::make_shared<const RowBatch>(
                   batch_of(made, {made->lists(made->texts({"a\"b", "c\n"}), {0, 2})})));
  field.metadata.emplace_back(
      "text", std::make_shared<const RowBatch>(batch_of(made, {made->texts({"as it is"})})));
  Owned<ArrowSchema> schema;
  export_schema({field, field_of("y", Type::vector(Type::Text, 2))}, schema.get());
  ASSERT_EQ(schema->n_children, 2);
  EXPECT_STREQ(schema->children[0]->name, "price \xEF\xBF\xBD");
  EXPECT_EQ(schema->children[0]->flags, ARROW_FLAG_NULLABLE);
  EXPECT_EQ(schema->children[1]->flags, 0);
  EXPECT_THAT(arrow::decode_metadata(schema->children[0]->metadata),
              ElementsAre(Pair("heron.type", "datetime"), Pair("heron.encoding", "Int64"),
                          Pair("heron.metadata.unit", "Euro"),
                          Pair("heron.value.texts", "[\"a\\\"b\",\"c\\n\"]"),
                          Pair("heron.value.text", "as it is")));
  ASSERT_EQ(schema->children[1]->n_children, 1);
  EXPECT_STREQ(schema->children[1]->children[0]->format, "u");
  EXPECT_EQ(schema->children[1]->children[0]->metadata, nullptr);

  const Schema back = import_schema(*schema);
  EXPECT_EQ(back[0].type, Type(Type::DateTime));
  EXPECT_EQ(back[0].encoding, "Int64");
  ASSERT_EQ(back[0].metadata.size(), 1u);
  EXPECT_EQ(back[0].metadata[0].name, "unit");
  EXPECT_EQ(back[0].metadata[0].text, "Euro");
}

// Metadata has the bytes of the specification: counts and lengths of 32 bits.
TEST(ArrowExport, MetadataBytes) {
  const std::string bytes = arrow::encode_metadata({{"k", "text"}, {"", ""}});
  EXPECT_EQ(bytes, std::string("\2\0\0\0\1\0\0\0k\4\0\0\0text\0\0\0\0\0\0\0\0", 25));
  EXPECT_TRUE(arrow::encode_metadata({}).empty());
  EXPECT_EQ(
      error_of(ErrorKind::Argument, [] { arrow::decode_metadata("\1\0\0\0\xFF\xFF\xFF\xFF"); }),
      "Arrow metadata: expected a length of 0 to 67108864, got -1");
  // The interface does not say where metadata ends, so no more than that is read.
  const std::string claims("\2\0\0\0\1\0\0\0k\0\0\0\0\1\0\0\0l\xFF\xFF\xFF\x7F", 22);
  EXPECT_EQ(error_of(ErrorKind::Argument, [&] { arrow::decode_metadata(claims.data()); }),
            "Arrow metadata: expected a length of 0 to 67108862, got 2147483647");
}

// Others write to texts of a mapped file while U+FFFD is put into them, which makes them longer.
TEST(ArrowExport, TextsThatOthersWriteToStayApart) {
  constexpr uint64_t kRows = 64, kBytes = 16;
  std::vector<char> characters(kRows * kBytes, 'a');
  std::vector<int32_t> offsets;
  for (uint64_t row = 0; row <= kRows; ++row) offsets.push_back(static_cast<int32_t>(row * kBytes));
  Values texts(Type::Text, kRows);
  texts.data = {reinterpret_cast<const std::byte*>(characters.data()), characters.size()};
  texts.offsets = {reinterpret_cast<const std::byte*>(offsets.data()), offsets.size() * 4};
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    while (!stop) {
      for (const char other : {'\xFF', 'a'}) std::fill(characters.begin(), characters.end(), other);
    }
  });
  Arena arena;
  for (int round = 0; round < 20'000 && !testing::Test::HasFailure(); ++round) {
    arena.reset();
    const Values repaired = arrow::as_utf8(texts, arena);
    if (repaired.data.data == texts.data.data) continue;
    EXPECT_TRUE(are_utf8(repaired));
    EXPECT_EQ(repaired.extent(kRows), repaired.data.bytes);
  }
  stop = true;
  writer.join();
}

TEST(ArrowExport, KeysBecomeCodesFromZero) {
  const auto made = std::make_shared<MadeValues>();
  const Values keys =
      made->with_nulls(made->keys(3, {3, 1, 0, 2}, made->texts({"red", "green", "blue"})), {2});
  Owned<ArrowSchema> schema;
  Owned<ArrowArray> array;
  export_column(batch_of(made, {keys}), 0, schema.get(), array.get());
  EXPECT_STREQ(schema->format, "I");
  ASSERT_NE(schema->dictionary, nullptr);
  EXPECT_STREQ(schema->dictionary->format, "u");
  EXPECT_EQ(schema->flags & ARROW_FLAG_DICTIONARY_ORDERED, ARROW_FLAG_DICTIONARY_ORDERED);
  EXPECT_THAT(cells_of<uint32_t>(*array, 1), ElementsAre(2, 0, 0, 1));
  EXPECT_EQ(array->null_count, 1);
  ASSERT_NE(array->dictionary, nullptr);
  EXPECT_EQ(array->dictionary->length, 3);
  EXPECT_EQ(array->dictionary->buffers[2], keys.children[0].data.data);
}

TEST(ArrowExport, SparseVectorsBecomeDense) {
  const auto made = std::make_shared<MadeValues>();
  // {0, 5, 0}, {1, 2, 3}
  const Values vectors = made->vectors(
      3, {3, 3},
      made->large(made->lists(made->cells<float>(Type::Float32, {5, 1, 2, 3}), {0, 1, 4})),
      made->large(made->lists(made->cells<int32_t>(Type::Int32, {1}), {0, 1, 1})));
  const RowBatch batch = batch_of(made, {vectors});
  Owned<ArrowArray> array;
  export_column(batch, 0, nullptr, array.get());
  ASSERT_EQ(array->n_children, 1);
  EXPECT_EQ(array->length, 2);
  EXPECT_THAT(cells_of<float>(*array->children[0], 1), ElementsAre(0, 5, 0, 1, 2, 3));
  EXPECT_EQ(error_of(ErrorKind::Limit,
                     [&] { export_column(batch, 0, nullptr, array.get(), {.max_slots = 5}); }),
            "vectors of more than 5 slots together; read fewer rows at once");
}

TEST(ArrowExport, LocalTimesAreAStruct) {
  const auto made = std::make_shared<MadeValues>();
  constexpr int64_t kHour = 36'000'000'000, kTicksBefore1970 = 621'355'968'000'000'000;
  const Values times = made->with_nulls(
      made->cells<DateTimeOffset>(Type::DateTimeOffset, {{kTicksBefore1970 + kHour, 60, {}},
                                                         {INT64_MIN, -3, {}},
                                                         {kTicksBefore1970 + 2, -30, {}}}),
      {1});
  Owned<ArrowSchema> schema;
  Owned<ArrowArray> array;
  export_column(batch_of(made, {times}), 0, schema.get(), array.get());
  ASSERT_EQ(array->n_children, 2);
  EXPECT_STREQ(schema->children[0]->name, "utc");
  EXPECT_STREQ(schema->children[0]->format, "tsn:UTC");
  EXPECT_STREQ(schema->children[1]->format, "s");
  EXPECT_THAT(cells_of<int64_t>(*array->children[0], 1), ElementsAre(0, 0, 1'800'000'000'200));
  EXPECT_THAT(cells_of<int16_t>(*array->children[1], 1), ElementsAre(60, 0, -30));
}

TEST(ArrowExport, TimesThatNanosecondsCannotCount) {
  const auto made = std::make_shared<MadeValues>();
  const RowBatch batch = batch_of(made, {made->cells<int64_t>(Type::DateTime, {0})});
  ArrowArray array{};
  EXPECT_EQ(error_of(ErrorKind::Limit, [&] { export_batch(batch, nullptr, &array); }),
            "column \"c0\" row 0 of its batch: expected a time that Arrow counts in 64 bits, got "
            "0001-01-01T00:00:00; in nanoseconds these are 1677 to 2262, use "
            "ArrowTimes::Microseconds or Ticks");
  EXPECT_EQ(array.release, nullptr);
}

TEST(ArrowExport, TextsAreUtf8) {
  const auto made = std::make_shared<MadeValues>();
  // One character of two bytes lies in two texts; a null text has invalid bytes; one text is cut.
  const Values texts = made->with_nulls(made->texts({"\xC3", "\xA9x", "\xFF\xFF",
                                                     "gr\xC3\xBC"
                                                     "n",
                                                     "\xE2\x82", ""}),
                                        {2});
  const RowBatch batch = batch_of(made, {texts});
  const RowBatch back = through_arrow(batch);
  EXPECT_THAT(words_of(back.columns[0]),
              ElementsAre("\"\xEF\xBF\xBD\"", "\"\xEF\xBF\xBDx\"", "null", "\"gr\xC3\xBCn\"",
                          "\"\xEF\xBF\xBD\"", "\"\""));
  Owned<ArrowArray> array;
  export_column(batch, 0, nullptr, array.get());
  EXPECT_EQ(static_cast<const int32_t*>(array->buffers[1])[3] -
                static_cast<const int32_t*>(array->buffers[1])[2],
            0);
  const RowBatch as_it_is = through_arrow(batch, {.binary_text = true});
  EXPECT_EQ(as_it_is.columns[0].text(0), "\xC3");
}

// The bytes are UTF-8 as a whole, but no text is.
TEST(ArrowExport, ACharacterInTwoTextsIsInNeither) {
  const auto made = std::make_shared<MadeValues>();
  const RowBatch back = through_arrow(batch_of(made, {made->texts({"a\xC3", "\xA9"})}));
  EXPECT_EQ(back.columns[0].text(0), "a\xEF\xBF\xBD");
  EXPECT_EQ(back.columns[0].text(1), "\xEF\xBF\xBD");
}

// A child is moved as the specification says: by copying it and marking the source.
TEST(ArrowExport, ChildrenThatAreMovedOutLiveOn) {
  auto made = std::make_shared<MadeValues>();
  RowBatch batch = batch_of(made, {made->cells<int32_t>(Type::Int32, {1, 2, 3}),
                                   made->keys(2, {2, 1, 2}, made->texts({"yes", "no"}))});
  const std::weak_ptr<MadeValues> memory = made;
  made.reset();
  ArrowArray array{};
  export_batch(batch, nullptr, &array);
  batch = {};

  ArrowArray numbers = *array.children[0];
  array.children[0]->release = nullptr;
  ArrowArray words = *array.children[1]->dictionary;
  array.children[1]->dictionary->release = nullptr;
  array.release(&array);
  EXPECT_EQ(array.release, nullptr);
  EXPECT_FALSE(memory.expired());
  EXPECT_THAT(cells_of<int32_t>(numbers, 1), ElementsAre(1, 2, 3));
  numbers.release(&numbers);
  EXPECT_EQ(numbers.release, nullptr);
  EXPECT_FALSE(memory.expired());
  EXPECT_EQ(std::memcmp(words.buffers[2], "yesno", 5), 0);
  std::thread([&] { words.release(&words); }).join();
  EXPECT_TRUE(memory.expired());
}

TEST(ArrowExport, ReleasedTwiceIsReleasedOnce) {
  const auto made = std::make_shared<MadeValues>();
  const RowBatch batch = batch_of(made, {made->cells<int32_t>(Type::Int32, {1})});
  ArrowArray array{};
  ArrowSchema schema{};
  export_batch(batch, &schema, &array);
  const auto release_array = array.release;
  const auto release_schema = schema.release;
  array.release(&array);
  release_array(&array);
  schema.release(&schema);
  release_schema(&schema);
  EXPECT_EQ(array.release, nullptr);
  EXPECT_EQ(schema.release, nullptr);
  EXPECT_EQ(made.use_count(), 2);  // the batch, and here
}

// The values are of a mapped file, whose pages the array keeps.
TEST(ArrowExport, MemoryOutlivesBatchAndDataset) {
  TableMaker maker(3);
  maker.fixed<int32_t>("number", Type::Int32, {7, 8, 9});
  maker.texts("text", {"a", std::nullopt, "bc"});
  auto table = maker.table();
  const std::weak_ptr<const ByteSource> bytes = internals(*table).bytes();
  ArrowArray array{};
  {
    const RowBatch batch = read(Projection(table), {0, 3});
    EXPECT_EQ(batch.columns[0].data.data >= bytes_of(*table).base(), true);
    export_batch(batch, nullptr, &array);
    EXPECT_EQ(array.children[0]->buffers[1], batch.columns[0].data.data);
  }
  table.reset();
  EXPECT_FALSE(bytes.expired());
  EXPECT_THAT(cells_of<int32_t>(*array.children[0], 1), ElementsAre(7, 8, 9));
  array.release(&array);
  EXPECT_TRUE(bytes.expired());
}

TEST(ArrowExport, ABatchWithoutItsSchema) {
  const auto made = std::make_shared<MadeValues>();
  RowBatch batch = batch_of(made, {made->cells<int32_t>(Type::Int32, {1})});
  batch.schema = nullptr;
  ArrowArray array{};
  EXPECT_EQ(error_of(ErrorKind::Argument, [&] { export_batch(batch, nullptr, &array); }),
            "expected a batch with a schema of its 1 columns, got 0");
}

}  // namespace
}  // namespace heron
