// Values compared regardless of their storage: a bool, an integer and a float are the same if they
// are the same number, a date and a time if they are the same instant, and so on. Conversions
// between types are compared with these, computed value by value in the simplest way.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/int128.h"
#include "heron/row_source.h"
#include "heron/values.h"

namespace heron::inline v0 {

struct ExactValue {
  enum class Kind : uint8_t {
    Null,
    Whole,     // number
    Real,      // any other number: bits of the double, those of one NaN for any
    Text,      // text
    Instant,   // number: nanoseconds since 1970
    Ticks,     // number: ticks of a datetime outside the calendar
    Duration,  // number: nanoseconds
    Time,      // number: nanoseconds since midnight
    Local,     // number: ticks; bits: minutes
    RowId,     // number: the id
    Decimal,   // number: units; bits: digits behind the point
    Binary,    // text: bytes that are no UTF-8
    List       // items
  };
  Kind kind = Kind::Null;
  Int128 number = 0;
  uint64_t bits = 0;
  std::string text = {};
  std::vector<ExactValue> items = {};

  bool is(Kind which) const noexcept { return kind == which; }
  bool is_nan() const noexcept;
  friend bool operator==(const ExactValue&, const ExactValue&) = default;
};

// Returns a value: for a key, its value or, without one, its number; for a vector, all its slots.
ExactValue exact_value(const Values& values, uint64_t row);
ExactValue exact_number(double number);
// Returns the double that is nearest to a number.
double as_double(const ExactValue& number);
std::string words(const ExactValue& value);

// Returns whether the type has an equal value. Null is a value of any type but a vector.
bool fits(const ExactValue& value, const Type& type);

// The rows of a source, column by column.
struct ExactTable {
  Schema schema;
  uint64_t rows = 0;
  std::vector<std::vector<ExactValue>> columns;
  std::optional<uint64_t> group_column = std::nullopt;  // as RowSource has it
};
ExactTable exact_table(const RowSource& source);

}  // namespace heron::inline v0
