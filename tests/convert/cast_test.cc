// Casts of everything but plain numbers: their values, columns they leave unchanged, and casts
// back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/fail.h"
#include "base/int128.h"
#include "convert/cast.h"
#include "convert/made_values.h"
#include "error_of.h"
#include "kit/random_batch.h"

namespace heron {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class Cast : public testing::Test {
 protected:
  MadeValues maker;

  // Returns "row 3: 300", or "fits".
  std::string outcome(const Values& values, const Type& to,
                      NullFloat nulls = NullFloat::Keep) {
    const auto fault = cast(values, to, nulls, maker.arena, into);
    return fault ? concat("row ", fault->row, ": ", fault->value) : "fits";
  }
  // Returns all rows, or the fault.
  std::vector<std::string> texts(const Values& values, const Type& to,
                                 NullFloat nulls = NullFloat::Keep) {
    const std::string what = outcome(values, to, nulls);
    if (what != "fits") return {what};
    EXPECT_EQ(into.type, to);
    EXPECT_EQ(into.rows, values.rows);
    return all_texts(into);
  }
  template <class T>
  std::vector<T> cells(const Values& values, const Type& to) {
    EXPECT_EQ(outcome(values, to), "fits");
    return {into.data.as<T>(), into.data.as<T>() + into.rows};
  }
  Values texts_of_keys() { return maker.texts({"a", "", "cd"}); }

