// The syntax tree of a predicate.
#pragma once

#include "expression/condition.h"
#include "expression/source_text.h"

namespace heron::inline v0 {

// A whole number that fits 128 bits, or any other number.
using ExactNumber = std::variant<Int128, double>;

struct Syntax {
  enum class Kind : uint8_t {
    Name,
    Number,
    Text,
    Null,
    True,
    False,
    Negate,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Not,
    And,
    Or,
    Compare,
    In,       // a value and the values of the list
    Between,  // a value, the minimum and the maximum
    Like,     // a value, a Text and, optionally, the Text that escapes
    IsNull,
    IsNaN
  };
  Kind kind = Kind::Null;
  bool negated = false;                               // for In, Between, Like, IsNull and IsNaN
  bool quoted = false;                                // for Name: in backticks
  Compares::Operator op = Compares::Operator::Equal;  // for Compare
  uint16_t depth = 1;                                 // of the tree from here
  uint64_t first = 0, last = 0;                       // its bytes in the text
  ExactNumber number{};
  std::string text;  // for Name and Text
  std::vector<Syntax> parts;
};

// Throws Error(Argument) for a syntax error, Error(Limit) for more than 10,000 parts (all literals
// of an `in` count as one), and for more than 200 nested parts.
Syntax parse_condition(const SourceText& source);

}  // namespace heron::inline v0
