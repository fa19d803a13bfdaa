// The plain evaluator of predicates, with which engines are compared, is itself compared with
// answers computed by hand; so is Predicate, with the same predicates as text.
#include "kit/plain_predicate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "heron/scan.h"
#include "heron/schema.h"
#include "heron/table.h"
#include "heron/values.h"
#include "kit/made_table.h"
#include "kit/plain_literals.h"
#include "kit/special_numbers.h"

namespace heron {
namespace {

using Kind = PlainPredicate::Kind;
using Op = PlainPredicate::Operator;
using Rows = std::vector<uint64_t>;

enum Column : size_t { I, U, F, D, B, S };

constexpr int64_t kBig = 9'007'199'254'740'993;  // 2^53 + 1: no float64 is equal

// i: 1 2 - 4 -5 kBig    u: 0 1 255 - 7 0    f: 0.1 1.5 - NaN -0 7    d: 0.1 NaN 2 inf -inf -
// b: true false - true false -              s: "" "ab" - "aßb" "a%b" "AB"
const std::shared_ptr<const Table>& table() {
  static const auto made = [] {
    constexpr auto kBitmap = NullEncoding::Bitmap;
    TableMaker maker(6);
    maker.fixed<int64_t>("i", Type::Int64, {1, 2, 0, 4, -5, kBig}, kBitmap,
                         {true, true, false, true, true, true});
    maker.fixed<uint8_t>("u", Type::UInt8, {0, 1, 255, 9, 7, 0}, kBitmap,
                         {true, true, true, false, true, true});
    maker.fixed<float>("f", Type::Float32, {0.1F, 1.5F, 0, kNaN, -0.0F, 7}, kBitmap,
                       {true, true, false, true, true, true});
    maker.fixed<double>("d", Type::Float64, {0.1, kNaN, 2, kInfinity, -kInfinity, 0}, kBitmap,
                        {true, true, true, true, true, false});
    maker.bits("b", {true, false, true, true, false, true}, {true, true, false, true, true, false});
    maker.texts("s", {"", "ab", {}, "aßb", "a%b", "AB"});
    return maker.table();
  }();
  return made;
}

PlainOperand column(Column number) {
  PlainOperand operand;
  operand.kind = PlainOperand::Kind::Column;
  operand.column = number;
  return operand;
}
PlainOperand n(const char* spelling) {
  return number_literal(spelling);
}
PlainOperand computed(PlainOperand a, char op, PlainOperand b) {
  PlainOperand operand;
  operand.kind = PlainOperand::Kind::Binary;
  operand.op = op;
  operand.parts = {std::move(a), std::move(b)};
  return operand;
}
PlainPredicate of(Kind kind, std::vector<PlainOperand> operands, bool negated = false) {
  PlainPredicate predicate;
  predicate.kind = kind;
  predicate.operands = std::move(operands);
  predicate.negated = negated;
  return predicate;
}
PlainPredicate with(Kind kind, std::vector<PlainPredicate> parts) {
  PlainPredicate predicate;
  predicate.kind = kind;
  predicate.parts = std::move(parts);
  return predicate;
}
PlainPredicate comparison(PlainOperand a, Op op, PlainOperand b) {
  PlainPredicate predicate = of(Kind::Compare, {std::move(a), std::move(b)});
  predicate.op = op;
  return predicate;
}
PlainPredicate like(const char* pattern, bool negated = false, std::optional<char> escape = {}) {
  PlainPredicate predicate = of(Kind::Like, {column(S)}, negated);
  predicate.pattern = pattern;
  predicate.escape = escape;
  return predicate;
}
PlainPredicate no(PlainPredicate part) {
  return with(Kind::Not, {std::move(part)});
}

struct Case {
  std::string text;
  PlainPredicate predicate;
  Rows rows;
};

std::vector<Case> number_cases() {
  return {
      {"i = 2", comparison(column(I), Op::Equal, n("2")), {1}},
      {"i != 2", comparison(column(I), Op::NotEqual, n("2")), {0, 3, 4, 5}},
      {"i > 1.5", comparison(column(I), Op::Greater, n("1.5")), {1, 3, 5}},
      {"i <= -4.5", comparison(column(I), Op::LessEqual, n("-4.5")), {4}},
      {"i = 9007199254740992.0", comparison(column(I), Op::Equal, n("9007199254740992.0")), {}},
      {"i > 9007199254740992.0",
       comparison(column(I), Op::Greater, n("9007199254740992.0")),
       {5}},
      {"i < 1e300", comparison(column(I), Op::Less, n("1e300")), {0, 1, 3, 4, 5}},
      {"u > -1", comparison(column(U), Op::Greater, n("-1")), {0, 1, 2, 4, 5}},
      {"u != 256", comparison(column(U), Op::NotEqual, n("256")), {0, 1, 2, 4, 5}},
      {"u = i - 1", comparison(column(U), Op::Equal, computed(column(I), '-', n("1"))), {0, 1}},
      {"f = 0.1", comparison(column(F), Op::Equal, n("0.1")), {}},
      {"f > 0.1", comparison(column(F), Op::Greater, n("0.1")), {0, 1, 5}},
      {"d = 0.1", comparison(column(D), Op::Equal, n("0.1")), {0}},
      {"f > d", comparison(column(F), Op::Greater, column(D)), {0, 4}},
      {"f = 0", comparison(column(F), Op::Equal, n("0")), {4}},
      {"f >= 0", comparison(column(F), Op::GreaterEqual, n("0")), {0, 1, 4, 5}},
      {"u / 2 = 0.5", comparison(computed(column(U), '/', n("2")), Op::Equal, n("0.5")), {1}},
      {"i % 2 = -1", comparison(computed(column(I), '%', n("2")), Op::Equal, n("-1")), {4}},
      {"10 % u is null", of(Kind::IsNull, {computed(n("10"), '%', column(U))}), {0, 3, 5}},
      {"10 % u is not null",
       of(Kind::IsNull, {computed(n("10"), '%', column(U))}, true),
       {1, 2, 4}},
      {"0.0 / u is nan", of(Kind::IsNaN, {computed(n("0.0"), '/', column(U))}), {0, 5}},
      {"d - d is nan", of(Kind::IsNaN, {computed(column(D), '-', column(D))}), {1, 3, 4}},
  };
}

std::vector<Case> three_values() {
  const auto x = comparison(column(F), Op::Equal, n("1.5"));
  const auto y = comparison(column(I), Op::Greater, n("1"));
  return {
      {"not f = 1.5", no(x), {0, 3, 4, 5}},
      {"f != 1.5", comparison(column(F), Op::NotEqual, n("1.5")), {0, 4, 5}},
      {"not (f = 1.5 and i > 1)", no(with(Kind::And, {x, y})), {0, 3, 4, 5}},
      {"not (f = 1.5 or i > 1)", no(with(Kind::Or, {x, y})), {0, 4}},
      {"not not f = 1.5", no(no(x)), {1}},
      {"i = null", comparison(column(I), Op::Equal, null_literal()), {}},
      {"not i = null", no(comparison(column(I), Op::Equal, null_literal())), {}},
      {"i in (1, null)", of(Kind::In, {column(I), n("1"), null_literal()}), {0}},
      {"i not in (1, null)", of(Kind::In, {column(I), n("1"), null_literal()}, true), {}},
      {"i not in (1, 4.0)", of(Kind::In, {column(I), n("1"), n("4.0")}, true), {1, 4, 5}},
      {"d not in (2)", of(Kind::In, {column(D), n("2")}, true), {0, 1, 3, 4}},
      {"i between 1 and 4", of(Kind::Between, {column(I), n("1"), n("4")}), {0, 1, 3}},
      {"i between 4 and 1", of(Kind::Between, {column(I), n("4"), n("1")}), {}},
      {"d not between 0 and 3", of(Kind::Between, {column(D), n("0"), n("3")}, true), {1, 3, 4}},
      {"i not between null and 2",
       of(Kind::Between, {column(I), null_literal(), n("2")}, true),
       {3, 5}},
      {"i is null", of(Kind::IsNull, {column(I)}), {2}},
      {"not i is null", no(of(Kind::IsNull, {column(I)})), {0, 1, 3, 4, 5}},
      {"d is nan", of(Kind::IsNaN, {column(D)}), {1}},
      {"d is not nan", of(Kind::IsNaN, {column(D)}, true), {0, 2, 3, 4}},
      {"b", of(Kind::Bool, {column(B)}), {0, 3}},
      {"not b", no(of(Kind::Bool, {column(B)})), {1, 4}},
      {"b = (i > 1)", with(Kind::CompareTruths, {of(Kind::Bool, {column(B)}), y}), {3, 4}},
      {"true", of(Kind::Constant, {}), {0, 1, 2, 3, 4, 5}},
      {"b or true",
       with(Kind::Or, {of(Kind::Bool, {column(B)}), of(Kind::Constant, {})}),
       {0, 1, 2, 3, 4, 5}},
      {"not (b and false)",
       no(with(Kind::And, {of(Kind::Bool, {column(B)}), of(Kind::Constant, {}, true)})),
       {0, 1, 2, 3, 4, 5}},
  };
}

std::vector<Case> texts() {
  return {
      {"s = ''", comparison(column(S), Op::Equal, text_literal("")), {0}},
      {"s < 'a'", comparison(column(S), Op::Less, text_literal("a")), {0, 5}},
      {"s >= 'ab'", comparison(column(S), Op::GreaterEqual, text_literal("ab")), {1, 3}},
      {"s in ('AB', 'ab')",
       of(Kind::In, {column(S), text_literal("AB"), text_literal("ab")}),
       {1, 5}},
      {"s like 'ab'", like("ab"), {1}},
      {"s like 'a%'", like("a%"), {1, 3, 4}},
      {"s like 'a_b'", like("a_b"), {3, 4}},
      {"s not like 'a_b'", like("a_b", true), {0, 1, 5}},
      {"s like '%'", like("%"), {0, 1, 3, 4, 5}},
      {"s like '%b%'", like("%b%"), {1, 3, 4}},
      {"s like '___'", like("___"), {3, 4}},
      {"s like 'a!%b' escape '!'", like("a!%b", false, '!'), {4}},
  };
}

std::vector<Case> cases() {
  std::vector<Case> all = number_cases();
  for (const auto& more : {three_values(), texts()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

TEST(PlainPredicate, SaysItselfInTheLanguage) {
  const PlainTable plain = plain_table(table());
  for (const Case& one : cases()) EXPECT_EQ(text_of(one.predicate, plain), one.text);
}

TEST(PlainPredicate, IsTrueForTheRowsWorkedOutByHand) {
  const PlainTable plain = plain_table(table());
  for (const Case& one : cases()) EXPECT_EQ(rows_of(one.predicate, plain), one.rows) << one.text;
}

TEST(PlainPredicate, SoIsThePredicateOfTheSameText) {
  for (const Case& one : cases()) {
    const Predicate where(table(), one.text);
    EXPECT_EQ(count(where), one.rows.size()) << one.text;
    Scan scan(where);
    Rows rows;
    for (RowBatch batch; scan.next(batch);)
      rows.insert(rows.end(), scan.rows().begin(), scan.rows().end());
    EXPECT_EQ(rows, one.rows) << one.text;
  }
}

TEST(PlainPredicate, SpellsTimesInIso) {
  const auto spelled = [](Type::Id type, Int128 value, int minutes = 0) {
    return quoted_literal(type, value, minutes)->spelling;
  };
  EXPECT_EQ(spelled(Type::Date32, 0), "'1970-01-01'");
  EXPECT_EQ(spelled(Type::Date32, 11'016), "'2000-02-29'");
  EXPECT_EQ(spelled(Type::Timestamp, -1), "'1969-12-31T23:59:59.999999999'");
  EXPECT_EQ(spelled(Type::DateTime, 0), "'0001-01-01T00:00:00'");
  EXPECT_EQ(spelled(Type::DateTimeOffset, 36'000'000'000, -30), "'0001-01-01T00:30:00-00:30'");
  EXPECT_EQ(spelled(Type::Duration, -937'840'050'000), "'-1.02:03:04.0050000'");
  EXPECT_EQ(quoted_literal(Type::RowId, UInt128{9} << 64 | 7)->spelling,
            "'00000000000000090000000000000007'");
}

}  // namespace
}  // namespace heron
