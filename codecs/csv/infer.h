// Infers the first type that holds every value of a column, by reading all of them.
//
//   bool            true false True False TRUE FALSE
//   int32, int64    -12: no plus, no zeros before it, and not -0
//   float64         all that read_decimal() and number_word() know, without plus and zeros before
//                   it, if it does not overflow; a whole number if the float keeps all its digits
//   date32          2026-11-21; a year has at least four digits
//   timestamp[ns]   also 2026-11-21T10:20:30.123456789, between 1677 and 2262
//   text            everything
//
// Quotes are interpreted for all columns together, after all are read: see ColumnTypes::type().
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "csv/field.h"
#include "csv/record_reader.h"
#include "heron/schema.h"

namespace heron::inline v0::csv {

// Whether the reader takes an unquoted field with this text for a null or a value of another type
// than text. Some nanoseconds for most texts.
bool looks_typed(std::string_view text);

// A field that decided a type: its place and its beginning, without quotes.
struct SeenField {
  uint64_t file = 0;
  uint64_t offset = 0;
  std::string text;
};

// Some records of one of the files.
struct SeenRecords {
  const RecordReader& reader;
  const Records& records;
  uint64_t file;

  SeenField field(uint64_t record, uint64_t column) const;
};

class ColumnTypes {
 public:
  // Rules out the types that do not hold all fields of the column in these records.
  void see(const SeenRecords& seen, uint64_t column, const NullWords& nulls);

  bool has_nulls() const noexcept { return has_nulls_; }
  // Whether some values are not quoted.
  bool has_plain() const noexcept { return has_plain_; }
  // The first type not ruled out; null if there was no value. With `quotes_are_text` a quoted value
  // is text, whatever its content.
  Type type(bool quotes_are_text) const;
  // The field that made the column text, if it would be another type without it: values before it
  // were of one, or most of those around it are. Null: the column is not text, or is text
  // throughout.
  const SeenField* made_text(bool quotes_are_text) const noexcept;

 private:
  bool has_values() const noexcept { return has_plain_ || in_quotes_.has_value(); }
  void become_text(const SeenRecords& seen, uint64_t column, uint64_t record,
                   const NullWords& nulls, bool was_typed);

  bool has_nulls_ = false;
  bool has_plain_ = false;
  uint8_t left_ = 0xFF;                 // a bit per type, the first is the lowest
  std::optional<SeenField> in_quotes_;  // the first quoted field
  std::optional<SeenField> made_text_;
};

}  // namespace heron::inline v0::csv
