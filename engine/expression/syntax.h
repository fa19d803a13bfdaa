// The syntax tree of a predicate or another expression.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "expression/source_text.h"
#include "expression/value_set.h"
#include "heron/expression.h"

namespace heron::inline v0 {

// A whole number that fits 128 bits, or any other number.
using ExactNumber = std::variant<Int128, double>;

class Lexer;  // expression/lexer.h

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
    IsNaN,
    IsTruth,  // "is true" or "is false"
    Call,     // arguments of the function `text`
    Cast,     // a value, to the type `text`
    Case      // test, value, test, value, .., and the value of all other rows, if any
  };
  Kind kind = Kind::Null;
  bool negated = false;       // for In to IsTruth: "not" before or in it
  bool quoted = false;        // for Name: in backticks
  bool is_parameter = false;  // a literal given for a `?`
  bool is_untyped = false;    // for Text: a parameter without a type
  // Like: it is ilike. IsTruth: true, not false. Cast: it is try_cast. Case: the first part is a
  // value, with which the tests are compared.
  bool flag = false;
  CompareOperator op = CompareOperator::Equal;  // for Compare
  uint16_t depth = 1;                           // depth of the tree with this root
  uint64_t first = 0, last = 0;                 // the part's bytes in the text
  ExactNumber number{};
  std::string text;  // for Name, Text, Call and Cast; the digits of a Number that is no parameter
  std::vector<Syntax> parts;
};

// Throws Error(Argument) for a syntax error, Error(Limit) for more than 10,000 parts (all literals
// of an `in` count as one), and for more than 200 nested parts.
// Throws Error(Argument) also for more or fewer `?` than parameters.
Syntax parse_predicate(const SourceText& source,
                       std::span<const QueryParameter> parameters = {});

// Takes a value or a predicate from the tokens of a longer text, up to the first token that cannot
// belong to it: a comma, say. Throws as parse_predicate().
Syntax parse_value(Lexer& tokens);

// A value with a name: `price * 1.2 as gross`.
struct NamedSyntax {
  Syntax value;
  std::string name;  // without "as", the column's name, else the text of the value
};
// Throws as parse_predicate().
NamedSyntax parse_named(const SourceText& source);

}  // namespace heron::inline v0
