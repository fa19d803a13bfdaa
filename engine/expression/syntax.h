// A condition as it was written.
#pragma once

#include "expression/condition.h"
#include "expression/source_text.h"

namespace heron::inline v0 {

// A whole number that 128 bits hold, or any other.
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
    In,       // a value, and those that it may be
    Between,  // a value, the least and the greatest
    Like,     // a value, a Text and, perhaps, the Text that escapes
    IsNull,
    IsNaN
  };
  Kind kind = Kind::Null;
  bool negated = false;                               // of In, Between, Like, IsNull and IsNaN
  bool quoted = false;                                // of Name: in backticks
  Compares::Operator op = Compares::Operator::Equal;  // of Compare
  uint16_t depth = 1;                                 // of the tree from here on
  uint64_t first = 0, last = 0;                       // its bytes in the text
  ExactNumber number{};
  std::string text;  // of Name and Text
  std::vector<Syntax> parts;
};

// Throws Error(Argument) for what is not the language, Error(Limit) for more than 10,000 parts,
// literals that follow another in an `in` not counted, and for more than 200 parts in each other.
Syntax parse_condition(const SourceText& source);

}  // namespace heron::inline v0
