// Predicates on rows, as a tree that can be written in the language of Predicate and evaluated for
// one row after the other: slow, and as directly as engine/expression/EXPRESSIONS.md states the
// rules. Engines of queries are compared with it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kit/plain_table.h"

namespace heron::inline v0 {

enum class Truth : uint8_t { False, Null, True };

// An operand, which has a value for every row.
struct PlainOperand {
  enum class Kind : uint8_t { Column, Constant, Negate, Binary };
  Kind kind = Kind::Constant;
  size_t column = 0;
  PlainValue value;                 // value of a Constant
  std::string spelling;             // spelling of a Constant
  char op = '+';                    // operator of a Binary: + - * / %
  std::vector<PlainOperand> parts;  // one or two
};

struct PlainPredicate {
  enum class Kind : uint8_t {
    And,
    Or,
    Not,
    Constant,  // true or false
    Bool,      // a column of bools is the predicate
    Compare,
    CompareTruths,  // compares two parts
    In,             // the first operand is one of the others
    Between,
    Like,
    IsNull,
    IsNaN
  };
  enum class Operator : uint8_t { Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual };

  Kind kind = Kind::Constant;
  Operator op = Operator::Equal;
  bool negated = false;      // not in, not between, not like, is not; of Constant: false
  bool another_way = false;  // keywords in upper case, == and <> for = and !=, more parentheses
  std::vector<PlainPredicate> parts;
  std::vector<PlainOperand> operands;
  std::string pattern;         // pattern of a Like
  std::optional<char> escape;  // escape of a Like
};

std::string text_of(const PlainOperand& operand, const PlainTable& table);
std::string text_of(const PlainPredicate& predicate, const PlainTable& table);
// Returns a text as a literal.
std::string quoted(const std::string& text);

// Throws std::overflow_error where integers leave 128 bits.
PlainValue value_of(const PlainOperand& operand, const PlainTable& table, uint64_t row);
Truth truth_of(const PlainPredicate& predicate, const PlainTable& table, uint64_t row);
// Returns the rows for which the predicate is true.
std::vector<uint64_t> rows_of(const PlainPredicate& predicate, const PlainTable& table);

// Returns the characters of a text; a byte that is not part of one in UTF-8 stands alone.
std::vector<std::string> characters(const std::string& text);

}  // namespace heron::inline v0
