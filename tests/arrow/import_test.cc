// Arrays of other programs, slices above all, and invalid arrays.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "arrow/made_arrays.h"
#include "error_of.h"
#include "heron/text.h"

namespace heron {
namespace {

using arrow::Owned;
using test::error_of;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;

std::vector<std::string> words_of_column(const MadeArray& made) {
  return words_of(imported(struct_of({made})).columns[0]);
}

Type type_of(const MadeArray& made) {
  return import_schema(*made.schema())[0].type;
}

TEST(ArrowImport, BitsThatBeginInsideOfAByte) {
  MadeArray bools{"b", 9, {bits_of("111111111101011"), bits_of("000101011101111")}};
  bools.offset = 3;
  EXPECT_THAT(words_of_column(bools), ElementsAre("1", "0", "1", "0", "1", "1", "1", "null", "1"));
}

TEST(ArrowImport, NamesAreRepaired) {
  MadeArray a{"n", 2}, b{"n", 2}, c{"n", 2};
  a.name = c.name = "x";
  const RowBatch batch = imported(struct_of({a, b, c}));
  EXPECT_EQ((*batch.schema)[0].name, "x");
  EXPECT_EQ((*batch.schema)[1].name, "c1");
  EXPECT_EQ((*batch.schema)[2].name, "x.1");
  EXPECT_EQ(batch.columns[2].null_count, 2u);
}

TEST(ArrowImport, TextsInTheMiddleOfTheirCharacters) {
  MadeArray texts{"u", 2, {{}, bytes_of<int32_t>({0, 2, 5, 6, 9}), bytes_of("aabbbcddd")}};
  texts.offset = 1;
  EXPECT_THAT(words_of_column(texts), ElementsAre("\"bbb\"", "\"c\""));
  texts.format = "z";
  EXPECT_EQ(type_of(texts), Type(Type::Binary));
  const MadeArray none{"U", 2, {{}, bytes_of<int64_t>({7, 7, 7}), {}}};
  EXPECT_THAT(words_of_column(none), ElementsAre("\"\"", "\"\""));
}

TEST(ArrowImport, ListsInTheMiddleOfTheirItems) {
  MadeArray items{"i", 5, {bits_of("0111101"), bytes_of<int32_t>({9, 9, 1, 2, 3, 4, 5})}};
  items.offset = 2;
  MadeArray lists{"+l", 2, {{}, bytes_of<int32_t>({0, 1, 3, 5})}, {items}};
  lists.offset = 1;
  EXPECT_THAT(words_of_column(lists), ElementsAre("[2 3]", "[null 5]"));
}

TEST(ArrowImport, FixedSizeListsAreLists) {
  const MadeArray items{"s", 8, {{}, bytes_of<int16_t>({1, 2, 3, 4, 5, 6, 7, 8})}};
  MadeArray lists{"+w:2", 3, {bits_of("1101")}, {items}};
  lists.offset = 1;
  EXPECT_EQ(type_of(lists), Type::list(Type::Int16, true));
  EXPECT_THAT(words_of_column(lists), ElementsAre("[3 4]", "null", "[7 8]"));
  lists.metadata = {{"heron.type", "vector<int16>[2]"}};
  EXPECT_THAT(error_of(ErrorKind::Unsupported, [&] { words_of_column(lists); }),
              HasSubstr("1 vectors are null"));
  lists.buffers = {{}};
  EXPECT_EQ(type_of(lists), Type::vector(Type::Int16, 2));
  EXPECT_THAT(words_of_column(lists), ElementsAre("[3 4]", "[5 6]", "[7 8]"));
  lists.length = 4;
  EXPECT_EQ(error_of(ErrorKind::Argument, [&] { words_of_column(lists); }),
            "Arrow column \"c0.0\": expected 5 times 2 items, got 8");
}

TEST(ArrowImport, FixedBinaryIsLargeBinary) {
  MadeArray binary{"w:3", 2, {{}, bytes_of("aaabbbccc")}};
  binary.offset = 1;
  EXPECT_EQ(type_of(binary), Type(Type::LargeBinary));
  EXPECT_THAT(words_of_column(binary), ElementsAre("\"bbb\"", "\"ccc\""));
}

struct View {
  int32_t length;
  char begin[4];
  int32_t buffer;
  int32_t offset;
};

MadeArray views() {
  std::vector<View> cells(4);
  std::memcpy(&cells[0], "\5\0\0\0short", 9);
  cells[1] = {14, {'l', 'o', 'n', 'g'}, 1, 2};
  cells[2] = {-7, {}, 99, 99};  // this cell is null
  return {"vu",
          4,
          {bits_of("1101"), bytes_of(cells), bytes_of("?"), bytes_of("..longer than 12"),
           bytes_of<int64_t>({1, 16})}};
}

TEST(ArrowImport, ViewsOfTextsAreTexts) {
  MadeArray made = views();
  EXPECT_THAT(words_of_column(made),
              ElementsAre("\"short\"", "\"longer than 12\"", "null", "\"\""));
  made.buffers[4] = bytes_of<int64_t>({1, 15});
  EXPECT_EQ(error_of(ErrorKind::Argument, [&] { words_of_column(made); }),
            "Arrow column \"c0\": row 1 of its batch: expected a view into 2 buffers, got 14 bytes "
            "at 2 of buffer 1 of 15");
  made = views();
  made.buffers[0] = bits_of("1111");
  EXPECT_THAT(error_of(ErrorKind::Argument, [&] { words_of_column(made); }), HasSubstr("row 2"));
}

TEST(ArrowImport, DictionariesAreWhatTheyStandFor) {
  const MadeArray words{"u", 2, {{}, bytes_of<int32_t>({0, 3, 5}), bytes_of("yesno")}};
  MadeArray codes{"c", 3, {bits_of("1101"), bytes_of<int8_t>({0, 1, 77, 1})}, {}, {words}};
  codes.length = 4;
  EXPECT_EQ(type_of(codes), Type(Type::Text));
  EXPECT_THAT(words_of_column(codes), ElementsAre("\"yes\"", "\"no\"", "null", "\"no\""));
  codes.buffers[0] = {};
  EXPECT_EQ(error_of(ErrorKind::Argument, [&] { words_of_column(codes); }),
            "Arrow column \"c0\": row 2 of its batch: expected a code below 2, got 77");
  codes.buffers = {bits_of("0000"), bytes_of<int8_t>({0, -1, 77, 1})};
  codes.dictionary = {{"u", 0, {{}, {}, {}}}};
  EXPECT_THAT(words_of_column(codes), ElementsAre("null", "null", "null", "null"));
}

TEST(ArrowImport, KeysAreCheckedAgainstTheirCount) {
  const MadeArray words{"u", 2, {{}, bytes_of<int32_t>({0, 3, 5}), bytes_of("yesno")}};
  MadeArray codes{"I", 2, {{}, bytes_of<uint32_t>({1, 0})}, {}, {words}};
  codes.metadata = {{"heron.type", "key<uint32>[2]"}};
  EXPECT_EQ(type_of(codes), Type::key(Type::UInt32, 2));
  EXPECT_THAT(words_of_column(codes), ElementsAre("\"no\"", "\"yes\""));
  codes.metadata = {{"heron.type", "key<uint32>[3]"}};
  EXPECT_THAT(error_of(ErrorKind::Argument, [&] { words_of_column(codes); }),
              HasSubstr("expected a dictionary of 3 values"));
  MadeArray numbers{"I", 2, {bits_of("01"), bytes_of<uint32_t>({0, 9})}};
  numbers.metadata = {{"heron.type", "key<uint32>[2]"}};
  EXPECT_THAT(words_of_column(numbers), ElementsAre("null", "9"));
  numbers.buffers[0] = {};
  EXPECT_EQ(error_of(ErrorKind::Argument, [&] { words_of_column(numbers); }),
            "Arrow column \"c0\": row 0 of its batch: expected a key from 1 on, got 0");
}

MadeArray times(std::string format, std::vector<int64_t> counts) {
  return {std::move(format), counts.size(), {{}, bytes_of(counts)}};
}

TEST(ArrowImport, TimesKeepUnitAndZoneInPlace) {
  const auto imports = [](const char* format, const Type& type) {
    const MadeArray made = struct_of({times(format, {-1, INT64_MAX, INT64_MIN})});
    Owned<ArrowArray> array = made.array();
    const void* cells = array->children[0]->buffers[1];
    const RowBatch batch = import_batch(*made.schema(), array.get());
    EXPECT_EQ(batch.columns[0].type, type) << format;
    EXPECT_EQ(batch.columns[0].data.data, cells) << format;
    EXPECT_TRUE((*batch.schema)[0].metadata.empty()) << format;
  };
  imports("tss:", Type::timestamp(Type::Second));
  imports("tsm:", Type::timestamp(Type::Millisecond));
  imports("tsu:Europe/Oslo", Type::timestamp(Type::Microsecond, "Europe/Oslo"));
  imports("tsn:+02:00", Type::timestamp(Type::Nanosecond, "+02:00"));
  imports("tsn:", Type::Timestamp);
  imports("tDs", Type::duration(Type::Second));
  imports("tDm", Type::duration(Type::Millisecond));
  imports("tDu", Type::duration(Type::Microsecond));
  imports("tDn", Type::duration(Type::Nanosecond));
  imports("ttn", Type::Time);
}

TEST(ArrowImport, TimesOfOtherUnitsAreConverted) {
  const RowBatch batch = imported(struct_of({times("tdm", {86'400'000 * 3}), times("ttu", {5}),
                                             {"tts", 1, {{}, bytes_of<int32_t>({86'399})}},
                                             {"ttm", 1, {{}, bytes_of<int32_t>({7})}}}));
  EXPECT_EQ(batch.columns[0].get<int32_t>(0), 3);
  EXPECT_EQ(batch.columns[1].get<int64_t>(0), 5'000);
  EXPECT_EQ(batch.columns[2].get<int64_t>(0), 86'399'000'000'000);
  EXPECT_EQ(batch.columns[3].get<int64_t>(0), 7'000'000);
  EXPECT_EQ(batch.columns[3].type, Type(Type::Time));
  MadeArray ticks = times("tDn", {1200});
  ticks.metadata = {{"heron.type", "duration"}};
  EXPECT_EQ(type_of(ticks), Type(Type::Duration));
  EXPECT_EQ(to_text(imported(struct_of({ticks})).columns[0], 0), "00:00:00.0000012");
  MadeArray odd = times("tDn", {150});
  odd.metadata = ticks.metadata;
  for (const MadeArray& bad : {times("ttu", {INT64_MAX / 100}), odd, times("tdm", {5}),
                               times("tdm", {86'400'000 * (int64_t{1} << 31)})}) {
    EXPECT_THAT(error_of(ErrorKind::Limit, [&] { words_of_column(bad); }), HasSubstr("row 0"));
  }
}

TEST(ArrowImport, Halves) {
  const MadeArray halves{"e", 3, {{}, bytes_of<uint16_t>({0x3C00, 0xC500, 0x0001})}};
  const RowBatch batch = imported(struct_of({halves}));
  EXPECT_EQ(batch.columns[0].get<float>(0), 1.0f);
  EXPECT_EQ(batch.columns[0].get<float>(1), -5.0f);
  EXPECT_EQ(batch.columns[0].get<float>(2), 0x1p-24f);
}

// Buffers are copied if they are at an address where no int64 may be read.
TEST(ArrowImport, UnalignedBuffersAreCopied) {
  const MadeArray made = struct_of({{"l", 2, {{}, bytes_of<int64_t>({0, 0, 0})}}});
  Owned<ArrowArray> array = made.array();
  ArrowBytes bytes(25);
  const int64_t cells[] = {5, -6};
  std::memcpy(bytes.data() + 1, cells, sizeof cells);
  array->children[0]->buffers[1] = bytes.data() + 1;
  const RowBatch batch = import_batch(*made.schema(), array.get());
  EXPECT_THAT(words_of(batch.columns[0]), ElementsAre("5", "-6"));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(batch.columns[0].data.data) % 8, 0u);
}

TEST(ArrowImport, ReleasedOnceWithTheLastHolder) {
  const MadeArray made = struct_of({{"i", 2, {{}, bytes_of<int32_t>({1, 2})}}});
  int released = 0;
  RowBatch batch = imported(made, &released);
  RowBatch other = batch;
  batch = {};
  EXPECT_EQ(released, 0);
  EXPECT_THAT(words_of(other.columns[0]), ElementsAre("1", "2"));
  other = {};
  EXPECT_EQ(released, 2);

  // The array is released also if it is invalid, and never twice.
  Owned<ArrowArray> array = made.array(&released);
  array->children[0]->length = 1;
  EXPECT_THROW(import_batch(*made.schema(), array.get()), Error);
  EXPECT_EQ(array->release, nullptr);
  EXPECT_EQ(released, 4);
  EXPECT_EQ(error_of(ErrorKind::Argument, [&] { import_batch(*made.schema(), array.get()); }),
            "expected an Arrow array, got one that was released or moved away already");
  EXPECT_EQ(released, 4);
}

// An invalid array ends in an error that says what is wrong; it is released nevertheless.
TEST(ArrowImport, StructureIsChecked) {
  const MadeArray made =
      struct_of({{"u", 3, {bits_of("110"), bytes_of<int32_t>({0, 1, 2, 3}), bytes_of("abc")}},
                 {"+l",
                  3,
                  {{}, bytes_of<int32_t>({0, 1, 1, 2})},
                  {{"c", 2, {{}, bytes_of<int8_t>({1, 2})}}}}});
  const auto error_with = [&](auto spoil) {
    int released = 0;
    Owned<ArrowArray> array = made.array(&released);
    spoil(*array.get());
    const std::string text =
        error_of(ErrorKind::Argument, [&] { import_batch(*made.schema(), array.get()); });
    EXPECT_EQ(released, 4) << text;
    return text;
  };
  using A = ArrowArray;
  EXPECT_THAT(error_with([](A& a) { a.length = -1; }), HasSubstr("expected a length from 0"));
  EXPECT_THAT(error_with([](A& a) { a.offset = -1; }), HasSubstr("expected an offset from 0"));
  EXPECT_THAT(error_with([](A& a) { a.length = INT64_MAX; }), HasSubstr("expected a length"));
  EXPECT_THAT(error_with([](A& a) { a.offset = 1; }), HasSubstr("expected 4 rows or more, got 3"));
  EXPECT_THAT(error_with([](A& a) { a.null_count = -2; }), HasSubstr("expected from -1 to 3"));
  EXPECT_THAT(error_with([](A& a) { a.n_buffers = 2; }), HasSubstr("a struct of 1 buffer"));
  EXPECT_THAT(error_with([](A& a) { a.children[0]->buffers = nullptr; }),
              HasSubstr("null pointer"));
  EXPECT_THAT(error_with([](A& a) { a.children[0]->n_buffers = 2; }),
              HasSubstr("\"c0\": expected 3 buffers of \"u\", got 2"));
  EXPECT_THAT(error_with([](A& a) { a.children[0]->length = -5; }),
              HasSubstr("\"c0\": expected a length"));
  EXPECT_THAT(error_with([](A& a) { a.children[0]->dictionary = a.children[1]; }),
              HasSubstr("expected no dictionary, got one"));
  EXPECT_THAT(error_with([](A& a) { a.children[0]->buffers[1] = nullptr; }),
              HasSubstr("expected 4 values in buffer 1, got a null pointer"));
  EXPECT_THAT(error_with([](A& a) { a.children[0]->buffers[2] = nullptr; }),
              HasSubstr("expected 3 bytes in buffer 2, got a null pointer"));
  EXPECT_THAT(error_with([](A& a) {
                a.children[0]->null_count = 1;
                a.children[0]->buffers[0] = nullptr;
              }),
              HasSubstr("expected a validity bitmap for 1 nulls"));
  EXPECT_THAT(error_with([](A& a) { a.children[1]->children[0]->length = 1; }),
              HasSubstr("\"c1.0\": expected 2 rows or more, got 1"));
  static const int32_t kFalling[] = {0, 2, 1, 3}, kNegative[] = {-1, 0, 1, 2};
  EXPECT_THAT(error_with([](A& a) { a.children[0]->buffers[1] = kFalling; }),
              HasSubstr("row 1 of its batch: expected offsets that ascend from 0 on, got 2 and 1"));
  EXPECT_THAT(error_with([](A& a) { a.children[0]->buffers[1] = kNegative; }),
              HasSubstr("row 0 of its batch"));
}

TEST(ArrowImport, ChildrenThatAreNotThere) {
  const MadeArray made = struct_of(
      {{"+l", 1, {{}, bytes_of<int32_t>({0, 1})}, {{"c", 1, {{}, bytes_of<int8_t>({1})}}}}});
  Owned<ArrowArray> array = made.array();
  ArrowArray*& items = array->children[0]->children[0];
  items->release(items);
  EXPECT_THAT(error_of(ErrorKind::Argument, [&] { import_batch(*made.schema(), array.get()); }),
              HasSubstr("was released or moved away"));
  array = made.array();
  array->children[0]->children[0] = nullptr;
  EXPECT_THAT(error_of(ErrorKind::Argument, [&] { import_batch(*made.schema(), array.get()); }),
              HasSubstr("expected an array, got a null pointer"));
  array = made.array();
  array->n_children = 0;
  EXPECT_THAT(error_of(ErrorKind::Argument, [&] { import_batch(*made.schema(), array.get()); }),
              HasSubstr("expected 1 columns, got 0"));
}

TEST(ArrowImport, RowsThatAreNullAsAWhole) {
  MadeArray made = struct_of({{"i", 3, {{}, bytes_of<int32_t>({1, 2, 3})}}});
  made.buffers[0] = bits_of("111");
  made.null_count = -1;
  EXPECT_EQ(imported(made).rows, 3u);
  made.buffers[0] = bits_of("101");
  EXPECT_EQ(error_of(ErrorKind::Unsupported, [&] { imported(made); }),
            "Arrow array: row 1 is null as a whole, which no row of a batch can be");
}

TEST(ArrowImport, FormatsThatHeronHasNoTypeFor) {
  for (const char* format : {"d:38,10,256", "d:38,-1", "d:39,0", "ttx", "tiM", "+m", "+r", "+vl", "+ud:0", "vx", "q", "",
                             "ts", "tsx:", "tDx", "tds", "+"}) {
    const MadeArray made{format, 1, {{}, bytes_of<int64_t>({1, 2})}};
    const std::string text =
        error_of(ErrorKind::Unsupported, [&] { import_schema(*struct_of({made}).schema()); });
    EXPECT_EQ(text, "Arrow column \"c0\": Heron has no type for \"" + std::string(format) + '"');
  }
  for (const char* format : {"w:-1", "w:x", "+w:", "+w:3x"}) {
    MadeArray made{format, 1, {{}, bytes_of<int64_t>({1, 2})}};
    if (*format == '+') made.children = {{"n", 1}};
    EXPECT_THAT(error_of(ErrorKind::Argument, [&] { type_of(made); }),
                HasSubstr("expected a width"));
  }
  const MadeArray inner = struct_of({{"n", 1}});
  EXPECT_THAT(error_of(ErrorKind::Unsupported, [&] { type_of(struct_of({inner})); }),
              HasSubstr("Heron has no type for \"+s\""));
}

TEST(ArrowImport, SchemasAreChecked) {
  const MadeArray made = struct_of({{"+l", 1, {{}, {}}, {{"n", 1}}}});
  const auto error_with = [&](auto spoil) {
    Owned<ArrowSchema> schema = made.schema();
    spoil(*schema.get());
    return error_of(ErrorKind::Argument, [&] { import_schema(*schema); });
  };
  using S = ArrowSchema;
  EXPECT_THAT(error_with([](S& s) { s.format = nullptr; }), HasSubstr("expected a format"));
  EXPECT_THAT(error_with([](S& s) { s.n_children = -1; }),
              HasSubstr("expected 0 or more children"));
  EXPECT_THAT(error_with([](S& s) { s.children = nullptr; }), HasSubstr("null pointer"));
  EXPECT_THAT(error_with([](S& s) { s.children[0] = nullptr; }), HasSubstr("null pointer"));
  EXPECT_THAT(error_with([](S& s) { s.children[0]->n_children = 0; }),
              HasSubstr("expected 1 child of \"+l\", got 0"));
  EXPECT_THAT(error_with([](S& s) { s.children[0]->release(s.children[0]); }),
              HasSubstr("was released or moved away"));
  EXPECT_THAT(error_with([](S& s) { s.metadata = "\xFF\xFF\xFF\xFF"; }), HasSubstr("got -1"));

  MadeArray deep{"n", 1};
  for (int i = 0; i < 100; ++i) deep = {"+l", 1, {{}, {}}, {deep}};
  EXPECT_THAT(error_of(ErrorKind::Limit, [&] { type_of(deep); }), HasSubstr("more than 64 deep"));
  MadeArray codes{"g", 1, {{}, {}}, {}, {{"n", 1}}};
  EXPECT_THAT(error_of(ErrorKind::Argument, [&] { type_of(codes); }),
              HasSubstr("expected integers as codes"));
}

}  // namespace
}  // namespace heron
