// Which type holds every value of a column, found by looking at all of them.
//
//   bool            true false True False TRUE FALSE
//   int32, int64    -12: no plus, no zeros before it, and not -0
//   float64         all that read_decimal() and number_word() know, without plus and zeros before
//                   it, if it does not overflow; a whole number if the float keeps all its digits
//   date32          2026-11-21; a year has at least four digits
//   timestamp[ns]   also 2026-11-21T10:20:30.123456789, between 1677 and 2262
//   text            everything
#pragma once

#include <cstdint>

#include "csv/field.h"
#include "csv/record_reader.h"
#include "heron/schema.h"

namespace heron::inline v0::csv {

class ColumnTypes {
 public:
  // Rules out the types that do not hold all fields of the column in these records.
  void see(const Records& records, uint64_t column, const MissingWords& missing);

  bool has_missing() const noexcept { return has_missing_; }
  // The first one left; null where no value was seen.
  Type type() const;

 private:
  bool has_missing_ = false;
  bool has_values_ = false;
  uint8_t left_ = 0xFF;  // a bit for each, the first of them the lowest
};

}  // namespace heron::inline v0::csv
