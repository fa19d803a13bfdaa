#include "kit/random_predicate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <random>

#include "kit/plain_literals.h"

namespace heron::inline v0 {

// Families of columns whose values can be compared with each other.
enum class Family : uint8_t { Number, Bool, Text, Time, RowId, Decimal, Binary, Other };

namespace {

using Kind = PlainPredicate::Kind;
using Operator = PlainPredicate::Operator;

Family family_of(const Type& type) {
  if (type.is_integer() || type.is_float()) return Family::Number;
  if (type.is_text()) return Family::Text;
  if (type.is_binary()) return Family::Binary;
  if (type.is(Type::Decimal)) return Family::Decimal;
  switch (type.id()) {
    case Type::Bool: return Family::Bool;
    case Type::Date32:
    case Type::Timestamp:
    case Type::DateTime:
    case Type::Duration:
    case Type::Time:
    case Type::DateTimeOffset: return Family::Time;
    case Type::RowId: return Family::RowId;
    default: return Family::Other;
  }
}

constexpr std::array kOddNumbers{"0",
                                 "-0.0",
                                 "1",
                                 "-1",
                                 "0.1",
                                 "0.5",
                                 "-2.5",
                                 "255",
                                 "256",
                                 "-129",
                                 "65536",
                                 "2147483648",
                                 "-2147483649",
                                 "9223372036854775807",
                                 "9223372036854775808",
                                 "-9223372036854775808",
                                 "-9223372036854775809",
                                 "18446744073709551615",
                                 "18446744073709551616",
                                 "9007199254740993",
                                 "9223372036854775808.0",
                                 "18446744073709551616.0",
                                 "9007199254740993.0",
                                 "1e300",
                                 "-1e300",
                                 "1e38",
                                 "3.4028234663852886e38",
                                 "3.5e38",
                                 "1e-320",
                                 "5e-324",
                                 "0.30000001192092896",
                                 "100000000000000000000000000000000000000"};

}  // namespace

class RandomPredicates::Maker {
 public:
  Maker(const PlainTable& table, uint64_t seed) : table_(table), random_(seed) {
    for (size_t i = 0; i < table.columns.size(); ++i)
      families_[family_of(table.columns[i].type)].push_back(i);
  }

  PlainPredicate predicate(int depth) {
    PlainPredicate made = depth > 0 && chance(60) ? nested(depth) : test(depth);
    made.another_way = chance(20);
    return made;
  }

 private:
  bool chance(unsigned percent) { return below(100) < percent; }
  uint64_t below(uint64_t bound) { return random_() % bound; }
  template <class List>
  const auto& one_of(const List& list) {
    return list[below(list.size())];
  }
  Operator any_operator() { return static_cast<Operator>(below(6)); }

  PlainPredicate nested(int depth) {
    PlainPredicate made;
    made.kind = std::array{Kind::And, Kind::Or, Kind::Not}[below(3)];
    const uint64_t parts = made.kind == Kind::Not ? 1 : 2 + below(2);
    for (uint64_t i = 0; i < parts; ++i) made.parts.push_back(predicate(depth - 1));
    return made;
  }

  PlainPredicate test(int depth) {
    if (table_.columns.empty() || chance(1)) return constant();
    const size_t column = below(table_.columns.size());
    if (chance(8)) return of(Kind::IsNull, {column_of(column)});
    switch (family_of(table_.columns[column].type)) {
      case Family::Number: return number_test(column);
      case Family::Bool: return bool_test(column, depth);
      case Family::Text: return chance(35) ? like(column) : plain_test(column);
      case Family::Time:
      case Family::RowId:
      case Family::Decimal:
      case Family::Binary: return plain_test(column);
      case Family::Other: break;
    }
    return of(Kind::IsNull, {column_of(column)});
  }

  PlainPredicate of(Kind kind, std::vector<PlainOperand> operands) {
    PlainPredicate made;
    made.kind = kind;
    made.op = any_operator();
    made.negated = kind != Kind::Compare && kind != Kind::Bool && chance(40);
    made.operands = std::move(operands);
    return made;
  }

  PlainPredicate constant() {
    if (chance(50)) return of(Kind::Constant, {});
    return of(Kind::Compare, {odd_number(), odd_number()});
  }

  PlainOperand column_of(size_t column) {
    PlainOperand operand;
    operand.kind = PlainOperand::Kind::Column;
    operand.column = column;
    return operand;
  }

  // Tests a column against literals, or against a column of its kind.
  PlainPredicate plain_test(size_t column) {
    const PlainOperand operand = column_of(column);
    switch (below(5)) {
      case 0: return in_list(operand, column);
      case 1: return of(Kind::Between, {operand, literal(column), literal(column)});
      case 2: return of(Kind::Compare, {operand, column_of(fellow(column))});
      case 3: return of(Kind::Compare, {literal(column), operand});
      default: return of(Kind::Compare, {operand, literal(column)});
    }
  }

