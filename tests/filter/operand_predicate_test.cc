// What is computed of columns and compared, against the same in wider numbers, a row at a time.
#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <optional>
#include <random>

#include "columns/fixed_column.h"
#include "columns/key_column.h"
#include "filter/column_predicate.h"
#include "filter/row_bits.h"
#include "heron/heron.h"
#include "kit/made_table.h"
#include "table/internals.h"

namespace heron {
namespace {

using OperandKind = Operand::Kind;
using Value = Operand::Value;
using Operator = Compares::Operator;

constexpr uint64_t kOperandRows = 3000;

class Reader final : public ColumnReader {
 public:
  explicit Reader(const Projection& columns) : columns_(columns) {}
  const Values& read(uint64_t column, RowRange range) override {
    return read_.emplace_back(internals(columns_).columns()[column]->read(range, arena_, {}));
  }

 private:
  const Projection& columns_;
  Arena arena_;
  std::deque<Values> read_;
};

Operand column(uint64_t i, Value value) {
  return {OperandKind::Column, value, i, {}, {}};
}
Operand constant(Int128 number) {
  return {OperandKind::Constant, Value::Integer, 0, number, {}};
}
Operand constant(double number) {
  return {OperandKind::Constant, Value::Float, 0, number, {}};
}
Operand of(OperandKind kind, Value value, std::vector<Operand> parts) {
  return {kind, value, 0, {}, std::move(parts)};
}

// a: int64, b: int8 with nulls, d: float64 with NaNs, t and u: texts.
class OperandTests : public testing::Test {
 protected:
  OperandTests() {
    std::mt19937_64 random(5);
    std::vector<std::optional<std::string>> texts, others;
    for (uint64_t i = 0; i < kOperandRows; ++i) {
      const int64_t kA[] = {INT64_MAX, INT64_MIN, int64_t{1} << 53, (int64_t{1} << 53) + 1, 3, -7};
      a.push_back(kA[random() % 6]);
      b.push_back(random() % 5 == 0 ? INT8_MIN : static_cast<int8_t>(random() % 7 - 3));
      const double kD[] = {0x1p53, 0x1p63, -0x1p63, std::nan(""), 3, -7, -0.0, 0.5, 1e30};
      d.push_back(kD[random() % 9]);
      texts.push_back(std::string(random() % 3, 'x'));
      others.push_back(random() % 4 == 0 ? std::nullopt
                                         : std::optional(std::string(random() % 3, 'x')));
    }
    TableMaker maker(kOperandRows);
    maker.fixed("a", Type::Int64, a).fixed("b", Type::Int8, b, NullEncoding::Sentinel);
    maker.fixed("d", Type::Float64, d).texts("t", texts).texts("u", others);
    t = texts;
    u = others;
    projection.emplace(maker.table());
  }

  // expected(row) of every row, from an odd one on.
  template <class Test, class Expected>
  void check(const Test& test, Expected&& expected) {
    const RowRange range{37, kOperandRows - 2};
    Reader reader(*projection);
    Arena arena;
    std::vector<uint64_t> bits(bit_words(range.rows()), UINT64_MAX);
    bits.back() >>= 64 - range.rows() % 64;
    bits[3] = 0;
    filter(test, range, bits.data(), reader, arena, {});
    for (uint64_t i = 0; i < range.rows(); ++i) {
      const bool wanted = i / 64 != 3;
      ASSERT_EQ(bits[i / 64] >> i % 64 & 1, wanted && expected(range.first + i))
          << "row " << range.first + i;
    }
  }
  bool b_there(uint64_t i) const { return b[i] != INT8_MIN; }

