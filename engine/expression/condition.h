// A predicate checked against a table, in the form that a filter executes. There is no "not": it
// was pushed down to the tests, where three-valued logic makes "not a" a test of its own, so each
// part of a predicate is either true for a row or not.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/int128.h"
#include "columns/column.h"
#include "heron/predicate.h"

namespace heron::inline v0 {

// All values from low to high, both inclusive.
template <class T>
struct Interval {
  T low, high;
};
// All texts from low on, by bytes, and below `below`, if present.
struct TextInterval {
  std::string low;
  std::optional<std::string> below;
};

// Values of a column for which a test is true: intervals, ascending and disjoint, in the column's
// own values:
//   int64_t      signed integers, dates, times, durations; the instant in UTC of datetimeoffsets
//   uint64_t     unsigned integers, bools (0 and 1), keys without values
//   double       floats; of float32 columns every end is a float32. -0.0 is 0.0
//   UInt128      row ids
//   TextInterval texts
// Keys with values are tested by those values. Nulls are never in the set.
struct ValueSet {
  std::variant<std::vector<Interval<int64_t>>, std::vector<Interval<uint64_t>>,
               std::vector<Interval<double>>, std::vector<Interval<UInt128>>,
               std::vector<TextInterval>>
      intervals;
  bool nan = false;  // whether NaNs that are not null are in the set
};

// A pattern of `like`: % any characters, _ one (a byte if bytes are not UTF-8).
struct LikePattern {
  struct Piece {
    enum class Kind : uint8_t { Text, One, Any } kind;
    std::string text;  // for Text
  };
  std::vector<Piece> pieces;
};

// A value of every row, for tests that are not a set of one column's values. Null if one of its
// columns is null, and for an integer divided (%) by 0.
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
  // The type of the computation. Integers are exact: the checker knows their range and chooses a
  // type that holds them, or refuses. Dates, times, bools (0 and 1) and keys without values are
  // integers too. `/` results in Float. Bools, texts, times and row ids are only compared, each
  // with its own kind.
  enum class Value : uint8_t {
    Integer /* int64_t */,
    Wide /* Int128 */,
    Float /* double */,
    Text,
    RowId /* UInt128 */
  };
  Kind kind = Kind::Constant;
  Value value = Value::Integer;
  uint64_t column = 0;                                   // for Column
  std::variant<Int128, double, std::string> constant{};  // for Constant; an Integer is in an Int128
  std::vector<Operand> parts;                            // for the others: one or two
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
// The rows for which the part is not true, including those where it is null.
struct NoneOf {
  std::vector<Condition> part;  // one
};
struct InSet {
  uint64_t column;
  ValueSet set;
};
struct IsNull {
  uint64_t column;
  bool negated;  // is not null
};
// Tests a text that is not null.
struct IsLike {
  uint64_t column;
  LikePattern pattern;
  bool negated;
};
// Compares two operands that are not null. A comparison with a NaN is never true, so `negated` (not
// a < b) is.
struct Compares {
  enum class Operator : uint8_t { Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual };
  Operator op;
  bool negated;
  Operand left, right;
};
// Tests an operand that is not a column.
struct OperandIs {
  enum class What : uint8_t { Null, NotNull, NaN /* not null */, NotNaN /* and not null */ };
  What what;
  Operand operand;
};

struct Condition
    : std::variant<Always, AllOf, AnyOf, NoneOf, InSet, IsNull, IsLike, Compares, OperandIs> {
  using variant::variant;
};

// Of a predicate; lives as long.
const Condition& condition_of(const Predicate& predicate) noexcept;

}  // namespace heron::inline v0