  PlainPredicate in_list(const PlainOperand& operand, size_t column) {
    PlainPredicate made = of(Kind::In, {operand});
    for (uint64_t count = 1 + below(6); count != 0; --count)
      made.operands.push_back(literal(column));
    return made;
  }

  PlainPredicate number_test(size_t column) {
    if (chance(60)) return plain_test(column);
    if (table_.columns[column].type.is_float() && chance(25))
      return of(Kind::IsNaN, {column_of(column)});
    const PlainOperand computed = sum(column, 1 + static_cast<int>(below(2)));
    switch (below(8)) {
      case 0: return of(Kind::IsNull, {computed});
      case 1: return in_list(computed, column);
      case 2: return of(Kind::Between, {computed, literal(column), column_of(fellow(column))});
      case 3: return of(Kind::Compare, {computed, sum(fellow(column), 1)});
      case 4: return of(Kind::Compare, {computed, column_of(fellow(column))});
      default: return of(Kind::Compare, {computed, literal(column)});
    }
  }

  PlainOperand sum(size_t column, int depth) {
    PlainOperand made;
    if (chance(10)) {
      made.kind = PlainOperand::Kind::Negate;
      made.parts.push_back(depth > 0 ? sum(column, depth - 1) : column_of(column));
      return made;
    }
    made.kind = PlainOperand::Kind::Binary;
    made.op = "+-*/%"[below(5)];
    made.parts.push_back(depth > 1 ? sum(column, depth - 1) : column_of(column));
    made.parts.push_back(chance(50) ? column_of(fellow(column)) : number_near(column));
    if (chance(30)) std::swap(made.parts[0], made.parts[1]);
    return made;
  }

  PlainPredicate bool_test(size_t column, int depth) {
    const PlainOperand operand = column_of(column);
    switch (below(5)) {
      case 0: return truths(of(Kind::Bool, {operand}), truth_literal());
      case 1: return truths(of(Kind::Bool, {operand}), of(Kind::Bool, {column_of(fellow(column))}));
      case 2:
        return depth > 0 ? truths(predicate(depth - 1), of(Kind::Bool, {operand}))
                         : of(Kind::Bool, {operand});
      default: return of(Kind::Bool, {operand});
    }
  }
  PlainPredicate truths(PlainPredicate a, PlainPredicate b) {
    PlainPredicate made;
    made.kind = Kind::CompareTruths;
    made.op = chance(50) ? Operator::Equal : Operator::NotEqual;
    made.parts = {std::move(a), std::move(b)};
    return made;
  }
  PlainPredicate truth_literal() { return of(Kind::Constant, {}); }

  PlainPredicate like(size_t column) {
    PlainPredicate made = of(Kind::Like, {column_of(column)});
    std::vector<std::string> all = characters(text_of_some_row(column));
    const size_t first = chance(50) ? 0 : below(all.size() + 1);
    const size_t length = chance(50) ? all.size() - first : below(all.size() - first + 1);
    if (chance(15)) made.escape = one_of(std::string("\\!#"));
    if (first > 0 || chance(20)) made.pattern += '%';
    for (size_t i = first; i < first + length && i < first + 20; ++i) {
      if (chance(20)) {
        made.pattern += chance(60) ? "_" : "%";
      } else {
        made.pattern += pattern_character(all[i], made.escape);
      }
    }
    if (first + length < all.size() || length > 20 || chance(20)) made.pattern += '%';
    return made;
  }
  static std::string pattern_character(const std::string& character, std::optional<char> escape) {
    const bool special =
        escape && (character == "%" || character == "_" || character == std::string(1, *escape));
    return special ? *escape + character : character;
  }

  size_t fellow(size_t column) {
    const Type& type = table_.columns[column].type;
    const Family family = family_of(type);
    const auto& all = families_[family];
    for (int i = 0; i < 10; ++i) {
      const size_t other = one_of(all);
      if (family != Family::Time || table_.columns[other].type == type) return other;
    }
    return column;
  }

  PlainValue some_value(size_t column) {
    const auto& values = table_.columns[column].values;
    for (int i = 0; i < 4 && !values.empty(); ++i) {
      const PlainValue& value = one_of(values);
      if (!is_null(value)) return value;
    }
    return {};
  }
  std::string text_of_some_row(size_t column) {
    const PlainValue value = some_value(column);
    const auto* text = std::get_if<std::string>(&value);
    return text != nullptr ? text->substr(0, 200) : "";
  }

