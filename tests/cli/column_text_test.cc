// Output of columns whose types hold more than a number or a text: times, row ids, keys, vectors.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "help/hints.h"
#include "heron/error.h"
#include "heron/text.h"
#include "output/row_writer.h"

namespace heron::cli {
namespace {

using Texts = std::vector<std::string>;

// A row of a vector: its length, the items it stores and, unless it is dense, their positions.
struct VectorRow {
  int32_t length;
  std::vector<int32_t> indices = {};
};

// Makes columns and keeps their memory.
class ColumnTextTest : public testing::Test {
 protected:
  template <class T>
  Buffer keep(std::vector<T> cells) {
    auto kept = std::make_shared<const std::vector<T>>(std::move(cells));
    memory_.push_back(kept);
    return {reinterpret_cast<const std::byte*>(kept->data()), kept->size() * sizeof(T)};
  }

  template <class T>
  Values fixed(Type type, std::vector<T> cells) {
    Values values(std::move(type), cells.size());
    values.data = keep(std::move(cells));
    return values;
  }

  Values texts(const Texts& rows) {
    std::vector<char> characters;
    std::vector<int32_t> offsets = {0};
    for (const std::string& row : rows) {
      characters.insert(characters.end(), row.begin(), row.end());
      offsets.push_back(static_cast<int32_t>(characters.size()));
    }
    Values values(Type::Text, rows.size());
    values.data = keep(std::move(characters));
    values.offsets = keep(std::move(offsets));
    return values;
  }

  // Makes the rows null whose bits are set, of up to eight rows.
  Values without(Values values, uint8_t nulls) {
    values.validity = keep(std::vector<uint8_t>{static_cast<uint8_t>(~nulls)});
    return values;
  }

  Values lists(Values items, std::vector<int64_t> offsets) {
    Values values(Type::list(items.type, true), offsets.size() - 1);
    values.offsets = keep(std::move(offsets));
    values.children.push_back(std::move(items));
    return values;
  }

  Values vectors(Values items, const std::vector<VectorRow>& rows, uint64_t slots = 0) {
    std::vector<int32_t> lengths, positions;
    std::vector<int64_t> ends = {0}, position_ends = {0};
    for (const auto& [length, indices] : rows) {
      const bool dense = indices.empty() && ends.back() + length <= int64_t(items.rows);
      lengths.push_back(length);
      positions.insert(positions.end(), indices.begin(), indices.end());
      ends.push_back(ends.back() + (dense ? length : static_cast<int64_t>(indices.size())));
      position_ends.push_back(static_cast<int64_t>(positions.size()));
    }
    Values values = fixed(Type::vector(items.type, slots), std::move(lengths));
    values.children.push_back(lists(std::move(items), std::move(ends)));
    values.children.push_back(
        lists(fixed(Type::Int32, std::move(positions)), std::move(position_ends)));
    return values;
  }

