// Every column predicate against a slow test of single values: all kinds of columns, sets of few
// and of many intervals, nulls and NaNs, chunks that begin anywhere; and pruning by zones.
#include "filter/column_predicate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "columns/bit_column.h"
#include "columns/dictionaries/dictionary_column.h"
#include "columns/dictionaries/key_column.h"
#include "columns/fixed_column.h"
#include "columns/row_bits.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/made_table.h"
#include "table/internals.h"
#include "values/scalar.h"

namespace heron {
namespace {

using test::error_of;
using testing::HasSubstr;

constexpr uint64_t kTestedRows = 1000;

UInt128 id_of(const RowId& id) {
  return UInt128{id.high} << 64 | id.low;
}

// Returns the value at a row as sets store it.
template <class T>
std::optional<T> value_at(const Values& values, uint64_t row) {
  if (values.is_null(row)) return std::nullopt;
  if constexpr (std::is_same_v<T, UInt128>) {
    return id_of(values.get<RowId>(row));
  } else {
    const ScalarView scalar = scalar_at(values, row);
    if constexpr (std::is_same_v<T, uint64_t>) {
      if (const auto* flag = std::get_if<bool>(&scalar)) return uint64_t{*flag};
    }
    if constexpr (std::is_same_v<T, std::string>)
      return std::string(std::get<std::string_view>(scalar));
    else
      return std::get<T>(scalar);
  }
}

template <class T>
bool contains(const ValueSet& set, const std::optional<T>& value) {
  if (!value) return false;
  if constexpr (std::is_same_v<T, std::string>) {
    for (const auto& [low, below] : std::get<std::vector<TextInterval>>(set.intervals)) {
      if (low <= *value && (!below || *value < *below)) return true;
    }
    return false;
  } else {
    if (*value != *value) return set.nan;
    for (const auto& [low, high] : std::get<std::vector<Interval<T>>>(set.intervals)) {
      if (low <= *value && *value <= high) return true;
    }
    return false;
  }
}

class Tried {
 public:
  explicit Tried(const std::shared_ptr<const Table>& table)
      : projection_(table), column_(*internals(projection_).columns()[0]) {}

  // Checks random sets with ends among the column's values.
  template <class T>
  void sets() {
    const std::vector<T> ends = ends_of<T>();
    for (const uint64_t count : {0, 1, 1, 1, 2, 3, 4, 9, 40}) {
      InSet test{0, set_of(ends, count)};
      const auto ready = make_predicate(test, column_, {});
      check(*ready, [&](const Values& values, uint64_t row) {
        return contains(test.set, value_at<T>(values, row));
      });
    }
    nulls();
  }
  void nulls() {
    for (const bool negated : {false, true}) {
      const auto ready = make_predicate(IsNull{0, negated}, column_, {});
      check(*ready,
            [&](const Values& values, uint64_t row) { return values.is_null(row) != negated; });
    }
  }
  void like(const LikePattern& pattern, const std::function<bool(const std::string&)>& matches) {
    for (const bool negated : {false, true}) {
      const IsLike test{0, pattern, negated};
      const auto ready = make_predicate(test, column_, {});
      check(*ready, [&](const Values& values, uint64_t row) {
        const auto text = value_at<std::string>(values, row);
        return text && matches(*text) != negated;
      });
    }
  }
  const Column& column() const { return column_; }

 private:
  template <class T>
  std::vector<T> ends_of() {
    Arena arena;
    const Values values = column_.read({0, column_.rows()}, arena, {});
    std::vector<T> ends;
    for (uint64_t row = 0; row < values.rows; ++row) {
      const auto value = value_at<T>(values, row);
      if (value && *value == *value) ends.push_back(*value);
    }
    if constexpr (std::is_same_v<T, double>) {
      ends.push_back(-std::numeric_limits<T>::infinity());
      ends.push_back(std::numeric_limits<T>::infinity());
    } else if constexpr (!std::is_same_v<T, std::string>) {
      ends.push_back(std::numeric_limits<T>::min());
      ends.push_back(std::numeric_limits<T>::max());
    }
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    return ends;
  }

