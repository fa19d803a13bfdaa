// A predicate that has been checked against a table: what a filter works off. There is no "not":
// it was pushed down to the tests, where three-valued logic makes "not a" a test of its own, so
// that each part of a condition is true for a row or is not.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/int128.h"
#include "columns/column.h"

namespace heron::inline v0 {

// All values from low to high, both included.
template <class T>
struct Interval {
  T low, high;
};
// All texts from low on, by bytes, that are below `below`, if there is such.
struct TextInterval {
  std::string low;
  std::optional<std::string> below;
};

// Values of a column for which a test is true: intervals, ascending and apart, in the column's own
// values:
//   int64_t      signed integers, dates, times, durations; the instant in UTC of datetimeoffsets
//   uint64_t     unsigned integers, bools (0 and 1), keys that stand for nothing
//   double       floats; of float32 columns every end is a float32. -0.0 is 0.0
//   UInt128      row ids
//   TextInterval texts
// of keys that stand for values, in those. Nulls are never among them.
struct ValueSet {
  std::variant<std::vector<Interval<int64_t>>, std::vector<Interval<uint64_t>>,
               std::vector<Interval<double>>, std::vector<Interval<UInt128>>,
               std::vector<TextInterval>>
      intervals;
  bool nan = false;  // whether a NaN that is a value is one of them
};

// What `like` matches: % any characters, _ one (a byte where bytes are not UTF-8).
struct LikePattern {
  struct Piece {
    enum class Kind : uint8_t { Text, One, Any } kind;
    std::string text;  // of Text
  };
  std::vector<Piece> pieces;
};

// A value of every row, for what cannot be said as a set of one column's values. Null where one
// of its columns is null, and where an integer is divided (%) by 0.
struct Operand {
  enum class Kind : uint8_t {
    Column,
    Constant,
    Negate,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder
  };
  // What it is computed as. Integers are exact: the checker knows how large they can become and
  // chooses what holds them, or refuses. Dates and times are integers, too, and so are bools (0 and
  // 1) and keys that stand for nothing. `/` gives a Float. Bools, texts, times and row ids are only
  // compared, with their like.
  enum class Value : uint8_t {
    Integer /* int64_t */,
    Wide /* Int128 */,
    Float /* double */,
    Text,
    RowId /* UInt128 */
  };
  Kind kind = Kind::Constant;
  Value value = Value::Integer;
  uint64_t column = 0;                                   // of Column
  std::variant<Int128, double, std::string> constant{};  // of Constant; an Integer is in an Int128
  std::vector<Operand> parts;                            // of the others: one or two
};

struct Condition;

struct Always {
  bool is_true;
};
struct AllOf {
  std::vector<Condition> parts;  // two or more
};
struct AnyOf {
  std::vector<Condition> parts;  // two or more
};
// The rows for which it is not true, those with nulls among them.
struct NoneOf {
  std::vector<Condition> part;  // one
};
struct InSet {
  uint64_t column;
  ValueSet set;
};
struct IsNull {
  uint64_t column;
  bool negated;  // is there
};
// Of a text that is there.
struct IsLike {
  uint64_t column;
  LikePattern pattern;
  bool negated;
};
// Of two operands that are there. Comparing with a NaN is never true, so `negated` (not a < b) is.
struct Compares {
  enum class Operator : uint8_t { Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual };
  Operator op;
  bool negated;
  Operand left, right;
};
// Of an operand that is not a column.
struct OperandIs {
  enum class What : uint8_t { Null, NotNull, NaN /* and there */, NotNaN /* and there */ };
  What what;
  Operand operand;
};

struct Condition
    : std::variant<Always, AllOf, AnyOf, NoneOf, InSet, IsNull, IsLike, Compares, OperandIs> {
  using variant::variant;
};

}  // namespace heron::inline v0
