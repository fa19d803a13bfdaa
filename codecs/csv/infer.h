// Which type holds every value of a column, found by looking at all of them.
//
//   bool            true false True False TRUE FALSE
//   int32, int64    -12: no plus, no zeros before it, and not -0
//   float64         all that read_decimal() and number_word() know, without plus and zeros before
//                   it, if it does not overflow; a whole number if the float keeps all its digits
//   date32          2026-11-21; a year has at least four digits
//   timestamp[ns]   also 2026-11-21T10:20:30.123456789, between 1677 and 2262
//   text            everything
//
// What quotes tell is decided for all columns together, once all are seen: see ColumnTypes::type().
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "csv/field.h"
#include "csv/record_reader.h"
#include "heron/schema.h"

namespace heron::inline v0::csv {

// Whether the reader takes a field with this text for something else than text if it stands there
// without quotes: for a null or a value of another type. Some nanoseconds for most texts.
bool looks_typed(std::string_view text);

// A field that decided something: where it is and how it begins, without quotes around it.
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
  // Whether values stand there without quotes.
  bool has_plain() const noexcept { return has_plain_; }
  // The first one left; null where no value was seen. With `quotes_are_text` a value in quotes is
  // text, whatever it says.
  Type type(bool quotes_are_text) const;
  // The field that made it text, if without that it would have been another type: values before it
  // were of one, or most of those around it are. Null: it is no text, or as texts usually are.
  const SeenField* made_text(bool quotes_are_text) const noexcept;

 private:
  bool has_values() const noexcept { return has_plain_ || in_quotes_.has_value(); }
  void become_text(const SeenRecords& seen, uint64_t column, uint64_t record,
                   const NullWords& nulls, bool was_typed);

  bool has_nulls_ = false;
  bool has_plain_ = false;
  uint8_t left_ = 0xFF;                 // a bit for each, the first of them the lowest
  std::optional<SeenField> in_quotes_;  // the first one
  std::optional<SeenField> made_text_;
};

}  // namespace heron::inline v0::csv