  std::vector<int64_t> a;
  std::vector<int8_t> b;
  std::vector<double> d;
  std::vector<std::optional<std::string>> t, u;
  std::optional<Projection> projection;
};

TEST_F(OperandTests, IntegersCompareExactlyWithFloats) {
  const auto compares = [](Operator op, bool negated) {
    return Compares{op, negated, column(0, Value::Integer), column(2, Value::Float)};
  };
  // A long double has 64 bits: every int64.
  const auto left = [this](uint64_t i) { return static_cast<long double>(a[i]); };
  for (const bool negated : {false, true}) {
    check(compares(Operator::Less, negated),
          [&](uint64_t i) { return (left(i) < d[i]) != negated; });
    check(compares(Operator::Equal, negated),
          [&](uint64_t i) { return (left(i) == d[i]) != negated; });
    check(compares(Operator::NotEqual, negated),
          [&](uint64_t i) { return (left(i) < d[i] || left(i) > d[i]) != negated; });
    check(compares(Operator::GreaterEqual, negated),
          [&](uint64_t i) { return (left(i) >= d[i]) != negated; });
  }
}

TEST_F(OperandTests, WideIntegersAreExactAndRemaindersOfZeroAreNull) {
  // a * b + 1 > a - 5, and a % b = -1.
  const Operand product = of(OperandKind::Multiply, Value::Wide,
                             {column(0, Value::Integer), column(1, Value::Integer)});
  const Operand more = of(OperandKind::Add, Value::Wide, {product, constant(Int128{1})});
  const Operand less =
      of(OperandKind::Subtract, Value::Wide, {column(0, Value::Integer), constant(Int128{5})});
  check(Compares{Operator::Greater, false, more, less},
        [&](uint64_t i) { return b_there(i) && Int128{a[i]} * b[i] + 1 > Int128{a[i]} - 5; });
  const Operand rest = of(OperandKind::Remainder, Value::Integer,
                          {column(0, Value::Integer), column(1, Value::Integer)});
  check(Compares{Operator::Equal, false, rest, constant(Int128{-1})},
        [&](uint64_t i) { return b_there(i) && b[i] != 0 && b[i] != -1 && a[i] % b[i] == -1; });
  check(OperandIs{OperandIs::What::Null, rest},
        [&](uint64_t i) { return !b_there(i) || b[i] == 0; });
  check(OperandIs{OperandIs::What::NotNull, rest},
        [&](uint64_t i) { return b_there(i) && b[i] != 0; });
}

TEST_F(OperandTests, DivisionIsOfFloats) {
  const Operand ratio =
      of(OperandKind::Divide, Value::Float, {column(0, Value::Integer), column(1, Value::Integer)});
  check(Compares{Operator::LessEqual, false, ratio, column(2, Value::Float)},
        [&](uint64_t i) { return b_there(i) && static_cast<double>(a[i]) / b[i] <= d[i]; });
  const Operand rest =
      of(OperandKind::Remainder, Value::Float,
         {of(OperandKind::Negate, Value::Float, {column(2, Value::Float)}), constant(2.0)});
  check(OperandIs{OperandIs::What::NaN, rest},
        [&](uint64_t i) { return std::isnan(std::fmod(-d[i], 2.0)); });
  check(OperandIs{OperandIs::What::NotNaN, rest},
        [&](uint64_t i) { return !std::isnan(std::fmod(-d[i], 2.0)); });
}

TEST_F(OperandTests, TextsCompareByBytes) {
  for (const bool negated : {false, true}) {
    const Compares test{Operator::Less, negated, column(3, Value::Text), column(4, Value::Text)};
    check(test, [&](uint64_t i) { return u[i] && (*t[i] < *u[i]) != negated; });
  }
}

// A table of k, keys up to `most` of the one column of `values`, with texts and row numbers.
std::shared_ptr<const Table> with_keys(const std::vector<uint8_t>& keys, const TableMaker& values,
                                       uint64_t most) {
  const auto stand_for =
      std::make_shared<KeyValues>([table = values.table(), most](const Context&) {
        return read(Projection(table), {0, most});
      });
  TableMaker maker(keys.size());
  const Piece piece = maker.pieces.add(keys);
  maker.add("k", [=](const ByteSource& source, uint64_t rows, ColumnLabel label) {
    return std::make_unique<KeyColumn>(
        label,
        std::make_unique<FixedColumn>(Type::key(Type::UInt8, most), rows, label,
                                      FixedCells{piece.in(source), {}, NullEncoding::Zero}),
        stand_for);
  });
  maker.texts("t", std::vector<std::optional<std::string>>(keys.size(), "b"));
  return maker.table();
}

// For every row, none of which is looked at behind the last.
template <class Test>
std::vector<bool> holds(const Test& test, const std::shared_ptr<const Table>& table) {
  const Projection projection(table);
  Reader reader(projection);
  Arena arena;
  std::vector<uint64_t> bits;
  set_first_bits(bits, table->rows());
  filter(test, {0, table->rows()}, bits.data(), reader, arena, {});
  std::vector<bool> flags(table->rows());
  for (uint64_t i = 0; i < flags.size(); ++i) flags[i] = bits[i / 64] >> i % 64 & 1;
  return flags;
}

TEST(OperandsOfKeys, AreWhatTheyStandForAndNullWhereThatIs) {
  TableMaker texts(3);
  texts.texts("v", {"a", std::nullopt, "b"});
  for (const bool with_zeros : {false, true}) {
    std::vector<uint8_t> keys(1100);  // fewer than words have bits
    for (uint64_t i = 0; i < keys.size(); ++i) {
      keys[i] = static_cast<uint8_t>(with_zeros ? i % 4 : i % 3 + 1);
    }
    const auto table = with_keys(keys, texts, 3);
    for (const bool negated : {false, true}) {
      const std::vector<bool> equal =
          holds(Compares{Operator::Equal, negated, column(0, Value::Text), column(1, Value::Text)},
                table);
      const std::vector<bool> nulls =
          holds(OperandIs{negated ? OperandIs::What::NotNull : OperandIs::What::Null,
                          column(0, Value::Text)},
                table);
      for (uint64_t i = 0; i < keys.size(); ++i) {
        ASSERT_EQ(equal[i], keys[i] == (negated ? 1 : 3)) << i;
        ASSERT_EQ(nulls[i], (keys[i] == 0 || keys[i] == 2) != negated) << i;
      }
    }
  }
}

TEST(OperandsOfKeys, OfNoValuesAtAllAreNull) {
  TableMaker texts(0), numbers(0);
  texts.texts("v", {});
  numbers.fixed("v", Type::Float64, std::vector<double>());
  const std::vector<uint8_t> keys(70);
  for (const bool negated : {false, true}) {
    const Compares as_text{Operator::Equal, negated, column(0, Value::Text),
                           column(1, Value::Text)};
    EXPECT_EQ(holds(as_text, with_keys(keys, texts, 0)), std::vector<bool>(70));
    const Compares as_number{
        Operator::Equal, negated,
        of(OperandKind::Add, Value::Float, {column(0, Value::Float), constant(1.0)}),
        constant(1.0)};
    EXPECT_EQ(holds(as_number, with_keys(keys, numbers, 0)), std::vector<bool>(70));
  }
}

}  // namespace
}  // namespace heron
