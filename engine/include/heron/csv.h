// Text files with a separator between fields (RFC 4180): how they are read, and their rows.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heron/export.h"
#include "heron/formats.h"
#include "heron/row_source.h"
#include "heron/schema.h"

namespace heron::inline v0 {

// The character encoding of a file.
enum class CsvEncoding : uint8_t {
  Utf8,         // UTF-16 too, where a file begins with its byte order mark
  Latin1,       // ISO 8859-1: a byte is the character of that number
  Windows1252,  // Latin1 with quotes, dashes and the euro sign at 80 to 9F
  Utf16,        // byte order by its mark; without one, by the position of the first zero byte
  Bytes,        // unchanged; bytes that are not UTF-8 stay
};

// How a record is read that has fewer or more fields than the first.
enum class CsvRagged : uint8_t {
  Error,  // throws Error(Corrupt) that names the record's line
  Null,   // missing fields at its end are null; surplus fields are an error unless they are empty
};

// Words that mean null in a field without quotes, besides the empty field.
inline constexpr std::array<std::string_view, 3> kCsvNullWords = {"NA", "null", "NULL"};

// The options of text files as a struct.
struct CsvOptions {
  // The character between fields; 0: the one of , ; tab | with which most of the first lines have
  // the same number of fields as the very first, at least two; without the comma if that is the
  // decimal mark.
  char separator = 0;
  // The decimal mark of numbers: a point or a comma.
  char decimal = '.';
  // Lines that begin with this character are ignored; 0: none is.
  char comment = 0;
  // Whether blanks around fields and names, and around their quotes, are ignored.
  bool trim = false;
  CsvRagged ragged = CsvRagged::Error;
  // How many lines at the start of each file are ignored, before the header.
  uint64_t skip_rows = 0;
  // Whether the first record has the names of the columns; else they are c0, c1, ..
  bool header = true;
  // Words that mean null, in text columns too. An empty field without quotes is always null; in
  // quotes a field is literal: "" is the empty text, "NA" two letters.
  std::vector<std::string> null_words = {kCsvNullWords.begin(), kCsvNullWords.end()};
  CsvEncoding encoding = CsvEncoding::Utf8;
  // Types of columns by name: bool (also 0 and 1), int8 .. int64, uint8 .. uint64, float32, float64
  // (rounded), text, date32, timestamp[ns], datetime, duration, null. Types of the other columns
  // are inferred from all values of all files: the first of these that holds them, so that no value
  // loses anything. Blanks around a value that is not text do not count.
  //   bool            true false True False TRUE FALSE; with a type given also yes and no
  //   int32           if it holds all values of the column, which have no plus, no leading zeros,
  //                   and are not "-0": 007 and +49 may be no numbers
  //   int64           likewise
  //   float64         1.5 .5 5. 1e-3 NaN inf -Infinity, likewise, if it does not overflow. Rounded,
  //                   except whole numbers: a column in which one loses a digit is not float64
  //   date32          2026-11-21
  //   timestamp[ns]   2026-11-21T10:20:30.123456789, also with a space and as a date alone; if all
  //                   values end in Z or an offset such as +02:00, timestamp[ns, UTC], which a note
  //                   reports
  //   text            everything else, such as integers beyond int64 and 03/04/2024
  // A column without any value is null. A quoted value makes its column text, even "12", because
  // programs that quote only texts write it so. Other programs quote everything: if every name and
  // value of all the files is quoted, quotes have no effect.
  std::vector<std::pair<std::string, Type>> types = {};

  // The options that differ from the defaults, by name, as OpenOptions::format_options takes them.
  HERON_EXPORT FormatOptions format_options() const;
  operator FormatOptions() const { return format_options(); }

  bool operator==(const CsvOptions&) const = default;
};

// Returns the records of all the files, one file after the other. All headers have the same names,
// in any order, and columns are in the order of the first; without headers, files have as many
// columns. A column of different types in the files gets the first type that holds all its values.
// Reads all files once, at a few hundred MB/s, to infer types, count rows and check that each
// record has as many fields as the first. Each stream reads them again. Memory does not grow with
// the files, except for a record, which must be below 1 GiB and a million fields. Files are read,
// not mapped. A byte order mark is ignored. LF, CRLF and CR end lines. Blank lines are ignored in
// files with several columns and nulls in files with one. Other encodings are converted to UTF-8
// whenever bytes are read. Context::note reports the detected encoding; for each column that is
// text because of few values, the first of these, its line and their number; columns whose values
// are read otherwise than they look, or might be; and columns of different types in the files.
// Context::progress counts the bytes of both reads.
//
// Throws Error: Io; Corrupt, with line and column, for a record with another number of fields,
// quotes that do not close or are not followed by a separator, bytes that are not of the encoding,
// and a field that does not fit the given type of its column; UnknownFormat for a file that begins
// as other kinds of files do, such as compressed ones; Argument for a type of an unknown column and
// files whose columns differ; Changed if a file changed since the first read; Limit; Cancelled.
HERON_EXPORT RowSourcePtr csv_rows(std::vector<std::string> paths,
                                   const FormatOptions& options = {}, const Context& context = {});

}  // namespace heron::inline v0
