// Rows of text files with a separator between fields (RFC 4180).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heron/row_source.h"

namespace heron::inline v0 {

// How characters are written in bytes.
enum class CsvEncoding : uint8_t {
  Utf8,         // UTF-16 too, where a file begins with its byte order mark
  Latin1,       // ISO 8859-1: a byte is the character of that number
  Windows1252,  // the same, with quotes, dashes and the euro sign at 80 to 9F
  Utf16,        // by its byte order mark; without one, by where the first zero byte is
  Bytes,        // as they are; what is not UTF-8 stays so
};

// What stands for null in a field without quotes, beside nothing at all.
inline constexpr std::array<std::string_view, 3> kCsvNullWords = {"NA", "null", "NULL"};

struct CsvOptions {
  // Between fields; 0: the one of , ; tab | with which most of the first lines have as many fields
  // as the very first, at least two.
  char separator = 0;
  // Whether the first record has the columns' names; else they are c0, c1, ..
  bool header = true;
  // Words that mean that there is no value, of texts too. An empty field without quotes always
  // does; in quotes a field is what it says: "" the empty text, "NA" those two letters.
  std::vector<std::string> null_words = {kCsvNullWords.begin(), kCsvNullWords.end()};
  CsvEncoding encoding = CsvEncoding::Utf8;
  // Types of columns by name: bool (also 0 and 1), int8 .. int64, uint8 .. uint64, float32, float64
  // (rounded), text, date32, timestamp[ns], datetime, duration, null. Of the others the whole file
  // decides: the first of these that holds all their values, so that each comes back as the same
  // one.
  //   bool            true false True False TRUE FALSE
  //   int32, int64    without plus, zeros before it and "-0": 007 and +49 may be no numbers
  //   float64         1.5 .5 5. 1e-3 NaN inf -Infinity, likewise, if it does not overflow. Rounded,
  //                   but for whole numbers: a column in which one loses a digit is no float64
  //   date32          2026-11-21
  //   timestamp[ns]   2026-11-21T10:20:30.123456789, also with a space and as a date alone
  //   text            everything, such as integers beyond int64
  // Without any value: null. A value in quotes makes its column text, "12" too, as programs write
  // it that put quotes around texts and not around numbers. There are others that put quotes around
  // everything: where no name and no value of all the files stands without quotes, they tell
  // nothing.
  std::vector<std::pair<std::string, Type>> types;
};

// The records of all the files, one after the other, each with the same names in its header. Goes
// through all of them once, at a few hundred MB/s: types, the number of rows, and that each record
// has as many fields as the first. Each stream goes through them again. Memory does not grow with
// the files, but for a record, which must be below 1 GiB and a million fields. Files are read, not
// mapped. A byte order mark is passed over; LF, CRLF and CR end lines, blank lines of files with
// several columns are passed over, those of one column are nulls. Other encodings are made
// UTF-8 on the way, whenever bytes are read. Context::note hears which encoding was found, and of
// each column that is text because of single fields: the first of them and its line.
// Context::progress is told of the bytes of both ways through. Throws Error: Io; Corrupt, with line
// and column, for a record of another number of fields, quotes that do not close or are followed by
// something else than a separator, bytes that are not of the encoding, and a field that the type
// told for its column does not hold; UnknownFormat for a file that begins as other kinds of files
// do, such as compressed ones; Argument for a type of a column that is not there, and files whose
// columns differ; Changed where a file is no longer the one that was gone through; Limit;
// Cancelled.
RowSourcePtr csv_rows(std::vector<std::string> paths, const CsvOptions& options = {},
                      const Context& context = {});

}  // namespace heron::inline v0
