// Infers the first type that holds every value of a column, by reading all of them.
//
//   bool            true false True False TRUE FALSE
//   int32, int64    -12: no plus, no zeros before it, and not -0
//   float64         all that read_decimal() and number_word() know, without plus and zeros before
//                   it, if it does not overflow; a whole number if the float keeps all its digits
//   date32          2026-11-21; a year has at least four digits
//   timestamp[ns]   also 2026-11-21T10:20:30.123456789, between 1677 and 2262; if all have Z or an
//                   offset from UTC, timestamp[ns, UTC]
//   text            everything
//
// Blanks around values of other types than text do not count. Quotes are interpreted for all
// columns together, after all are read: see ColumnFacts::type().
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "csv/field.h"
#include "csv/record_reader.h"
#include "heron/schema.h"

namespace heron::inline v0::csv {

// Returns whether the reader interprets an unquoted field with this text as a null or as a value of
// another type than text. Takes some nanoseconds for most texts.
bool looks_typed(std::string_view text);

// A field that decided a type: its file, its offset and its beginning, without quotes.
struct SeenField {
  uint64_t file = 0;
  uint64_t offset = 0;
  std::string text;
};

// Consecutive records of one of the files.
struct SeenRecords {
  const RecordReader& reader;
  const Records& records;
  uint64_t file;

  SeenField field(uint64_t record, uint64_t index, const FieldRules& rules) const;
};

// The facts that decide the type of a column of one file, or of several after merge().
struct ColumnFacts {
  static constexpr uint16_t kAllHeld = 0x7FF;

  uint16_t held = kAllHeld;  // a bit for each type that holds all values, lowest for the first type
  bool has_nulls = false;
  bool has_plain = false;   // has values that are not quoted
  bool has_quoted = false;  // has quoted values

  bool has_values() const noexcept { return has_plain || has_quoted; }
  // Returns whether `held` has text, which holds every value, and no undefined type.
  bool are_possible() const noexcept;
  // Adds the facts of another column; the result is that of a pass over both, one after the other.
  void merge(const ColumnFacts& other) noexcept;
  // Returns the first type that holds all values; null if there are none. With `quotes_are_text` a
  // quoted value is text, whatever its content.
  Type type(bool quotes_are_text) const;
  // Returns whether all values are times with an offset from UTC; yes and no; dates such as
  // 03/04/2024; numbers, some of them with a comma.
  bool are_utc_times() const noexcept;
  bool are_yes_and_no() const noexcept;
  bool are_ambiguous_dates() const noexcept;
  bool are_comma_numbers() const noexcept;
};

// The numbers of some records, as see_numbers() finds them: a cell of `type` for each, int32, int64
// or float64, and a byte: 1 is valid, 0 is null.
struct SeenNumbers {
  Type type;
  std::byte* cells;
  uint8_t* valid;
};

class ColumnTypes {
 public:
  // `typed_before`: how many values of types other than text earlier files have.
  explicit ColumnTypes(uint64_t typed_before = 0) noexcept : typed_before_(typed_before) {}

  // Rules out the types that do not hold the field `index` of every record.
  void see(const SeenRecords& seen, uint64_t index, const FieldRules& rules);
  // Sees the fields and fills `numbers`. Returns false if the column is of another type than
  // `numbers`, which are then of no use. Applies to numbers with a decimal point.
  bool see_numbers(const SeenRecords& seen, uint64_t index, const FieldRules& rules,
                   const SeenNumbers& numbers);
  // Adds the facts of later files.
  void merge(ColumnTypes&& later);

  const ColumnFacts& facts() const noexcept { return facts_; }
  // Returns the number of values if all are of a type other than text; else 0.
  uint64_t typed_values() const noexcept;

  // The reason why a column is text although it would be of another type without a few of its
  // values: the values before the first of these were of that type, or most values around it are.
  struct Fallback {
    SeenField field;      // the first value that is not of the other type
    uint64_t fields = 0;  // number of such values
    uint64_t values = 0;  // number of all values
    std::string other;    // the type of the other values, in words
    bool in_quotes = false;
  };
  // Returns nullopt if the column is not text, or is text throughout.
  std::optional<Fallback> fallback(bool quotes_are_text) const;
  // Returns the first value that facts() report as odd: a time with an offset, an ambiguous date;
  // null if there is none.
  const SeenField* odd_value() const noexcept { return odd_ ? &*odd_ : nullptr; }

 private:
  template <class Keep>
  void see_fields(const SeenRecords& seen, uint64_t index, const FieldRules& rules, Keep& keep);
  void become_text(const SeenRecords& seen, uint64_t index, uint64_t record,
                   const FieldRules& rules, bool was_typed, unsigned before);
  void count_unfit(std::string_view field, const FieldRules& rules);

  ColumnFacts facts_;
  uint64_t typed_before_;
  uint64_t values_ = 0;
  uint64_t quoted_ = 0;                 // number of quoted values
  std::optional<SeenField> in_quotes_;  // the first quoted field
  std::optional<SeenField> odd_;
  // The members below are set once the column is text because of single values.
  std::optional<SeenField> made_text_;  // the first of these values
  unsigned others_ = 0;                 // the types that hold all other values
  uint64_t unfit_ = 0;                  // number of values that `others_` do not hold
};

}  // namespace heron::inline v0::csv