  PlainOperand literal(size_t column) {
    if (chance(2)) return null_literal();
    switch (family_of(table_.columns[column].type)) {
      case Family::Number: return number_near(column);
      case Family::Text:
      case Family::Binary: return text_near(column);
      case Family::Decimal: return decimal_near(column);
      default: return time_near(column);
    }
  }

  PlainOperand odd_number() { return number_literal(one_of(kOddNumbers)); }

  PlainOperand number_near(size_t column) {
    const PlainValue value = some_value(column);
    if (is_null(value) || chance(12)) return odd_number();
    if (const auto* integer = std::get_if<Int128>(&value)) return number_near(*integer);
    const auto number = std::get<double>(value);
    if (!std::isfinite(number)) return odd_number();
    return number_near(number);
  }
  PlainOperand number_near(Int128 integer) {
    switch (below(6)) {
      case 0: return number_literal(integer + 1);
      case 1: return number_literal(integer - 1);
      case 2: return number_literal(static_cast<double>(integer));
      case 3: return number_literal(static_cast<double>(integer) + 0.5);
      default: return number_literal(integer);
    }
  }
  PlainOperand number_near(double number) {
    constexpr double kMaximum = std::numeric_limits<double>::max();
    constexpr float kMaxFloat = std::numeric_limits<float>::max();
    switch (below(8)) {
      case 0: return number_literal(std::min(std::nextafter(number, kMaximum), kMaximum));
      case 1: return number_literal(std::max(std::nextafter(number, -kMaximum), -kMaximum));
      case 2:
        return number_literal(
            double{std::clamp(static_cast<float>(number), -kMaxFloat, kMaxFloat) / 3});
      case 3:
        if (std::abs(number) < 1e30) return number_literal(static_cast<Int128>(number));
        [[fallthrough]];
      default: return number_literal(number);
    }
  }

  // A decimal near that of some row, of as many digits or more, or an integer.
  PlainOperand decimal_near(size_t column) {
    const PlainValue value = some_value(column);
    const auto* near = std::get_if<PlainDecimal>(&value);
    PlainDecimal decimal = near == nullptr ? PlainDecimal{7, 1} : *near;
    switch (below(6)) {
      case 0: ++decimal.units; break;
      case 1: --decimal.units; break;
      case 2: return number_literal(Int128{static_cast<int64_t>(below(2000)) - 1000});
      case 3:
        if (decimal.scale > 0) {
          decimal.units /= 10;
          --decimal.scale;
        }
        break;
      case 4:
        if (decimal.scale < 40 && decimal.units / 1'000 * 1'000 > -(Int128{1} << 110) &&
            decimal.units < (Int128{1} << 110)) {
          decimal = {decimal.units * 10 + static_cast<int>(below(10)), decimal.scale + 1};
        }
        break;
      default: break;
    }
    return decimal_literal(decimal);
  }

  PlainOperand text_near(size_t column) {
    std::string text = text_of_some_row(column);
    switch (below(6)) {
      case 0: return text_literal(text + 'a');
      case 1: return text_literal(text.substr(0, below(text.size() + 1)));
      case 2:
        if (!text.empty()) ++text.back();
        return text_literal(text);
      default: return text_literal(text);
    }
  }

  PlainOperand time_near(size_t column) {
    const Type& type = table_.columns[column].type;
    PlainValue value = some_value(column);
    if (is_null(value))
      value = type.is(Type::RowId) ? PlainValue(UInt128{7}) : PlainValue(Int128{12'345});
    move_a_little(value);
    const int minutes = static_cast<int>(below(49)) * 30 - 720;
    return quoted_literal(type, value, minutes).value_or(null_literal());
  }

  void move_a_little(PlainValue& value) {
    const int step = std::array{0, 0, 0, 0, 1, -1}[below(6)];
    if (auto* id = std::get_if<UInt128>(&value)) {
      *id += static_cast<UInt128>(step);
      return;
    }
    auto& integer = std::get<Int128>(value);
    const bool at_an_end = std::abs(static_cast<double>(integer)) > 0x1.FFFFFFp62 ||
                           integer == INT32_MAX || integer == INT32_MIN;
    if (!at_an_end) integer += step;
  }

  const PlainTable& table_;
  std::mt19937_64 random_;
  std::map<Family, std::vector<size_t>> families_;
};

RandomPredicates::RandomPredicates(const PlainTable& table, uint64_t seed)
    : maker_(std::make_unique<Maker>(table, seed)) {}
RandomPredicates::~RandomPredicates() = default;

PlainPredicate RandomPredicates::next() {
  constexpr int kDepth = 3;
  return maker_->predicate(kDepth);
}

}  // namespace heron::inline v0