  template <class T>
  ValueSet set_of(const std::vector<T>& ends, uint64_t count) {
    std::vector<T> some;
    std::sample(ends.begin(), ends.end(), std::back_inserter(some), 2 * count, random_);
    if constexpr (std::is_same_v<T, std::string>) {
      std::vector<TextInterval> intervals;
      const bool single = random_() % 2 == 0;
      for (size_t i = 0; i + 1 < some.size(); i += 2) {
        intervals.push_back({some[i], single ? some[i] + '\0' : some[i + 1]});
      }
      if (!intervals.empty() && !single && random_() % 2 == 0) intervals.back().below.reset();
      return {intervals, false};
    } else {
      std::vector<Interval<T>> intervals;
      for (size_t i = 0; i + 1 < some.size(); i += 2) {
        intervals.push_back({some[i], random_() % 3 == 0 ? some[i] : some[i + 1]});
      }
      return {intervals, random_() % 2 == 0};
    }
  }

  template <class IsTrue>
  void check(const ColumnPredicate& test, IsTrue&& is_true) {
    for (int i = 0; i < 12; ++i) {
      const uint64_t first = random_() % column_.rows();
      const uint64_t most = i % 2 == 0 ? 5 : column_.rows();
      const RowRange rows{first, std::min(column_.rows(), first + 1 + random_() % most)};
      Arena arena;
      const ColumnChunk chunk = column_.chunk(rows, arena, {});
      const Values values = column_.read(rows, arena, {});
      ASSERT_EQ(chunk.rows.rows(), rows.rows());
      std::vector<uint64_t> before(bit_words(rows.rows()) + 1), bits;
      for (uint64_t row = 0; row < rows.rows(); ++row) {
        if (i % 3 != 0 || random_() % 2 == 0) before[row / 64] |= uint64_t{1} << row % 64;
      }
      bits = before;
      test.filter(chunk, bits.data(), {});
      uint64_t true_rows = 0;
      for (uint64_t row = 0; row < rows.rows(); ++row) {
        const bool expected = is_true(values, row);
        const bool was_set = before[row / 64] >> row % 64 & 1;
        true_rows += expected;
        ASSERT_EQ(bits[row / 64] >> row % 64 & 1, expected && was_set)
            << column_.type().name() << " row " << rows.first + row;
        before[row / 64] &= ~(uint64_t{1} << row % 64);
        bits[row / 64] &= ~(uint64_t{1} << row % 64);
      }
      EXPECT_EQ(bits, std::vector<uint64_t>(bits.size()));
      if (zone_order(column_) == ZoneOrder::None) continue;
      const PruneResult prune = test.prune(zone_of(chunk), rows.rows());
      if (prune == PruneResult::None) {
        EXPECT_EQ(true_rows, 0u);
      }
      if (prune == PruneResult::All) {
        EXPECT_EQ(true_rows, rows.rows());
      }
      if (true_rows == rows.rows() && rows.rows() == 1) {
        EXPECT_NE(prune, PruneResult::None);
      }
    }
  }

  Projection projection_;
  const Column& column_;
  std::mt19937_64 random_{7};
};

class ColumnPredicates : public testing::TestWithParam<bool> {
 protected:
  std::mt19937_64 random{3};