  Values into;
};

constexpr int64_t kNanosecondsADay = 86'400'000'000'000;
constexpr int64_t kTicksADay = kNanosecondsADay / 100;
constexpr int64_t kTicksIn1970 = 719'162 * kTicksADay;

TEST_F(Cast, InstantsAreTheSameByEveryClock) {
  const Values days = maker.cells<int32_t>(Type::Date32, {0, 1, -719'162, 2'932'896});
  EXPECT_THAT(cells<int64_t>(days, Type::DateTime),
              ElementsAre(kTicksIn1970, kTicksIn1970 + kTicksADay, 0,
                          3'155'378'976'000'000'000 - kTicksADay));
  EXPECT_THAT(cells<int32_t>(Values(into), Type::Date32), ElementsAre(0, 1, -719'162, 2'932'896));
  EXPECT_EQ(outcome(days, Type::Timestamp), "row 2: 0001-01-01");
  EXPECT_EQ(outcome(maker.cells<int32_t>(Type::Date32, {2'932'897}), Type::DateTime),
            "row 0: 10000-01-01");

  const Values times =
      maker.cells<int64_t>(Type::Timestamp, {-100, 0, INT64_MAX - 7, INT64_MIN + 8});
  EXPECT_THAT(cells<int64_t>(times, Type::DateTime),
              ElementsAre(kTicksIn1970 - 1, kTicksIn1970, kTicksIn1970 + INT64_MAX / 100,
                          kTicksIn1970 + INT64_MIN / 100));
  EXPECT_THAT(cells<int64_t>(Values(into), Type::Timestamp),
              ElementsAre(-100, 0, INT64_MAX - 7, INT64_MIN + 8));
  EXPECT_EQ(outcome(times, Type::Date32), "row 0: 1969-12-31T23:59:59.9999999");
  EXPECT_EQ(outcome(maker.cells<int64_t>(Type::Timestamp, {101}), Type::DateTime),
            "row 0: 1970-01-01T00:00:00.000000101");
}

// Compares with Int128, near every value at which a type overflows or ends.
TEST_F(Cast, InstantsAreCastByTheRule) {
  const Type::Id types[] = {Type::Date32, Type::Timestamp, Type::DateTime};
  const Int128 units[] = {kNanosecondsADay, 1, 100};
  const Int128 zeros[] = {0, 0, Int128{-719'162} * kNanosecondsADay};
  constexpr int64_t kLastTick = 3'155'378'975'999'999'999;
  std::vector<Int128> instants;  // in nanoseconds since 1970
  for (const Int128 base :
       {Int128{0}, Int128{INT64_MAX}, Int128{INT64_MIN}, zeros[2],
        zeros[2] + Int128{kLastTick} * 100, Int128{INT32_MAX} * kNanosecondsADay,
        Int128{INT32_MIN} * kNanosecondsADay}) {
    for (const int64_t unit : {int64_t{1}, int64_t{100}, kNanosecondsADay}) {
      for (int step = -3; step <= 3; ++step) {
        instants.push_back(base + Int128{step} * unit);
        instants.push_back((base / unit + step) * unit);
      }
    }
  }
  const auto unit_of = [&](size_t type, Int128 instant) -> std::optional<int64_t> {
    const Int128 since = instant - zeros[type];
    if (since % units[type] != 0) return std::nullopt;
    const Int128 number = since / units[type];
    const Int128 least = type == 0 ? INT32_MIN : type == 1 ? INT64_MIN : 0;
    const Int128 most = type == 0 ? INT32_MAX : type == 1 ? INT64_MAX : kLastTick;
    if (number < least || number > most) return std::nullopt;
    return static_cast<int64_t>(number);
  };
  const auto made = [&](size_t type, int64_t number) {
    return type == 0 ? maker.cells<int32_t>(types[type], {static_cast<int32_t>(number)})
                     : maker.cells<int64_t>(types[type], {number});
  };
  for (const Int128 instant : instants) {
    for (size_t from = 0; from < 3; ++from) {
      const auto number = unit_of(from, instant);
      if (!number) continue;
      for (size_t to = 0; to < 3; ++to) {
        const auto expected = unit_of(to, instant);
        const std::string what = outcome(made(from, *number), types[to]);
        ASSERT_EQ(what == "fits", expected.has_value())
            << *number << " of " << Type(types[from]).name() << " as " << Type(types[to]).name();
        if (!expected) continue;
        ASSERT_EQ(to == 0 ? into.get<int32_t>(0) : into.get<int64_t>(0), *expected);
      }
    }
  }
}

TEST_F(Cast, NoTimeIsNoInstant) {
  for (const int64_t ticks :
       {int64_t{-1}, INT64_MIN, INT64_MAX, int64_t{3'155'378'976'000'000'000}}) {
    const Values values = maker.cells<int64_t>(Type::DateTime, {0, ticks});
    EXPECT_THAT(outcome(values, Type::Date32), testing::StartsWith("row 1: "));
    EXPECT_EQ(outcome(maker.with_nulls(values, {1}), Type::Date32), "fits");
    EXPECT_EQ(outcome(values, Type::DateTime), "fits");
  }
}

TEST_F(Cast, TextsKeepTheirCharacters) {
  const Values texts_there = maker.with_nulls(maker.texts({"abc", "", "x", "yz"}), {2});
  ASSERT_EQ(outcome(texts_there, Type::LargeText), "fits");
  EXPECT_EQ(into.data.data, texts_there.data.data);
  EXPECT_EQ(into.validity.data, texts_there.validity.data);
  EXPECT_EQ(all_texts(into), all_texts(texts_there));
  Values late = into;  // only the last rows remain
  late.rows = 2;
  late.null_count = 1;
  late.offsets = {late.offsets.data + 16, 24};
  late = maker.with_nulls(late, {0});
  EXPECT_THAT(texts(late, Type::Text), ElementsAre("null", "\"yz\""));
}

TEST_F(Cast, KeysAreWhatTheyStandFor) {
  const Values keys = maker.keys(3, {3, 1, 99, 2, 3}, texts_of_keys());
  EXPECT_THAT(texts(maker.with_nulls(keys, {2}), Type::Text),
              ElementsAre("\"cd\"", "\"a\"", "null", "\"\"", "\"cd\""));
  EXPECT_THAT(texts(maker.with_nulls(keys, {2}), Type::LargeText),
              ElementsAre("\"cd\"", "\"a\"", "null", "\"\"", "\"cd\""));
  EXPECT_EQ(outcome(maker.with_nulls(keys, {0, 2}), Type::UInt32), "row 1: \"a\"");

  const Values numbers =
      maker.keys(3, {3, 1, 99, 2}, maker.cells<float>(Type::Float32, {7, 300, -1}));
  EXPECT_EQ(outcome(maker.with_nulls(numbers, {2}), Type::Int8), "row 3: 300");
  EXPECT_EQ(outcome(maker.with_nulls(numbers, {2, 3}), Type::Int8), "fits");
  EXPECT_THAT(all_texts(into), ElementsAre("ff", "07", "null", "null"));
}

TEST_F(Cast, WhatKeysStandForCanBeNull) {
  const Values keys = maker.keys(3, {3, 1, 99, 2}, maker.with_nulls(texts_of_keys(), {0}));
  EXPECT_THAT(texts(maker.with_nulls(keys, {2}), Type::Text),
              ElementsAre("\"cd\"", "null", "null", "\"\""));
  EXPECT_EQ(into.null_count, 2u);
  EXPECT_THAT(texts(maker.with_nulls(keys, {0, 2, 3}), Type::Text),
              ElementsAre("null", "null", "null", "null"));
}

TEST_F(Cast, KeysThatStandForNothingAreNumbers) {
  const Values keys = maker.with_nulls(maker.keys(300, {300, 0, 7}), {1});
  EXPECT_THAT(texts(keys, Type::Int16), ElementsAre("012c", "null", "0007"));
  EXPECT_EQ(outcome(keys, Type::UInt8), "row 0: 300");
  EXPECT_EQ(outcome(keys, Type::Text), "row 0: 300");
  ASSERT_EQ(outcome(keys, Type::UInt32), "fits");
  EXPECT_EQ(into.data.data, keys.data.data);
}

TEST_F(Cast, NullKeysNeedNothingToStandFor) {
  const Values keys = maker.with_nulls(maker.keys(0, {5, 5}, maker.texts({})), {0, 1});
  for (const Type::Id to : {Type::Text, Type::Int32, Type::Timestamp}) {
    EXPECT_THAT(texts(keys, to), ElementsAre("null", "null"));
  }
}

TEST_F(Cast, NullIsAnythingThatIsNull) {
  Values nulls(Type::Null, 9);
  nulls.null_count = 9;
  for (const Type& to :
       {Type(Type::Bool), Type(Type::Int64), Type(Type::Text), Type(Type::LargeText),
        Type(Type::RowId), Type::key(Type::UInt8, 5), Type::list(Type::list(Type::Text, true))}) {
    EXPECT_EQ(texts(nulls, to), std::vector<std::string>(9, "null")) << to.name();
    EXPECT_EQ(into.null_count, 9u);
  }
  ASSERT_EQ(outcome(nulls, Type::Float32, NullFloat::AsNaN), "fits");
  EXPECT_TRUE(std::isnan(into.get<float>(8)));
  EXPECT_EQ(into.null_count, 0u);
}

TEST_F(Cast, ItemsOfListsAreCast) {
  const Values items = maker.with_nulls(maker.cells<int64_t>(Type::Int64, {1, 2, 3, 4, 5}), {3});
  const Values lists = maker.with_nulls(maker.lists(items, {0, 2, 2, 4, 5}), {1});
  for (const Type& to : {Type::list(Type::Int8), Type::list(Type::Int8, true)}) {
    EXPECT_THAT(texts(lists, to), ElementsAre("[01 02 ]", "null", "[03 null ]", "[05 ]"));
    EXPECT_EQ(into.validity.data, lists.validity.data);
  }
  ASSERT_EQ(outcome(lists, Type::list(Type::Float32), NullFloat::AsNaN), "fits");
  EXPECT_EQ(into.null_count, 1u);
  EXPECT_EQ(into.children[0].null_count, 0u);
  EXPECT_TRUE(std::isnan(into.children[0].get<float>(3)));
}

TEST_F(Cast, ItemsThatDoNotFitAreFoundByRow) {
  const Values items = maker.cells<int64_t>(Type::Int64, {900, 1, 2, 901, 3, 902, 903});
  const Values lists = maker.lists(items, {1, 3, 3, 5, 6, 6});
  EXPECT_EQ(outcome(lists, Type::list(Type::Int8)), "row 2: 901");
  EXPECT_EQ(outcome(maker.with_nulls(lists, {2}), Type::list(Type::Int8)), "row 3: 902");
  // Only items of null lists do not fit then.
  EXPECT_THAT(texts(maker.with_nulls(lists, {2, 3}), Type::list(Type::Int8)),
              ElementsAre("[01 02 ]", "[]", "null", "null", "[]"));
  const Values nulls_first = maker.lists(maker.cells<int64_t>(Type::Int64, {900, 1}), {0, 1, 2});
  EXPECT_THAT(texts(maker.with_nulls(nulls_first, {0}), Type::list(Type::Int8)),
              ElementsAre("null", "[01 ]"));
  const Values nested = maker.lists(lists, {0, 2, 4, 5});
  EXPECT_EQ(outcome(nested, Type::list(Type::list(Type::Int8))), "row 1: 901");
}

TEST_F(Cast, ListsBecomeVectors) {
  const Values items = maker.cells<int32_t>(Type::Int32, {9, 1, 2, 3, 4});
  const Values lists = maker.lists(items, {1, 3, 5});
  EXPECT_THAT(texts(lists, Type::vector(Type::Int8, 2)), ElementsAre("2[01 02 ][]", "2[03 04 ][]"));
  EXPECT_THAT(texts(lists, Type::vector(Type::Int8)), ElementsAre("2[01 02 ][]", "2[03 04 ][]"));
  EXPECT_EQ(outcome(lists, Type::vector(Type::Int8, 3)), "row 0: a list of 2 items");
  EXPECT_EQ(outcome(maker.with_nulls(lists, {1}), Type::vector(Type::Int8, 2)), "row 1: null");
  const Values uneven = maker.lists(items, {0, 0, 2, 5});
  EXPECT_EQ(outcome(uneven, Type::vector(Type::Int8, 2)), "row 0: a list of 0 items");
  EXPECT_THAT(texts(uneven, Type::vector(Type::Int8)),
              ElementsAre("0[][]", "2[09 01 ][]", "3[02 03 04 ][]"));
  const Values long_then_large =
      maker.lists(maker.cells<int32_t>(Type::Int32, {1, 2, 3, 900}), {0, 1, 3, 4});
  EXPECT_EQ(outcome(long_then_large, Type::vector(Type::Int8, 1)), "row 1: a list of 2 items");
}

TEST_F(Cast, VectorsBecomeLists) {
  const Values stored = maker.lists(maker.cells<int32_t>(Type::Int32, {1, 2, 3, 4}), {0, 1, 4});
  const Values positions = maker.lists(maker.cells<int32_t>(Type::Int32, {2}), {0, 1, 1});
  const Values vectors = maker.vectors(3, {3, 3}, maker.large(stored), maker.large(positions));
  for (const Type& to : {Type::list(Type::Int8), Type::list(Type::Int8, true)}) {
    EXPECT_THAT(texts(vectors, to), ElementsAre("[00 00 01 ]", "[02 03 04 ]"));
  }
  EXPECT_THAT(texts(vectors, Type::vector(Type::Int8)),
              ElementsAre("3[01 ][00000002 ]", "3[02 03 04 ][]"));
  EXPECT_FALSE(castable(vectors.type, Type::vector(Type::Int8, 4)));
}

// A slot that is not stored is zero: year 1 by one clock, 1970 by the other; and null for keys.
TEST_F(Cast, WhatVectorsDoNotStoreStaysEqual) {
  const Values positions = maker.lists(maker.cells<int32_t>(Type::Int32, {1}), {0, 1});
  const auto sparse = [&](const Values& item) {
    return maker.vectors(2, {2}, maker.large(maker.lists(item, {0, 1})), maker.large(positions));
  };
  const Values ticks = maker.cells<int64_t>(Type::DateTime, {kTicksIn1970 + kTicksADay});
  EXPECT_THAT(texts(sparse(ticks), Type::vector(Type::Date32, 2)),
              ElementsAre("2[fff506c6 00000001 ][]"));
  EXPECT_EQ(outcome(sparse(ticks), Type::vector(Type::Timestamp, 2)), "row 0: 0001-01-01T00:00:00");
  EXPECT_THAT(texts(sparse(maker.keys(3, {3}, texts_of_keys())), Type::vector(Type::Text, 2)),
              ElementsAre("2[null \"cd\" ][]"));
  EXPECT_THAT(
      texts(sparse(maker.cells<int32_t>(Type::Date32, {1})), Type::vector(Type::Timestamp, 2)),
      ElementsAre("2[00004e94914f0000 ][00000001 ]"));
}

TEST_F(Cast, HugeVectorsAreALimit) {
  Values none = maker.large(maker.lists(maker.cells<int8_t>(Type::Int8, {}), {0, 0}));
  Values positions = maker.large(maker.lists(maker.cells<int32_t>(Type::Int32, {}), {0, 0}));
  const Values vectors = maker.vectors(0, {(1 << 24) + 1}, none, positions);
  EXPECT_THAT(test::error_of(ErrorKind::Limit, [&] { outcome(vectors, Type::list(Type::Int8)); }),
              testing::HasSubstr("16777216 slots"));
  EXPECT_EQ(outcome(vectors, Type::vector(Type::Int32)), "fits");
}

TEST_F(Cast, OfOtherKindsOnlyNullsFit) {
  const Values texts_there = maker.texts({"a", "b"});
  const Values keys = maker.with_nulls(maker.keys(2, {1, 2}, texts_there), {0});
  EXPECT_FALSE(castable(Type::Text, Type::Int8));
  EXPECT_EQ(outcome(keys, Type::Bool), "row 1: \"b\"");
}

// A second cast restores the values.
TEST_F(Cast, ThereAndBackIsEqual) {
  std::vector<Type> types = types_of_vectors_and_ticks();
  for (const Type& type : types_of_decimals_and_binary()) {
    types.insert(types.end(), {type, Type::list(type)});
  }
  for (const Type& type : types_of_other_times()) types.push_back(type);
  for (const Type::Id id :
       {Type::Bool, Type::Int8, Type::UInt8, Type::Int16, Type::Int32, Type::Int64, Type::UInt64,
        Type::Float32, Type::Float64, Type::Text, Type::LargeText, Type::Date32, Type::Timestamp}) {
    types.push_back(id);
  }
  for (const Type::Id id : {Type::Bool, Type::Int8, Type::UInt8, Type::Float32, Type::Text}) {
    types.insert(types.end(), {Type::list(id), Type::list(id, true), Type::vector(id),
                               Type::vector(id, 3), Type::list(Type::list(id))});
  }
  types.insert(types.end(), {Type::vector(Type::Date32), Type::list(Type::key(Type::UInt8, 9))});
  uint64_t casts = 0;
  for (const Type& from : types) {
    const auto schema = std::make_shared<Schema>(1);
    (*schema)[0].type = from;
    for (const double nulls : {0.0, 0.2}) {
      const RowBatch batch = random_batch(schema, 70, nulls, 1);
      const Values& values = batch.columns[0];
      for (const Type& to : cast_candidates(from)) {
        ASSERT_TRUE(castable(from, to)) << from.name() << " as " << to.name();
        if (outcome(values, to) != "fits" || !castable(to, from)) continue;
        const Values there = into;
        ASSERT_EQ(outcome(there, from), "fits") << from.name() << " as " << to.name();
        // Vectors of the same slots are equal, sparse or not.
        const bool nested = from.is(Type::Vector);
        const Values back = into;
        const Type dense = nested ? Type::list(from.item()) : from;
        ASSERT_EQ(texts(back, dense), texts(values, dense)) << from.name() << " as " << to.name();
        ++casts;
      }
    }
  }
  EXPECT_GT(casts, 400u);
}

std::vector<std::string> names(const std::vector<Type>& types) {
  std::vector<std::string> names;
  for (const Type& type : types) names.push_back(type.name());
  return names;
}

TEST(CastCandidates, AreInOrderOfNearness) {
  EXPECT_THAT(names(cast_candidates(Type::UInt32)),
              ElementsAre("uint64", "int64", "float64", "uint16", "uint8", "int32", "int16", "int8",
                          "float32", "bool"));
  EXPECT_THAT(names(cast_candidates(Type::Int64)),
              ElementsAre("int32", "int16", "int8", "uint64", "uint32", "uint16", "uint8",
                          "float64", "float32", "bool"));
  EXPECT_THAT(names(cast_candidates(Type::Float32)),
              ElementsAre("float64", "int32", "int64", "int16", "int8", "uint32", "uint64",
                          "uint16", "uint8", "bool"));
  EXPECT_THAT(names(cast_candidates(Type::Bool)),
              ElementsAre("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
                          "float32", "float64"));
  EXPECT_THAT(names(cast_candidates(Type::DateTime)),
              ElementsAre("timestamp[ns]", "timestamp[us]", "timestamp[ms]", "timestamp[s]",
                          "date32"));
  EXPECT_THAT(names(cast_candidates(Type::timestamp(Type::Millisecond, "UTC"))),
              ElementsAre("timestamp[ms]", "timestamp[ns]", "datetime", "timestamp[us]",
                          "timestamp[s]", "date32"));
  EXPECT_THAT(names(cast_candidates(Type::Duration)),
              ElementsAre("duration[ns]", "duration[us]", "duration[ms]", "duration[s]"));
  EXPECT_THAT(cast_candidates(Type::Time), IsEmpty());
  EXPECT_THAT(cast_candidates(Type::Text), ElementsAre(Type::LargeText));
  EXPECT_THAT(cast_candidates(Type::RowId), IsEmpty());
  const auto of_list = cast_candidates(Type::list(Type::Int32));
  EXPECT_THAT(std::vector(of_list.begin(), of_list.begin() + 3),
              ElementsAre(Type::list(Type::Int32, true), Type::list(Type::Int64),
                          Type::list(Type::Int64, true)));
  const auto of_vector = cast_candidates(Type::vector(Type::Float32, 3));
  EXPECT_THAT(std::vector(of_vector.begin(), of_vector.begin() + 4),
              ElementsAre(Type::vector(Type::Float32), Type::list(Type::Float32),
                          Type::list(Type::Float32, true), Type::vector(Type::Float64, 3)));
  EXPECT_EQ(cast_candidates(Type::key(Type::UInt8, 3)).front(), Type(Type::Text));
}

TEST(CastCandidates, AreCastableAndAnotherType) {
  for (const Type& from :
       {Type(Type::Null), Type(Type::UInt8), Type(Type::Timestamp), Type(Type::DateTime),
        Type::timestamp(Type::Microsecond, "UTC"), Type::duration(Type::Second), Type::key(Type::UInt32, 3), Type::list(Type::Null),
        Type::vector(Type::key(Type::UInt8, 3), 2), Type::list(Type::vector(Type::Bool))}) {
    std::vector<std::string> seen;
    for (const Type& to : cast_candidates(from)) {
      EXPECT_TRUE(castable(from, to)) << from.name() << " as " << to.name();
      EXPECT_NE(from, to);
    }
    const auto types = cast_candidates(from);
    for (size_t i = 0; i < types.size(); ++i) {
      for (size_t j = 0; j < i; ++j) EXPECT_NE(types[i], types[j]) << from.name();
    }
  }
}

}  // namespace
}  // namespace heron
