// A table as plain values, one for each cell, for tests that compute an answer row by row in the
// simplest way.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "base/int128.h"
#include "heron/table.h"

namespace heron::inline v0 {

// A monostate is null. An Int128 is an integer, a bool (0 or 1), a date, a time, a duration or the
// instant of a datetimeoffset; a UInt128 is a row id; a string is a text or binary.
struct PlainDecimal {
  Int128 units;
  uint32_t scale;
  friend bool operator==(const PlainDecimal&, const PlainDecimal&) = default;
};
using PlainValue =
    std::variant<std::monostate, Int128, double, std::string, UInt128, PlainDecimal>;

inline bool is_null(const PlainValue& value) {
  return std::holds_alternative<std::monostate>(value);
}

// Compares two values that are not null, both numbers or of one alternative. Integers and floats
// are compared exactly; a NaN is unordered, -0.0 equal to 0.0.
std::partial_ordering compare(const PlainValue& a, const PlainValue& b);

// Returns "-12.50".
std::string text_of(const PlainDecimal& decimal);

struct PlainColumn {
  std::string name;
  Type type;  // the type of values, also for keys that have values
  bool is_key = false;
  std::vector<PlainValue> values;  // for lists and vectors: 0 unless null
};

struct PlainTable {
  uint64_t rows = 0;
  std::vector<PlainColumn> columns;
};

// Reads a table by a scan of all its columns of defined type. Throws what the scan throws.
PlainTable plain_table(const std::shared_ptr<const Table>& table);

}  // namespace heron::inline v0
