// Values by what they are, not by how they are stored: a bool, an integer and a float are the same
// if they are the same number, a date and a time if they are the same instant, and so on. What
// conversions between types are held to, worked out value by value in the simplest way there is.
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
    Ticks,     // number: of a datetime that no calendar has
    Duration,  // number: ticks
    Local,     // number: ticks; bits: minutes
    RowId,     // number: its bits
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

// Of a key: what it stands for; if for nothing, its number. Of a vector: all its slots.
ExactValue exact_value(const Values& values, uint64_t row);
ExactValue exact_number(double number);
// Of a number, the nearest.
double as_double(const ExactValue& number);
std::string words(const ExactValue& value);

// Whether the type has an equal value. A value that is null is one of any type but a vector.
bool fits(const ExactValue& value, const Type& type);

// The rows of a source, by columns.
struct ExactTable {
  Schema schema;
  uint64_t rows = 0;
  std::vector<std::vector<ExactValue>> columns;
  std::optional<uint64_t> group_column = std::nullopt;  // as RowSource has it
};
ExactTable exact_table(const RowSource& source);

}  // namespace heron::inline v0