  std::vector<bool> some() {
    std::vector<bool> flags(kTestedRows);
    for (uint64_t i = 0; i < kTestedRows; ++i) flags[i] = random() % 4 != 0;
    return flags;
  }
  template <class T>
  std::vector<T> numbers() {
    std::vector<T> cells(kTestedRows);
    for (T& cell : cells) {
      const uint64_t drawn = random();
      if constexpr (std::is_floating_point_v<T>) {
        constexpr T kOdd[] = {std::numeric_limits<T>::quiet_NaN(), T(-0.0), T(0),
                              std::numeric_limits<T>::infinity()};
        cell = drawn % 8 < 4 ? kOdd[drawn % 4] : static_cast<T>(static_cast<int64_t>(drawn)) / 256;
      } else {
        cell = drawn % 8 == 0 ? std::numeric_limits<T>::min() : static_cast<T>(drawn >> 16);
      }
    }
    return cells;
  }
  template <class Wide, class T>
  void tried(Type type, const std::vector<NullEncoding>& rules) {
    for (const NullEncoding rule : rules) {
      TableMaker maker(kTestedRows);
      maker.fixed("c", type, numbers<T>(), rule, some());
      Tried(maker.table(GetParam())).sets<Wide>();
    }
  }
};

const std::vector<NullEncoding> kSigned{NullEncoding::Never, NullEncoding::Sentinel,
                                        NullEncoding::Bitmap};
const std::vector<NullEncoding> kUnsigned{NullEncoding::Never, NullEncoding::Bitmap};
const std::vector<NullEncoding> kFloat{NullEncoding::Never, NullEncoding::NaN, NullEncoding::Bitmap,
                                       NullEncoding::BitmapOrNaN};

TEST_P(ColumnPredicates, Numbers) {
  tried<int64_t, int8_t>(Type::Int8, kSigned);
  tried<int64_t, int16_t>(Type::Int16, kSigned);
  tried<int64_t, int32_t>(Type::Date32, kSigned);
  tried<int64_t, int64_t>(Type::Int64, kSigned);
  tried<uint64_t, uint8_t>(Type::UInt8, kUnsigned);
  tried<uint64_t, uint16_t>(Type::UInt16, kUnsigned);
  tried<uint64_t, uint32_t>(Type::UInt32, kUnsigned);
  tried<uint64_t, uint64_t>(Type::UInt64, kUnsigned);
  tried<double, float>(Type::Float32, kFloat);
  tried<double, double>(Type::Float64, kFloat);
  tried<uint64_t, uint16_t>(Type::key(Type::UInt16, 65535), {NullEncoding::Zero});
}

TEST_P(ColumnPredicates, BoolsAndStructs) {
  TableMaker bits(kTestedRows);
  bits.bits("c", some(), some());
  Tried(bits.table(GetParam())).sets<uint64_t>();
  std::vector<int8_t> bytes(kTestedRows);
  for (int8_t& byte : bytes)
    byte = random() % 3 == 0 ? INT8_MIN : static_cast<int8_t>(random() % 2);
  TableMaker flags(kTestedRows);
  flags.fixed("c", Type::Bool, bytes, NullEncoding::Sentinel);
  Tried(flags.table(GetParam())).sets<uint64_t>();

  std::vector<RowId> ids(kTestedRows);
  for (RowId& id : ids) id = {random() % 3, random() % 5};
  TableMaker row_ids(kTestedRows);
  row_ids.fixed("c", Type::RowId, ids);
  Tried(row_ids.table(GetParam())).sets<UInt128>();
  std::vector<DateTimeOffset> times(kTestedRows);
  for (DateTimeOffset& time : times) {
    time.ticks = random() % 5 == 0 ? INT64_MIN : int64_t{1} << 50 | (random() % 50 << 30);
    time.minutes = static_cast<int16_t>(random() % 60);
  }
  TableMaker offsets(kTestedRows);
  offsets.fixed("c", Type::DateTimeOffset, times, NullEncoding::Sentinel);
  Tried(offsets.table(GetParam())).sets<int64_t>();
}

TEST_P(ColumnPredicates, Decimals) {
  // Many equal values, within 64 bits, at their ends and beyond.
  const Int128 least = INT64_MIN, most = INT64_MAX;
  for (const auto& some : std::vector<std::vector<Int128>>{
           {-3, -2, 5, 600}, {least - 1, least, least + 1}, {most - 1, most, most + 1},
           {least - 7, most + 7, most << 20}}) {
    std::vector<WideInteger> cells(kTestedRows);
    for (WideInteger& cell : cells) cell = wide_of(some[random() % some.size()]);
    for (const NullEncoding rule : {NullEncoding::Never, NullEncoding::Bitmap}) {
      TableMaker maker(kTestedRows);
      maker.fixed("c", Type::decimal(38, 3), cells, rule, this->some());
      Tried(maker.table(GetParam())).sets<Int128>();
    }
  }
}

TEST_P(ColumnPredicates, Texts) {
  for (const bool large : {false, true}) {
    std::vector<std::optional<std::string>> texts(kTestedRows);
    for (auto& text : texts) {
      if (random() % 5 == 0) continue;
      text = std::string(random() % 2 == 0 ? "prefix-y" : "");
      for (uint64_t left = random() % 4; left > 0; --left) *text += "ab\0\xff"[random() % 4];
    }
    TableMaker maker(kTestedRows);
    maker.texts("c", texts, large);
    Tried tried(maker.table(GetParam()));
    tried.sets<std::string>();
    using Kind = LikePattern::Piece::Kind;
    tried.like({{{Kind::Text, "pre"}, {Kind::Any, {}}}},
               [](const std::string& text) { return text.starts_with("pre"); });
    tried.like({{{Kind::Any, {}}, {Kind::Text, "ya"}, {Kind::Any, {}}}},
               [](const std::string& text) { return text.find("ya") != std::string::npos; });
    tried.like({{{Kind::One, {}}, {Kind::Any, {}}, {Kind::One, {}}, {Kind::Text, "a"}}},
               [](const std::string& text) { return text.size() >= 3 && text.ends_with('a'); });
  }
}

// The value of code c is its number backwards, so that some ranges are runs of codes and some not.
class SomeValues final : public Dictionary {
 public:
  explicit SomeValues(uint64_t size) : Dictionary(Type::Float64, size) {}
  void decode(uint64_t first, uint64_t count, std::byte* cells, const Context&) const override {
    for (uint64_t i = 0; i < count; ++i) {
      const double value = static_cast<double>((first + i) * 7 % 31) - 3;
      std::memcpy(cells + i * sizeof value, &value, sizeof value);
    }
  }
};

TEST_P(ColumnPredicates, Codes) {
  const auto try_codes = [&]<class T>(Type type, T, uint64_t size, CodePastEnd past_end) {
    std::vector<T> codes(kTestedRows);
    for (T& code : codes) code = static_cast<T>(random() % size);
    codes[777] = static_cast<T>(size + 1);
    TableMaker maker(kTestedRows);
    const Piece chunk = maker.pieces.add(codes);
    maker.add("c", [=](const ByteSource& source, uint64_t rows, ColumnLabel label) {
      return std::make_unique<DictionaryColumn>(
          label, std::make_unique<FixedColumn>(type, rows, label, FixedCells{chunk.in(source)}),
          std::make_shared<SomeValues>(size), past_end);
    });
    Tried tried(maker.table(GetParam()));
    if (past_end == CodePastEnd::Zero) return tried.sets<double>();
    const InSet any{0, {std::vector<Interval<double>>{{-1, 1}}, false}};
    const auto test = make_predicate(any, tried.column(), {});
    Arena arena;
    const ColumnChunk all = tried.column().chunk({10, kTestedRows}, arena, {});
    std::vector<uint64_t> bits(bit_words(kTestedRows), 0);
    EXPECT_THAT(error_of(ErrorKind::Corrupt, [&] { test->filter(all, bits.data(), {}); }),
                HasSubstr("column \"c\" row 777: expected a code below"));
  };
  for (const CodePastEnd past_end : {CodePastEnd::Zero, CodePastEnd::Corrupt}) {
    try_codes(Type::UInt8, uint8_t{}, 200, past_end);
    try_codes(Type::UInt16, uint16_t{}, 500, past_end);
    try_codes(Type::UInt32, uint32_t{}, 30, past_end);
  }
}

INSTANTIATE_TEST_SUITE_P(MappedAndNot, ColumnPredicates, testing::Bool());

}  // namespace
}  // namespace heron