 private:
  std::vector<std::shared_ptr<const void>> memory_;
};

Texts json(const Values& values, ValueForm form = {}) {
  const ColumnText column(values, form);
  Texts all;
  for (uint64_t row = 0; row < values.rows; ++row) {
    StringSink sink;
    column.append_json(sink, row);
    all.emplace_back(sink.text());
  }
  return all;
}

std::string written(std::string_view form, const Values& values, ValueForm value_form = {}) {
  Field field;
  field.name = "x";
  field.type = values.type;
  RowBatch batch;
  batch.rows = values.rows;
  batch.columns.push_back(values);
  OutputForm output;
  output.name = form;
  output.values = value_form;
  StringSink sink;
  const auto writer = make_row_writer(output, sink, {field}, batch.rows);
  writer->write(batch);
  writer->finish();
  return std::string(sink.text());
}

constexpr ValueForm kRaw{.raw = true}, kSparse{.sparse = true};

TEST_F(ColumnTextTest, TimesAreInQuotesUnlessTheyAreRaw) {
  constexpr int64_t kMinimum = std::numeric_limits<int64_t>::min();
  const Values durations = without(fixed<int64_t>(Type::Duration, {-1, kMinimum, 0}), 4);
  EXPECT_EQ(json(durations),
            (Texts{R"("-00:00:00.0000001")", R"("-10675199.02:48:05.4775808")", "null"}));
  EXPECT_EQ(json(durations, kRaw), (Texts{"-1", "-9223372036854775808", "null"}));
  const Values instants = fixed<int64_t>(Type::DateTime, {0, 637'134'336'005'000'000});
  EXPECT_EQ(json(instants),
            (Texts{R"("0001-01-01T00:00:00")", R"("2020-01-01T00:00:00.5000000")"}));
  EXPECT_EQ(json(instants, kRaw), (Texts{"0", "637134336005000000"}));
  EXPECT_EQ(written("csv", durations),
            "x\r\n-00:00:00.0000001\r\n-10675199.02:48:05.4775808\r\n\r\n");
}

TEST_F(ColumnTextTest, RawDatetimeoffsetsAreArraysAndOneFieldOfCsv) {
  const Values values =
      fixed<DateTimeOffset>(Type::DateTimeOffset, {{637'134'336'000'000'000, -90, {}}});
  EXPECT_EQ(json(values), (Texts{R"("2020-01-01T00:00:00-01:30")"}));
  EXPECT_EQ(json(values, kRaw), (Texts{"[637134336000000000,-90]"}));
  EXPECT_EQ(written("csv", values), "x\r\n2020-01-01T00:00:00-01:30\r\n");
  EXPECT_EQ(written("csv", values, kRaw), "x\r\n\"[637134336000000000,-90]\"\r\n");
}

TEST_F(ColumnTextTest, RowIdsAreTheirHighHalfFirst) {
  const Values values = fixed<RowId>(Type::RowId, {{1, 0}, {UINT64_MAX, 0x0123456789ABCDEF}});
  EXPECT_EQ(json(values), (Texts{R"("00000000000000000000000000000001")",
                                 R"("0123456789abcdefffffffffffffffff")"}));
  EXPECT_EQ(json(values, kRaw), json(values));
}

TEST_F(ColumnTextTest, KeysAreWhatTheyStandFor) {
  Values keys = without(fixed<uint8_t>(Type::key(Type::UInt8, 3), {3, 0, 1, 2}), 2);
  EXPECT_EQ(json(keys), (Texts{"3", "null", "1", "2"}));
  EXPECT_EQ(written("csv", keys), "x\r\n3\r\n\r\n1\r\n2\r\n");
  keys.children.push_back(without(texts({"a,b", "gone", ""}), 2));
  EXPECT_EQ(json(keys), (Texts{"\"\"", "null", "\"a,b\"", "null"}));
  EXPECT_EQ(written("csv", keys), "x\r\n\"\"\r\n\r\n\"a,b\"\r\n\r\n");
  EXPECT_EQ(written("table", keys), "x\n\nnull\na,b\nnull\n");
  keys.children[0] = fixed<float>(Type::Float32, {0.5, 1, std::numeric_limits<float>::infinity()});
  EXPECT_EQ(json(keys), (Texts{"\"Infinity\"", "null", "0.5", "1"}));
}

TEST_F(ColumnTextTest, KeysOfEveryWidthArePrinted) {
  EXPECT_EQ(json(fixed<uint16_t>(Type::key(Type::UInt16, 65535), {65535})), Texts{"65535"});
  EXPECT_EQ(json(fixed<uint32_t>(Type::key(Type::UInt32, 7), {4'294'967'295})),
            Texts{"4294967295"});
  EXPECT_EQ(json(fixed<uint64_t>(Type::key(Type::UInt64, UINT64_MAX), {UINT64_MAX})),
            Texts{"18446744073709551615"});
}

TEST_F(ColumnTextTest, TextsOfKeysThatAreNotUtf8AreRepaired) {
  Values keys = fixed<uint8_t>(Type::key(Type::UInt8, 2), {2, 1});
  keys.children.push_back(texts({"\xFF", "ж"}));
  EXPECT_EQ(json(keys), (Texts{"\"ж\"", "\"\uFFFD\""}));
  keys.rows = 1;  // fewer than the texts
  EXPECT_EQ(json(keys), (Texts{"\"ж\""}));
}

TEST_F(ColumnTextTest, VectorsShowAllTheirSlots) {
  const Values values =
      vectors(fixed<int32_t>(Type::Int32, {7, 8, 9, 5}), {{0}, {5, {1, 3}}, {2}, {4, {}}});
  EXPECT_EQ(json(values), (Texts{"[]", "[0,7,0,8,0]", "[9,5]", "[0,0,0,0]"}));
  EXPECT_EQ(json(values, kSparse),
            (Texts{R"({"len":0,"values":[]})", R"({"len":5,"indices":[1,3],"values":[7,8]})",
                   R"({"len":2,"values":[9,5]})", R"({"len":4,"indices":[],"values":[]})"}));
}

TEST_F(ColumnTextTest, SlotsThatAreNotStoredAreEmpty) {
  const std::vector<VectorRow> rows = {{2, {1}}};
  const auto shown = [&](Values items) { return json(vectors(std::move(items), rows))[0]; };
  EXPECT_EQ(shown(texts({"a"})), R"(["","a"])");
  EXPECT_EQ(shown(fixed<uint8_t>(Type::Bool, {1})), "[false,true]");
  EXPECT_EQ(shown(fixed<double>(Type::Float64, {std::numeric_limits<double>::quiet_NaN()})),
            R"([0,"NaN"])");
  EXPECT_EQ(shown(fixed<int64_t>(Type::Duration, {-1})), R"(["00:00:00","-00:00:00.0000001"])");
  EXPECT_EQ(shown(fixed<int64_t>(Type::DateTime, {1})),
            R"(["0001-01-01T00:00:00","0001-01-01T00:00:00.0000001"])");
  EXPECT_EQ(shown(fixed<DateTimeOffset>(Type::DateTimeOffset, {{1, 60, {}}})),
            R"(["0001-01-01T00:00:00+00:00","0001-01-01T00:00:00.0000001+01:00"])");
  EXPECT_EQ(shown(fixed<RowId>(Type::RowId, {{1, 0}})),
            R"(["00000000000000000000000000000000","00000000000000000000000000000001"])");
  EXPECT_EQ(shown(fixed<uint8_t>(Type::key(Type::UInt8, 9), {1})), "[null,1]");
  EXPECT_EQ(shown(without(fixed<int8_t>(Type::Int8, {1}), 1)), "[0,null]");
}

TEST_F(ColumnTextTest, TextsInVectorsThatAreNotUtf8AreRepaired) {
  EXPECT_EQ(json(vectors(texts({"ж", "\xD0"}), {{2}})), Texts{"[\"ж\",\"\uFFFD\"]"});
}

TEST_F(ColumnTextTest, VectorsAreOneFieldOfCsvAndOfATable) {
  const Values values = vectors(texts({"a", "\"b\""}), {{2}, {1, {}}});
  EXPECT_EQ(written("csv", values),
            "x\r\n\"[\"\"a\"\",\"\"\\\"\"b\\\"\"\"\"]\"\r\n\"[\"\"\"\"]\"\r\n");
  EXPECT_EQ(written("table", values), "x\n[\"a\",\"\\\"b\\\"\"]\n[\"\"]\n");
  EXPECT_EQ(written("jsonl", values), "{\"x\":[\"a\",\"\\\"b\\\"\"]}\n{\"x\":[\"\"]}\n");
  EXPECT_EQ(written("jsonl", values, kSparse),
            "{\"x\":{\"len\":2,\"values\":[\"a\",\"\\\"b\\\"\"]}}\n"
            "{\"x\":{\"len\":1,\"indices\":[],\"values\":[]}}\n");
}

TEST_F(ColumnTextTest, AVectorTooLongForAllItsSlotsIsRefusedAndNamesTheWayOut) {
  const auto longest = static_cast<int32_t>(ColumnText::kMaxSlots);
  const Values items = fixed<int8_t>(Type::Int8, {});
  EXPECT_EQ(json(vectors(items, {{longest, {}}}))[0].size(), 2 * ColumnText::kMaxSlots + 1);
  const Values over = vectors(items, {{1, {}}, {longest + 1, {}}});
  try {
    written("jsonl", over);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Limit);
    EXPECT_THAT(error.what(), testing::HasSubstr("1000001 slots"));
    EXPECT_EQ(hint_text(error.hint()), "; --sparse shows vectors as they are stored");
  }
  EXPECT_EQ(json(over, kSparse)[1], R"({"len":1000001,"indices":[],"values":[]})");
  EXPECT_EQ(json(over, {.max_items = 3})[1], "[0,0,0, ... 1000001 in all]");
}

TEST_F(ColumnTextTest, ListsAreCutToTheRequestedItems) {
  const Values values = lists(texts({"a", "b", "c"}), {0, 0, 3});
  EXPECT_EQ(json(values, {.max_items = 3}), (Texts{"[]", R"(["a","b","c"])"}));
  EXPECT_EQ(json(values, {.max_items = 2}), (Texts{"[]", R"(["a","b", ... 3 in all])"}));
}

TEST_F(ColumnTextTest, SlotsAreColumnsOfAMatrix) {
  const Values values =
      vectors(without(fixed<int16_t>(Type::Int16, {1, 2, 3, 4}), 4), {{3, {1}}, {3}, {3, {}}}, 3);
  const std::string text = written("npy", values);
  EXPECT_THAT(text, testing::HasSubstr("'shape': (3, 3)"));
  float cells[9];
  std::memcpy(cells, text.data() + text.size() - sizeof cells, sizeof cells);
  EXPECT_THAT(cells, testing::ElementsAre(0, 1, 0, 2, testing::IsNan(), 4, 0, 0, 0));
}

TEST_F(ColumnTextTest, KeysAreTheirNumbersInAMatrix) {
  const std::string text = written(
      "npy", vectors(fixed<uint8_t>(Type::key(Type::UInt8, 9), {7, 8, 9}), {{2, {1}}, {2}}, 2));
  float cells[4];
  std::memcpy(cells, text.data() + text.size() - sizeof cells, sizeof cells);
  EXPECT_THAT(cells, testing::ElementsAre(testing::IsNan(), 7, 8, 9));
}

TEST_F(ColumnTextTest, AMatrixHasNoVectorsOfDifferentOrVeryGreatLength) {
  const Values numbers = fixed<int8_t>(Type::Int8, {1});
  EXPECT_THROW(written("npy", vectors(numbers, {{1}})), Error);
  EXPECT_THROW(written("npy", vectors(texts({"a"}), {{1}}, 1)), Error);
  EXPECT_THROW(written("npy", vectors(numbers, {}, ColumnText::kMaxSlots + 1)), Error);
  EXPECT_THROW(written("npy", fixed<int64_t>(Type::Duration, {1})), Error);
}

}  // namespace
}  // namespace heron::cli
