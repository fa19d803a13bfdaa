// A value of each row of a table, checked against its columns: types are known, literals are
// converted, and all parts have the type that their function takes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "expression/value_set.h"

namespace heron::inline v0 {

struct Function;  // expression/functions/function.h
class LikeMatch;
class Regex;

// A pattern of `like`: % matches any characters, _ one (a byte if bytes are not UTF-8).
struct LikePattern {
  struct Piece {
    enum class Kind : uint8_t { Text, One, Any } kind;
    std::string text;  // for Text
  };
  std::vector<Piece> pieces;
};

// The C++ type in which values are computed. Integers are exact: the checker knows their range and
// chooses a type that holds them, or refuses. Dates, times and keys without values are integers
// too; a datetimeoffset is its instant in UTC.
enum class ValueKind : uint8_t {
  Bool /* a bit a row */,
  Integer /* int64_t */,
  Wide /* Int128; the units of decimals */,
  Float /* double */,
  Text /* std::string_view; binary, too */,
  RowId /* UInt128 */,
  List /* a ListRows for all rows: functions of lists read them where they are */
};

struct Expression {
  enum class Kind : uint8_t {
    Column,
    Constant,
    Call,  // calls `function`: its parts are the arguments
    And,   // two or more bools; parts after the one that decides a row are not computed for it
    Or,
    Case,     // bool, value, bool, value, .., and the value of all other rows
    Coalesce  // the first part that is not null; later ones are not computed for that row
  };
  Kind kind = Kind::Constant;
  ValueKind value = ValueKind::Integer;
  // The type of the values, as in a schema; Int128 for integers that 64 bits may not hold.
  Type type;
  uint64_t column = 0;  // for Column
  // The value of a Constant: null; an integer, time, row id or bool (0 and 1); the units of a
  // decimal; a float; a text or binary.
  CopyableVariant<std::monostate, Int128, double, std::string> constant{};
  const Function* function = nullptr;               // for Call
  uint8_t option = 0;                               // for Call: an option of its function
  std::shared_ptr<const ValueSet> set = nullptr;    // for Call of in_set()
  std::shared_ptr<const LikeMatch> like = nullptr;  // for Call of like()
  std::shared_ptr<const Regex> regex = nullptr;     // for Call of regexp functions
  Interval<Int128> range = {INT64_MIN, INT64_MAX};  // for integers: the range of possible values
  uint64_t offset = 0;                              // byte offset in the text that it was read from
  std::vector<Expression> parts = {};

  bool is_constant() const noexcept { return kind == Kind::Constant; }
  bool is_null() const noexcept {
    return is_constant() && std::holds_alternative<std::monostate>(constant);
  }
};

// Returns the kind in which values of a type with scalars are computed.
ValueKind kind_of(const Type& type);

}  // namespace heron::inline v0
