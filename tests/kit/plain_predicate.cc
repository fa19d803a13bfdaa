#include "kit/plain_predicate.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace heron::inline v0 {
namespace {

using Kind = PlainPredicate::Kind;
using Operator = PlainPredicate::Operator;

Truth truth(bool is_true) {
  return is_true ? Truth::True : Truth::False;
}
Truth opposite(Truth of) {
  return of == Truth::Null ? of : truth(of == Truth::False);
}
// Swaps true and false if a test has "not" in front.
Truth negated_if(bool negated, Truth of) {
  return negated ? opposite(of) : of;
}

bool holds(Operator op, std::partial_ordering order) {
  if (order == std::partial_ordering::unordered) return false;  // with NaN, != is false too
  switch (op) {
    case Operator::Equal: return order == 0;
    case Operator::NotEqual: return order != 0;
    case Operator::Less: return order < 0;
    case Operator::LessEqual: return order <= 0;
    case Operator::Greater: return order > 0;
    case Operator::GreaterEqual: return order >= 0;
  }
  throw std::logic_error("no such operator");
}

Truth compared(Operator op, const PlainValue& a, const PlainValue& b) {
  if (is_null(a) || is_null(b)) return Truth::Null;
  return truth(holds(op, compare(a, b)));
}

double as_float(const PlainValue& value) {
  const auto* integer = std::get_if<Int128>(&value);
  return integer != nullptr ? static_cast<double>(*integer) : std::get<double>(value);
}

PlainValue computed(char op, Int128 a, Int128 b) {
  Int128 result = 0;
  bool overflows = false;
  switch (op) {
    case '+': overflows = __builtin_add_overflow(a, b, &result); break;
    case '-': overflows = __builtin_sub_overflow(a, b, &result); break;
    case '*': overflows = __builtin_mul_overflow(a, b, &result); break;
    case '%':
      if (b == 0) return {};
      return b == -1 ? Int128{0} : a % b;
    default: throw std::logic_error("no such operator");
  }
  if (overflows) throw std::overflow_error("integers of more than 128 bits");
  return result;
}

PlainValue computed(char op, double a, double b) {
  switch (op) {
    case '+': return a + b;
    case '-': return a - b;
    case '*': return a * b;
    case '/': return a / b;
    case '%': return std::fmod(a, b);
    default: throw std::logic_error("no such operator");
  }
}

PlainValue computed(char op, const PlainValue& a, const PlainValue& b) {
  if (is_null(a) || is_null(b)) return {};
  const auto* integer_a = std::get_if<Int128>(&a);
  const auto* integer_b = std::get_if<Int128>(&b);
  if (op != '/' && integer_a != nullptr && integer_b != nullptr)
    return computed(op, *integer_a, *integer_b);
  return computed(op, as_float(a), as_float(b));
}

// Returns the least true part, which is `and` in three-valued logic; the most true part is `or`.
Truth all_of(const PlainPredicate& predicate, const PlainTable& table, uint64_t row) {
  Truth all = Truth::True;
  for (const PlainPredicate& part : predicate.parts)
    all = std::min(all, truth_of(part, table, row));
  return all;
}
Truth any_of(const PlainPredicate& predicate, const PlainTable& table, uint64_t row) {
  Truth any = Truth::False;
  for (const PlainPredicate& part : predicate.parts)
    any = std::max(any, truth_of(part, table, row));
  return any;
}

PlainValue as_value(Truth of) {
  return of == Truth::Null ? PlainValue() : Int128{of == Truth::True};
}

Truth in_list(const std::vector<PlainValue>& values) {
  Truth any = Truth::False;
  for (size_t i = 1; i < values.size(); ++i)
    any = std::max(any, compared(Operator::Equal, values[0], values[i]));
  return any;
}

Truth between(const PlainValue& value, const PlainValue& low, const PlainValue& high) {
  return std::min(compared(Operator::GreaterEqual, value, low),
                  compared(Operator::LessEqual, value, high));
}

struct PatternPart {
  enum class Kind : uint8_t { Character, One, Any } kind;
  std::string character;
};

std::vector<PatternPart> parts_of(const PlainPredicate& like) {
  std::vector<PatternPart> parts;
  bool escaped = false;
  for (const std::string& character : characters(like.pattern)) {
    if (!escaped && like.escape && character == std::string(1, *like.escape)) {
      escaped = true;
    } else if (!escaped && character == "%") {
      parts.push_back({PatternPart::Kind::Any, {}});
    } else if (!escaped && character == "_") {
      parts.push_back({PatternPart::Kind::One, {}});
    } else {
      parts.push_back({PatternPart::Kind::Character, character});
      escaped = false;
    }
  }
  return parts;
}

// matches[j] says whether the parts so far match the first j characters.
bool is_like(const std::string& text, const PlainPredicate& like) {
  const std::vector<std::string> all = characters(text);
  std::vector<bool> matches(all.size() + 1, false);
  matches[0] = true;
  for (const PatternPart& part : parts_of(like)) {
    std::vector<bool> next(all.size() + 1, false);
    for (size_t j = 0; j <= all.size(); ++j) {
      if (part.kind == PatternPart::Kind::Any) {
        next[j] = matches[j] || (j > 0 && next[j - 1]);
      } else if (j > 0) {
        next[j] =
            matches[j - 1] && (part.kind == PatternPart::Kind::One || part.character == all[j - 1]);
      }
    }
    matches = std::move(next);
  }
  return matches[all.size()];
}

// Evaluates a predicate for its operands' values.
Truth of_values(const PlainPredicate& predicate, const std::vector<PlainValue>& values) {
  switch (predicate.kind) {
    case Kind::Compare: return compared(predicate.op, values[0], values[1]);
    case Kind::In: return in_list(values);
    case Kind::Between: return between(values[0], values[1], values[2]);
    case Kind::IsNull: return truth(is_null(values[0]));
    default: break;
  }
  if (is_null(values[0])) return Truth::Null;
  switch (predicate.kind) {
    case Kind::Bool: return truth(std::get<Int128>(values[0]) != 0);
    case Kind::Like: return truth(is_like(std::get<std::string>(values[0]), predicate));
    case Kind::IsNaN: return truth(std::isnan(std::get<double>(values[0])));
    default: throw std::logic_error("not a predicate on values");
  }
}

bool is_continuation(unsigned char byte) {
  return byte >> 6 == 2;
}

// Returns the length of the character that begins a text; 0 if none does.
size_t first_character(std::string_view text) {
  const auto at = [&](size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const unsigned first = at(0), second = at(1);
  if (first < 0x80) return 1;
  const size_t length = first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : first >> 3 == 30 ? 4 : 0;
  for (size_t i = 1; i < length; ++i) {
    if (!is_continuation(static_cast<unsigned char>(at(i)))) return 0;
  }
  if (first < 0xC2 || first > 0xF4) return 0;  // longer than needed, above U+10FFFF
  if ((first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90)) return 0;
  if ((first == 0xED && second > 0x9F) || (first == 0xF4 && second > 0x8F)) return 0;
  return length;
}

}  // namespace

std::vector<std::string> characters(const std::string& text) {
  std::vector<std::string> all;
  for (size_t i = 0; i < text.size(); i += all.back().size()) {
    const size_t length = first_character(std::string_view(text).substr(i));
    all.push_back(text.substr(i, std::max<size_t>(length, 1)));
  }
  return all;
}

PlainValue value_of(const PlainOperand& operand, const PlainTable& table, uint64_t row) {
  switch (operand.kind) {
    case PlainOperand::Kind::Column: return table.columns[operand.column].values[row];
    case PlainOperand::Kind::Constant: return operand.value;
    case PlainOperand::Kind::Negate: {
      const PlainValue value = value_of(operand.parts[0], table, row);
      if (const auto* number = std::get_if<double>(&value)) return -*number;
      return is_null(value) ? value : computed('-', Int128{0}, std::get<Int128>(value));
    }
    case PlainOperand::Kind::Binary: break;
  }
  return computed(operand.op, value_of(operand.parts[0], table, row),
                  value_of(operand.parts[1], table, row));
}

Truth truth_of(const PlainPredicate& predicate, const PlainTable& table, uint64_t row) {
  switch (predicate.kind) {
    case Kind::And: return all_of(predicate, table, row);
    case Kind::Or: return any_of(predicate, table, row);
    case Kind::Not: return opposite(truth_of(predicate.parts[0], table, row));
    case Kind::Constant: return truth(!predicate.negated);
    case Kind::CompareTruths:
      return compared(predicate.op, as_value(truth_of(predicate.parts[0], table, row)),
                      as_value(truth_of(predicate.parts[1], table, row)));
    default: break;
  }
  std::vector<PlainValue> values;
  for (const PlainOperand& operand : predicate.operands)
    values.push_back(value_of(operand, table, row));
  return negated_if(predicate.negated, of_values(predicate, values));
}

std::vector<uint64_t> rows_of(const PlainPredicate& predicate, const PlainTable& table) {
  std::vector<uint64_t> rows;
  for (uint64_t row = 0; row < table.rows; ++row) {
    if (truth_of(predicate, table, row) == Truth::True) rows.push_back(row);
  }
  return rows;
}

}  // namespace heron::inline v0
